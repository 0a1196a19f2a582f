import DeviceScreens
import GRDB
import PayloadJSON
package import PushModel
package import PushStore

extension SQLiteStore {
    /// Lets `body` import another store's contents into this one, in one transaction.
    ///
    /// - Throws: `StoreError`, or what `body` throws; nothing is imported then.
    package func importing(_ body: (StoreImporter) throws -> Void) throws {
        // Its rows are written past what is in memory.
        defer { forgetLoaded() }
        try transaction(replacing: nil) { session, database in
            try body(try StoreImporter(session, database))
        }
    }
}

/// Imports another store's contents. Valid only for the duration of the call that passes it.
package final class StoreImporter {
    /// Imported rows between two checks of how much is in memory.
    private static let addsBetweenLooks = 1024

    let session: SQLiteSession
    let database: Database
    private let insertScreen: PreparedStatement
    private let insertNotification: PreparedStatement
    private let insertCenter: PreparedStatement
    private let insertEvent: PreparedStatement
    private let facts: [DeviceRecord.Kind: any StoredFact]
    private var adds = 0

    init(_ session: SQLiteSession, _ database: Database) throws {
        self.session = session
        self.database = database
        insertScreen = try PreparedStatement(
            database,
            """
            INSERT INTO center (device, app, badge) VALUES (?, ?, ?)
            ON CONFLICT (device, app) DO UPDATE SET badge = coalesce(excluded.badge, badge)
            """)
        insertNotification = try PreparedStatement(
            database, StoreQuery.insertNotification + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)")
        insertCenter = try PreparedStatement(database, StoreQuery.insertCenter)
        facts = Dictionary(
            uniqueKeysWithValues: session.facts.flatMap { fact in
                type(of: fact).tables.compactMap(\.record).map { ($0, fact) }
            })
        insertEvent = try PreparedStatement(
            database,
            """
            INSERT INTO event (seq, at, center, kind, identifier)
            SELECT ?3, ?4, id, ?5, ?6 FROM center WHERE device = ?1 AND app = ?2
            """)
    }

    /// The next run numbers its records after this one, unless this store has a higher number.
    package func continueNumbers(after last: UInt64) {
        session.lastSequence = max(session.lastSequence, last)
    }

    /// States of Live Activities are those at this time, unless this store has a later one.
    package func continueTime(after time: Int64) throws { try session.activities.continueTime(after: time) }

    /// Adds an app on a device, and the number on its icon; nil leaves the existing one.
    package func addScreen(device: String, app: String, badge: Int?) throws {
        try insertScreen.run(device, app, badge)
    }

    /// Adds a notification as the newest one, replacing one with the same identifier, as if it were delivered now.
    /// Writes no journal line.
    package func add(_ notification: DeliveredNotification) throws {
        adds += 1
        if adds.isMultiple(of: Self.addsBetweenLooks) { try session.keepWithinBounds() }
        let target = GeneratedIdentifier.target(in: notification.identifier, seq: notification.seq)
        let isGenerated = target != nil
        let index = target.flatMap(\.self)
        let (order, center) = try Self.withBorrowed(notification.device) { device in
            try Self.withBorrowed(notification.app) { app in
                try Self.withBorrowed(notification.identifier) { identifier in
                    let entry = NotificationCenters.Entry(
                        order: 0, seq: notification.seq, at: notification.deliveredAt, target: index,
                        identifier: isGenerated ? nil : identifier, customID: nil)
                    return try session.place(entry, device: device, app: app)
                }
            }
        }
        let content = notification.content
        try insertNotification.run(
            order, center, notification.seq, index, isGenerated ? nil : notification.identifier, content.title,
            content.subtitle, content.body, content.thread, content.badge, notification.deliveredAt,
            notification.payload, notification.changes)
        continueNumbers(after: notification.seq)
    }

    /// Adds an app on a device, a message queued for one, or a Live Activity, replacing what the store has, or a late removal.
    package func add(_ record: DeviceRecord) throws {
        try facts[record.kind]?.add(record)
        if let seq = record.integer("seq"), seq >= 0 { continueNumbers(after: UInt64(seq)) }
    }

    /// Adds a journal line after the existing ones.
    package func add(_ entry: JournalEntry) throws {
        try insertCenter.run(entry.device, entry.app)
        try insertEvent.run(
            entry.device, entry.app, entry.seq, entry.at, entry.kind.name.description, entry.identifier)
        continueNumbers(after: entry.seq)
    }

    private static func withBorrowed<Result>(
        _ text: String, _ body: (BorrowedText) throws -> Result
    ) rethrows -> Result {
        var text = text
        return try text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return try body(.empty) }
            // SOUND: borrowed for the duration of `body`.
            return try body(unsafe BorrowedText(start: start, count: bytes.count))
        }
    }
}
