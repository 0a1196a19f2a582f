import Foundation
import PushPipeline
import PushSQLite
import Testing

/// A store in a file.
struct StoreTests {
    @Test func `a later run finds in a file what an earlier one delivered`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString).db").path
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        func deliver(_ body: String) throws {
            let payload = #"{"aps":{"alert":"\#(body)"}}"#
            let headers = #"{"apns-topic":"org.example.news","apns-collapse-id":"count"}"#
            let push = #"{"device":"ab12","headers":\#(headers),"payload":\#(payload)}"#
            let reports = try Pipeline(store: SQLiteStore(path: path)).process(push)
            #expect(reports.map(\.status) == [200])
        }
        try deliver("Half counted")
        try deliver("All counted")
        let store = try SQLiteStore(path: path, access: .readOnly)
        #expect(try store.notifications().map(\.content.body) == ["All counted"])
        let times = try store.notifications().map { Date(timeIntervalSince1970: $0.deliveryTime / .seconds(1)) }
        #expect(times.allSatisfy { abs($0.timeIntervalSinceNow) < 3600 } && times.count == 1)
        var kinds: [JournalKind] = []
        try store.forEachEvent(device: nil) { kinds.append($0.kind) }
        #expect(kinds == [.delivered, .replaced])
    }

    @Test func `a file that is not there is an error that names it`() {
        let error = #expect(throws: StoreError.self) { try SQLiteStore(path: "/nowhere/store.db", access: .existing) }
        #expect(error?.code == .cannotOpen && error?.path == "/nowhere/store.db")
    }
}
