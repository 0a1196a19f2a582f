import GRDB
import HeapModule
import PayloadJSON
import PushStore
import PushSystem

/// Checks of stores that are read or merged as one.
enum PartSet {
    /// The files that arguments name: each file, and the stores in each folder, by their names.
    ///
    /// - Parameter target: a file that is left out, even if it is in one of the folders.
    /// - Throws: `StoreError` for a folder without a store.
    static func files(_ paths: [String], except target: FileIdentity? = nil) throws(StoreError) -> [String] {
        var files: [String] = []
        for path in paths {
            guard FileSystem.isDirectory(path) else {
                files.append(path)
                continue
            }
            let found: [String]
            do throws(SystemError) {
                found = try stores(in: path).filter { target == nil || (try? FileStatus($0))?.identity != target }
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

    private static func stores(in directory: String) throws(SystemError) -> [String] {
        let folder = directory.hasSuffix("/") ? directory : directory + "/"
        return try FileSystem.names(in: directory).sorted().map { folder + $0 }.filter(SQLiteStore.isDatabase)
    }

    /// True if a path is a database, or a folder with one. Not to be called for what this process has open.
    static func isStore(_ path: String) -> Bool {
        SQLiteStore.isDatabase(path) || (FileSystem.isDirectory(path) && (try? stores(in: path).isEmpty) == false)
    }

    /// Opens stores with `open`. Each takes three open files.
    static func opening(_ files: [String], _ open: (String) throws -> SQLiteStore) throws -> [SQLiteStore] {
        var stores: [SQLiteStore] = []
        for path in files {
            do { stores.append(try open(path)) } catch let error as StoreError {
                guard error.code == .cannotOpen, !canOpenFiles else { throw error }
                throw StoreError(
                    code: .cannotOpen, path: path,
                    message:
                        "too many files are open: \(files.count) stores take three each; raise the limit with ulimit -n, or name "
                        + "fewer stores", underlying: error)
            }
        }
        guard stores.count > fewStores else { return stores }
        let share = max(cacheBytes / stores.count, fewestCacheBytes)
        for store in stores { try store.limitCache(to: share) }
        return stores
    }

    /// So many may have the caches that they have alone.
    private static let fewStores = 32
    /// For the pages of more stores together.
    private static let cacheBytes = 64 << 20  // 64 MiB
    /// For those of one store. SQLite's default is 2 MB.
    private static let fewestCacheBytes = 128 << 10  // 128 KiB

    /// True if this process may open three more files.
    private static var canOpenFiles: Bool {
        var files: [FileDescriptor] = []
        defer { for file in files { file.close() } }
        while files.count < 3 {
            guard let file = try? FileDescriptor.open("/dev/null", .readOnly) else { return false }
            files.append(file)
        }
        return true
    }

    static func check(_ parts: [(store: SQLiteStore, mark: PartMark)]) throws(StoreError) {
        var known: [Int: String] = [:]
        for (store, mark) in parts {
            if let first = parts.first, first.mark.parts != mark.parts {
                throw StoreError(
                    code: .parts, path: store.path,
                    message: "is \(mark.name), and \(first.store.path) is one of \(first.mark.parts); "
                        + "name parts of one partition")
            }
            if let twin = known.updateValue(store.path, forKey: mark.part) {
                throw StoreError(
                    code: .parts, path: store.path, message: "is \(mark.name), as \(twin) is; name each part once")
            }
        }
    }

    static func checkRedaction(_ stores: [SQLiteStore]) throws {
        guard let first = stores.first else { return }
        let redaction = try first.redaction
        for store in stores where try store.redaction != redaction {
            let difference =
                try store.redaction?.parts == redaction?.parts
                ? "texts are hidden with another key than" : "other texts are hidden than"
            throw StoreError(
                code: .parts, path: store.path,
                message: "\(difference) in \(first.path); run all parts with the same redaction and key")
        }
    }

    private struct Name: Comparable {
        var bytes: [UInt8]
        var source: Int

        static func < (left: Name, right: Name) -> Bool {
            left.bytes == right.bytes ? left.source < right.source : left.bytes.lexicographicallyPrecedes(right.bytes)
        }
    }

    /// Checks that no device is in two stores, by their indexes. Holds one name of each. Call it at one moment of the stores.
    ///
    /// - Throws: `StoreError` that names the device.
    static func checkDevices(_ stores: [SQLiteStore]) throws {
        let rows = try stores.map { store in
            try store.reading { try PreparedStatement($0, StoreQuery.deviceNames) }
        }
        defer { for row in rows { row.reset() } }
        var next = Heap<Name>()
        func read(_ source: Int) throws {
            let row = rows[source]
            guard try row.step() else { return }
            // SOUND: the text is copied before the next step.
            next.insert(Name(bytes: unsafe [UInt8](row.text(0).buffer), source: source))
        }
        for source in stores.indices { try read(source) }
        while let name = next.popMin() {
            if let twin = next.min, twin.bytes == name.bytes {
                let device = String(decoding: name.bytes, as: UTF8.self)
                throw StoreError(
                    code: .parts, path: stores[twin.source].path,
                    message: "has the device \(device), and so has \(stores[name.source].path); "
                        + "stores can be joined when each device is in one of them")
            }
            try read(name.source)
        }
    }
}
