package import PushDevices

extension SQLiteStore {
    /// Deletes notifications, and Live Activities that left the lock screen before `before`. Writes no journal lines, since no
    /// device removed them.
    ///
    /// Scans the store in the order of delivery, with a transaction per ten thousand rows or so, so that memory and the
    /// write-ahead log stay small and other writers get their turn; rows deleted before a failure stay deleted. Finally
    /// deletes apps on devices that have no notification, no badge and no journal line.
    ///
    /// - Parameter progress: counts what is deleted.
    /// - Throws: `StoreError`.
    @discardableResult
    package func prune(_ pruning: Pruning, _ progress: PruningProgress = PruningProgress()) throws -> Pruning.Summary {
        defer { forgetLoaded() }
        return try prune(pruning, rowsPerTransaction: 1 << 16, isRehearsal: false, progress)
    }

    /// Counts what `prune` would delete, without changing anything.
    package func rehearse(
        _ pruning: Pruning, _ progress: PruningProgress = PruningProgress()
    ) throws -> Pruning.Summary {
        try prune(pruning, rowsPerTransaction: 1 << 16, isRehearsal: true, progress)
    }

    package func prune(
        _ pruning: Pruning, rowsPerTransaction: Int, isRehearsal: Bool, _ progress: PruningProgress = PruningProgress()
    ) throws -> Pruning.Summary {
        try writing { database in
            let pruner = try Pruner(database, pruning, rowsPerTransaction, progress, isRehearsal: isRehearsal)
            try pruner.run()
            if !isRehearsal { try checkPlace(database) }
        }
        return progress.summary
    }

    /// Returns free space to the file system. Needs as much space again while it runs.
    ///
    /// - Throws: `StoreError`.
    package func compact() throws {
        try writing { database in
            // The copy may be too large for memory. `SQLITE_TMPDIR` sets where it is made.
            try database.execute("PRAGMA temp_store = FILE")
            defer { try? database.execute("PRAGMA temp_store = MEMORY") }
            try database.execute("VACUUM")
            try emptyLog(database)
        }
    }
}

/// One pruning run over a store.
private final class Pruner {
    private let progress: PruningProgress
    private let database: Database
    private let pruning: Pruning
    private let rowsPerTransaction: Int
    private let isRehearsal: Bool
    /// The selected device as the screens have it; nil for all.
    private let device: String?
    private let newestAfter: PreparedStatement
    /// The newest notification to delete, by center; the smallest number when all may stay.
    private var newestToGo: [Int64: Int64] = [:]
    /// About 4 MiB. Centers beyond that are looked up again.
    private static let maximumKnownCenters = 1 << 17

    init(
        _ database: Database, _ pruning: Pruning, _ rowsPerTransaction: Int, _ progress: PruningProgress,
        isRehearsal: Bool
    ) throws {
        self.progress = progress
        self.database = database
        self.pruning = pruning
        self.rowsPerTransaction = max(rowsPerTransaction, 1)
        self.isRehearsal = isRehearsal
        device = try SQLiteStore.nameOnScreens(pruning.device, database)
        newestAfter = try PreparedStatement(database, StoreQuery.newestAfter)
    }

    func run() throws {
        guard pruning.before != nil || pruning.keep != nil else { return }
        if device != nil || pruning.keep ?? 0 > 0 { try ensure(.notifications) }
        if device != nil && pruning.includesEvents { try ensure(.events) }
        try prune(.notifications, \.notifications) { [self] row in
            if let before = pruning.before, row.integer(2) < before { return true }
            guard let keep = pruning.keep else { return false }
            return try row.integer(0) <= newestToGo(of: row.integer(1), keep)
        }
        if pruning.includesEvents, let before = pruning.before {
            try prune(.events, \.events) { $0.integer(2) < before }
        }
        if let before = pruning.before { try pruneActivities(before) }
        if isRehearsal { return }
        // Now there is room for them that deleted rows have left.
        for index in StoreIndex.byDevice { try ensure(index) }
        try pass(
            StoreQuery.emptyCenters(hasDevice: device != nil, hasApp: pruning.app != nil), StoreQuery.deleteCenter
        ) { $0.integer(1) != 0 }
    }

