public import DeviceScreens
import GRDB
import PayloadJSON
import PushDecoding
import PushModel

extension SQLiteStore {
    /// Calls `body` for each notification on the screens, newest last. Reads one row at a time, however many there are.
    public func forEachNotification(
        device: String?, app: String?, _ body: (DeliveredNotification) throws -> Void
    ) throws {
        try forEachNotification(device: device, app: app, newestFirst: false, body)
    }

    /// The same, in either order.
    package func forEachNotification(
        device: String?, app: String?, newestFirst: Bool, _ body: (DeliveredNotification) throws -> Void
    ) throws {
        try reading { database in
            let hasChanges = try Self.hasChanges(database)
            guard device != nil || app != nil else {
                let every = try PreparedStatement(
                    database, StoreQuery.everyNotification(hasChanges: hasChanges, newestFirst: newestFirst))
                defer { every.reset() }
                while try every.step() { try body(Self.notification(every)) }
                return
            }
            let hasIndex = try StoreIndex.notifications.exists(in: database)
            let ids = try PreparedStatement(
                database,
                StoreQuery.notificationIDs(
                    hasDevice: device != nil, hasApp: app != nil, hasIndex: hasIndex, newestFirst: newestFirst))
            ids.bind([try Self.nameOnScreens(device, database), app])
            let one = try PreparedStatement(database, StoreQuery.oneNotification(hasChanges: hasChanges))
            defer {
                ids.reset()
                one.reset()
            }
            while try ids.step() {
                one.bind(1, ids.integer(0))
                while try one.step() { try body(Self.notification(one)) }
            }
        }
    }

    /// A device's name as the screens have it: a token of APNs may be written in either case.
    static func nameOnScreens(_ device: String?, _ database: Database) throws -> String? {
        guard let device else { return nil }
        let token = DeviceToken.canonical(device)
        guard token != device else { return device }
        let exact = try PreparedStatement(database, StoreQuery.centersOfDevice(hasApp: false))
        defer { exact.reset() }
        exact.bind(1, copying: device)
        return try exact.step() ? device : token
    }

    static func notification(_ row: PreparedStatement) -> DeliveredNotification {
        DeliveredNotification(
            seq: UInt64(bitPattern: row.integer(0)), device: row.string(1), app: row.string(2),
            identifier: row.string(3), content: content(row, from: 4), deliveredAt: row.integer(9),
            payload: row.string(10), changes: row.optionalString(11))
    }

    private static func content(_ row: PreparedStatement, from column: Int32) -> ShownContent {
        ShownContent(
            title: row.optionalString(column), subtitle: row.optionalString(column + 1),
            body: row.optionalString(column + 2), thread: row.optionalString(column + 3),
            badge: row.optionalInteger(column + 4))
    }

    /// A store that an earlier version wrote and that is opened read-only is not migrated.
    static func hasChanges(_ database: Database) throws -> Bool {
        let sql = "SELECT 1 FROM pragma_table_info('notification') WHERE name = 'changes'"
        return try PreparedStatement(database, sql).firstInteger() != nil
    }

    /// Calls `body` for each screen. Holds one screen at a time in memory, without payloads; without an index also the ids
    /// of all notifications.
    public func forEachScreen(device: String?, app: String?, _ body: ([DeliveredNotification]) throws -> Void) throws {
        try reading { database in
            guard try StoreIndex.notifications.exists(in: database) else {
                return try forEachScreenWithoutIndex(database, device, app, body)
            }
            let screens = try PreparedStatement(
                database, StoreQuery.screens(hasDevice: device != nil, hasApp: app != nil))
            screens.bind([try Self.nameOnScreens(device, database), app])
            let cards = try PreparedStatement(database, StoreQuery.cards)
            defer {
                screens.reset()
                cards.reset()
            }
            while try screens.step() {
                if screens.isNull(3) { continue }
                let (device, app) = (screens.string(1), screens.string(2))
                var shown: [DeliveredNotification] = []
                cards.bind(1, screens.integer(0))
                while try cards.step() { shown.append(Self.card(cards, device, app)) }
                try body(shown)
            }
        }
    }

