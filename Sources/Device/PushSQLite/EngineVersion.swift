import GRDBSQLite
import PushDevices

// In the first file of the module, whose errors come first.
#if !canImport(GRDB)
    #error("PushSQLite needs a trait of its package: .package(url: …, from: …, traits: [\"SQLite\"])")
#endif

extension SQLiteStore {
    /// The version of the SQLite library in use, such as `3.46.1`.
    package static var engineVersion: String {
        // SOUND: a constant of the library, which ends with a zero byte.
        unsafe String(cString: sqlite3_libversion())
    }
}
