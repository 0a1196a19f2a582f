import GRDB
import PayloadJSON
import PushDevices
import PushModel

/// A row about an app on a device, a queued message, a Live Activity or a late removal, with named columns, to copy to another store.
package struct DeviceRecord: Sendable, Equatable {
    /// What the row is about.
    package enum Kind: String, Sendable, CaseIterable {
        case installation, held
        case liveActivity = "live_activity"
        /// A late removal that is not due yet.
        case removal

        /// The table of the rows.
        var table: String { rawValue }
    }

    /// A column's value.
    package enum Value: Sendable, Equatable {
        case text(String)
        case integer(Int64)
    }

    /// What the row is about.
    package var kind: Kind
    /// Values by column name; missing columns are null.
    package var values: [String: Value]

    /// Makes a record.
    package init(kind: Kind, values: [String: Value]) {
        self.kind = kind
        self.values = values
    }

    /// The columns of a kind in order: their names, and whether they hold text.
    package static func columns(of kind: Kind) -> [(name: String, isText: Bool)] {
        switch kind {
        case .installation:
            [
                ("device", true), ("platform", true), ("online", false), ("focus", true), ("app", true),
                ("state", true),
                ("authorization", true), ("alerts", false), ("logged_in", false), ("registration", true),
                ("unregistered_at", false), ("canonical", true), ("deleted_count", false), ("token_standing", true),
                ("token_since", false), ("token_due", false), ("details", true),
            ]
        case .held:
            [
                ("seq", false), ("target", false), ("device", true), ("app", true), ("accepted_at", false),
                ("expires_at", false), ("collapse_key", true), ("provider", true), ("gateway", true),
                ("platform", true),
                ("topic", true), ("collapse_id", true), ("push_type", true), ("bytes", false), ("byte_limit", false),
                ("is_background", false), ("payload", true),
            ]
        case .liveActivity: SQLiteActivities.columns
        case .removal:
            [("seq", false), ("due", false), ("device", true), ("app", true), ("identifier", true)]
        }
    }

    /// The columns that a row of a kind always has.
    package static func requiredColumns(of kind: Kind) -> [String] {
        switch kind {
        case .installation:
            [
                "device", "platform", "online", "app", "state", "authorization", "alerts", "registration",
                "deleted_count", "token_standing", "token_since",
            ]
        case .held:
            [
                "seq", "target", "device", "app", "accepted_at", "expires_at", "provider", "platform", "topic",
                "bytes", "byte_limit", "is_background", "payload",
            ]
        case .liveActivity:
            [
                "seq", "device", "app", "identifier", "token", "has_own_token", "started_at", "updated_at",
                "hour_start", "hour_count",
            ]
        case .removal: ["seq", "due", "device", "app"]
        }
    }

    /// The columns of the device itself, not of an app on it.
    static let ofDevice = ["device", "platform", "online", "focus"]
}

extension SQLiteStore {
    /// Calls `body` for each row of a kind about devices, in the order in which they were stored.
    package func forEachRecord(of kind: DeviceRecord.Kind, _ body: (DeviceRecord) throws -> Void) throws {
        try reading { try Self.recordRows($0, kind).passAll(to: body) }
    }
}

/// Writes device records into a store.
struct DeviceRecordWriter {
    private let insertDevice: PreparedStatement
    private let insertApp: PreparedStatement
    private let insertHeld: PreparedStatement
    private let deleteActivity: PreparedStatement
    private let insertActivity: PreparedStatement
    private let selectApp: PreparedStatement
    private let subscriptions: SubscriptionWriter

    init(_ database: Database) throws {
        insertDevice = try PreparedStatement(
            database,
            """
            INSERT INTO device (device, platform, online, focus) VALUES (?, ?, ?, ?)
            ON CONFLICT (device) DO UPDATE SET
                platform = excluded.platform, online = excluded.online, focus = excluded.focus
            """)
        let app = Self.names(of: .installation).filter { !DeviceRecord.ofDevice.contains($0) }
        let marks = app.map { _ in "?" }.joined(separator: ", ")
        insertApp = try PreparedStatement(
            database,
            """
            INSERT OR REPLACE INTO installation (device, \(app.joined(separator: ", ")))
            VALUES ((SELECT id FROM device WHERE device = ?), \(marks))
            """)
        selectApp = try PreparedStatement(database, StoreQuery.appOfDevice)
        subscriptions = try SubscriptionWriter(database)
        func insertion(_ kind: DeviceRecord.Kind) -> String {
            let names = Self.names(of: kind)
            return "INSERT OR REPLACE INTO \(kind.table) (\(names.joined(separator: ", "))) "
                + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
        }
        insertHeld = try PreparedStatement(database, insertion(.held))
        deleteActivity = try PreparedStatement(
            database, "DELETE FROM live_activity WHERE device = ? AND app = ? AND identifier = ?")
        insertActivity = try PreparedStatement(database, insertion(.liveActivity))
    }

    private static func names(of kind: DeviceRecord.Kind) -> [String] { DeviceRecord.columns(of: kind).map(\.name) }

    func write(_ record: DeviceRecord) throws {
        let names = Self.names(of: record.kind)
        switch record.kind {
        case .installation:
            bind(DeviceRecord.ofDevice, of: record, to: insertDevice)
            try insertDevice.run()
            // A row that is replaced gets another id.
            bind(["device", "app"], of: record, to: selectApp)
            if let old = try selectApp.firstInteger() { try subscriptions.write(nil, of: old) }
            bind(["device"] + names.filter { !DeviceRecord.ofDevice.contains($0) }, of: record, to: insertApp)
            try insertApp.run()
            try subscriptions.write(Self.topics(in: record), of: insertApp.lastInsertedRowID)
        case .held:
            bind(names, of: record, to: insertHeld)
            try insertHeld.run()
        case .liveActivity:
            bind(["device", "app", "identifier"], of: record, to: deleteActivity)
            try deleteActivity.run()
            bind(names, of: record, to: insertActivity)
            try insertActivity.run()
        // Added to those in memory, which are written at the end.
        case .removal: break
        }
    }

    private static func topics(in record: DeviceRecord) -> Set<String>? {
        guard case .text(let details)? = record.values["details"] else { return nil }
        var event = DeviceEvent(.device)
        _ = BorrowedText.with(details) { AppText.describe($0, in: &event) }
        return event.topics.map { Set($0) }
    }

    private func bind(_ names: [String], of record: DeviceRecord, to statement: PreparedStatement) {
        for (position, name) in names.enumerated() {
            switch record.values[name] {
            case .text(let text)?: statement.bind(Int32(position + 1), copying: text)
            case .integer(let number)?: statement.bind(Int32(position + 1), number)
            case nil: statement.bind(Int32(position + 1), nil as Int?)
            }
        }
    }
}

extension LateRemovals.Removal {
    /// The removal of a record; nil if a column is missing.
    init?(_ record: DeviceRecord) {
        guard case .integer(let seq)? = record.values["seq"], case .integer(let due)? = record.values["due"],
            case .text(let device)? = record.values["device"], case .text(let app)? = record.values["app"]
        else { return nil }
        self.init(seq: UInt64(bitPattern: seq), due: due, device: device, app: app, identifier: nil)
        if case .text(let named)? = record.values["identifier"] { identifier = named }
    }
}
