import GRDB
import PushModel
package import PushStore
import PushSystem

/// Joins the stores of all parts of an input into the store that one run of the whole input would have written.
///
/// Rows are read in the order of their places and numbered from 1. Apart from SQLite's caches, holds one row of each part in memory: where rows
/// have gone is kept in temporary tables. The progress of files and the last report are left out: they are about the files of parts.
package struct StoreMerger {
    /// Rows between two reports of progress.
    private static let rowsPerReport = 4096

    private let paths: [String]
    private let isPartial: Bool

    /// - Parameters:
    ///   - paths: files, and folders with stores.
    ///   - isPartial: true if parts may be missing, or not be read to their ends.
    package init(_ paths: [String], isPartial: Bool = false) {
        self.paths = paths
        self.isPartial = isPartial
    }

    /// Writes a new store in one transaction. O(n log p) for n rows of p parts.
    ///
    /// - Parameters:
    ///   - path: there is no such file, or it is a store without contents.
    ///   - progress: called now and then; what it throws ends the merge.
    /// - Throws: `StoreError` that says what to do; the new store is empty then.
    @discardableResult
    package func merge(into path: String, progress: (MergeCounts) throws -> Void = { _ in }) throws -> MergeCounts {
        let files = try PartSet.files(paths, except: (try? FileStatus(path))?.identity)
        let parts = try PartSet.opening(files) { try SQLiteStore(path: $0, access: .readOnly) }
        let sorted = try check(parts)
        let target = try SQLiteStore(path: path)
        guard try target.isEmpty else {
            let message = "is not empty; name a new file for the merged store, or delete this one"
            throw StoreError(code: .parts, path: path, message: message)
        }
        var counts = MergeCounts()
        counts.parts = sorted.count
        try StoreMoment.of(sorted) {
            try PartSet.checkDevices(sorted)
            try target.transaction(replacing: nil) { session, database in
                // May grow with the parts. `SQLITE_TMPDIR` sets where it is.
                try database.execute(sql: "PRAGMA temp_store = FILE")
                try mergeTables(of: sorted, into: database, &counts, progress)
                for fact in session.facts { try fact.join(sorted, isPartial: isPartial) }
            }
            target.forgetLoaded()
        }
        return counts
    }

    // MARK: - Checks

    private func check(_ stores: [SQLiteStore]) throws -> [SQLiteStore] {
        let parts = try stores.map { store in
            guard let mark = try store.part() else {
                throw StoreError(
                    code: .parts, path: store.path,
                    message:
                        "is a store, but not one of a part, which pushpipe run writes from what pushpipe partition writes",
                    advice: .exportAndImport)
            }
            return (store: store, mark: mark)
        }.sorted { $0.mark.part < $1.mark.part }
        try PartSet.check(parts)
        try PartSet.checkRedaction(stores)
        if !isPartial { try checkComplete(parts) }
        return parts.map(\.store)
    }

    private func checkComplete(_ parts: [(store: SQLiteStore, mark: PartMark)]) throws {
        for (store, mark) in parts where !mark.isComplete {
            throw StoreError(
                code: .parts, path: store.path,
                message: "is \(mark.name), whose input was not read to its end", advice: .completePart)
        }
        guard let first = parts.first else { return }
        let known = Set(parts.map(\.mark.part))
        let missing = (0..<first.mark.parts).lazy.filter { !known.contains($0) }
        if !missing.isEmpty {
            let names = missing.prefix(Self.mostListed).map(String.init).joined(separator: ", ")
            let rest = missing.count > Self.mostListed ? " and others" : ""
            let verb = missing.count == 1 ? "is" : "are"
            throw StoreError(
                code: .parts, path: first.store.path,
                message: "is one of \(first.mark.parts) parts, of which \(missing.count) \(verb) not named: "
                    + "\(names)\(rest); name all", advice: .mergePartially)
        }
        let last = try first.store.lastSequence
        for (store, _) in parts where try store.lastSequence != last {
            throw StoreError(
                code: .parts, path: store.path,
                message: "its input ends with record \(try store.lastSequence), and that of \(first.store.path) with "
                    + "record \(last); name parts of one input")
        }
    }

    /// The most missing parts that are listed.
    private static let mostListed = 10

    // MARK: - Tables

    private func mergeTables(
        of parts: [SQLiteStore], into database: Database, _ counts: inout MergeCounts,
        _ progress: (MergeCounts) throws -> Void
    ) throws {
        var maps: [String: [RowMap]] = [:]
        for (position, table) in StoreSchema.tables.enumerated() {
            guard let copying = table.copying else { continue }
            let referred = Set(StoreSchema.tables[(position + 1)...].flatMap(\.references))
            if referred.contains(table.name) {
                maps[table.name] = try parts.indices.map { try RowMap("\(table.name)_of_part_\($0)", database) }
            }
            let copy = try TableCopy(table, copying, from: parts, to: database, maps, keeping: maps[table.name])
            defer { copy.close() }
            var merge = try RowMerge(
                copy.sources, RowMerge.Order(isByPlace: copying.hasIDs, hasSharedBatches: copying.hasSharedBatches))
            while let next = try merge.next() {
                try copy.insert(next.row, of: next.source)
                counts.rows += 1
                counts.copied[table.name, default: 0] += 1
                if counts.rows.isMultiple(of: Self.rowsPerReport) { try progress(counts) }
            }
            for (name, done) in maps where !referred.contains(name) {
                for map in done { try map.drop() }
                maps[name] = nil
            }
        }
    }
}

extension SQLiteStore {
    /// True if nothing was delivered into the store, and nothing is known in it.
    var isEmpty: Bool {
        get throws {
            guard try lastSequence == 0, try part() == nil else { return false }
            return try reading { database in
                try ["center", "device"].allSatisfy { table in
                    let sql = "SELECT NOT EXISTS (SELECT 1 FROM \(table))"
                    return try PreparedStatement(database, sql).firstInteger() == 1
                }
            }
        }
    }
}
