import PushPipeline
import Testing

/// A pipeline with stages of one's own, by one import.
struct PipelineTests {
    /// The house's rules for what may be sent.
    private struct HouseRules: RecordStage {
        func process(_ message: inout PushMessage, context: StageContext) throws {
            guard message.thread != nil else {
                return context.reject(&message, rule: "house.thread-id", because: "the app groups by thread")
            }
            if let title = message.title, title.count > 12 {
                try context.set(.title, to: title.prefix(11) + "…", of: &message)
            }
        }
    }

    /// Lets a device have two messages, and no more.
    private final class Allowance: DeliveryObserver {
        private var counts: [String: Int] = [:]
        private(set) var delivered: [String] = []

        func process(_ message: inout PushMessage, context: DeliveryContext) {
            counts[message.device, default: 0] += 1
            if counts[message.device, default: 0] > 2 { context.suppress(&message, because: "allowance") }
        }

        func didDeliver(_ message: borrowing PushMessage, result: DeliveryResult?, context: DeliveryContext) {
            if result?.outcome == .delivered { delivered.append(message.title ?? "") }
        }
    }

    private static func push(_ title: String, thread: String? = "election", to device: String = "ab12") -> String {
        let thread = thread.map { #","thread-id":"\#($0)""# } ?? ""
        return #"{"device":"\#(device)","payload":{"aps":{"alert":{"title":"\#(title)"}\#(thread)}}}"# + "\n"
    }

    private static func configuration() -> PipelineConfiguration {
        var configuration = PipelineConfiguration()
        configuration.recordStages = [HouseRules()]
        configuration.clock = .fixed(milliseconds: 1_767_268_800_000)
        return configuration
    }

    private static let evening =
        push("First results") + push("Half counted", thread: nil) + push("Result") + push("Speech")
        + push("Result", to: "cd34")

    @Test func `messages are changed, refused, suppressed and delivered`() throws {
        let store = MemoryStore()
        let allowance = Allowance()
        let reports = try Pipeline(Self.configuration(), store: store, deviceStages: [allowance]).process(Self.evening)
        #expect(
            reports.map(\.description) == [
                "delivered", "rejected (house.thread-id)", "delivered", "suppressed (allowance)", "delivered",
            ])
        #expect(reports[1].findings.map(\.message) == ["the app groups by thread"])
        #expect(allowance.delivered == ["First resul…", "Result", "Result"])
        #expect(try store.notifications(device: "ab12").map(\.content.title) == ["First resul…", "Result"])
    }

    @Test func `validation and the states of devices still hold`() throws {
        let large = Self.push("x", thread: String(repeating: "t", count: 5000))
        let offline = #"{"event":"device","device":"ab12","online":false}"# + "\n"
        let reports = try Pipeline(Self.configuration(), deviceStages: [Allowance()]).process(
            large + offline + Self.push("Result"))
        #expect(reports.map(\.outcome) == [.rejected, .applied, .held])
        #expect(reports[0].reason == "PayloadTooLarge")
    }

    @Test func `reports are kept, compared and sent to another task`() async throws {
        var kept: [PushReport] = []
        try Pipeline(Self.configuration()).process(Self.evening) { line in
            if line.outcome != .delivered { kept.append(PushReport(line)) }
        }
        let again = try Pipeline(Self.configuration()).process(Self.evening)
        #expect(kept == again.filter { $0.outcome != .delivered })
        let texts = await Task { [kept] in kept.map(\.json) }.value
        #expect(texts.compactMap(PushReport.init(json:)) == kept)
    }

    @Test func `an input arrives in pieces`() async throws {
        let bytes = Array(Self.evening.utf8)
        let input = AsyncStream<ArraySlice<UInt8>> { continuation in
            for start in stride(from: 0, to: bytes.count, by: 50) {
                continuation.yield(bytes[start..<min(start + 50, bytes.count)])
            }
            continuation.finish()
        }
        var reports: [PushReport] = []
        for try await report in Pipeline(Self.configuration()).reports(of: input) { reports.append(report) }
        #expect(try reports == Pipeline(Self.configuration()).process(bytes))
    }

    @Test func `an error of a stage or of the closure ends the run`() throws {
        struct NoDatabase: Error {}
        struct Lookup: RecordStage {
            func process(_ message: inout PushMessage, context: StageContext) throws { throw NoDatabase() }
        }
        var configuration = Self.configuration()
        configuration.recordStages.append(Lookup())
        let store = MemoryStore()
        let error = #expect(throws: StageError.self) { try Pipeline(configuration, store: store).process(Self.evening) }
        #expect(error?.stage == "Lookup" && error?.seq == 1 && error?.underlyingError is NoDatabase)
        #expect(try store.notifications().isEmpty)
        var count = 0
        #expect(throws: NoDatabase.self) {
            try Pipeline(Self.configuration(), store: store).process(Self.evening) { _ in
                count += 1
                throw NoDatabase()
            }
        }
        #expect(count == 1)
    }
}
