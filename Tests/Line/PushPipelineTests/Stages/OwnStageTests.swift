import PushDevices
import PushJSON
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// Stages of a user: they are added to the built-in ones, and what they refuse or throw is reported.
struct OwnStageTests {
    private struct HouseRule: RecordStage {
        func process(_ message: inout PushMessage, context: StageContext) {
            guard message.thread == nil else { return }
            context.reject(&message, rule: "house.thread-id", because: "a push needs a thread")
        }
    }

    private struct Broken: RecordStage {
        struct Fault: Error, CustomStringConvertible { let description = "no connection" }
        var body: String

        func process(_ message: inout PushMessage, context: StageContext) throws {
            if message.body == body { throw Fault() }
        }
    }

    private final class Counter: DeviceStage, DeliveryObserver, DeviceEventHandler {
        var seen = 0
        var results: [Outcome?] = []
        var events: [String] = []
        var broken: UInt64?

        func process(_ message: inout PushMessage, context: DeliveryContext) throws {
            seen += 1
            if context.seq == broken { throw Broken.Fault() }
        }

        func didDeliver(_ message: borrowing PushMessage, result: DeliveryResult?, context: DeliveryContext) {
            results.append(result?.outcome)
        }

        func handle(_ event: DeviceEvent, context: DeliveryContext) -> EventResult? {
            events.append(event.name.rawValue)
            return nil
        }
    }

    /// Exchanges its message for that of a run of its own, which is over when it returns.
    private final class Exchanger: DeviceStage {
        private final class Inner: DeviceStage {
            let exchange: (inout PushMessage) -> Void

            init(_ exchange: @escaping (inout PushMessage) -> Void) { self.exchange = exchange }

            func process(_ message: inout PushMessage, context: DeliveryContext) { exchange(&message) }
        }

        func process(_ message: inout PushMessage, context: DeliveryContext) throws {
            try run { swap(&message, &$0) }
        }

        private func run(_ exchange: (inout PushMessage) -> Void) throws {
            _ = try withoutActuallyEscaping(exchange) {
                try Pipeline(deviceStages: [Inner($0)]).process(apns("b"))
            }
        }
    }

    /// Knows the texts of all messages that it is called for.
    private final class Everything: EveryMessageStage {
        var bodies: [String?] = []

        func process(_ message: inout PushMessage, context: DeliveryContext) { bodies.append(message.body) }
    }

    private static let story = [
        #"{"event":"device","device":"ab5412cd","online":false}"#, apns("a", device: "ab5412cd"),
        #"{"event":"device","device":"ab5412cd","online":true}"#,
    ].joined(separator: "\n")

    @Test func `a device stage is added to the registry, which still holds and releases`() throws {
        let counter = Counter()
        let reports = try Pipeline(configuration(), deviceStages: [counter]).process(Self.story)
        #expect(reports.map(\.outcome) == [.applied, .held, .applied, .delivered])
        #expect(counter.seen == 1)
        #expect(counter.results == [.delivered])
        #expect(counter.events == ["device", "device"])
    }

    @Test func `a stage for every message is also called for one that is refused or held`() throws {
        let everything = Everything()
        let counter = Counter()
        let input = Self.story + "\n" + apns("b") + "\n" + apns("c", device: "ab5412cd")
        let reports = try Pipeline(
            configuration { $0.recordStages = [HouseRule()] }, deviceStages: [everything, counter]
        ).process(input)
        #expect(reports.map(\.outcome) == [.applied, .rejected, .applied, .rejected, .rejected])
        #expect(everything.bodies == ["a", "b", "c"])
        #expect(counter.seen == 0)
    }

    /// Suppresses whatever it sees, and knows what had become of it.
    private final class Suppressor: EveryMessageStage {
        var outcomes: [Outcome?] = []

        func process(_ message: inout PushMessage, context: DeliveryContext) {
            outcomes.append(message.outcome)
            context.suppress(&message, because: "house.night")
        }
    }

