import PushDecoding
import PushDevices
import PushJSON
import PushModel
import PushPipeline
import Testing

/// A user's own stages.
struct PipelineStageTests {
    /// Replaces the text of the alert's body.
    struct Rewrite: RecordStage {
        var text: String
        var pointer = "/aps/alert/body"

        func process(_ message: inout PushMessage, context: StageContext) {
            do {
                try context.set(pointer, to: .string(text), of: &message)
            } catch {
                context.report(Finding(rule: "test.no-body", severity: .warning, pointer: pointer, message: "\(error)"))
            }
        }
    }

    /// Reports the size of a message and its device.
    struct Note: RecordStage {
        func process(_ message: inout PushMessage, context: StageContext) {
            context.report(
                Finding(
                    rule: "test.\(message.device)", severity: .info, pointer: "", message: "\(message.byteCount)"
                ))
        }
    }

    /// Refuses messages without a title.
    struct NeedsTitle: RecordStage {
        func process(_ message: inout PushMessage, context: StageContext) {
            if message.title == nil {
                context.reject(&message, as: .topicDisallowed, at: "/payload/aps", because: "no title")
            }
        }
    }

    final class EverySecond: DeviceStage {
        var seen: [UInt64] = []
        var times: [Int64] = []

        func process(_ message: inout PushMessage, context: DeliveryContext) {
            seen.append(context.seq)
            times.append(context.at)
            if seen.count.isMultiple(of: 2) { context.suppress(&message, because: "every-second") }
        }
    }

    @Test func `an edit changes only the bytes of its value`() throws {
        let before = #"{ "z":1.50,"aps" : {"alert":{"body" :"#
        let after = #" , "title":"é\u00e9"}},"n":12345678901234567890, "z":[ ]}"#
        let store = MemoryStore()
        let pipeline = Pipeline(
            configuration { $0.recordStages = [Rewrite(text: "new \"text\"")] },
            deliveringTo: store)
        let reports = try pipeline.reports(before + #""old text""# + after)
        #expect(reports.map(\.outcome) == [.delivered])
        let shown = try #require(try store.notifications().first)
        #expect(shown.payload == before + #""new \"text\"""# + after)
        #expect(shown.content.body == "new \"text\"")
        #expect(shown.content.title == "éé")
        #expect(reports.map(\.bytes) == [shown.payload.utf8.count])
    }

    @Test func `the budget counts the edited payload`() throws {
        let limit = payload("0123456789").utf8.count
        for (text, outcome) in [("0123456789", Outcome.delivered), ("0123456789+", .rejected), ("", .silent)] {
            for original in ["x", String(repeating: "x", count: 100)] {
                let reports = try Pipeline(
                    configuration {
                        $0.decoding.budget = Budget(bytes: limit)
                        $0.recordStages = [Rewrite(text: text)]
                    }
                ).reports(apns(original))
                #expect(reports.map(\.outcome) == [outcome], "\(original.count) bytes become \(text.count)")
                #expect(reports.map(\.bytes) == [payload(text).utf8.count])
            }
        }
    }

    @Test func `an edit without a target changes nothing`() throws {
        let store = MemoryStore()
        let stage = Rewrite(text: "x", pointer: "/aps/nothing/at/all")
        let pipeline = Pipeline(
            configuration { $0.recordStages = [stage] }, deliveringTo: store)
        let reports = try pipeline.reports(apns("a"))
        #expect(reports.map(\.rules) == [["test.no-body"]])
        #expect(try store.notifications().map(\.payload) == [payload("a")])
    }

    @Test func `stages run in order, mutations before the budget and checks after it`() throws {
        let pipeline = Pipeline(
            configuration {
                $0.recordStages = [Rewrite(text: "first"), Rewrite(text: "the second")]
                $0.recordStages += [Note()]
            })
        var message = ""
        try pipeline.process(apns("a")) { message = $0.findings.first?.message ?? "" }
        #expect(message == "\(payload("the second").utf8.count)")
    }

    @Test func `a stage's finding is in the report line of its message`() throws {
        let input = """
            {"registration_ids":["one","t w o","three"],"notification":{"title":"Goal"}}
            {
            {"aps":{"alert":"a"}}
            """
        let reports = try Pipeline(configuration { $0.recordStages = [ProviderValidation(), Note()] }).reports(input)
        // Refused messages and records that are not messages do not reach a check.
        #expect(
            reports.map(\.rules) == [["test.one"], ["gcm.invalid-registration"], ["test.three"], [], ["test.default"]])
    }

    @Test func `a check can refuse a message as its provider would`() throws {
        let store = MemoryStore()
        let titled = #"{"aps":{"alert":{"title":"t","body":"b"}}}"#
        let pipeline = Pipeline(
            configuration { $0.recordStages = [ProviderValidation(), NeedsTitle(), Note()] }, deliveringTo: store)
        let reports = try pipeline.reports(titled + "\n" + apns("a"))
        #expect(reports.map(\.outcome) == [.delivered, .rejected])
        #expect(reports.map(\.rules) == [["test.default"], ["apns.topic-disallowed"]])
        #expect(reports[1].line.contains(#""status":400,"reason":"TopicDisallowed""#))
        #expect(reports[1].line.contains(#""pointer":"/payload/aps","message":"no title""#))
        #expect(try store.notifications().count == 1)
        #expect(pipeline.summary.count(Rejection.topicDisallowed) == 1)
    }

    @Test func `a coordinating stage sees accepted messages in input order and can withhold them`() throws {
        let store = MemoryStore()
        let stage = EverySecond()
        let pipeline = Pipeline(configuration(), store: store, deviceStages: [stage])
        let input = [
            apns("a"), apns("b"), "{", apns("c"), apns("refused", device: "xyz"), apns("d"),
            #"{"registration_ids":["one","two"],"notification":{"title":"Goal"}}"#,
        ]
        let reports = try pipeline.reports(input.joined(separator: "\n"))
        #expect(
            reports.map(\.outcome) == [
                .delivered, .suppressed, .malformed, .delivered, .rejected, .suppressed, .delivered, .suppressed,
            ])
        #expect(stage.seen == [1, 2, 4, 6, 7, 7])
        #expect(stage.times == [1_000_000, 1_000_001, 1_000_003, 1_000_005, 1_000_006, 1_000_006])
        #expect(reports[1].line.contains(#""outcome":"suppressed","status":200,"reason":"every-second""#))
        #expect(try store.notifications().map { $0.content.body ?? $0.content.title } == ["a", "c", "Goal"])
        #expect(pipeline.summary.count(.suppressed) == 3)
    }

    @Test func `a stage after one that suppresses is not called`() throws {
        let first = EverySecond()
        let second = EverySecond()
        let pipeline = Pipeline(configuration(), deviceStages: [first, second])
        _ = try pipeline.reports((0..<6).map { apns("\($0)") }.joined(separator: "\n"))
        #expect(first.seen == [1, 2, 3, 4, 5, 6])
        #expect(second.seen == [1, 3, 5])
    }
}
