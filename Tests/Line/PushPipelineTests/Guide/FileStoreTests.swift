import Foundation
import PushPipeline
import PushSQLite
import Testing

struct FileStoreTests {
    @Test func `a later run finds what an earlier one delivered`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).db").path
        for body in ["Soup", "Tea"] {
            let store = try SQLiteStore(path: path)
            let reports = try Pipeline(store: store).process(#"{"aps":{"alert":"\#(body)"}}"#)
            #expect(reports.map(\.outcome) == [.delivered])
        }
        let store = try SQLiteStore(path: path, access: .readOnly)
        #expect(try store.notifications().map(\.content.body) == ["Soup", "Tea"])
        try FileManager.default.removeItem(atPath: path)
    }
}
