package import PushDevices
import PushJSON
package import PushModel
package import PushSystem

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
    private let insertNotification: PreparedStatement
    private let facts: [DeviceRecord.Kind: any StoredFact]
    private var adds = 0

    init(_ session: SQLiteSession, _ database: Database) throws {
        self.session = session
        self.database = database
        insertNotification = try PreparedStatement(
            database, StoreQuery.insertNotification + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)")
        facts = Dictionary(
            uniqueKeysWithValues: session.facts.flatMap { fact in
                type(of: fact).tables.compactMap(\.record).map { ($0, fact) }
            })
    }

    /// The next run numbers its records after this one, unless this store has a higher number.
    package func continueNumbers(after last: UInt64) {
        session.lastSequence = max(session.lastSequence, last)
    }

    /// States of Live Activities are those at this time, unless this store has a later one.
    package func continueTime(after time: Int64) throws { try session.activities.continueTime(after: time) }

    /// Adds an app on a device, and the number on its icon; nil leaves the existing one.
    package func addScreen(device: String, app: String, badge: Int?) throws {
        try withScreen(device, app) { try session.addScreen(device: $0, app: $1, badge: badge) }
    }

    /// Adds a notification as the newest one, replacing one with the same identifier, as if it were delivered now.
    /// Writes no journal line.
    package func add(_ notification: DeliveredNotification) throws {
        let generated = GeneratedIdentifier(notification.identifier, seq: notification.seq)
        let (order, center) = try withScreen(notification.device, notification.app) { device, app in
            try BorrowedText.with(notification.identifier) { identifier in
                let entry = NotificationCenters.Entry(
                    order: 0, seq: notification.seq, at: notification.deliveredAt, target: generated?.target,
                    identifier: generated == nil ? identifier : nil, customID: nil)
                return try session.place(entry, device: device, app: app)
            }
        }
        let content = notification.content
        try insertNotification.run(
            order, center, notification.seq, generated?.target, generated == nil ? notification.identifier : nil,
            content.title,
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
        try withScreen(entry.device, entry.app) { device, app in
            try BorrowedText.with(entry.identifier) {
                try session.add(entry, device: device, app: app, identifier: $0)
            }
        }
        continueNumbers(after: entry.seq)
    }

    private func withScreen<Result>(
        _ device: String, _ app: String, _ body: (_ device: BorrowedText, _ app: BorrowedText) throws -> Result
    ) throws -> Result {
        adds += 1
        if adds.isMultiple(of: Self.addsBetweenLooks) { try session.keepWithinBounds() }
        return try BorrowedText.with(device) { device in try BorrowedText.with(app) { try body(device, $0) } }
    }
}

extension StoreImporter {
    /// Imports an export into the store.
    ///
    /// - Throws: `PlainError` with the line that does not belong to an export, `SystemError` if it cannot be read,
    ///   `StoreError`.
    package func add(exportFrom descriptor: FileDescriptor, _ counts: inout ImportCounts) throws {
        let reader = ExportReader()
        var isFirst = true
        var lines = LineReader(descriptor: descriptor)
        do {
            while let text = try lines.next() {
                let line = try reader.read(text)
                if case .blank = line { continue }
                if isFirst { try adoptRedaction(of: line) }
                isFirst = false
                try add(line, &counts)
            }
            try reader.finish()
        } catch let error as PlainError {
            throw PlainError(error.message, line: max(lines.number, 1))
        }
    }

    /// The first line of an export says what is redacted in it. An excerpt counts as unredacted.
    private func adoptRedaction(of line: ExportReader.Line) throws {
        var redaction: StoreRedaction?
        if case .start(_, _, let found) = line { redaction = found }
        guard try adopt(redaction) else {
            throw PlainError(
                redaction == nil
                    ? "the store is redacted, and the export is not; import it into another store"
                    : "the export is redacted, and not as the store is; import it into another store")
        }
    }

    private func add(_ line: ExportReader.Line, _ counts: inout ImportCounts) throws {
        switch line {
        case .start(let lastSequence, let lastTime, _):
            continueNumbers(after: lastSequence)
            if let lastTime { try continueTime(after: lastTime) }
        case .screen(let device, let app, let badge):
            counts.screens += 1
            try addScreen(device: device, app: app, badge: badge)
        case .device(let record):
            if record.kind == .liveActivity { counts.activities += 1 } else { counts.devices += 1 }
            try add(record)
        case .notification(let notification):
            counts.notifications += 1
            try add(notification)
        case .event(let entry):
            counts.events += 1
            try add(entry)
        case .end, .blank: break
        }
    }
}