    @Test func `what has become of a message stays`() throws {
        let stage = Suppressor()
        let large = #"{"aps":{"alert":"\#(String(repeating: "x", count: 5000))"}}"#
        let held = Self.story.split(separator: "\n").dropLast().joined(separator: "\n")
        let reports = try Pipeline(deviceStages: [stage]).process([large, held, apns("b")].joined(separator: "\n"))
        #expect(
            reports.map(\.description) == [
                "rejected (413 PayloadTooLarge)", "applied (device)", "held", "suppressed (house.night)",
            ])
        #expect(stage.outcomes == [.rejected, .held, nil])
    }

    private struct Settling: RecordStage {
        func process(_ message: inout PushMessage, context: StageContext) {
            context.reject(&message, rule: "house.first", because: "first")
            context.suppress(&message, because: "house.second")
            context.reject(&message, as: .payloadTooLarge)
        }
    }

    @Test func `a stage settles a message once`() throws {
        let reports = try Pipeline(configuration { $0.recordStages = [Settling()] }).process(apns("a"))
        #expect(reports.map(\.description) == ["rejected (house.first)"])
        #expect(reports.first?.findings.map(\.rule) == ["house.first"])
    }

    private struct Edit: RecordStage {
        var body: @Sendable (inout PushMessage, StageContext) throws -> Void

        func process(_ message: inout PushMessage, context: StageContext) throws { try body(&message, context) }
    }

    private func edited(
        _ record: String, _ body: @escaping @Sendable (inout PushMessage, StageContext) throws -> Void
    ) throws -> (reports: [PushReport], shown: [DeliveredNotification]) {
        let store = MemoryStore()
        let reports = try Pipeline(configuration { $0.recordStages = [Edit(body: body)] }, store: store).process(record)
        return (reports, try store.notifications())
    }

    /// Where each provider has the text: Apple, "Generating a remote notification"; Firebase, `Notification`, `AndroidNotification`.
    @Test(arguments: [
        #"{"aps":{"alert":{"title":"a"}}}"#, #"{"aps":{"alert":"a"}}"#, #"{"aps":{"alert":{"body":"b"}}}"#,
        #"{"to":"t","notification":{"title":"a","body":"b"}}"#, #"{"to":"t","notification":{"body":"b"}}"#,
        #"{"message":{"token":"t","notification":{"title":"a"}}}"#,
        #"{"message":{"token":"t","notification":{"body":"a"}}}"#,
        #"{"message":{"token":"t","notification":{"title":"a"},"android":{"notification":{"title":"c"}}}}"#,
    ])
    func `a text is set where its device reads it`(record: String) throws {
        let titled = try edited(record) { try $1.set(.title, to: "New \"title\"", of: &$0) }
        #expect(titled.reports.map(\.outcome) == [.delivered], "\(titled.reports)")
        #expect(titled.shown.map(\.content.title) == ["New \"title\""])
        let both = try edited(record) {
            try $1.set(.body, to: "B", of: &$0)
            try $1.set(.title, to: "A", of: &$0)
        }
        #expect(both.shown.map(\.content.title) == ["A"] && both.shown.map(\.content.body) == ["B"])
    }

    @Test func `a text of a message without a notification cannot be set`() throws {
        #expect(throws: StageError.self) {
            try edited(#"{"to":"t","data":{"a":"b"}}"#) { try $1.set(.title, to: "A", of: &$0) }
        }
        #expect(throws: StageError.self) {
            try edited(#"{"to":"t","notification":{"title":"a"}}"#) { try $1.set(.subtitle, to: "A", of: &$0) }
        }
    }

    @Test func `a member is added where there is none`() throws {
        let added = try edited(#"{"aps":{ "alert":"a" } , "x":{}}"#) {
            try $1.set("/aps/thread-id", to: "news", of: &$0)
            try $1.set("/x/a~1b", to: [1, true], of: &$0)
            try $1.set("/aps/alert", to: "b", of: &$0)
        }
        #expect(added.shown.map(\.payload) == [#"{"aps":{ "alert":"b" ,"thread-id":"news"} , "x":{"a/b":[1,true]}}"#])
        #expect(added.shown.map(\.content.thread) == ["news"])
        for pointer in ["/y/z", "/aps/alert/x", "x"] {
            #expect(throws: StageError.self) {
                try edited(#"{"aps":{"alert":"a"}}"#) { try $1.set(pointer, to: 1, of: &$0) }
            }
        }
    }

    @Test(arguments: ["5", "[1]", "{", "", "\"a\""]) func `a payload is an object`(text: String) throws {
        let error = try #require(throws: StageError.self) {
            try edited(apns("a")) { try $1.setPayload(Array(text.utf8), of: &$0) }
        }
        #expect(error.underlyingError is JSONError)
    }

    /// Sources: Apple, "Handling notification responses from APNs"; Firebase, FCM v1 `ErrorCode`; Firebase, legacy HTTP error codes.
    @Test(arguments: [
        (
            #"{"message":{"token":"t","notification":{"title":"a"}}}"#, Rejection.badRequestPayload,
            "400 INVALID_ARGUMENT"
        ),
        (#"{"message":{"token":"t","notification":{"title":"a"}}}"#, .unregistered, "404 UNREGISTERED"),
        (#"{"message":{"token":"t","notification":{"title":"a"}}}"#, .topicDisallowed, "400 INVALID_ARGUMENT"),
        (#"{"to":"t","notification":{"title":"a"}}"#, .payloadTooLarge, "MessageTooBig"),
        (#"{"aps":{"alert":"a"}}"#, .quotaExceeded, "429 TooManyRequests"),
        (#"{"aps":{"alert":"a"}}"#, .badTopic, "400 BadTopic"),
    ])
    func `each provider answers with its own word`(record: String, rejection: Rejection, answer: String) throws {
        let reports = try edited(record) { message, context in context.reject(&message, as: rejection) }.reports
        #expect(reports.map(\.description) == ["rejected (\(answer))"])
    }

    @Test func `jobs are those that the command takes`() throws {
        var configuration = PipelineConfiguration()
        for (jobs, expected) in [(0, 1), (-5, 1), (256, 256), (100_000, 256)] {
            configuration.jobs = jobs
            #expect(configuration.jobs == expected)
        }
    }

    @Test func `a pipeline is not given input by what takes its report`() async {
        await #expect(processExitsWith: .failure) {
            let pipeline = Pipeline()
            try pipeline.process(#"{"aps":{}}"#) { _ in try pipeline.process(#"{"aps":{}}"#) }
        }
    }

    @Test func `a record stage is added to the validation, unless that is switched off`() throws {
        let large = #"{"aps":{"alert":{"body":"\#(String(repeating: "x", count: 5000))"},"thread-id":"t"}}"#
        let on = try Pipeline(configuration { $0.recordStages = [HouseRule()] }).process(large)
        #expect(on.map(\.reason) == ["PayloadTooLarge"])
        #expect((on.first?.byteCount ?? 0) > 5000)
        let off = try Pipeline(
            configuration {
                $0.recordStages = [HouseRule()]
                $0.validation = .off
            }
        ).process(large)
        #expect(off.map(\.outcome) == [.delivered])
    }

    @Test func `a refusal by a rule of one's own is a line like others`() throws {
        let store = MemoryStore()
        let pipeline = Pipeline(configuration { $0.recordStages = [HouseRule()] }, store: store)
        let report = try #require(try pipeline.process(apns("a")).first)
        #expect(report.outcome == .rejected && report.reason == "house.thread-id" && report.status == nil)
        #expect(
            report.findings == [
                Finding(rule: "house.thread-id", severity: .error, pointer: "", message: "a push needs a thread")
            ])
        #expect("\(report)" == "rejected (house.thread-id)")
        #expect(try store.notifications().isEmpty)
        #expect(pipeline.summary.count(.rejected) == 1)
    }

    @Test(arguments: [1, 4]) func `an error of a record stage ends the run at its record`(jobs: Int) throws {
        let pipeline = Pipeline(
            configuration {
                $0.recordStages = [Broken(body: "3")]
                $0.jobs = jobs
            })
        let error = #expect(throws: StageError.self) {
            try pipeline.process((0..<6).map { apns("\($0)") }.joined(separator: "\n"))
        }
        #expect(error?.stage == "Broken" && error?.seq == 4)
        #expect("\(try #require(error))" == "stage Broken, record 4: no connection")
        #expect(pipeline.summary.count(.delivered) == 0)
    }

    @Test func `an error of a device stage ends the run, and a file keeps nothing of its chunk`() throws {
        let folder = try TestFolder()
        let memory = MemoryStore()
        let file = try SQLiteStore(path: folder.path("store.db"))
        for store in [memory, file] as [any PipelineStore] {
            let counter = Counter()
            counter.broken = 2
            var reported = 0
            let error = #expect(throws: StageError.self) {
                try Pipeline(configuration(), store: store, deviceStages: [counter])
                    .process([apns("a"), apns("b"), apns("c")].joined(separator: "\n")) { _ in reported += 1 }
            }
            #expect(error?.stage == "Counter" && error?.seq == 2)
            #expect(error?.underlyingError is Broken.Fault)
            #expect(reported == 0)
        }
        #expect(try memory.notifications().map(\.content.body) == ["a"])
        #expect(try file.notifications().isEmpty)
    }

    @Test func `a stage can set the collapse id, by which the next notification replaces`() throws {
        struct OneThread: RecordStage {
            func process(_ message: inout PushMessage, context: StageContext) {
                context.setCollapseID("all", of: &message)
            }
        }
        let reports = try Pipeline(configuration { $0.recordStages = [OneThread()] })
            .process(apns("a") + "\n" + apns("b"))
        #expect(reports.map(\.outcome) == [.delivered, .replaced])
        #expect(reports.map(\.identifier) == ["all", "all"])
    }

    @Test func `a stage can keep a message from its device`() throws {
        struct QuietHours: RecordStage {
            func process(_ message: inout PushMessage, context: StageContext) {
                context.suppress(&message, because: "quiet-hours")
            }
        }
        let reports = try Pipeline(configuration { $0.recordStages = [QuietHours()] }).process(apns("a"))
        #expect(reports.map(\.outcome) == [.suppressed] && reports.map(\.reason) == ["quiet-hours"])
    }

    @Test func `a stage that exchanges its message for another run's ends the process`() async {
        await #expect(processExitsWith: .failure) {
            _ = try? Pipeline(deviceStages: [Exchanger()]).process(apns("a"))
        }
    }

    @Test func `a context that is kept has neither messages nor a store any more`() throws {
        final class Keeper: DeviceStage {
            var context: DeliveryContext?

            func process(_ message: inout PushMessage, context: DeliveryContext) { self.context = context }
        }
        let keeper = Keeper()
        _ = try Pipeline(configuration(), deviceStages: [keeper]).process(apns("a"))
        let context = try #require(keeper.context)
        let hasMessages = unsafe context.messages != nil
        #expect(!hasMessages)
        #expect(throws: (any Error).self) { _ = try context.store }
        context.report(Finding(rule: "house.late", severity: .info, pointer: "", message: "too late"))
        #expect(context.seq == 1)
    }

    @Test func `names of reasons are bounded`() {
        let reasons = StageReasons(limit: 2)
        #expect(["a", "b", "c", "a", ""].map { reasons.text($0).string } == ["a", "b", "other", "a", "other"])
    }
}
