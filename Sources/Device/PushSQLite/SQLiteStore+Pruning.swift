import GRDB
package import PushStore

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
            try database.execute(sql: "PRAGMA temp_store = FILE")
            defer { try? database.execute(sql: "PRAGMA temp_store = MEMORY") }
            try database.execute(sql: "VACUUM")
            try emptyLog(database)
        }
    }
}

/// One pruning run over a store, on the queue of its database.
private final class Pruner {
    private let progress: PruningProgress
    private let database: Database
    private let pruning: Pruning
    private let rowsPerTransaction: Int
    private let isRehearsal: Bool
    private let newestAfter: PreparedStatement
    /// By center: the newest notification to delete; the smallest number when all may stay.
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
        newestAfter = try PreparedStatement(database, StoreQuery.newestAfter)
    }

    func run() throws {
        guard pruning.before != nil || pruning.keep != nil else { return }
        let centers = try centersOfDevice()
        if centers != nil || pruning.keep ?? 0 > 0 { try ensure(.notifications) }
        if centers != nil && pruning.includesEvents { try ensure(.events) }
        try prune(.notifications, centers, \.notifications) { [self] id, center, time in
            if let before = pruning.before, time < before { return true }
            guard let keep = pruning.keep else { return false }
            return try id <= newestToGo(of: center, keep)
        }
        if pruning.includesEvents, let before = pruning.before {
            try prune(.events, centers, \.events) { _, _, time in time < before }
        }
        if let before = pruning.before { try pruneActivities(before) }
        if isRehearsal { return }
        // Now there is room for them that deleted rows have left.
        for index in StoreIndex.byDevice { try ensure(index) }
        try forgetEmpty(centers)
    }

    private func pruneActivities(_ before: Int64) throws {
        let gone = StoreQuery.activitiesGone(hasDevice: pruning.device != nil, hasApp: pruning.app != nil)
        func run(_ verb: String) throws -> PreparedStatement {
            let statement = try PreparedStatement(database, "\(verb) \(gone)")
            statement.bind(1, before)
            if let device = pruning.device { statement.bind(2, copying: device) }
            if let app = pruning.app { statement.bind(3, copying: app) }
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
                return .commit
            }
        } catch let error as DatabaseError {
            if !isRehearsal { throw error }
        }
    }

    /// Nil when all devices are selected.
    private func centersOfDevice() throws -> [Int64]? {
        guard let device = try SQLiteStore.nameOnScreens(pruning.device, database) else { return nil }
        let select = try PreparedStatement(database, StoreQuery.centersOfDevice(hasApp: pruning.app != nil))
        select.bind([device, pruning.app])
        return try select.all { $0.integer(0) }
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

    private typealias Condition = (_ id: Int64, _ center: Int64, _ time: Int64) throws -> Bool

    private typealias Count = WritableKeyPath<Pruning.Summary, Int>

    private func prune(
        _ table: PrunedTable, _ centers: [Int64]?, _ count: Count, _ goes: Condition
    ) throws {
        let delete = try PreparedStatement(database, StoreQuery.delete(from: table))
        guard let centers else {
            let sql = StoreQuery.rows(of: table, hasApp: pruning.app != nil)
            let select = try PreparedStatement(database, sql)
            if let app = pruning.app { select.bind(3, copying: app) }
            return try pass(select, idArgument: 1, count) { [self] in try deleteRows(select, delete, goes) }
        }
        let select = try PreparedStatement(database, StoreQuery.rowsOfCenter(of: table))
        for center in centers {
            select.bind(1, center)
            try pass(select, idArgument: 2, count) { [self] in try deleteRows(select, delete, goes) }
        }
    }

    private struct Step {
        var rows = 0
        var lastID = Int64.min
        var gone = 0
    }

    /// Repeats `step` for the rows after an id until there are none left, each time in its own transaction.
    ///
    /// - Parameter count: which number the deleted rows are added to, after each transaction.
    private func pass(
        _ select: PreparedStatement, idArgument: Int32, _ count: Count?, _ step: () throws -> Step
    ) throws {
        var gone = 0
        var after: Int64?
        var isDone = false
        while !isDone {
            // No row has the smallest possible id, unless the file was edited.
            select.bind(idArgument, after ?? .min)
            select.bind(idArgument + 1, Int64(rowsPerTransaction))
            try database.inTransaction(isRehearsal ? .deferred : .immediate) {
                let done = try step()
                gone = done.gone
                after = done.lastID
                isDone = done.rows < rowsPerTransaction
                return .commit
            }
            if let count { progress.summary[keyPath: count] += gone }
        }
    }

    /// Collects rows before deleting any, so that no row is deleted under the reading statement.
    private func deleteRows(
        _ select: PreparedStatement, _ delete: PreparedStatement, _ goes: Condition
    ) throws -> Step {
        defer { select.reset() }
        var step = Step()
        var victims: [Int64] = []
        while try select.step() {
            step.rows += 1
            step.lastID = select.integer(0)
            guard select.integer(3) != 0, try goes(select.integer(0), select.integer(1), select.integer(2)) else {
                continue
            }
            victims.append(step.lastID)
        }
        step.gone = victims.count
        if !isRehearsal { try run(delete, victims) }
        return step
    }

    // MARK: - Centers

    private func forgetEmpty(_ centers: [Int64]?) throws {
        let delete = try PreparedStatement(database, StoreQuery.deleteCenter)
        guard let centers else {
            let select = try PreparedStatement(database, StoreQuery.emptyCenters(hasApp: pruning.app != nil))
            if let app = pruning.app { select.bind(3, copying: app) }
            try pass(select, idArgument: 1, nil) { [self] in
                defer { select.reset() }
                var step = Step()
                var empty: [Int64] = []
                while try select.step() {
                    step.rows += 1
                    step.lastID = select.integer(0)
                    if select.integer(1) != 0 { empty.append(step.lastID) }
                }
                try run(delete, empty)
                return step
            }
            return
        }
        let isEmpty = try PreparedStatement(database, StoreQuery.isCenterEmpty)
        try database.inTransaction(.immediate) {
            try run(delete, centers.filter { try isEmpty.with($0).firstInteger() == 1 })
            return .commit
        }
    }

    private func run(_ statement: PreparedStatement, _ ids: [Int64]) throws {
        for id in ids {
            statement.bind(1, id)
            try statement.run()
        }
    }
}
