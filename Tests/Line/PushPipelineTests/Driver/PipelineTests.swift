import PushDecoding
import PushDevices
import PushModel
import PushPipeline
import TestSupport
import Testing

/// Bytes in, reports out: numbers, targets, findings, counts, and the contents of the store.
struct PipelineTests {
    @Test func `reports come in input order and count the records from 1`() throws {
        let input = (0..<500).map { $0 % 7 == 3 ? "{\"aps\":" : apns("text \($0)") }.joined(separator: "\n")
        let reports = try Pipeline(configuration()).reports(input)
        #expect(reports.map(\.seq) == Array(1...500))
        #expect(reports.enumerated().allSatisfy { $1.outcome == ($0 % 7 == 3 ? .malformed : .delivered) })
    }

    @Test func `a later notification with the same collapse id replaces the earlier one`() throws {
        let store = MemoryStore()
        let pipeline = Pipeline(configuration(), deliveringTo: store)
        let reports = try pipeline.reports(
            [apns("1 of 98", collapse: "result"), apns("other"), apns("98 of 98", collapse: "result")]
                .joined(separator: "\n"))
        #expect(reports.map(\.outcome) == [.delivered, .delivered, .replaced])
        #expect(reports.map(\.identifier) == ["result", "push-2", "result"])
        #expect(reports.map(\.replaces) == [nil, nil, 1])
        let shown = try store.notifications(device: "ab54")
        #expect(shown.map(\.content.body) == ["other", "98 of 98"])
        #expect(shown.map(\.seq) == [2, 3])
        #expect(shown.map(\.app) == ["org.example.news", "org.example.news"])
        #expect(shown.last?.payload == payload("98 of 98"))
        #expect(try store.events().map(\.kind) == [.delivered, .delivered, .replaced])
        #expect(try store.events().map(\.seq) == [1, 2, 3])
    }

    @Test func `every target of a record has a report with the record's number`() throws {
        let input = """
            {"registration_ids":["one","two","three"],"notification":{"title":"Goal"}}
            {"to":"one","notification":{"title":"Goal again"}}
            """
        let reports = try Pipeline(configuration()).reports(input)
        #expect(reports.map(\.seq) == [1, 1, 1, 2])
        #expect(reports.map(\.target) == [0, 1, 2, nil])
        #expect(reports.map(\.device) == ["one", "two", "three", "one"])
        #expect(reports.map(\.identifier) == ["push-1.0", "push-1.1", "push-1.2", "push-2"])
    }

