import CPushSQLite
import HeapModule
package import PushDevices
import PushModel
import PushSystem

/// Joins the stores of all parts of an input into the store that one run of the whole input would have written.
///
/// The ids of a part's rows are places in the original input (`RowPlace`): rows are read in their order, and numbered from 1. Apart from SQLite's
/// caches, holds one row of each part in memory: where rows have gone is kept in temporary tables. The progress of files and the last report are
/// left out: they are about the files of parts.
package struct StoreMerger {
    private let paths: [String]
    private let isPartial: Bool

    /// - Parameters:
    ///   - paths: files, and folders with stores.
    ///   - isPartial: true if parts may be missing, or not be read to their ends.
    package init(_ paths: [String], isPartial: Bool = false) {
        self.paths = paths
        self.isPartial = isPartial
    }

    /// Writes a new store in one transaction. O(n log p) for n rows of p parts. Nothing else may write to the parts meanwhile.
    ///
    /// - Parameters:
    ///   - path: there is no such file, or it is a store without contents.
    ///   - progress: called now and then; what it throws ends the merge.
    /// - Throws: `StoreError` that says what to do; the new store is empty then.
    @discardableResult
    package func merge(into path: String, progress: (MergeCounts) throws -> Void = { _ in }) throws -> MergeCounts {
        let parts = try check(opened(files(except: (try? FileStatus(path))?.identity)))
        let target = try SQLiteStore(path: path)
        guard try target.isEmpty else {
            throw target.misfit("is not empty; name a new file for the merged store, or delete this one")
        }
        var counts = MergeCounts()
        counts.parts = parts.count
        try target.importing { importer in
            // May grow with the parts. `SQLITE_TMPDIR` sets where it is.
            try importer.database.execute("PRAGMA temp_store = FILE")
            _ = try importer.adopt(parts.first?.redaction)
            for table in Self.tables {
                try PartTable(table, of: parts, in: importer.database).copy { rows in
                    counts.rows += 1
                    counts.copied[table.name] = rows
                    if counts.rows.isMultiple(of: Self.rowsPerReport) { try progress(counts) }
                }
            }
            importer.continueNumbers(after: try parts.map { try $0.lastSequence }.max() ?? 0)
            if let time = try parts.compactMap({ try $0.lastRecordTime }).max() {
                try importer.continueTime(after: time)
            }
            for offset in try offsets(of: parts) { try importer.session.setOffset(offset) }
        }
        return counts
    }

    /// Rows between two reports of progress.
    private static let rowsPerReport = 4096

    /// The last record of each stream that the parts have read. If records may be missing, the first one of those that several parts have read.
    private func offsets(of parts: [SQLiteStore]) throws -> [StreamOffset] {
        var byStream: [String: StreamOffset] = [:]
        for offset in try parts.flatMap({ try $0.streamOffsets() }) {
            let isKept = byStream[offset.stream].map { $0.isBefore(offset) == isPartial } ?? false
            if !isKept { byStream[offset.stream] = offset }
        }
        return Array(byStream.values)
    }

    // MARK: - Tables

    /// A table whose rows are copied.
    struct Table {
        var name: String
        /// The columns by which rows are ordered that time has brought about in several parts before one record: when it happened, whether late
        /// removals come first, the record that a row is about, device and app. ?1 is the row's id, ?2 the first one for that record.
        var order: String
        /// The tables to whose rows columns refer.
        var references: [String: String] = [:]
        /// True if rows have ids, which are their places; the others are in no order.
        var hasIDs = true

        static let ofRecord = "0, 0, seq, device, app FROM"
    }

    private static let eventOrder = "e.at, e.kind <> '\(JournalKind.removed.name)', e.seq, c.device, c.app FROM event e"

    /// All tables of which one part has some rows, and another one others. A table comes after those that its rows refer to.
    static let tables = [
        // An app is first seen with a line of the journal.
        Table(
            name: "center",
            order: "\(eventOrder) JOIN center c ON c.id = e.center WHERE e.id >= ?2 AND c.id = ?1 ORDER BY e.id LIMIT 1"
        ),
        Table(
            name: "notification",
            order:
                "n.delivered_at, 0, n.seq, c.device, c.app FROM notification n JOIN center c ON c.id = n.center WHERE n.id = ?1",
            references: ["center": "center"]),
        Table(
            name: "event", order: "\(eventOrder) JOIN center c ON c.id = e.center WHERE e.id = ?1",
            references: ["center": "center"]),
        Table(name: "device", order: "0, 0, 0, device, '' FROM device WHERE id = ?1"),
        Table(
            name: "installation", order: "0, 0, 0, '', app FROM installation WHERE id = ?1",
            references: ["device": "device"]),
        Table(name: "subscription", order: "", references: ["installation": "installation"], hasIDs: false),
        Table(name: "held", order: "\(Table.ofRecord) held WHERE id = ?1"),
        Table(name: "rate_window", order: "", hasIDs: false),
        Table(name: "live_activity", order: "\(Table.ofRecord) live_activity WHERE id = ?1"),
        Table(name: "removal", order: "due, 0, seq, device, app FROM removal WHERE id = ?1"),
    ]

    // MARK: - Files

    /// The files that arguments name: each file, and the stores in each folder, by their names.
    ///
    /// - Parameter target: a file that is left out, even if it is in one of the folders.
    private func files(except target: FileIdentity?) throws(StoreError) -> [String] {
        var files: [String] = []
        for path in paths {
            guard FileSystem.isDirectory(path) else {
                files.append(path)
                continue
            }
            let found: [String]
            do throws(SystemError) {
                found = try FileSystem.names(in: path).sorted().map {
                    path.hasSuffix("/") ? path + $0 : "\(path)/\($0)"
                }
                .filter { SQLiteStore.isDatabase($0) && (target == nil || (try? FileStatus($0))?.identity != target) }
            } catch {
                throw StoreError(code: .cannotOpen, path: path, message: "\(error)")
            }
            guard !found.isEmpty else {
                throw StoreError(
                    code: .cannotOpen, path: path,
                    message: "is a directory; name a file in it, or a directory with the stores of parts")
            }
            files += found
        }
        return files
    }

    /// Files that an open store has: itself, its log, and the index of that.
    private static let filesPerStore = 3
    /// Files that this process has open besides the parts, among them the new store.
    private static let otherFiles = 32
    /// Memory for the pages of all parts together, and the least for those of each. SQLite's default is 2 MB a store.
    private static let cacheBytes = 64 << 20  // 64 MiB
    private static let fewestCacheBytes = 128 << 10  // 128 KiB

    private func opened(_ files: [String]) throws -> [SQLiteStore] {
        let wanted = files.count * Self.filesPerStore + Self.otherFiles
        let limit = OpenFileLimit.raise(to: wanted)
        guard limit >= wanted else {
            throw StoreError(
                code: .cannotOpen, path: files[0],
                message: "\(files.count) stores need \(wanted) open files, and this process may have \(limit); "
                    + "raise the limit with ulimit -n")
        }
        let stores = try files.map { try SQLiteStore(path: $0, access: .readOnly) }
        let share = max(Self.cacheBytes / max(stores.count, 1), Self.fewestCacheBytes)
        for store in stores { try store.limitCache(to: share) }
        return stores
    }

    // MARK: - Checks

    private typealias Part = (store: SQLiteStore, mark: PartMark)

    /// The parts by their numbers, if they fit together.
    private func check(_ stores: [SQLiteStore]) throws -> [SQLiteStore] {
        let parts = try stores.map { store -> Part in
            guard let mark = try store.part() else {
                throw store.misfit(
                    "is a store, but not one of a part; pushpipe run writes those from the output of pushpipe partition",
                    advice: .exportAndImport)
            }
            return (store, mark)
        }.sorted { $0.mark.part < $1.mark.part }
        guard let first = parts.first else { return [] }
        var last: Part?
        for part in parts {
            try check(part, after: last, first)
            last = part
        }
        if !isPartial { try checkComplete(parts, first) }
        return parts.map(\.store)
    }

    private func check(_ part: Part, after last: Part?, _ first: Part) throws {
        if first.mark.parts != part.mark.parts {
            throw part.store.misfit(
                "is \(part.mark.name), and \(first.store.path) is one of \(first.mark.parts); name parts of one partition"
            )
        }
        if let last, last.mark.part == part.mark.part {
            throw part.store.misfit("is \(part.mark.name), as \(last.store.path) is; name each part once")
        }
        let (own, other) = (try part.store.redaction, try first.store.redaction)
        guard own != other else { return }
        let difference =
            own?.parts == other?.parts
            ? "texts are hidden with another key than" : "other texts are hidden than"
        throw part.store.misfit(
            "\(difference) in \(first.store.path); run all parts with the same redaction and key")
    }

    private func checkComplete(_ parts: [Part], _ first: Part) throws {
        for (store, mark) in parts where !mark.isComplete {
            throw store.misfit("is \(mark.name), whose input was not read to its end", advice: .completePart)
        }
        let known = Set(parts.map(\.mark.part))
        let missing = (0..<first.mark.parts).lazy.filter { !known.contains($0) }
        if !missing.isEmpty {
            let names = missing.prefix(Self.mostListed).map(String.init).joined(separator: ", ")
            let rest = missing.count > Self.mostListed ? " and others" : ""
            let verb = missing.count == 1 ? "is" : "are"
            throw first.store.misfit(
                "is one of \(first.mark.parts) parts, of which \(missing.count) \(verb) not named: "
                    + "\(names)\(rest); name all", advice: .mergePartially)
        }
        let last = try first.store.lastSequence
        for (store, _) in parts where try store.lastSequence != last {
            throw store.misfit(
                "its input ends with record \(try store.lastSequence), and that of \(first.store.path) with "
                    + "record \(last); name parts of one input")
        }
    }

    /// The most missing parts that are listed.
    private static let mostListed = 10
}

