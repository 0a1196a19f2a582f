import PushDecoding
import PushDevices
import PushJSON
import PushModel
import PushPipeline
import PushRedaction
import Testing

/// A user's stages run before and after each built-in one, and each sees the result of those before it.
struct StageOrderTests {
    /// Records the payload or its device as a stage sees it.
    struct Probe: RecordStage {
        let label: String

        func process(_ message: inout PushMessage, context: StageContext) {
            let body =
                context.withPayload(of: message.decoded) { $0[pointer: "/aps/alert"]?.string?.string ?? "" } ?? ""
            context.report(
                Finding(
                    rule: "probe.\(label)", severity: .info, pointer: "",
                    message:
                        "\(message.byteCount > 0 ? "measured" : "new") \(body.count) \(message.device.prefix(8))"
                ))
        }
    }

    private func probes(
        around stage: any RecordStage, of record: String, _ change: (inout PipelineConfiguration) -> Void = { _ in }
    ) throws -> [String] {
        var configuration = PipelineConfiguration()
        change(&configuration)
        // Measurements of earlier stages are not compared.
        configuration.recordStages = [Probe(label: "before"), stage, Probe(label: "after")]
        if !(stage is ProviderValidation) { configuration.validation = .off }
        var found: [String] = []
        try Pipeline(configuration).process(record) { line in
            found += line.findings.map { $0.rule.hasPrefix("probe.") ? "\($0.rule): \($0.message)" : $0.rule }
        }
        return found
    }

    private static let payload = #"{"aps":{"alert":"0123456789","mutable_content":1}}"#
    private static let push = "{\"device\":\"ab5412cd\",\"payload\":\(payload)}"

    @Test func `stages before and after provider validation`() throws {
        #expect(
            try probes(around: ProviderValidation(), of: Self.push)
                == ["probe.before: new 10 ab5412cd", "probe.after: measured 10 ab5412cd"])
        // A message that it refuses does not reach the stage after it.
        #expect(
            try probes(around: ProviderValidation(), of: Self.push) { $0.decoding.budget = Budget(bytes: 10) }
                == ["probe.before: new 10 ab5412cd", "apns.payload-too-large"])
    }

    @Test func `stages before and after the stage that shortens texts`() throws {
        // Four bytes too long: "012…" has six.
        let limit = Self.payload.utf8.count - 4
        #expect(
            try probes(around: FitToBudget(), of: Self.push) { $0.decoding.budget = Budget(bytes: limit) }
                == ["probe.before: new 10 ab5412cd", "fit.cut", "probe.after: measured 4 ab5412cd"])
    }

    @Test func `stages before and after redaction`() throws {
        let found = try probes(around: RedactionStage(Redaction(.all, key: Array("key".utf8))), of: Self.push)
        #expect(found.count == 2)
        // Earlier findings are redacted with the message; later ones quote digests.
        #expect(found.allSatisfy { !$0.contains("ab5412cd") })
        #expect(found.last?.hasSuffix("redacted") == true)
    }

    /// Records what reaches it, and the outcome.
    final class Recorder: DeliveryStage {
        private(set) var seen: [String] = []
        private(set) var results: [String] = []
        private(set) var events: [String] = []
        var endsEvents = false

        func process(_ message: inout DecodedMessage, _ context: DeliveryContext) { seen.append("\(context.seq)") }

        func didDeliver(_ message: DecodedMessage, _ result: inout DeliveryResult?, _ context: DeliveryContext) {
            if let result { results.append("\(context.seq) \(result.outcome.name)") }
        }

        func handle(
            _ event: DeviceEvent, standIn: DecodedMessage, _ context: DeliveryContext
        ) -> EventResult? {
            events.append(event.name.rawValue)
            return endsEvents ? .applied : nil
        }
    }

    private static let away = #"{"event":"device","device":"ab5412cd","online":false}"#
    private static let back = #"{"event":"device","device":"ab5412cd","online":true}"#
    private static let offlineStory = [away, push, back].joined(separator: "\n")

    @Test func `a queued message reaches the stage after the registry only when its device is online`() throws {
        let (before, after) = (Recorder(), Recorder())
        let pipeline = Pipeline(deliveringTo: MemoryStore(), [before, RegistryStage(), after])
        var outcomes: [String] = []
        try pipeline.process(Self.offlineStory) { outcomes.append("\($0.seq) \($0.outcome.name)") }
        #expect(outcomes == ["1 applied", "2 held", "3 applied", "3 delivered"])
        #expect(before.seen == ["2"])
        #expect(before.results.isEmpty)
        // With the number of its record.
        #expect(after.seen == ["2"])
        #expect(after.results == ["2 delivered"])
        #expect(before.events == ["device", "device"])
        #expect(after.events.isEmpty)
    }

    @Test func `a stage before the registry can handle an event itself`() throws {
        let before = Recorder()
        before.endsEvents = true
        var outcomes: [String] = []
        try Pipeline(deliveringTo: MemoryStore(), [before, RegistryStage()]).process(Self.offlineStory) {
            outcomes.append("\($0.seq) \($0.outcome.name)")
        }
        #expect(outcomes == ["1 applied", "2 delivered", "3 applied"])
    }

    @Test func `without the registry, events are ignored and every device is reached`() throws {
        var outcomes: [String] = []
        try Pipeline(deliveringTo: MemoryStore(), []).process(Self.offlineStory) {
            outcomes.append("\($0.seq) \($0.outcome.name)")
        }
        #expect(outcomes == ["1 ignored", "2 delivered", "3 ignored"])
    }
}