    private func forEachScreenWithoutIndex(
        _ database: Database, _ device: String?, _ app: String?, _ body: ([DeliveredNotification]) throws -> Void
    ) throws {
        var screens: [(center: Int64, notifications: [Int64])] = []
        var positions: [Int64: Int] = [:]
        let parts = try PreparedStatement(
            database, StoreQuery.screenParts(hasDevice: device != nil, hasApp: app != nil))
        parts.bind([try Self.nameOnScreens(device, database), app])
        defer { parts.reset() }
        while try parts.step() {
            let center = parts.integer(0)
            let position = positions[center, default: screens.count]
            if position == screens.count {
                positions[center] = position
                screens.append((center, []))
            }
            screens[position].notifications.append(parts.integer(1))
        }
        let names = try PreparedStatement(database, StoreQuery.centerNames)
        let card = try PreparedStatement(database, StoreQuery.oneCard)
        defer {
            names.reset()
            card.reset()
        }
        for screen in screens {
            names.bind(1, screen.center)
            guard try names.step() else { continue }
            let (device, app) = (names.string(0), names.string(1))
            names.reset()
            var shown: [DeliveredNotification] = []
            for id in screen.notifications {
                card.bind(1, id)
                while try card.step() { shown.append(Self.card(card, device, app)) }
            }
            try body(shown)
        }
    }

    private static func card(_ row: PreparedStatement, _ device: String, _ app: String) -> DeliveredNotification {
        DeliveredNotification(
            seq: UInt64(bitPattern: row.integer(0)), device: device, app: app, identifier: row.string(1),
            content: content(row, from: 2), deliveredAt: row.integer(7), payload: "")
    }

    /// Calls `body` for each journal line, oldest first.
    public func forEachEvent(device: String?, _ body: (JournalEntry) throws -> Void) throws {
        try reading { database in
            let hasIndex = try StoreIndex.events.exists(in: database)
            let device = try Self.nameOnScreens(device, database)
            try reading(StoreQuery.events(hasDevice: device != nil, hasIndex: hasIndex), [device]) { row in
                guard let kind = JournalKind.allCases.first(where: { row.text(4) == $0.name }) else { return }
                try body(
                    JournalEntry(
                        seq: UInt64(bitPattern: row.integer(0)), at: row.integer(1), device: row.string(2),
                        app: row.string(3), kind: kind, identifier: row.string(5)))
            }
        }
    }

    /// Calls `body` for each Live Activity, in the order in which they began.
    public func forEachLiveActivity(
        device: String?, app: String?, _ body: (LiveActivity) throws -> Void
    ) throws {
        try reading { database in
            // A store that an earlier version wrote and that is opened read-only is not migrated.
            guard try database.tableExists("live_activity") else { return }
            let time = try lastRecordTime ?? 0
            try reading(StoreQuery.everyLiveActivity) { row in
                var activity = SQLiteActivities.activity(row)
                guard (device ?? activity.device) == activity.device, (app ?? activity.app) == activity.app else {
                    return
                }
                activity.state = activity.state(at: time)
                try body(activity)
            }
        }
    }

    /// The progress of a file; nil when it was never started.
    package func progress(of path: String) throws -> InputProgress? {
        var progress: InputProgress?
        let sql =
            """
            SELECT offset, digest, digest_rest, framing, is_dropping, records, clock_offset, file_records FROM input WHERE path = ?
            """
        try reading(sql, [path]) { row in
            var found = InputProgress(path: path)
            found.offset = UInt64(bitPattern: row.integer(0))
            found.digest = InputDigest(words: (row.integer(1), row.integer(2)))
            found.framing = row.string(3)
            found.isDropping = row.integer(4) != 0
            found.records = UInt64(bitPattern: row.integer(5))
            found.clockOffset = row.integer(6)
            found.fileRecords = UInt64(bitPattern: row.integer(7))
            progress = found
        }
        return progress
    }

