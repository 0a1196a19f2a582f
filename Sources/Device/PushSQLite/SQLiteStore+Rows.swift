import GRDB
import PayloadJSON
public import PushModel
public import PushStore

/// What is on the screens of a store, and its journal, row by row.
extension SQLiteStore {
    // MARK: - Notifications

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
            guard device != nil || app != nil else {
                let every = StoreQuery.everyNotification(newestFirst: newestFirst)
                return try PreparedStatement(database, every).forEachRow { try body(Self.notification($0)) }
            }
            let hasIndex = try StoreIndex.notifications.exists(in: database)
            let ids = try PreparedStatement(
                database,
                StoreQuery.notificationIDs(
                    hasDevice: device != nil, hasApp: app != nil, hasIndex: hasIndex, newestFirst: newestFirst))
            ids.bind([try Self.nameOnScreens(device, database), app])
            let one = try PreparedStatement(database, StoreQuery.oneNotification)
            try ids.forEachRow { try one.with($0.integer(0)).forEachRow { try body(Self.notification($0)) } }
        }
    }

    // MARK: - Screens

    /// Calls `body` for each screen, the one with the oldest notification first. Holds one screen at a time in memory, without payloads of APNs;
    /// without an index also the ids of all notifications.
    public func forEachScreen(device: String?, app: String?, _ body: ([DeliveredNotification]) throws -> Void) throws {
        try reading { database in
            guard try StoreIndex.notifications.exists(in: database) else {
                return try Self.forEachScreenWithoutIndex(database, device, app, body)
            }
            let screens = try PreparedStatement(
                database, StoreQuery.screens(hasDevice: device != nil, hasApp: app != nil))
            screens.bind([try Self.nameOnScreens(device, database), app])
            let cards = try PreparedStatement(database, StoreQuery.cards)
            try screens.forEachRow { screen in
                if screen.isNull(3) { return }
                let (device, app) = (screen.string(1), screen.string(2))
                try body(cards.with(screen.integer(0)).all { Self.card($0, device, app) })
            }
        }
    }

    private static func forEachScreenWithoutIndex(
        _ database: Database, _ device: String?, _ app: String?, _ body: ([DeliveredNotification]) throws -> Void
    ) throws {
        var screens: [(center: Int64, notifications: [Int64])] = []
        var positions: [Int64: Int] = [:]
        let parts = try PreparedStatement(
            database, StoreQuery.screenParts(hasDevice: device != nil, hasApp: app != nil))
        parts.bind([try nameOnScreens(device, database), app])
        try parts.forEachRow { part in
            let center = part.integer(0)
            let position = positions[center, default: screens.count]
            if position == screens.count {
                positions[center] = position
                screens.append((center, []))
            }
            screens[position].notifications.append(part.integer(1))
        }
        let names = try PreparedStatement(database, StoreQuery.centerNames)
        let one = try PreparedStatement(database, StoreQuery.oneCard)
        for screen in screens {
            let (device, app) = try names.with(screen.center).first { ($0.string(0), $0.string(1)) } ?? ("", "")
            try body(screen.notifications.flatMap { try one.with($0).all { card($0, device, app) } })
        }
    }

    private static func card(_ row: PreparedStatement, _ device: String, _ app: String) -> DeliveredNotification {
        DeliveredNotification(
            seq: UInt64(bitPattern: row.integer(0)), device: device, app: app, identifier: row.string(1),
            content: content(row, from: 2), deliveredAt: row.integer(7), payload: row.string(8))
    }

    // MARK: - Journal and apps

    /// Calls `body` for each journal line, oldest first.
    public func forEachEvent(device: String?, _ body: (JournalEntry) throws -> Void) throws {
        try reading { database in
            let hasIndex = try StoreIndex.events.exists(in: database)
            let device = try Self.nameOnScreens(device, database)
            let row = try PreparedStatement(database, StoreQuery.events(hasDevice: device != nil, hasIndex: hasIndex))
            row.bind([device])
            try row.forEachRow { if let entry = Self.entry($0, from: 0) { try body(entry) } }
        }
    }

    /// The line in columns of a row; nil for a kind that another program has written.
    static func entry(_ row: PreparedStatement, from column: Int32) -> JournalEntry? {
        guard let kind = JournalKind.allCases.first(where: { row.text(column + 4) == $0.name }) else { return nil }
        return JournalEntry(
            seq: UInt64(bitPattern: row.integer(column)), at: row.integer(column + 1), device: row.string(column + 2),
            app: row.string(column + 3), kind: kind, identifier: row.string(column + 5))
    }

    /// Calls `body` for each app on a device, in the order in which they were first seen.
    package func forEachCenter(_ body: (CenterSummary) throws -> Void) throws {
        try reading { database in
            let hasIndex = try StoreIndex.notifications.exists(in: database)
            let sql = hasIndex ? StoreQuery.summaries : StoreQuery.summariesWithoutIndex
            try PreparedStatement(database, sql).forEachRow { row in
                try body(
                    CenterSummary(
                        device: row.string(0), app: row.string(1), badge: row.optionalInteger(2),
                        count: Int(row.integer(3)), latest: row.isNull(4) ? nil : row.integer(4)))
            }
        }
    }

    /// The same with the badges alone. Counts nothing, so it costs less.
    package func forEachBadge(_ body: (_ device: String, _ app: String, _ badge: Int?) throws -> Void) throws {
        try reading { database in
            try PreparedStatement(database, StoreQuery.centers).forEachRow { row in
                try body(row.string(0), row.string(1), row.optionalInteger(2))
            }
        }
    }

    // MARK: - Live Activities

    /// Calls `body` for each Live Activity, in the order in which they began.
    public func forEachLiveActivity(
        device: String?, app: String?, _ body: (LiveActivity) throws -> Void
    ) throws {
        try reading { database in
            let time = try lastRecordTime ?? 0
            try PreparedStatement(database, StoreQuery.everyLiveActivity).forEachRow { row in
                var activity = StoredActivities.activity(row)
                guard device ?? activity.device == activity.device, app ?? activity.app == activity.app else { return }
                activity.state = activity.state(at: time)
                try body(activity)
            }
        }
    }
}
