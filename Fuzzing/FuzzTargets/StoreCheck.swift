import CPushSQLite
import Foundation
import PushDevices
import PushFiles
import PushJSON
import PushModel
import PushPipeline
import PushSQLite
import PushSystem

/// A store that anybody has edited, and lines of an export that anybody has written: reading, importing and the next run end well or with an
/// error for people, and an export has all that its store continues with.
///
/// A line that begins with `{` is one of an export. The first byte of any other selects a column, and the rest is its value in all rows.
enum StoreCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        let bench = Result { try Workbench() }
        return { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            do {
                return try bench.get().check(input)
            } catch {
                return "\(type(of: error)): \(error)"
            }
        }
    }
}

/// Stores to begin with, in a folder that is removed at the end.
private final class Workbench {
    /// Something for every table.
    private static let records = #"""
        {"event":"device","device":"ab54","app":"org.example.news","online":false,"state":"background"}
        {"event":"device","device":"ab54","app":"org.example.news","categories":[{"id":"reply","actions":[{"id":"yes"}]}],"badge":3}
        {"event":"device","device":"ab54","app":"org.example.news","types":["news"],"logged_in":true}
        {"event":"device","device":"pixel","app":"org.example.chat","platform":"android","channels":[{"id":"chats"}]}
        {"event":"device","device":"old","app":"org.example.chat","platform":"android","unregistered":true,"canonical":"pixel"}
        {"event":"subscribe","device":"pixel","app":"org.example.chat","topic":"weather"}
        {"event":"focus","device":"ab54","on":true,"apps":["org.example.news"]}
        {"device":"ab54","headers":{"apns-topic":"org.example.news","apns-collapse-id":"a"},"payload":{"aps":{"alert":"0"}}}
        {"device":"cd","headers":{"apns-topic":"org.example.news","apns-collapse-id":"a"},"payload":{"aps":{"badge":1}}}
        {"device":"cd","headers":{"apns-topic":"org.example.news"},"payload":{"aps":{"alert":{"title":"2"},"thread-id":"t"}}}
        {"device":"cd","headers":{"apns-topic":"org.example.news","apns-collapse-id":"a"},"payload":{"aps":{"alert":"1"}}}
        {"event":"device","device":"cd","app":"org.example.news","start_token":"ef"}
        {"device":"ef","headers":{"apns-topic":"org.example.news.push-type.liveactivity","apns-push-type":"liveactivity","apns-priority":"10"},"payload":{"aps":{"timestamp":1700000000,"event":"start","content-state":{"a":1},"attributes-type":"A","attributes":{},"alert":{"title":"a","body":"b"}}}}
        {"message":{"token":"pixel","notification":{"title":"3"},"android":{"notification":{"tag":"x"}}}}
        {"message":{"topic":"weather","notification":{"title":"4"}}}
        {"event":"device","device":"ab54","online":true}
        {"event":"tap","device":"cd"}
        {"event":"device","device":"pixel","online":false}
        {"message":{"token":"pixel","notification":{"title":"5"},"android":{"ttl":"7200s","collapse_key":"k"}}}
        {"event":"clock","advance":"30m"}

