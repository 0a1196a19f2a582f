import PushPipeline
import Testing

struct DinnerTests {
    @Test func `dinner is announced`() throws {
        let store = MemoryStore()
        let reports = try Pipeline(store: store).process(#"{"aps":{"alert":"Dinner is ready"}}"#)
        #expect(reports.map(\.outcome) == [.delivered])
        #expect(reports.map(\.byteCount) == [35])
        #expect(try store.notifications().map(\.content.body) == ["Dinner is ready"])
    }
}
