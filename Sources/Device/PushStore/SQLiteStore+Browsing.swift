import DeviceScreens
import GRDB
import PayloadJSON
import PushDecoding
import PushModel

extension SQLiteStore: BrowsableStore {
    /// Reads the names of centers by offset, and counts in an index.
    package func apps(matching search: String?, offset: Int, limit: Int) throws -> [CenterSummary] {
        try buildIndexesIfLarge()
        var found: [CenterSummary] = []
        let search = search.flatMap { $0.isEmpty ? nil : $0.inLowerCaseASCII }
        try reading { database in
            found = try Self.summaries(StoreQuery.centersInPart, database) { Self.bind($0, limit, offset, search) }
            guard found.count < limit, try database.tableExists("installation") else { return }
            let total = try PreparedStatement(database, StoreQuery.centerCount)
            total.bind(1, copying: search)
            let skipped = Int(try total.firstInteger() ?? 0)
            let others = try PreparedStatement(database, StoreQuery.appsWithoutCenter)
            Self.bind(others, limit - found.count, max(offset - skipped, 0), search)
            defer { others.reset() }
            while try others.step() {
                found.append(
                    CenterSummary(
                        device: others.string(0), app: others.string(1), badge: nil, count: 0, latest: nil))
            }
        }
        return found
    }

    package func apps(on device: String) throws -> [CenterSummary] {
        var found: [CenterSummary] = []
        try reading { database in
            let name = try Self.nameOnScreens(device, database)
            found = try Self.summaries(StoreQuery.centersOnDevice, database) { $0.bind(1, copying: name) }
        }
        return found
    }

    /// - Parameters:
    ///   - selection: its columns are id, device, app and badge.
    ///   - bind: binds its values.
    private static func summaries(
        _ selection: String, _ database: Database, _ bind: (PreparedStatement) -> Void
    ) throws -> [CenterSummary] {
        let counts = try CenterCounts(selection, database, bind)
        let centers = try PreparedStatement(database, selection)
        bind(centers)
        defer { centers.reset() }
        var found: [CenterSummary] = []
        while try centers.step() {
            let (count, latest) = try counts.count(in: centers.integer(0))
            found.append(
                CenterSummary(
                    device: centers.string(1), app: centers.string(2), badge: centers.optionalInteger(3),
                    count: count, latest: latest))
        }
        return found
    }

    private static func bind(_ statement: PreparedStatement, _ limit: Int, _ offset: Int, _ search: String?) {
        statement.bind(1, limit)
        statement.bind(2, offset)
        statement.bind(3, copying: search)
    }

    package func newest(
        on device: String, app: String?, before place: UInt64, limit: Int
    ) throws -> [PlacedNotification] {
        try buildIndexesIfLarge()
        var found: [PlacedNotification] = []
        try reading { database in
            let ids = try PreparedStatement(database, StoreQuery.idsInCenter)
            defer { ids.reset() }
            var places: [Int64] = []
            for center in try Self.centers(of: device, app: app, database) {
                ids.bind(1, center)
                ids.bind(2, Int64(clamping: place))
                ids.bind(3, limit)
                while try ids.step() { places.append(ids.integer(0)) }
            }
            let one = try PreparedStatement(
                database, StoreQuery.oneNotification(hasChanges: Self.hasChanges(database)))
            defer { one.reset() }
            for place in places.sorted(by: >).prefix(limit) {
                one.bind(1, place)
                while try one.step() {
                    found.append(
                        PlacedNotification(place: UInt64(bitPattern: place), notification: Self.notification(one)))
                }
            }
        }
        return found
    }

    private static func centers(of device: String, app: String?, _ database: Database) throws -> [Int64] {
        let centers = try PreparedStatement(database, StoreQuery.centersOfDevice(hasApp: app != nil))
        centers.bind(1, copying: try nameOnScreens(device, database))
        if let app { centers.bind(2, copying: app) }
        defer { centers.reset() }
        var found: [Int64] = []
        while try centers.step() { found.append(centers.integer(0)) }
        return found
    }

