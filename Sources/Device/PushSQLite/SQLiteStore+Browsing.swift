import GRDB
import PushDecoding
package import PushStore

extension SQLiteStore: BrowsableStore {
    /// Reads the names of centers by offset, and counts in an index.
    package func apps(matching search: String?, offset: Int, limit: Int) throws -> [CenterSummary] {
        try buildIndexesIfLarge()
        let search = search.flatMap { $0.isEmpty ? nil : $0.inLowerCaseASCII }
        return try reading { database in
            let found = try Self.summaries(StoreQuery.centersInPart, database) { $0.with(limit, offset, search) }
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
            return try Self.summaries(StoreQuery.centersOnDevice, database) { $0.with(name) }
        }
    }

    /// - Parameter selection: its columns are id, device, app and badge.
    private static func summaries(
        _ selection: String, _ database: Database, _ bind: (PreparedStatement) -> PreparedStatement
    ) throws -> [CenterSummary] {
        let counts = try CenterCounts(selection, database, bind)
        return try bind(PreparedStatement(database, selection)).all { row in
            let (count, latest) = try counts.count(in: row.integer(0))
            return CenterSummary(
                device: row.string(1), app: row.string(2), badge: row.optionalInteger(3), count: count, latest: latest)
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
            guard let device = query.device else {
                let lines = try PreparedStatement(database, StoreQuery.journal(newestFirst: isNewestFirst))
                return try lines.with(before, after, query.limit, query.app, query.identifier).all(Self.placedEntry)
            }
            let lines = try PreparedStatement(database, StoreQuery.journalOfCenter(newestFirst: isNewestFirst))
            return try Self.centers(of: device, app: query.app, database).flatMap { center in
                try lines.with(center, before, after, query.limit, query.identifier).all(Self.placedEntry)
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
            try StoreQuery.journalEnds.flatMap { sql in
                try PreparedStatement(database, sql).all { $0.isNull(0) ? nil : $0.integer(0) }
            }
        }
        guard ends.count == 2, ends[0] > 0, ends[0] <= ends[1] else { return 1..<1 }
        return UInt64(ends[0])..<UInt64(ends[1]) + 1
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

    package func devicesHidingPreviews() throws -> Set<String> {
        try reading { Set(try PreparedStatement($0, StoreQuery.devicesHidingPreviews).all { $0.string(0) }) }
    }

    package func registered(on device: String) throws -> [RegisteredApp] {
        var found: [RegisteredApp] = []
        let token = DeviceToken.canonical(device)
        for name in token == device ? [device] : [device, token] where found.isEmpty {
            try forEachRegisteredApp(device: name) { found.append($0) }
        }
        return found
    }

    /// A number that changes when another process has committed to the file.
    package func dataVersion() throws -> Int64 {
        try reading { try PreparedStatement($0, StoreQuery.dataVersion).firstInteger() ?? 0 }
    }

    /// Builds the indexes by device once the file is large. A reader leaves it as it is.
    private func buildIndexesIfLarge() throws {
        guard !queue.configuration.readonly, !hasLookedForIndexes else { return }
        if try missesIndexes() {
            hasLookedForIndexes = true
            try buildIndexes()
        }
    }
}

/// How many notifications some centers have, and when the newest came: from the index, or from one pass over all of them.
private enum CenterCounts {
    case indexed(count: PreparedStatement, latest: PreparedStatement)
    /// Centers without notifications are not in it.
    case read([Int64: (count: Int, latest: Int64?)])

    init(_ selection: String, _ database: Database, _ bind: (PreparedStatement) -> PreparedStatement) throws {
        if try StoreIndex.notifications.exists(in: database) {
            self = .indexed(
                count: try PreparedStatement(database, StoreQuery.countInCenter),
                latest: try PreparedStatement(database, StoreQuery.latestInCenter))
            return
        }
        let rows = bind(try PreparedStatement(database, StoreQuery.countsWithoutIndex(of: selection)))
        defer { rows.reset() }
        var counts: [Int64: (count: Int, latest: Int64?)] = [:]
        while try rows.step() { counts[rows.integer(0)] = (Int(rows.integer(1)), rows.integer(3)) }
        self = .read(counts)
    }

    func count(in center: Int64) throws -> (count: Int, latest: Int64?) {
        switch self {
        case .indexed(let count, let latest):
            return (Int(try count.with(center).firstInteger() ?? 0), try latest.with(center).firstInteger())
        case .read(let counts): return counts[center] ?? (0, nil)
        }
    }
}
