import PushDecoding
public import PushDevices
import PushJSON
public import PushModel

/// What is on the screens of a store, and its journal, row by row.
extension SQLiteStore {
    // MARK: - Notifications

    /// Calls `body` for each notification on the screens, newest last. Reads one row at a time, however many there are.
    public func forEachNotification(
        device: String?, app: String?, _ body: (DeliveredNotification) throws -> Void
    ) throws {
        try forEachNotification(device: device, app: app, newestFirst: false, body)
    }

    /// Calls `body` for each notification on the screens, in the order of delivery or the newest first.
    package func forEachNotification(
        device: String?, app: String?, newestFirst: Bool, _ body: (DeliveredNotification) throws -> Void
    ) throws {
        try reading { database in
            guard device != nil || app != nil else {
                let every = StoreQuery.everyNotification(newestFirst: newestFirst)
                return try PreparedStatement(database, every).forEachRow { try body(Self.notification($0)) }
            }
            let ids = try PreparedStatement(
                database,
                StoreQuery.notificationIDs(hasDevice: device != nil, hasApp: app != nil, newestFirst: newestFirst))
            ids.bind([try Self.nameOnScreens(device, database), app])
            let one = try PreparedStatement(database, StoreQuery.oneNotification)
            try ids.forEachRow { try one.with($0.integer(0)).forEachRow { try body(Self.notification($0)) } }
        }
    }

    // MARK: - Screens

    /// Calls `body` for each screen, the one with the oldest notification first. Holds one screen at a time in memory, without payloads of APNs,
    /// and the ids of all notifications.
    public func forEachScreen(device: String?, app: String?, _ body: ([DeliveredNotification]) throws -> Void) throws {
        try reading { database in
            var ids: [Int64] = []
            var screens: [(center: Int64, ids: Range<Int>)] = []
            let rows = try PreparedStatement(
                database, StoreQuery.screens(hasDevice: device != nil, hasApp: app != nil))
            rows.bind([try Self.nameOnScreens(device, database), app])
            try rows.forEachRow { row in
                if let last = screens.last, last.center == row.integer(0) {
                    screens[screens.count - 1].ids = last.ids.lowerBound..<ids.count + 1
                } else {
                    screens.append((row.integer(0), ids.count..<ids.count + 1))
                }
                ids.append(row.integer(1))
            }
            screens.sort { ids[$0.ids.lowerBound] < ids[$1.ids.lowerBound] }
            let names = try PreparedStatement(database, StoreQuery.centerNames)
            let card = try PreparedStatement(database, StoreQuery.card)
            for screen in screens {
                let (device, app) = try names.with(screen.center).first { ($0.string(0), $0.string(1)) } ?? ("", "")
                try body(ids[screen.ids].flatMap { id in try card.with(id).all { Self.card($0, device, app) } })
            }
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
            let device = try Self.nameOnScreens(device, database)
            let row = try PreparedStatement(database, StoreQuery.events(hasDevice: device != nil))
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
            try PreparedStatement(database, StoreQuery.summaries()).forEachRow { try body(Self.summary($0)) }
        }
    }

    private static func summary(_ row: PreparedStatement) -> CenterSummary {
        CenterSummary(
            device: row.string(0), app: row.string(1), badge: row.optionalInteger(2), count: Int(row.integer(3)),
            latest: row.isNull(4) ? nil : row.integer(4))
    }

    /// Calls `body` for each app on a device with its badge. Counts nothing, so it costs less than `forEachCenter`.
    package func forEachBadge(_ body: (_ device: String, _ app: String, _ badge: Int?) throws -> Void) throws {
        try reading { database in
            try PreparedStatement(database, StoreQuery.centers).forEachRow { row in
                try body(row.string(1), row.string(2), row.optionalInteger(3))
            }
        }
    }

}

/// The store in parts, for a page that shows them.
extension SQLiteStore: BrowsableStore {
    /// Reads the names of centers by offset, and counts in an index.
    package func apps(matching search: String?, offset: Int, limit: Int) throws -> [CenterSummary] {
        try buildIndexesIfLarge()
        let search = search.flatMap { $0.isEmpty ? nil : $0.inLowerCaseASCII }
        return try reading { database in
            let page = try PreparedStatement(database, StoreQuery.summaries(of: StoreQuery.centersInPart))
            let found = try page.with(limit, offset, search).all { Self.summary($0) }
            guard found.count < limit else { return found }
            let total = try PreparedStatement(database, StoreQuery.centerCount, search)
            let skipped = Int(try total.firstInteger() ?? 0)
            let others = try PreparedStatement(
                database, StoreQuery.appsWithoutCenter, limit - found.count, max(offset - skipped, 0), search)
            return try found
                + others.all { row in
                    CenterSummary(device: row.string(0), app: row.string(1), badge: nil, count: 0, latest: nil)
                }
        }
    }

    package func apps(on device: String) throws -> [CenterSummary] {
        try reading { database in
            let name = try Self.nameOnScreens(device, database)
            return try PreparedStatement(database, StoreQuery.summaries(of: StoreQuery.centersOnDevice), name)
                .all { Self.summary($0) }
        }
    }

