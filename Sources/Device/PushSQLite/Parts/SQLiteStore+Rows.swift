import GRDB
import PayloadJSON
import PushModel
import PushStore

/// The rows of a store as sources: each function reads within a transaction of `reading`.
extension SQLiteStore {
    // MARK: - Notifications

    /// Notifications on the screens, newest last. Reads one row at a time, however many there are.
    static func notificationRows(
        _ database: Database, device: String?, app: String?, newestFirst: Bool
    ) throws -> RowSource<DeliveredNotification> {
        let first = newestFirst ? try PreparedStatement(database, StoreQuery.firstNotificationInRange) : nil
        func source(
            _ statements: [PreparedStatement], _ read: @escaping () throws -> PlacedRow<DeliveredNotification>?
        ) -> RowSource<DeliveredNotification> {
            RowSource(
                statements,
                firstID: first.map { first in { try firstID(first, batch: $0) } },
                tie: { RowTie(seq: $0.value.seq, device: $0.value.device, app: $0.value.app) }, read: read)
        }
        guard device != nil || app != nil else {
            let every = try PreparedStatement(database, StoreQuery.everyNotification(newestFirst: newestFirst))
            return source([every]) { try every.step() ? placedNotification(every) : nil }
        }
        let hasIndex = try StoreIndex.notifications.exists(in: database)
        let ids = try PreparedStatement(
            database,
            StoreQuery.notificationIDs(
                hasDevice: device != nil, hasApp: app != nil, hasIndex: hasIndex, newestFirst: newestFirst))
        ids.bind([try nameOnScreens(device, database), app])
        let one = try PreparedStatement(database, StoreQuery.oneNotification)
        return source([ids, one]) {
            while try ids.step() {
                one.bind(1, ids.integer(0))
                defer { one.reset() }
                if try one.step() { return placedNotification(one) }
            }
            return nil
        }
    }

    private static func placedNotification(_ row: PreparedStatement) -> PlacedRow<DeliveredNotification> {
        PlacedRow(id: row.integer(12), value: notification(row))
    }

    private static func firstID(_ statement: PreparedStatement, batch: Int64) throws -> Int64? {
        try statement.with(RowPlace.first(of: batch), RowPlace.first(of: batch + 1)).firstInteger()
    }

    // MARK: - Screens

    /// Screens, by their oldest notifications; each is read when it is asked for, and not after the next row.
    static func screenRows(
        _ database: Database, device: String?, app: String?
    ) throws -> RowSource<() throws -> [DeliveredNotification]> {
        let seq = try PreparedStatement(database, "SELECT seq FROM notification WHERE id = ?")
        /// - Parameter names: device and app of the screen that was read last.
        func tie(
            _ names: @escaping () throws -> (device: String, app: String)
        ) -> (PlacedRow<() throws -> [DeliveredNotification]>) throws -> RowTie {
            { row in
                seq.bind(1, row.id)
                let (device, app) = try names()
                return RowTie(seq: UInt64(bitPattern: try seq.firstInteger() ?? 0), device: device, app: app)
            }
        }
        guard try StoreIndex.notifications.exists(in: database) else {
            return try screenRowsWithoutIndex(database, device, app, tie)
        }
        let screens = try PreparedStatement(
            database, StoreQuery.screens(hasDevice: device != nil, hasApp: app != nil))
        screens.bind([try nameOnScreens(device, database), app])
        let cards = try PreparedStatement(database, StoreQuery.cards)
        return RowSource(
            [screens, cards], tie: tie { (screens.string(1), screens.string(2)) },
            read: {
                while try screens.step() {
                    if screens.isNull(3) { continue }
                    return PlacedRow(id: screens.integer(3)) {
                        let device = screens.string(1)
                        let app = screens.string(2)
                        return try cards.with(screens.integer(0)).all { card($0, device, app) }
                    }
                }
                return nil
            })
    }

    /// Holds the ids of all notifications.
    private static func screenRowsWithoutIndex(
        _ database: Database, _ device: String?, _ app: String?,
        _ tie: (@escaping () throws -> (device: String, app: String)) -> (
            PlacedRow<() throws -> [DeliveredNotification]>
        ) throws -> RowTie
    ) throws -> RowSource<() throws -> [DeliveredNotification]> {
        var screens: [(center: Int64, notifications: [Int64])] = []
        var positions: [Int64: Int] = [:]
        let parts = try PreparedStatement(
            database, StoreQuery.screenParts(hasDevice: device != nil, hasApp: app != nil))
        parts.bind([try nameOnScreens(device, database), app])
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
        let one = try PreparedStatement(database, StoreQuery.oneCard)
        let all = screens
        var next = 0
        return RowSource(
            [names, one], tie: tie { try names.names(ofCenter: all[next - 1].center) },
            read: {
                guard next < all.count else { return nil }
                let screen = all[next]
                next += 1
                return PlacedRow(id: screen.notifications[0]) {
                    let (device, app) = try names.names(ofCenter: screen.center)
                    return try screen.notifications.flatMap { try one.with($0).all { card($0, device, app) } }
                }
            })
    }