    private func pruneActivities(_ before: Int64) throws {
        let gone = StoreQuery.activitiesGone(hasDevice: pruning.device != nil, hasApp: pruning.app != nil)
        func run(_ verb: String) throws -> PreparedStatement {
            let statement = try PreparedStatement(database, "\(verb) \(gone)")
            statement.bind(statement.bind([pruning.device, pruning.app]), before)
            return statement
        }
        let count = Int(try run("SELECT count(*)").firstInteger() ?? 0)
        if !isRehearsal, count > 0 { try run("DELETE").run() }
        progress.summary.activities += count
    }

    /// Builds an index unless it exists. A rehearsal that may not do that goes on without, and takes longer.
    private func ensure(_ index: StoreIndex) throws {
        if try index.exists(in: database) { return }
        do {
            try database.inTransaction(.immediate) {
                try index.build(in: database)
            }
        } catch let error as DatabaseError {
            if !isRehearsal { throw error }
        }
    }

    private func newestToGo(of center: Int64, _ keep: Int) throws -> Int64 {
        if keep == 0 { return .max }
        if let known = newestToGo[center] { return known }
        if newestToGo.count >= Self.maximumKnownCenters { newestToGo.removeAll(keepingCapacity: true) }
        let newest = try newestAfter.with(center, keep).firstInteger() ?? .min
        newestToGo[center] = newest
        return newest
    }

    // MARK: - Rows

    /// True if a row is deleted.
    private typealias Condition = (_ row: PreparedStatement) throws -> Bool

    private func prune(
        _ table: PrunedTable, _ count: WritableKeyPath<Pruning.Summary, Int>, _ goes: Condition
    ) throws {
        try pass(
            StoreQuery.rows(of: table, hasDevice: device != nil, hasApp: pruning.app != nil),
            StoreQuery.delete(from: table), count, goes)
    }

    /// Reads rows of the selected apps and devices, some in each transaction, and deletes some of them there, once they are collected, so that no
    /// row is deleted under the reading statement.
    ///
    /// - Parameters:
    ///   - selection: its last parameters are the id after which it begins, and a number of rows.
    ///   - deletion: deletes the row with an id.
    ///   - count: the number to which the deleted rows are added, after each transaction.
    private func pass(
        _ selection: String, _ deletion: String, _ count: WritableKeyPath<Pruning.Summary, Int>? = nil,
        _ goes: Condition
    ) throws {
        let select = try PreparedStatement(database, selection)
        let delete = try PreparedStatement(database, deletion)
        // No row has the smallest possible id, unless the file was edited.
        var last = Int64.min
        var isDone = false
        while !isDone {
            var victims: [Int64] = []
            try database.inTransaction(isRehearsal ? .deferred : .immediate) {
                let next = select.bind([device, pruning.app])
                select.bind(next, last)
                select.bind(next + 1, Int64(rowsPerTransaction))
                var rows = 0
                try select.forEachRow { row in
                    rows += 1
                    last = row.integer(0)
                    if try goes(row) { victims.append(last) }
                }
                if !isRehearsal { for id in victims { try delete.run(id) } }
                isDone = rows < rowsPerTransaction
            }
            if let count { progress.summary[keyPath: count] += victims.count }
        }
    }
}

/// How old a notification must be to be pruned, as a user writes it: `90s`, `45m`, `12h`, `30d`, `8w`.
package enum PruningAge {
    private static let secondsByUnit: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]

    /// The time before which notifications are old enough, in milliseconds since the epoch; nil when the text is not an
    /// age.
    ///
    /// - Parameter now: in milliseconds since the epoch, between the years 1 and 9999.
    package static func time(_ text: String, before now: Int64) -> Int64? {
        guard let unit = text.last.flatMap({ secondsByUnit[$0] }), let number = UInt32(text.dropLast()) else {
            return nil
        }
        // 32 bits of weeks in milliseconds are less than 62 bits, so this does not overflow.
        return now - Int64(number) * unit * 1000
    }
}
