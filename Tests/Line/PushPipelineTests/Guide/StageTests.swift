import PushPipeline
import Testing

/// Cuts titles short, and refuses pushes that cannot be grouped.
struct HouseRules: RecordStage {
    func process(_ message: inout PushMessage, context: StageContext) throws {
        if let title = message.title, title.count > 20 {
            try context.set(.title, to: title.prefix(19) + "…", of: &message)
        }
        if message.thread == nil { context.reject(&message, rule: "house.thread-id", because: "a push needs a thread") }
    }
}

/// Lets one push of each thread through.
final class OncePerThread: DeviceStage {
    private var threads: Set<String> = []

    func process(_ message: inout PushMessage, context: DeliveryContext) {
        guard let thread = message.thread, !threads.insert(thread).inserted else { return }
        context.suppress(&message, because: "house.repeated")
    }
}

struct StageTests {
    @Test func `the rules of the house hold`() throws {
        var configuration = PipelineConfiguration()
        configuration.recordStages = [HouseRules()]
        let store = MemoryStore()
        let pipeline = Pipeline(configuration, store: store, deviceStages: [OncePerThread()])
        let dinner = #"{"aps":{"alert":{"title":"Dinner is ready downstairs"},"thread-id":"dinner"}}"#
        let reports = try pipeline.process([dinner, dinner, #"{"aps":{"alert":"Tea"}}"#].joined(separator: "\n"))
        let expected = ["delivered", "suppressed (house.repeated)", "rejected (house.thread-id)"]
        #expect(reports.map(\.description) == expected)
        #expect(try store.notifications().map(\.content.title) == ["Dinner is ready dow…"])
    }
}