/// The rows of a table of all parts, on their way to the merged store. Values are handed on as they are, whatever columns there are.
private final class PartTable {
    /// A row that is next in its part.
    private struct Head: Comparable {
        /// Where the row belongs; that of the record before which time has brought it about.
        var place: Int64
        var order: (at: Int64, rank: Int64, seq: Int64, device: String, app: String) = (0, 0, 0, "", "")
        var part: Int

        static func == (left: Head, right: Head) -> Bool { left.part == right.part }

        static func < (left: Head, right: Head) -> Bool {
            if left.place != right.place { return left.place < right.place }
            return left.order == right.order ? left.part < right.part : left.order < right.order
        }
    }

    private let table: StoreMerger.Table
    private let parts: [SQLiteStore]
    private let rows: [PreparedStatement]
    private let orders: [PreparedStatement]
    private let insertion: PreparedStatement
    private let noteMove: PreparedStatement?
    private let columnCount: Int32
    private var lastID: Int64 = 0

    init(_ table: StoreMerger.Table, of parts: [SQLiteStore], in database: Database) throws {
        self.table = table
        self.parts = parts
        let columns = try PreparedStatement(
            database, "SELECT name FROM pragma_table_info(?) WHERE name <> 'id'", table.name
        )
        .all { $0.string(0) }
        columnCount = Int32(columns.count)
        let select = "SELECT \((["\(table.hasIDs ? "id" : "0")"] + columns).joined(separator: ", ")) FROM \(table.name)"
        rows = try parts.map { part in
            try part.reading { try PreparedStatement($0, select + (table.hasIDs ? " ORDER BY id" : "")) }
        }
        orders =
            try table.hasIDs ? parts.map { try $0.reading { try PreparedStatement($0, "SELECT " + table.order) } } : []
        // The row's values from ?1 on, after them its part and its id.
        let part = "?\(columns.count + 1)"
        let values = columns.enumerated().map { position, column in
            guard let other = table.references[column] else { return "?\(position + 1)" }
            return "(SELECT new FROM temp.moved_\(other) WHERE part = \(part) AND old = ?\(position + 1))"
        }
        let (names, all) =
            table.hasIDs ? (columns + ["id"], values + ["?\(columns.count + 2)"]) : (columns, values)
        insertion = try PreparedStatement(
            database,
            "INSERT INTO \(table.name) (\(names.joined(separator: ", "))) VALUES (\(all.joined(separator: ", ")))")
        guard ["center", "device", "installation"].contains(table.name) else {
            noteMove = nil
            return
        }
        try database.execute(
            """
            CREATE TEMP TABLE moved_\(table.name) (
                part INTEGER, old INTEGER, new INTEGER NOT NULL, PRIMARY KEY (part, old)
            ) WITHOUT ROWID
            """)
        noteMove = try PreparedStatement(database, "INSERT INTO temp.moved_\(table.name) VALUES (?, ?, ?)")
    }