    private static func card(_ row: PreparedStatement, _ device: String, _ app: String) -> DeliveredNotification {
        DeliveredNotification(
            seq: UInt64(bitPattern: row.integer(0)), device: device, app: app, identifier: row.string(1),
            content: content(row, from: 2), deliveredAt: row.integer(7), payload: row.string(8))
    }

    // MARK: - Journal and apps

    /// Lines of the journal, oldest first.
    static func eventRows(_ database: Database, device: String?) throws -> RowSource<JournalEntry> {
        let hasIndex = try StoreIndex.events.exists(in: database)
        let device = try nameOnScreens(device, database)
        let row = try PreparedStatement(database, StoreQuery.events(hasDevice: device != nil, hasIndex: hasIndex))
        row.bind([device])
        return RowSource(row, id: 6, tie: { RowTie($0.value) }, value: { entry(row, from: 0) })
    }

    /// The line in columns of a row; nil for a kind that another program has written.
    static func entry(_ row: PreparedStatement, from column: Int32) -> JournalEntry? {
        guard let kind = JournalKind.allCases.first(where: { row.text(column + 4) == $0.name }) else { return nil }
        return JournalEntry(
            seq: UInt64(bitPattern: row.integer(column)), at: row.integer(column + 1), device: row.string(column + 2),
            app: row.string(column + 3), kind: kind, identifier: row.string(column + 5))
    }

    /// Apps on devices, in the order in which they were first seen.
    static func centerRows(_ database: Database) throws -> RowSource<CenterSummary> {
        let hasIndex = try StoreIndex.notifications.exists(in: database)
        let row = try PreparedStatement(database, hasIndex ? StoreQuery.summaries : StoreQuery.summariesWithoutIndex)
        let seqs = try CenterSequences(database)
        return RowSource(
            row, id: 5,
            tie: { RowTie(seq: try seqs.first(ofCenter: $0.id), device: $0.value.device, app: $0.value.app) },
            value: {
                CenterSummary(
                    device: row.string(0), app: row.string(1), badge: row.optionalInteger(2),
                    count: Int(row.integer(3)), latest: row.isNull(4) ? nil : row.integer(4))
            })
    }

    /// The same with the badges alone. Counts nothing, so it costs less.
    static func badgeRows(_ database: Database) throws -> RowSource<(device: String, app: String, badge: Int?)> {
        let row = try PreparedStatement(database, StoreQuery.centers)
        let seqs = try CenterSequences(database)
        return RowSource(
            row, id: 3,
            tie: { RowTie(seq: try seqs.first(ofCenter: $0.id), device: $0.value.device, app: $0.value.app) },
            value: { (row.string(0), row.string(1), row.optionalInteger(2)) })
    }

    // MARK: - Live Activities

    /// Live Activities, in the order in which they began.
    ///
    /// - Parameter time: that of their states, in milliseconds since the epoch.
    static func activityRows(
        _ database: Database, device: String?, app: String?, at time: Int64
    ) throws -> RowSource<LiveActivity> {
        let row = try PreparedStatement(database, StoreQuery.everyLiveActivity)
        return RowSource(
            row, id: 0, tie: { RowTie(seq: $0.value.seq, device: $0.value.device, app: $0.value.app) },
            value: {
                var activity = StoredActivities.activity(row)
                guard (device ?? activity.device) == activity.device, (app ?? activity.app) == activity.app else {
                    return nil
                }
                activity.state = activity.state(at: time)
                return activity
            })
    }
}

extension PreparedStatement {
    /// The device and app of a center, which `StoreQuery.centerNames` reads; empty if it is missing.
    func names(ofCenter id: Int64) throws -> (device: String, app: String) {
        bind(1, id)
        return try first { ($0.string(0), $0.string(1)) } ?? ("", "")
    }
}

/// The numbers of the records that the apps of a batch were first seen with: their rows do not say it, the journal does.
final class CenterSequences {
    private let select: PreparedStatement
    private var batch: Int64?
    private var seqs: [Int64: UInt64] = [:]

    init(_ database: Database) throws { select = try PreparedStatement(database, StoreQuery.centersInJournal) }

    /// The number of the record that the first line about a center is about; 0 when it has none. Reads the batch's lines once.
    func first(ofCenter id: Int64) throws -> UInt64 {
        if batch != RowPlace.batch(of: id) { try load(RowPlace.batch(of: id)) }
        return seqs[id] ?? 0
    }

    private func load(_ batch: Int64) throws {
        self.batch = batch
        seqs.removeAll(keepingCapacity: true)
        let select = select.with(RowPlace.first(of: batch), RowPlace.first(of: batch + 1))
        defer { select.reset() }
        while try select.step() {
            let center = select.integer(0)
            if seqs[center] == nil { seqs[center] = UInt64(bitPattern: select.integer(1)) }
        }
    }
}
