import PushSQLite
import PushStore
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
            StoreQuery.notificationsOnDevice, StoreQuery.lastOrder, StoreQuery.cards,
            StoreQuery.content, StoreQuery.deleteNotification, StoreQuery.newestAfter, StoreQuery.isCenterEmpty,
            StoreQuery.deleteCenter,
            StoreQuery.oneNotification, StoreQuery.latestTimes[0], StoreQuery.latestTimes[1],
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
            StoreQuery.appOfDevice, StoreQuery.devicesBeginning, StoreQuery.countInCenter, StoreQuery.latestInCenter,
            StoreQuery.idsInCenter, StoreQuery.journalOfCenter(newestFirst: true),
            StoreQuery.journalOfCenter(newestFirst: false), StoreQuery.journalEnds[0], StoreQuery.journalEnds[1],
            StoreQuery.centersOnDevice, StoreQuery.registeredApps(ofDevice: true), StoreQuery.updateDevice,
            StoreQuery.updateApp,
        ]
        + PrunedTable.allCases.flatMap { table in
            [
                StoreQuery.rows(of: table, hasApp: false), StoreQuery.rows(of: table, hasApp: true),
                StoreQuery.rowsOfCenter(of: table), StoreQuery.delete(from: table),
            ]
        }
        + [StoreQuery.emptyCenters(hasApp: false), StoreQuery.emptyCenters(hasApp: true)]

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
        StoreQuery.everyNotification(), StoreQuery.summaries, StoreQuery.centers,
        StoreQuery.lockedDevices,
        StoreQuery.events(hasDevice: false), StoreQuery.cards,
        StoreQuery.nextExpiry, StoreQuery.everyHeld, StoreQuery.registeredApps(), StoreQuery.deadTokens,
        StoreQuery.devicesHidingPreviews,
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
        #expect(scans.allSatisfy { $0.contains("SCAN c ") && $0.contains("COVERING INDEX") }, "\(plan)")
        #expect(plan.contains("SEARCH n USING COVERING INDEX notification_by_center (center=?)"), "\(plan)")
    }

    /// Without the indexes by device each statement goes through a table once, in the order of its ids.
    @Test(arguments: [
        StoreQuery.notificationIDs(hasDevice: true, hasApp: false, hasIndex: false),
        StoreQuery.notificationIDs(hasDevice: true, hasApp: true, hasIndex: false),
        StoreQuery.notificationIDs(hasDevice: false, hasApp: true, hasIndex: false),
        StoreQuery.screenParts(hasDevice: true, hasApp: true), StoreQuery.screenParts(hasDevice: false, hasApp: false),
        StoreQuery.events(hasDevice: true, hasIndex: false),
    ])
    func `without an index a table is read once, and nothing is sorted`(sql: String) throws {
        let plan = try plan(sql, hasIndexes: false)
        #expect(plan.split(separator: "\n").count { $0.contains("SCAN") } == 1, "\(plan)")
        #expect(!plan.contains("TEMP B-TREE") && !plan.contains("AUTOMATIC"), "\(plan)")
        #expect(plan.contains("SEARCH c USING INTEGER PRIMARY KEY"), "\(plan)")
    }

    /// Grouping sorts once; the groups are then found by center.
    @Test func `without an index the summaries read the notifications once`() throws {
        let plan = try plan(StoreQuery.summariesWithoutIndex, hasIndexes: false)
        let lines = plan.split(separator: "\n")
        #expect(lines.count { $0.contains("SCAN notification") } == 1, "\(plan)")
        #expect(!plan.contains("CORRELATED"), "\(plan)")
        #expect(lines.contains { $0.contains("SEARCH s USING AUTOMATIC") }, "\(plan)")
    }

    /// What is grouped are the rows of the page, not all.
    @Test(arguments: [StoreQuery.centersInPart, StoreQuery.centersOnDevice])
    func `without an index a page of apps is counted in one pass`(selection: String) throws {
        let plan = try plan(StoreQuery.countsWithoutIndex(of: selection), hasIndexes: false)
        let lines = plan.split(separator: "\n")
        #expect(lines.count { $0.contains("SCAN n") } == 1, "\(plan)")
        #expect(!plan.contains("CORRELATED") && !plan.contains("AUTOMATIC"), "\(plan)")
    }

    /// What delivery asks for before an index exists needs none.
    @Test(arguments: [
        StoreQuery.centersOnDevice, StoreQuery.lastOrder, StoreQuery.deleteNotification, StoreQuery.latestTimes[0],
        StoreQuery.latestTimes[1],
    ])
    func `delivery to devices in memory scans nothing without an index either`(sql: String) throws {
        #expect(!(try plan(sql, hasIndexes: false)).contains("SCAN"))
    }
}
