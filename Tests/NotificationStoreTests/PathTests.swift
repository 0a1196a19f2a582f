import NotificationStore
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

@Suite struct PathTests {
    /// A current folder of its own cannot be set while other tests run, so the odd name stands behind a relative path to it.
    @Test func `a name that SQLite gives a meaning of its own is a file all the same`() throws {
        var template = Array("/tmp/pushpipe-path-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        defer { rmdir(folder) }
        let up = String(repeating: "../", count: 40)
        let relative = "file:/../" + up + folder.dropFirst() + "/store.db"
        defer { for suffix in ["", "-wal", "-shm"] { unlink(folder + "/store.db" + suffix) } }
        // `file:` is no folder, so a path through it leads nowhere; read as a URI it would lead to the store.
        #expect(throws: StoreError.self) { try SQLiteStore(path: relative) }
        #expect(access(folder + "/store.db", F_OK) != 0)
    }
}