    @Test func `a finding belongs to the message that it is about`() throws {
        let input = """
            {"registration_ids":["one","t w o","three"],"notification":{"title":"Goal"}}
            {"aps":{"alert":"a","alert":"b"}}
            {"aps":{"alert":"c"}}
            {"device":"xyz","headers":{"apns-topic":"t"},"payload":{"aps":{"alert":"d"}}}
            """
        let reports = try Pipeline(configuration()).reports(input)
        #expect(
            reports.map(\.rules) == [
                [], ["gcm.invalid-registration"], [], ["json.duplicate-key"], [], ["apns.bad-device-token"],
            ])
        #expect(reports.map(\.outcome) == [.delivered, .rejected, .delivered, .delivered, .delivered, .rejected])
    }

    @Test func `a malformed record costs one report and does not affect its neighbors`() throws {
        for broken in ["{", "}", "\"", "nonsense", "[]", "{}", "{\"payload\":1}", "\u{7F}", "{\"aps\":\u{0}}"] {
            let store = MemoryStore()
            let reports = try Pipeline(configuration(), deliveringTo: store)
                .reports([apns("before"), broken, apns("after")].joined(separator: "\n"))
            #expect(reports.map(\.outcome) == [.delivered, .malformed, .delivered], "\(readable(broken.utf8))")
            #expect(reports.map(\.seq) == [1, 2, 3])
            #expect(try store.notifications().map(\.content.body) == ["before", "after"])
        }
    }

    @Test func `a record over the limit is reported with its position`() throws {
        let long = apns(String(repeating: "x", count: 300))
        let pipeline = Pipeline(configuration { $0.maximumRecordBytes = 200 })
        let reports = try pipeline.reports([apns("a"), long, apns("b")].joined(separator: "\n"))
        #expect(reports.map(\.outcome) == [.delivered, .malformed, .delivered])
        #expect(reports.map(\.error) == [nil, "record.too-long", nil])
        let error = try #require(object(reports[1].line)?["error"] as? [String: Any])
        #expect(error["offset"] as? Int == 200)
        #expect(error["line"] as? Int == 1)
        #expect(error["column"] as? Int == 201)
    }

    @Test func `a refused message is not delivered`() throws {
        let store = MemoryStore()
        let pipeline = Pipeline(configuration { $0.decoding.budget = Budget(bytes: 40) }, deliveringTo: store)
        let reports = try pipeline.reports(
            [apns("short"), apns("a good deal longer than that")].joined(separator: "\n"))
        #expect(reports.map(\.outcome) == [.delivered, .rejected])
        #expect(reports.map(\.limit) == [40, 40])
        #expect(try store.notifications().map(\.content.body) == ["short"])
    }

    @Test func `a store that was used before continues its numbering`() throws {
        let store = MemoryStore()
        let first = [apns("a", collapse: "x"), "{", apns("b")].joined(separator: "\n")
        #expect(try Pipeline(configuration(), deliveringTo: store).reports(first).map(\.seq) == [1, 2, 3])
        let later = try Pipeline(configuration(), deliveringTo: store).reports(apns("c", collapse: "x"))
        #expect(later.map(\.seq) == [4])
        #expect(later.map(\.replaces) == [1])
        #expect(store.lastSequence == 4)
    }

    @Test func `a second input has its own framing`() throws {
        let pretty = "{\n  \"aps\": {\n    \"alert\": \"a\"\n  }\n}\n"
        let line = "{\"aps\":{\"alert\":\"b\"}}\n"
        let mark = "\u{FEFF}"
        for inputs in [[pretty, line], [line, pretty], ["\u{1E}" + line, pretty], [mark + pretty, mark + line]] {
            let pipeline = Pipeline(configuration())
            var reports: [Reported] = []
            for input in inputs { reports += try pipeline.reports(input) }
            #expect(reports.map(\.outcome) == [.delivered, .delivered], "\(inputs)")
            #expect(reports.map(\.seq) == [1, 2])
        }
    }

    /// Blanks at the end of an input are not the beginning of the next.
    @Test(arguments: [
        "{\n\"aps\":{}\n} ", "{\n\"aps\":{}\n}\n", "{\"aps\":{}}", "{\"aps\":{}}\n \n ", " ",
        "{\"aps\":{}}{\"aps\":{}} ",
    ])
    func `a byte-order mark begins a second input, whatever the first one ended with`(first: String) throws {
        let pipeline = Pipeline(configuration())
        _ = try pipeline.reports(first)
        let second = try pipeline.reports("\u{FEFF}" + apns("b"))
        #expect(second.map(\.outcome) == [.delivered])
    }

    @Test func `a record that an input truncates does not continue in the next input`() throws {
        let pipeline = Pipeline(configuration())
        #expect(try pipeline.reports("{\"aps\":").map(\.outcome) == [.malformed])
        #expect(try pipeline.reports(apns("b")).map(\.outcome) == [.delivered])
        #expect(try pipeline.reports("").isEmpty)
        #expect(try pipeline.reports(apns("c")).map(\.seq) == [3])
    }

    @Test func `the summary counts what has been reported`() throws {
        let input = """
            {"registration_ids":["one","t w o"],"notification":{"title":"Goal"}}
            {"aps":{"alert":"a","alert":"b"}}
            {"aps":{"content-available":1}}
            {"device":"ab","headers":{"apns-topic":"t","apns-priority":"3"},"payload":{"aps":{}}}
            {"device":"ab","headers":{"apns-topic":"t","apns-collapse-id":"c"},"payload":{"aps":{"alert":"x"}}}
            {"device":"ab","headers":{"apns-topic":"t","apns-collapse-id":"c"},"payload":{"aps":{"alert":"y"}}}
            {"message":{"token":"t","notification":{"title":"x"}},"validate_only":true}
            {
            []
            []
            """
        let pipeline = Pipeline(configuration())
        let reports = try pipeline.reports(input)
        let summary = pipeline.summary
        #expect(summary.records == 10)
        // Three of the records are malformed.
        #expect(summary.messages == 8)
        #expect(UInt64(reports.count) == summary.messages + 3)
        for outcome in Outcome.allCases {
            #expect(summary.count(outcome) == UInt64(reports.count { $0.outcome == outcome }), "\(outcome)")
        }
        #expect(summary.count(.delivered) == 3)
        #expect(summary.count(.replaced) == 1)
        #expect(summary.count(.silent) == 1)
        #expect(summary.count(.suppressed) == 1)
        #expect(summary.count(.rejected) == 2)
        #expect(summary.count(.malformed) == 3)
        #expect(summary.count(Rejection.invalidRegistration) == 1)
        #expect(summary.count(Rejection.badPriority) == 1)
        #expect(summary.count(Finding.Severity.error) == 2)
        #expect(summary.count(Finding.Severity.warning) == 1)
        #expect(summary.malformedByRule == ["json.syntax": 1, "record.not-an-object": 2])
        #expect(summary.payloadBytes == UInt64(reports.reduce(0) { $0 + $1.bytes }))
    }
}