        """#

    private let folder: String
    private let scratch: FileDescriptor
    private var (empty, full, edited) = ("", "", "")
    private var fullBytes: [UInt8] = []
    /// Each column with its table.
    private var columns: [(table: String, column: String)] = []

    init() throws {
        folder = try FileSystem.makeTemporaryDirectory(NSTemporaryDirectory() + "/pushpipe-fuzz-")
        (empty, full, edited) = (folder + "/empty", folder + "/full", folder + "/edited")
        scratch = try FileDescriptor.open(folder + "/export", .readWrite, options: .create, permissions: 0o600)
        _ = try SQLiteStore(path: empty)
        try run(SQLiteStore(path: full))
        fullBytes = try FileBytes.read(full, limit: FileBytes.maximumBytes)
        columns = try rows(
            """
            SELECT m.name, t.name FROM sqlite_master AS m, pragma_table_info(m.name) AS t
            WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, t.cid
            """)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func check(_ input: FuzzInput) throws -> String? {
        let lines = input.text.split(separator: UInt8(ascii: "\n")).map(Array.init)
        let imported = lines.filter { $0.first == UInt8(ascii: "{") }
        let edits = lines.filter { $0.first != UInt8(ascii: "{") }
        if !edits.isEmpty { try edit(edits) }
        let path = edits.isEmpty ? input.options.0 & 1 == 0 ? empty : full : edited
        guard let store = try expected({ try SQLiteStore(path: path, access: .existing, isCopy: true) }) else {
            return nil
        }
        _ = try expected { try readAll(store) }
        let isImported = try expected { try add(Array(imported.joined(separator: [0x0A])), to: store) } != nil
        if let exported = try expected({ try export(store) }) {
            let other = try SQLiteStore(path: empty, access: .existing, isCopy: true)
            let again = try expected {
                try add(exported, to: other)
                return try export(other)
            }
            if edits.isEmpty, isImported, again != exported {
                return "exported '\(readable(exported))', and after an import '\(readable(again ?? []))'"
            }
        }
        _ = try expected { try run(store) }
        _ = try expected { try readAll(store) }
        return nil
    }

    /// Nil if the body throws an error that names its reason.
    private func expected<Value>(_ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch let error as StoreError where !error.message.isEmpty {
            return nil
        } catch let error as PlainError where !error.message.isEmpty {
            return nil
        }
    }

    private func edit(_ lines: [[UInt8]]) throws {
        // Foundation's copy ends at a signal, such as that of the fuzzer's timer.
        let file = try FileDescriptor.open(edited, .writeOnly, options: .create, permissions: 0o600)
        defer { file.close() }
        try file.truncate()
        try file.writeAll(fullBytes)
        var database: OpaquePointer?
        guard sqlite3_open(edited, &database) == SQLITE_OK else { return }
        defer { sqlite3_close(database) }
        sqlite3_exec(database, "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF", nil, nil, nil)
        for line in lines.prefix(20) {
            let (table, column) = columns[Int(line[0]) % columns.count]
            let text = String(decoding: line.dropFirst(), as: UTF8.self)
            let value = text.isEmpty ? "NULL" : Int64(text).map(String.init) ?? quoted(text)
            // What the table does not take stays as it was.
            sqlite3_exec(database, "UPDATE \(table) SET \(column) = \(value)", nil, nil, nil)
        }
    }

    private func quoted(_ text: String) -> String {
        "CAST(x'" + text.utf8.map { String(format: "%02x", $0) }.joined() + "' AS TEXT)"
    }

    private func rows(_ sql: String) throws -> [(table: String, column: String)] {
        var database: OpaquePointer?
        guard sqlite3_open(full, &database) == SQLITE_OK else { throw PlainError("no store") }
        defer { sqlite3_close(database) }
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { throw PlainError(sql) }
        defer { sqlite3_finalize(statement) }
        var found: [(table: String, column: String)] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            found.append(
                (String(cString: sqlite3_column_text(statement, 0)), String(cString: sqlite3_column_text(statement, 1)))
            )
        }
        return found
    }

    private func readAll(_ store: SQLiteStore) throws {
        try store.forEachNotification(device: nil, app: nil) { _ in }
        try store.forEachScreen(device: nil, app: nil) { _ in }
        try store.forEachEvent(device: nil) { _ in }
        try store.forEachCenter { _ in }
        try store.forEachLiveActivity(device: nil, app: nil) { _ in }
        for device in ["ab54", "cd", "pixel"] {
            _ = try store.registered(on: device)
            _ = try store.badges(on: device)
            _ = try store.apps(on: device)
        }
        _ = try store.progress(of: "x")
        _ = try store.redaction
        _ = try store.lastReport()
    }

    private func add(_ export: [UInt8], to store: SQLiteStore) throws {
        _ = ftruncate(scratch.rawValue, 0)
        _ = export.withUnsafeBytes { pwrite(scratch.rawValue, $0.baseAddress, $0.count, 0) }
        lseek(scratch.rawValue, 0, SEEK_SET)
        var counts = ImportCounts()
        try store.importing { try $0.add(exportFrom: scratch, &counts) }
    }

    private func export(_ store: SQLiteStore) throws -> [UInt8] {
        var text = ByteBuffer()
        try store.export(.stateAndJournal, isCSV: false, hiding: nil) { $0(&text) }
        return Array(text.bytes)
    }

    private func run(_ store: SQLiteStore) throws {
        var configuration = PipelineConfiguration()
        configuration.clock = .fixed(milliseconds: 1_700_000_000_000)
        let pipeline = Pipeline(configuration, deliveringTo: store)
        try pipeline.process(Self.records) { _ in }
    }
}
