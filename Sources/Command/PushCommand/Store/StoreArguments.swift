import PushPipeline
import PushRuns
import PushSQLite
import PushStore
import PushSystem

/// The stores that a command's arguments name: with --store, as the first arguments, or in PUSHPIPE_STORE.
struct StoreArguments: Sendable {
    private static let advice = "name the store: --store FILE, or set PUSHPIPE_STORE (pushpipe help store)"

    /// With --store.
    let named: [String]
    /// In the environment.
    let fallback: String?

    /// The only store, and the remaining arguments.
    ///
    /// - Throws: `RunError` if no store is named, or several.
    func path(_ arguments: [String]) throws(RunError) -> (path: String, rest: ArraySlice<String>) {
        guard named.count <= 1 else { throw RunError("name one store: this command takes no others") }
        var rest = arguments[...]
        // With a store in the environment, a first argument may be something else.
        let isNamed =
            named.isEmpty && (fallback == nil || rest.first.map { (try? FileStatus($0))?.kind == .regular } ?? false)
        guard let path = named.first ?? (isNamed ? rest.popFirst() : fallback) else { throw RunError(Self.advice) }
        return (path, rest)
    }

    /// The only store.
    ///
    /// - Throws: `RunError`, also for an argument after the store.
    func only(_ arguments: [String]) throws(RunError) -> String {
        let (path, rest) = try path(arguments)
        guard let next = rest.first else { return path }
        throw RunError(
            "unexpected argument: \(next); this command takes one store: merge several with pushpipe merge --store")
    }

    /// The store to write to: never an argument.
    func target() throws(RunError) -> String {
        guard named.count <= 1, let path = named.first ?? fallback else {
            throw RunError("name the store to write to: --store FILE, or set PUSHPIPE_STORE")
        }
        return path
    }

    /// The stores to read as one, and the remaining arguments: after the first, those that name no store.
    ///
    /// - Throws: `RunError` if no store is named.
    func paths(_ arguments: [String]) throws(RunError) -> (paths: [String], rest: ArraySlice<String>) {
        var rest = arguments[...]
        if !named.isEmpty { return (named, rest) }
        var paths: [String] = []
        if fallback == nil || rest.first.map(Self.isFileOrFolder) ?? false, let first = rest.popFirst() {
            paths.append(first)
            while let next = rest.first, PartedStore.isStore(next) {
                paths.append(next)
                rest.removeFirst()
            }
        } else if let fallback {
            paths = [fallback]
        }
        guard !paths.isEmpty else { throw RunError(Self.advice) }
        return (paths, rest)
    }

    /// The stores to read as one, when no other argument is expected.
    func all(_ arguments: [String]) throws(RunError) -> [String] {
        let (paths, rest) = try paths(arguments)
        try Self.rejectRest(rest)
        return paths
    }

    /// Opens stores to read them as one; see `PartedStore.open`.
    ///
    /// - Throws: `StoreError`; `InputError` if standard output is one of their files.
    static func open(
        _ paths: [String], device: String? = nil, isByDevice: Bool = false
    ) throws -> any ReadableStore {
        try InputError.check(.standardOutput, isApartFrom: paths.flatMap(RunJob.files))
        if let first = paths.first { TemporaryFiles.keep(beside: first) }
        return try PartedStore.open(paths, device: device, isByDevice: isByDevice)
    }

    /// - Throws: `RunError` if there is an argument that nothing has taken.
    static func rejectRest(_ rest: ArraySlice<String>) throws(RunError) {
        if let first = rest.first { throw RunError("unexpected argument: \(first) (pushpipe help store)") }
    }

    private static func isFileOrFolder(_ path: String) -> Bool {
        let kind = (try? FileStatus(path))?.kind
        return kind == .regular || kind == .directory
    }
}
