import NotificationStore
import Testing

/// SQLite's plans for the store's statements: `SEARCH` uses an index or a row id, `SCAN` reads every row.
struct QueryPlanTests {
    private func plan(_ sql: String) throws -> String {
        let folder = try TemporaryFolder()
        _ = try SQLiteStore(path: folder())
        let lines = try folder.sqlite3(sql: "EXPLAIN QUERY PLAN \(sql);")
        try #require(lines.contains { $0.contains("SEARCH") || $0.contains("SCAN") }, "\(lines)")
        return lines.joined(separator: "\n")
    }

    static let searches: [String] =
        [
            StoreQuery.center, StoreQuery.loaded, StoreQuery.shown, StoreQuery.lastOrder, StoreQuery.cards,
            StoreQuery.deleteNotification, StoreQuery.newestAfter, StoreQuery.isCenterEmpty, StoreQuery.deleteCenter,
            StoreQuery.oneNotification(hasChanges: true), StoreQuery.latestTimes[0], StoreQuery.latestTimes[1],
            StoreQuery.notificationIDs(hasDevice: true, hasApp: false),
            StoreQuery.notificationIDs(hasDevice: true, hasApp: true),
            StoreQuery.screens(hasDevice: true, hasApp: false), StoreQuery.screens(hasDevice: true, hasApp: true),
            StoreQuery.events(hasDevice: true), StoreQuery.centersOfDevice(hasApp: false),
            StoreQuery.centersOfDevice(hasApp: true), StoreQuery.device, StoreQuery.appsOfDevice, StoreQuery.heldForApp,
            StoreQuery.devicesWithExpired, StoreQuery.appsSeen, StoreQuery.devicesWithTokenDue,
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

    /// With a temporary tree SQLite would sort rows that are already in order, or collect all before returning the
    /// first.
    @Test(arguments: [
        StoreQuery.everyNotification(hasChanges: true), StoreQuery.summaries, StoreQuery.centers,
        StoreQuery.events(hasDevice: false), StoreQuery.loaded, StoreQuery.cards, StoreQuery.shown,
        StoreQuery.nextExpiry, StoreQuery.everyHeld, StoreQuery.registeredApps, StoreQuery.deadTokens,
    ])
    func `what asks for everything goes through one table in its order, and sorts nothing`(sql: String) throws {
        let plan = try plan(sql)
        #expect(plan.split(separator: "\n").count { $0.contains("SCAN") } <= 1, "\(plan)")
        #expect(!plan.contains("TEMP B-TREE") || sql == StoreQuery.shown, "\(sql)\n\(plan)")
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
}