    /// Lines of a device are found by an index; those of an app or an identifier alone by reading all lines until there are enough.
    package func journal(_ query: JournalQuery) throws -> [PlacedEntry] {
        if query.device != nil { try buildIndexesIfLarge() }
        let isNewestFirst = query.after == nil
        let before = Int64(clamping: query.before ?? .max)
        let after = Int64(clamping: query.after ?? 0)
        var found: [PlacedEntry] = []
        try reading { database in
            guard let device = query.device else {
                let lines = try PreparedStatement(database, StoreQuery.journal(newestFirst: isNewestFirst))
                lines.bind(1, before)
                lines.bind(2, after)
                lines.bind(3, query.limit)
                lines.bind(4, copying: query.app)
                lines.bind(5, copying: query.identifier)
                return try Self.append(lines, to: &found)
            }
            let lines = try PreparedStatement(database, StoreQuery.journalOfCenter(newestFirst: isNewestFirst))
            for center in try Self.centers(of: device, app: query.app, database) {
                lines.bind(1, center)
                lines.bind(2, before)
                lines.bind(3, after)
                lines.bind(4, query.limit)
                lines.bind(5, copying: query.identifier)
                try Self.append(lines, to: &found)
            }
        }
        found.sort { $0.place < $1.place }
        return Array(isNewestFirst ? found.suffix(query.limit) : found.prefix(query.limit))
    }

    private static func append(_ lines: PreparedStatement, to found: inout [PlacedEntry]) throws {
        defer { lines.reset() }
        while try lines.step() {
            guard let kind = JournalKind.allCases.first(where: { lines.text(5) == $0.name }) else { continue }
            found.append(
                PlacedEntry(
                    place: UInt64(bitPattern: lines.integer(0)),
                    entry: JournalEntry(
                        seq: UInt64(bitPattern: lines.integer(1)), at: lines.integer(2), device: lines.string(3),
                        app: lines.string(4), kind: kind, identifier: lines.string(6))))
        }
    }

    package func journalEnds() throws -> ClosedRange<UInt64>? {
        var ends: [Int64] = []
        try reading { database in
            for sql in StoreQuery.journalEnds {
                let row = try PreparedStatement(database, sql)
                defer { row.reset() }
                if try row.step(), !row.isNull(0) { ends.append(row.integer(0)) }
            }
        }
        guard ends.count == 2, ends[0] > 0, ends[0] <= ends[1] else { return nil }
        return UInt64(ends[0])...UInt64(ends[1])
    }

    /// Lines that `prune` deleted of one device or app only are not noticed.
    package func hasLostLines() throws -> Bool {
        guard let ends = try journalEnds() else { return try lastSequence > 0 }
        return ends.lowerBound > 1
    }

    package func badges(on device: String) throws -> [(app: String, badge: Int)] {
        var found: [(app: String, badge: Int)] = []
        try reading { database in
            let centers = try PreparedStatement(database, StoreQuery.centersOnDevice)
            centers.bind(1, copying: try Self.nameOnScreens(device, database))
            defer { centers.reset() }
            while try centers.step() {
                if let badge = centers.optionalInteger(3) { found.append((centers.string(2), badge)) }
            }
        }
        return found
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
        var version: Int64 = 0
        try reading { database in
            version = try PreparedStatement(database, StoreQuery.dataVersion).firstInteger() ?? 0
        }
        return version
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

    init(_ selection: String, _ database: Database, _ bind: (PreparedStatement) -> Void) throws {
        if try StoreIndex.notifications.exists(in: database) {
            self = .indexed(
                count: try PreparedStatement(database, StoreQuery.countInCenter),
                latest: try PreparedStatement(database, StoreQuery.latestInCenter))
            return
        }
        let rows = try PreparedStatement(database, StoreQuery.countsWithoutIndex(of: selection))
        bind(rows)
        defer { rows.reset() }
        var counts: [Int64: (count: Int, latest: Int64?)] = [:]
        while try rows.step() { counts[rows.integer(0)] = (Int(rows.integer(1)), rows.integer(3)) }
        self = .read(counts)
    }

    func count(in center: Int64) throws -> (count: Int, latest: Int64?) {
        switch self {
        case .indexed(let count, let latest):
            count.bind(1, center)
            latest.bind(1, center)
            return (Int(try count.firstInteger() ?? 0), try latest.firstInteger())
        case .read(let counts): return counts[center] ?? (0, nil)
        }
    }
}
