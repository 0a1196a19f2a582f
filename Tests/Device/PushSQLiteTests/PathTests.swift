import PushDevices
import PushSQLite
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

@Suite struct PathTests {
    /// The test cannot change its current folder while other tests run, so the special name is at the end of a relative
    /// path.
    @Test func `a name that SQLite gives a meaning of its own is a file all the same`() throws {
        var template = Array("/tmp/pushpipe-path-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        defer { rmdir(folder) }
        let up = String(repeating: "../", count: 40)
        let relative = "file:/../" + up + folder.dropFirst() + "/store.db"
        defer { for suffix in ["", "-wal", "-shm"] { unlink(folder + "/store.db" + suffix) } }
        // There is no folder `file:`, so a path through it leads nowhere; read as a URI it would lead to the store.
        #expect(throws: StoreError.self) { try SQLiteStore(path: relative) }
        #expect(access(folder + "/store.db", F_OK) != 0)
    }
}