    package func newest(
        on device: String, app: String?, before place: UInt64, limit: Int
    ) throws -> [PlacedNotification] {
        try buildIndexesIfLarge()
        return try reading { database in
            let ids = try PreparedStatement(database, StoreQuery.idsInCenter)
            let places = try Self.centers(of: device, app: app, database).flatMap { center in
                try ids.with(center, Int64(clamping: place), limit).all { $0.integer(0) }
            }
            let one = try PreparedStatement(database, StoreQuery.oneNotification)
            return try places.sorted(by: >).prefix(limit).flatMap { place in
                try one.with(place).all { row in
                    PlacedNotification(place: UInt64(bitPattern: place), notification: Self.notification(row))
                }
            }
        }
    }

    private static func centers(of device: String, app: String?, _ database: Database) throws -> [Int64] {
        let centers = try PreparedStatement(database, StoreQuery.centersOfDevice(hasApp: app != nil))
        centers.bind([try nameOnScreens(device, database), app])
        return try centers.all { $0.integer(0) }
    }

    /// Lines of a device are found by an index; those of an app or an identifier alone by reading all lines until there are enough.
    package func journal(_ query: JournalQuery) throws -> [PlacedEntry] {
        if query.device != nil { try buildIndexesIfLarge() }
        let isNewestFirst = query.after == nil
        let before = Int64(clamping: query.before ?? .max)
        let after = Int64(clamping: query.after ?? 0)
        var found = try reading { database in
            let lines = try PreparedStatement(
                database, StoreQuery.journal(ofCenter: query.device != nil, newestFirst: isNewestFirst))
            _ = lines.with(before, after, query.limit, query.app, query.identifier)
            guard let device = query.device else { return try lines.all(Self.placedEntry) }
            return try Self.centers(of: device, app: query.app, database).flatMap { center in
                lines.bind(6, center)
                return try lines.all(Self.placedEntry)
            }
        }
        found.sort { $0.place < $1.place }
        return Array(isNewestFirst ? found.suffix(query.limit) : found.prefix(query.limit))
    }

    private static func placedEntry(_ line: PreparedStatement) -> PlacedEntry? {
        entry(line, from: 1).map { PlacedEntry(place: UInt64(bitPattern: line.integer(0)), entry: $0) }
    }

    package func journalPlaces() throws -> Range<UInt64> {
        let ends = try reading { database in
            try PreparedStatement(database, StoreQuery.journalEnds).first {
                (first: $0.integer(0), last: $0.integer(1))
            }
        }
        // Both are 0 if there is none.
        guard let ends, ends.first > 0, ends.first <= ends.last else { return 1..<1 }
        return UInt64(ends.first)..<UInt64(ends.last) + 1
    }

    /// Lines that `prune` deleted of one device or app only are not noticed.
    package func hasLostLines() throws -> Bool {
        let places = try journalPlaces()
        return try places.isEmpty ? lastSequence > 0 : places.lowerBound > 1
    }

    package func lockedDevices() throws -> Set<String> {
        try reading { Set(try PreparedStatement($0, StoreQuery.lockedDevices).all { $0.string(0) }) }
    }

    package func badges(on device: String) throws -> [(app: String, badge: Int)] {
        try reading { database in
            let name = try Self.nameOnScreens(device, database)
            return try PreparedStatement(database, StoreQuery.centersOnDevice, name).all { row in
                row.optionalInteger(3).map { (row.string(2), $0) }
            }
        }
    }

    package func devicesSeenDifferently() throws -> Set<String> {
        try reading { Set(try PreparedStatement($0, StoreQuery.devicesSeenDifferently).all { $0.string(0) }) }
    }

    package func registered(on device: String) throws -> [RegisteredApp] {
        var found: [RegisteredApp] = []
        let token = DeviceToken.canonical(device)
        for name in token == device ? [device] : [device, token] where found.isEmpty {
            try forEachRegisteredApp(device: name) { found.append($0) }
        }
        return found
    }

    /// Builds the indexes by device once the file is large. A reader leaves it as it is.
    private func buildIndexesIfLarge() throws {
        guard !isReadOnly, !hasLookedForIndexes else { return }
        if try missesIndexes() {
            hasLookedForIndexes = true
            try buildIndexes()
        }
    }
}

extension SQLiteStore {
    /// Calls `body` for each row about devices, in the order in which they were stored: the apps on them, then the
    /// queued messages, then the Live Activities.
    package func forEachDeviceRecord(_ body: (DeviceRecord) throws -> Void) throws {
        try reading { database in
            for kind in DeviceRecord.Kind.all {
                try PreparedStatement(database, StoreQuery.deviceRecords(kind)).forEachRow { row in
                    var values: [String: DeviceRecord.Value] = [:]
                    for (position, column) in kind.columns.enumerated() where !row.isNull(Int32(position)) {
                        values[column.name] =
                            column.isText ? .text(row.string(Int32(position))) : .integer(row.integer(Int32(position)))
                    }
                    try body(DeviceRecord(kind: kind, values: values))
                }
            }
        }
    }
}

extension SQLiteStore {
    /// Checks that an app is on a device, or on any. O(n) for n apps on devices, up to the first one.
    ///
    /// - Throws: `NameError` if it is not; `StoreError`.
    package func checkApp(_ app: String, on device: String?) throws {
        let found = try reading { try PreparedStatement($0, StoreQuery.hasApp, app, device).firstInteger() }
        if found == nil { throw NameError(app: app, on: device) }
    }
}