    /// Copies all rows in their order.
    ///
    /// - Parameter didCopy: called after each row with the number of rows.
    func copy(_ didCopy: (Int) throws -> Void) throws {
        defer { for row in rows { row.reset() } }
        var heads = Heap<Head>()
        for part in rows.indices { if let head = try next(of: part) { heads.insert(head) } }
        var count = 0
        while let head = heads.popMin() {
            try insert(head.part)
            count += 1
            try didCopy(count)
            if let head = try next(of: head.part) { heads.insert(head) }
        }
    }

    private func next(of part: Int) throws -> Head? {
        guard try rows[part].step() else { return nil }
        let id = rows[part].integer(0)
        guard table.hasIDs, RowPlace.isTriggeredByTime(id) else { return Head(place: id, part: part) }
        let first = RowPlace.first(ofBatchWith: id)
        orders[part].bind(1, id)
        orders[part].bind(2, first)
        let order = try orders[part].first { row in
            (at: row.integer(0), rank: row.integer(1), seq: row.integer(2), device: row.string(3), app: row.string(4))
        }
        return Head(place: first, order: order ?? (0, 0, 0, "", ""), part: part)
    }

    private func insert(_ part: Int) throws {
        let row = rows[part]
        lastID += 1
        for column in 1...columnCount { insertion.bind(column, row, column: column) }
        insertion.bind(columnCount + 1, Int64(part))
        if table.hasIDs { insertion.bind(columnCount + 2, lastID) }
        do { try insertion.run() } catch let error as DatabaseError where error.isOfTwoRows {
            throw parts[part].misfit(
                "has a row of a device that another store also has; name parts of one input", underlying: error)
        }
        try noteMove?.run(Int64(part), row.integer(0), lastID)
    }
}

extension DatabaseError {
    /// True if there is a row with the same key.
    fileprivate var isOfTwoRows: Bool {
        // `SQLITE_CONSTRAINT_UNIQUE` and `SQLITE_CONSTRAINT_PRIMARYKEY`.
        [8, 6].contains { code == SQLITE_CONSTRAINT | $0 << 8 }
    }
}

extension SQLiteStore {
    /// Why the store does not fit together with others.
    fileprivate func misfit(
        _ message: String, advice: Advice? = nil, underlying: (any Error)? = nil
    ) -> StoreError {
        StoreError(code: .parts, path: path, message: message, advice: advice, underlying: underlying)
    }

    /// True if nothing was delivered into the store, and nothing is known in it.
    fileprivate var isEmpty: Bool {
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

    /// Keeps at most so many bytes of pages in memory, or less if it does so already.
    fileprivate func limitCache(to bytes: Int) throws {
        try reading { database in
            // Negative for KiB.
            let current = try PreparedStatement(database, "PRAGMA cache_size").firstInteger() ?? 0
            let wanted = Int64(bytes >> 10)
            if current > 0 || -current > wanted { try database.execute("PRAGMA cache_size = -\(wanted)") }
        }
    }
}