    /// The report of the last transaction, if it is unknown whether it was read.
    package func lastReport() throws -> [UInt8] {
        var lines: [UInt8] = []
        // SOUND: the column is copied before the next step.
        try reading("SELECT lines FROM last_report", []) { lines = unsafe [UInt8]($0.text(0).buffer) }
        return lines
    }

    /// Calls `body` for each app on a device, in the order in which they were first seen.
    package func forEachCenter(_ body: (CenterSummary) throws -> Void) throws {
        try reading { database in
            let hasIndex = try StoreIndex.notifications.exists(in: database)
            try reading(hasIndex ? StoreQuery.summaries : StoreQuery.summariesWithoutIndex) { row in
                try body(
                    CenterSummary(
                        device: row.string(0), app: row.string(1), badge: row.optionalInteger(2),
                        count: Int(row.integer(3)), latest: row.isNull(4) ? nil : row.integer(4)))
            }
        }
    }

    /// Calls `body` for each app on a device with the number on its icon, in the order in which they were first seen.
    /// Counts nothing, so it costs less than `forEachCenter`.
    package func forEachBadge(_ body: (_ device: String, _ app: String, _ badge: Int?) throws -> Void) throws {
        try reading(StoreQuery.centers) { row in try body(row.string(0), row.string(1), row.optionalInteger(2)) }
    }

    /// Number of the last record delivered into the store; 0 in a new one.
    package var lastSequence: UInt64 {
        get throws {
            var last: UInt64 = 0
            try reading(StoreQuery.lastSequence) { last = UInt64(max($0.integer(0), 0)) }
            return last
        }
    }

    /// The time of the last record, in milliseconds since the epoch; nil in a store without Live Activities.
    package var lastRecordTime: Int64? {
        get throws {
            var time: Int64?
            try reading { database in
                guard try database.tableExists("last_record") else { return }
                time = try PreparedStatement(database, StoreQuery.lastRecordTime).firstInteger()
            }
            return time
        }
    }

    // MARK: - Rows

    /// Everything that `body` reads is from one snapshot, even while another process writes.
    package func atOneMoment(_ body: () throws -> Void) throws {
        try reading { _ in try body() }
    }

    func reading(_ sql: String, _ texts: [String?] = [], _ body: (PreparedStatement) throws -> Void) throws {
        try reading { database in
            let statement = try PreparedStatement(database, sql)
            defer { statement.reset() }
            statement.bind(texts)
            while try statement.step() { try body(statement) }
        }
    }

    func reading(_ body: (Database) throws -> Void) throws {
        if let moment { return try body(moment) }
        do {
            try queue.read { database in
                moment = database
                defer { moment = nil }
                do { try body(database) } catch let error as DatabaseError {
                    throw StoreError(error, path: path, on: database)
                }
            }
        } catch let error as DatabaseError {
            // The read transaction could not begin.
            throw StoreError(error, path: path)
        }
    }
}

extension PreparedStatement {
    /// Binds copies of texts in order. Nil texts have no parameter in the statement.
    fileprivate func bind(_ texts: [String?]) {
        for (index, text) in texts.compactMap(\.self).enumerated() { bind(Int32(index + 1), copying: text) }
    }
}

/// One app on one device, in numbers.
package struct CenterSummary: Sendable, Equatable {
    /// Token, registration id, topic name or condition.
    package var device: String
    /// Bundle identifier or package name; empty when the records named none.
    package var app: String
    /// The number on the app's icon; nil when no push has set it.
    package var badge: Int?
    /// Notifications on the screen.
    package var count: Int
    /// When the newest of them was delivered, in milliseconds since the epoch.
    package var latest: Int64?

    /// Makes a summary.
    package init(device: String, app: String, badge: Int?, count: Int, latest: Int64?) {
        self.device = device
        self.app = app
        self.badge = badge
        self.count = count
        self.latest = latest
    }
}
