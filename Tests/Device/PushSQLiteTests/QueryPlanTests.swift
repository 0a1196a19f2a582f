import PushDevices
import PushSQLite
import TestSupport
import Testing

/// SQLite's plans for the store's statements: `SEARCH` uses an index or a row id, `SCAN` reads every row.
struct QueryPlanTests {
    private func plan(_ sql: String, hasIndexes: Bool = true) throws -> String {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        if hasIndexes { try store.buildIndexes(StoreIndex.allCases) }
        let lines = try folder.sqlite3(sql: "EXPLAIN QUERY PLAN \(sql);")
        try #require(lines.contains { $0.contains("SEARCH") || $0.contains("SCAN") }, "\(lines)")
        return lines.joined(separator: "\n")
    }

    static let searches: [String] =
        [
            StoreQuery.notificationsOnDevice, StoreQuery.lastOrder, StoreQuery.card,
            StoreQuery.content, StoreQuery.deleteNotification, StoreQuery.newestAfter, StoreQuery.deleteCenter,
            StoreQuery.oneNotification, StoreQuery.journal(ofCenter: true, newestFirst: true),
            StoreQuery.notificationIDs(hasDevice: true, hasApp: false),
            StoreQuery.notificationIDs(hasDevice: true, hasApp: true),
            StoreQuery.screens(hasDevice: true, hasApp: false), StoreQuery.screens(hasDevice: true, hasApp: true),
            StoreQuery.events(hasDevice: true), StoreQuery.centersOfDevice(hasApp: false),
            StoreQuery.centersOfDevice(hasApp: true), StoreQuery.device, StoreQuery.appsOfDevice,
            StoreQuery.heldOnDevice,
            StoreQuery.devicesWithExpired, StoreQuery.devicesWithTokenDue, StoreQuery.devicesOfChannel,
            StoreQuery.liveActivitiesOfDevice, StoreQuery.devicesWithActivityToken,
            StoreQuery.devicesWithoutActivityToken,
            StoreQuery.devicesSubscribed, StoreQuery.deleteSubscriptions, StoreQuery.rateWindows,
            StoreQuery.appOfDevice, StoreQuery.devicesBeginning, StoreQuery.idsInCenter,
            StoreQuery.journal(ofCenter: true, newestFirst: false),
            StoreQuery.centersOnDevice, StoreQuery.registeredApps(ofDevice: true), StoreQuery.updateDevice,
            StoreQuery.updateApp,
        ]
        + PrunedTable.allCases.flatMap { table in
            [
                StoreQuery.rows(of: table, hasDevice: false, hasApp: false),
                StoreQuery.rows(of: table, hasDevice: true, hasApp: false),
                StoreQuery.rows(of: table, hasDevice: true, hasApp: true), StoreQuery.delete(from: table),
            ]
        }
        + [
            StoreQuery.emptyCenters(hasDevice: false, hasApp: false),
            StoreQuery.emptyCenters(hasDevice: true, hasApp: true),
        ]

    @Test(arguments: searches)
    func `what asks for something in particular scans nothing`(sql: String) throws {
        let plan = try plan(sql)
        #expect(!plan.contains("SCAN"), "\(sql)\n\(plan)")
    }

    /// An app's entry in the index of tokens that are due changes with it.
    @Test(arguments: [(StoreQuery.updateDevice, 0), (StoreQuery.updateApp, 1)])
    func `a change of a device writes no index of names`(sql: String, indexes: Int) throws {
        let folder = try TemporaryFolder()
        _ = try SQLiteStore(path: folder())
        let steps = try folder.sqlite3(sql: "EXPLAIN \(sql);")
        try #require(steps.contains { $0.contains("Insert") }, "\(steps)")
        #expect(steps.count { $0.contains("IdxInsert") } == indexes)
    }

    /// With a temporary tree SQLite would sort rows that are already in order, or collect all before returning the
    /// first.
    @Test(arguments: [
        StoreQuery.everyNotification(), StoreQuery.centers,
        StoreQuery.lockedDevices,
        StoreQuery.events(hasDevice: false),
        StoreQuery.nextExpiry, StoreQuery.deviceRecords(.held), StoreQuery.registeredApps(), StoreQuery.deadTokens,
        StoreQuery.devicesSeenDifferently,
        StoreQuery.everyLiveActivity,
    ])
    func `what asks for everything goes through one table in its order, and sorts nothing`(sql: String) throws {
        let plan = try plan(sql)
        #expect(plan.split(separator: "\n").count { $0.contains("SCAN") } <= 1, "\(plan)")
        #expect(!plan.contains("TEMP B-TREE"), "\(sql)\n\(plan)")
        #expect(!plan.contains("AUTOMATIC"), "\(plan)")
    }

    /// There is no index by app: centers are scanned in the index that contains their names, and notifications are
    /// found by them.
    @Test(arguments: [
        StoreQuery.notificationIDs(hasDevice: false, hasApp: true), StoreQuery.screens(hasDevice: false, hasApp: true),
    ])
    func `what asks for an app on every device looks through devices and not through notifications`(sql: String) throws
    {
        let plan = try plan(sql)
        let scans = plan.split(separator: "\n").filter { $0.contains("SCAN") }
        #expect(scans.count == 1)
        #expect(scans.allSatisfy { $0.contains("SCAN center ") && $0.contains("COVERING INDEX") }, "\(plan)")
        #expect(
            plan.contains("SEARCH notification USING COVERING INDEX notification_by_center (center=?)"), "\(plan)")
    }

    /// Without the indexes by device each statement goes through a table once, in the order of its ids.
    @Test(arguments: [
        StoreQuery.notificationIDs(hasDevice: true, hasApp: false),
        StoreQuery.notificationIDs(hasDevice: true, hasApp: true),
        StoreQuery.notificationIDs(hasDevice: false, hasApp: true), StoreQuery.events(hasDevice: true),
    ])
    func `without an index a table is read once, and nothing is sorted`(sql: String) throws {
        let plan = try plan(sql, hasIndexes: false)
        #expect(
            plan.split(separator: "\n").count { $0.contains("SCAN notification") || $0.contains("SCAN e") } == 1,
            "\(plan)")
        #expect(!plan.contains("TEMP B-TREE") && !plan.contains("AUTOMATIC"), "\(plan)")
    }

    static let summaries = [
        StoreQuery.summaries(), StoreQuery.summaries(of: StoreQuery.centersInPart),
        StoreQuery.summaries(of: StoreQuery.centersOnDevice),
    ]

    @Test(arguments: summaries) func `apps are counted in the index`(sql: String) throws {
        let plan = try plan(sql)
        #expect(plan.contains("SEARCH notification USING COVERING INDEX notification_by_center (center=?)"), "\(plan)")
        #expect(!plan.contains("SCAN notification"), "\(plan)")
    }

    @Test(arguments: summaries) func `without an index apps are counted in one pass`(sql: String) throws {
        let plan = try plan(sql, hasIndexes: false)
        #expect(plan.split(separator: "\n").count { $0.contains("SCAN notification") } == 1, "\(plan)")
    }

    /// What delivery asks for before an index exists needs none.
    @Test(arguments: [
        StoreQuery.centersOnDevice, StoreQuery.lastOrder, StoreQuery.deleteNotification,
    ])
    func `delivery to devices in memory scans nothing without an index either`(sql: String) throws {
        #expect(!(try plan(sql, hasIndexes: false)).contains("SCAN"))
    }
}
