import PushSystem

/// Makes SQLite create its temporary files next to the store.
package enum TemporaryFiles {
    /// Call this before opening the store and before starting threads. A folder set by the user in the variable is kept.
    package static func keep(beside path: String) {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        Environment.setDefault("SQLITE_TMPDIR", String(folder))
    }
}
