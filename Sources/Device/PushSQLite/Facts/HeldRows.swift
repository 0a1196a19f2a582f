import GRDB
import PayloadJSON
import PushDevices
import PushModel
import PushStore

/// The rows of queued messages that a transaction adds and deletes, until `flush` writes them.
///
/// A message that leaves the queue in the transaction in which it came, as many do, is never written: four B-trees have its row otherwise.
struct HeldRows {
    private struct Key: Hashable, Comparable {
        var seq: UInt64
        /// -1 for a request with one target.
        var target: Int64

        init(_ message: QueuedMessage) {
            seq = message.seq
            target = Int64(message.target ?? -1)
        }

        static func < (left: Key, right: Key) -> Bool { (left.seq, left.target) < (right.seq, right.target) }
    }

    private struct Row {
        /// Nil if it has left the queue.
        var message: QueuedMessage?
        var app: String
        /// Nil if SQLite chooses it.
        var id: Int64?
    }

    /// In the order of their ids.
    private var added: [Row] = []
    private var positions: [Key: Int] = [:]
    /// Those in the file to delete.
    private var deleted: [Key] = []
    /// A message to a topic may be queued for any number of subscribers.
    private static let maximumCount = 1 << 16

    private let insert = Prepared(
        """
        INSERT INTO held (
            seq, target, device, app, accepted_at, expires_at, collapse_key, provider, gateway, platform, topic,
            collapse_id, push_type, bytes, byte_limit, is_background, payload, id
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    private let delete = Prepared("DELETE FROM held WHERE seq = ? AND target = ?")

    mutating func add(_ message: QueuedMessage, app: BorrowedText, id: Int64?, to database: Database) throws {
        if added.count >= Self.maximumCount { try flush(to: database) }
        positions[Key(message)] = added.count
        added.append(Row(message: message, app: app.string, id: id))
    }

    mutating func remove(_ message: QueuedMessage) {
        let key = Key(message)
        if let position = positions.removeValue(forKey: key) {
            added[position].message = nil
        } else {
            deleted.append(key)
        }
    }

    mutating func removeAll() {
        added.removeAll(keepingCapacity: true)
        positions.removeAll(keepingCapacity: true)
        deleted.removeAll(keepingCapacity: true)
    }

    /// Writes what has been collected. Call it before rows are read of which not all are in memory.
    mutating func flush(to database: Database) throws {
        // Whatever fails here ends the transaction.
        defer { removeAll() }
        // A message that has been renamed is deleted first.
        for key in deleted.sorted() {
            let delete = try delete(database)
            delete.bind(1, key.seq)
            delete.bind(2, key.target)
            try delete.run()
        }
        for row in added { if let message = row.message { try write(message, row, to: database) } }
    }

    /// Binds one by one, since a run with devices that are offline has many.
    private func write(_ message: QueuedMessage, _ row: Row, to database: Database) throws {
        let insert = try insert(database)
        insert.bind(1, message.seq)
        insert.bind(2, Int64(message.target ?? -1))
        insert.bind(3, copying: message.device)
        insert.bind(4, copying: row.app)
        insert.bind(5, message.acceptedAt)
        insert.bind(6, message.expiresAt)
        insert.bind(7, copying: message.collapseKey)
        insert.bind(8, BorrowedText(message.provider.name))
        insert.bind(9, message.gateway.map { BorrowedText($0.name) })
        insert.bind(10, copying: message.platform.rawValue)
        insert.bind(11, copying: message.topic)
        insert.bind(12, copying: message.collapseID)
        insert.bind(13, message.pushType.map { BorrowedText($0.row.wireName) })
        insert.bind(14, message.byteCount)
        insert.bind(15, message.byteLimit)
        insert.bind(16, Int64(message.isBackground ? 1 : 0))
        insert.bind(17, copying: message.payload)
        insert.bind(18, row.id.map { Int($0) })
        try insert.run()
    }
}
