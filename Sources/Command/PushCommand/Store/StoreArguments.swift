import PushPipeline
import PushRuns
import PushSQLite
import PushStore
import PushSystem

/// The store that a command's arguments name: with --store, as the first argument, or in PUSHPIPE_STORE.
struct StoreArguments: Sendable {
    private static let advice = "name the store: --store FILE, or set PUSHPIPE_STORE (pushpipe help store)"

    /// With --store: at most one.
    let named: [String]
    /// In the environment.
    let fallback: String?

    private static let several = "this command takes one store: merge those of parts with pushpipe merge --store"

    /// The only store, and the remaining arguments.
    ///
    /// - Throws: `RunError` if no store is named, or several.
    func path(_ arguments: [String]) throws(RunError) -> (path: String, rest: ArraySlice<String>) {
        guard named.count <= 1 else { throw RunError("--store is given twice; \(Self.several)") }
        var rest = arguments[...]
        // With a store in the environment, a first argument may be something else.
        let isNamed =
            named.isEmpty && (fallback == nil || rest.first.map { (try? FileStatus($0))?.kind == .regular } ?? false)
        guard let path = named.first ?? (isNamed ? rest.popFirst() : fallback) else { throw RunError(Self.advice) }
        if let next = rest.first, SQLiteStore.isDatabase(next) {
            throw RunError("unexpected argument: \(next); \(Self.several)")
        }
        return (path, rest)
    }

    /// The only store.
    ///
    /// - Throws: `RunError`, also for an argument after the store.
    func only(_ arguments: [String]) throws(RunError) -> String {
        let (path, rest) = try path(arguments)
        try Self.rejectRest(rest)
        return path
    }

    /// Opens a store to read it.
    ///
    /// - Parameter isByDevice: true if devices will be looked up; see `SQLiteStore.openByDevice`.
    /// - Throws: `StoreError`; `InputError` if standard output is one of its files.
    static func open(_ path: String, isByDevice: Bool = false) throws -> SQLiteStore {
        try InputError.check(.standardOutput, isApartFrom: RunJob.files(ofStore: path))
        TemporaryFiles.keep(beside: path)
        return isByDevice ? try SQLiteStore.openByDevice(path: path) : try SQLiteStore(path: path, access: .readOnly)
    }

    /// - Throws: `RunError` if there is an argument that nothing has taken.
    static func rejectRest(_ rest: ArraySlice<String>) throws(RunError) {
        if let first = rest.first { throw RunError("unexpected argument: \(first) (pushpipe help store)") }
    }
}
