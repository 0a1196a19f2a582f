public import DeviceSimulation
import GRDB
import PayloadJSON
import PushModel

extension SQLiteStore {
    /// Hands out what is on the screens, newest last. Rows are read one at a time, whatever their number.
    public func forEachNotification(
        device: String?, app: String?, _ body: (DeliveredNotification) throws -> Void
    ) throws {
        let filter = Self.filter(device: device, app: app)
        // A store that an earlier version wrote, and that is only read here, is not brought up to date.
        var hasChanges = false
        try reading("SELECT 1 FROM pragma_table_info('notification') WHERE name = 'changes'", []) { _ in
            hasChanges = true
        }
        let sql = """
            SELECT n.seq, c.device, c.app,
                coalesce(n.chosen_identifier, 'push-' || n.seq || coalesce('.' || n.target, '')),
                n.title, n.subtitle, n.body, n.thread, n.badge, n.delivered_at, n.payload,
                \(hasChanges ? "n.changes" : "NULL")
            FROM notification n JOIN center c ON c.id = n.center
            \(filter.sql)
            ORDER BY n.id
            """
        try reading(sql, filter.texts) { row in
            try body(
                DeliveredNotification(
                    seq: UInt64(bitPattern: row.integer(0)), device: row.string(1), app: row.string(2),
                    identifier: row.string(3),
                    content: ShownContent(
                        title: row.optionalString(4), subtitle: row.optionalString(5), body: row.optionalString(6),
                        thread: row.optionalString(7), badge: row.optionalInteger(8)),
                    deliveredAt: row.integer(9), payload: row.string(10), changes: row.optionalString(11)))
        }
    }

    /// Hands out the journal, oldest first.
    public func forEachEvent(device: String?, _ body: (JournalEntry) throws -> Void) throws {
        let filter = Self.filter(device: device, app: nil)
        let sql = """
            SELECT e.seq, e.at, c.device, c.app, e.kind, e.identifier
            FROM event e JOIN center c ON c.id = e.center
            \(filter.sql)
            ORDER BY e.id
            """
        try reading(sql, filter.texts) { row in
            guard let kind = DeliveryEvent.allCases.first(where: { row.text(4) == $0.name }) else { return }
            try body(
                JournalEntry(
                    seq: UInt64(bitPattern: row.integer(0)), at: row.integer(1), device: row.string(2),
                    app: row.string(3),
                    kind: kind, identifier: row.string(5)))
        }
    }

    /// How far a file has been processed; nil when it has not been begun.
    public func progress(of path: String) throws -> InputProgress? {
        var progress: InputProgress?
        let sql = "SELECT offset, digest, digest_rest, framing, is_dropping, records FROM input WHERE path = ?"
        try reading(sql, [path]) { row in
            var found = InputProgress(path: path)
            found.offset = UInt64(bitPattern: row.integer(0))
            found.digest = InputDigest(words: (row.integer(1), row.integer(2)))
            found.framing = row.string(3)
            found.isDropping = row.integer(4) != 0
            found.records = UInt64(bitPattern: row.integer(5))
            progress = found
        }
        return progress
    }

    /// The report of the last transaction, when it is not known whether anybody has read it.
    public func lastReport() throws -> [UInt8] {
        var lines: [UInt8] = []
        try reading("SELECT lines FROM last_report", []) { lines = [UInt8]($0.text(0).buffer) }
        return lines
    }

    /// Hands out the apps on devices, in the order in which they were first seen.
    public func forEachCenter(_ body: (CenterSummary) throws -> Void) throws {
        let sql = """
            SELECT c.device, c.app, c.badge, count(n.id), max(n.delivered_at)
            FROM center c LEFT JOIN notification n ON n.center = c.id
            GROUP BY c.id ORDER BY c.id
            """
        try reading(sql, []) { row in
            try body(
                CenterSummary(
                    device: row.string(0), app: row.string(1), badge: row.optionalInteger(2),
                    count: Int(row.integer(3)),
                    latest: row.isNull(4) ? nil : row.integer(4)))
        }
    }

    /// Conditions that an index can serve: none for what is not asked.
    private static func filter(device: String?, app: String?) -> (sql: String, texts: [String]) {
        let conditions = [("c.device = ?", device), ("c.app = ?", app)].filter { $0.1 != nil }
        let sql = conditions.isEmpty ? "" : "WHERE " + conditions.map(\.0).joined(separator: " AND ")
        return (sql, conditions.compactMap(\.1))
    }

    /// Hands out rows. Not GRDB's own, whose texts end at the first NUL.
    private func reading(_ sql: String, _ texts: [String], _ body: (PreparedStatement) throws -> Void) throws {
        do {
            try queue.read { database in
                let statement = try PreparedStatement(database, sql)
                defer { statement.reset() }
                for (index, text) in texts.enumerated() { statement.bind(Int32(index + 1), copying: text) }
                while try statement.step() { try body(statement) }
            }
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }
}

/// One app on one device, in numbers.
public struct CenterSummary: Sendable, Equatable {
    /// Token, registration id, topic name or condition.
    public var device: String
    /// Bundle identifier or package name; empty when the records named none.
    public var app: String
    /// The number on the app's icon; nil when no push has set it.
    public var badge: Int?
    /// Notifications on the screen.
    public var count: Int
    /// When the newest of them was delivered, in milliseconds since the epoch.
    public var latest: Int64?

    /// Makes a summary.
    public init(device: String, app: String, badge: Int?, count: Int, latest: Int64?) {
        self.device = device
        self.app = app
        self.badge = badge
        self.count = count
        self.latest = latest
    }
}
