import AppSimulation
import PushDecoding
import PushDevices
import PushFraming
import PushJSON
import PushModel
import PushPipeline
import PushReports
import PushText
import Testing

/// How a message is processed, as text.
struct TraceReportTests {
    private func traces(
        _ input: String, hasColors: Bool = false, columns: Int? = nil,
        store: any DeliveryStore = MemoryStore(),
        _ change: (inout PipelineConfiguration) -> Void = { _ in }
    ) throws -> [String] {
        let configuration = configuration {
            $0.traces = true
            change(&$0)
        }
        let writer = TraceReport(
            style: TextStyle(hasColors: hasColors, columns: columns), budget: configuration.decoding.budget)
        var found: [String] = []
        try Pipeline(configuration, deliveringTo: store).process(input) { report in
            var out = ByteBuffer()
            writer.append(report, to: &out)
            found.append(String(decoding: out.bytes, as: UTF8.self))
        }
        return found
    }

    /// The lines below a heading, without their indentation; nil when there is no such heading.
    private func section(_ name: String, of trace: String) -> [String]? {
        let lines = trace.split(separator: "\n").map(String.init)
        guard let start = lines.firstIndex(where: { $0 == name || $0.hasPrefix(name + "  ") }) else { return nil }
        return lines[(start + 1)...].prefix { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
    }

    @Test func `a message is shown from its record to its outcome`() throws {
        let input =
            #"{"device":"ab54","headers":{"apns-topic":"t","apns-collapse-id":"c","apns-push-type":"alert"},"#
            + #""payload":{"aps":{"alert":{"title":"A","body":"one\ntwo"},"badge":3,"sound":"s"},"n":1.50}}"#
        let trace = try #require(try traces(input).first)
        #expect(
            trace == """
                record 1
                  {
                    "device": "ab54",
                    "headers": {
                      "apns-topic": "t",
                      "apns-collapse-id": "c",
                      "apns-push-type": "alert"
                    },
                    "payload": {
                      "aps": {
                        "alert": {
                          "title": "A",
                          "body": "one\\ntwo"
                        },
                        "badge": 3,
                        "sound": "s"
                      },
                      "n": 1.50
                    }
                  }
                message
                  provider     apns
                  push type    alert
                  device       ab54 (ios)
                  app          t
                  collapse id  c
                  title        A
                  body         one
                               two
                  badge        3
                  sound        s
                budget
                  80 of 4096 bytes  apns: Apple, Generating a remote notification: 4 KB for all but VoIP
                screen
                  delivered c
                  1 notification, badge 3
                outcome
                  delivered  200  c


                """)
    }

    @Test func `without tracing there is no trace`() throws {
        var count = 0
        try Pipeline(configuration()).process(apns("a")) { report in
            #expect(report.trace == nil)
            var out = ByteBuffer()
            TraceReport(style: TextStyle(hasColors: false)).append(report, to: &out)
            #expect(out.count == 0)
            count += 1
        }
        #expect(count == 1)
    }

    @Test func `screen events are only those of the message`() throws {
        func push(_ text: String, _ id: String) -> String {
            #"{"aps":{"alert":"\#(text)","mutable-content":1},"id":"\#(id)"}"#
        }
        let input = [push("1", "a"), push("2", "b"), push("3", "a"), #"{"aps":{"badge":7}}"#, #"{"aps":{}}"#]
        let found = try traces(input.joined(separator: "\n")) { $0.decoding.replacementKey = "id" }
        #expect(
            found.map { section("screen", of: $0) ?? [] } == [
                ["delivered push-1", "1 notification"], ["delivered push-2", "2 notifications"],
                ["removed   push-1", "delivered push-3", "2 notifications"],
                ["badge-set 7", "2 notifications, badge 7"],
                ["2 notifications, badge 7"],
            ])
        #expect(section("outcome", of: found[2]) == ["reposted 1  200  push-3"])
    }

    @Test func `--fit edits are shown as a difference, next to the original message`() throws {
        let found = try traces([payload("0123456789abcdef"), payload("0")].joined(separator: "\n")) {
            $0.decoding.budget = Budget(bytes: payload("0123456789").utf8.count)
            $0.recordStages = [FitToBudget()]
        }
        #expect(found[0].contains("\nfit  45 bytes become 39\n"))
        #expect(section("fit", of: found[0]) == [#"~ /aps/alert/body: "0123456789abcdef" → "0123456…""#])
        #expect(section("message", of: found[0])?.contains("body         0123456789abcdef") == true)
        #expect(section("budget", of: found[0]) == ["39 of 39 bytes  chosen by the user"])
        #expect(section("findings", of: found[0])?.first?.hasPrefix("info /aps/alert/body: body cut") == true)
        #expect(found[1].contains("\nfit  unchanged\n"))
    }

    @Test func `a refusal ends the trace`() throws {
        let trace = try #require(
            try traces(apns("x", device: "xyz")) { $0.recordStages = [FitToBudget()] }.first)
        #expect(section("findings", of: trace)?.count == 1)
        #expect(section("screen", of: trace) == nil)
        #expect(section("outcome", of: trace) == ["rejected  400 BadDeviceToken"])
    }

    @Test func `each target has a trace, and the first has the record`() throws {
        let found = try traces(#"{"registration_ids":["one","t w o"],"notification":{"title":"Goal"}}"#)
        #expect(found.count == 2)
        #expect(section("record 1, target 0", of: found[0])?.first == "{")
        #expect(section("record 1, target 1", of: found[1]) == [])
        #expect(section("message", of: found[1])?.contains("device       t w o (android)") == true)
    }

    @Test func `a record that is not JSON is shown at its error`() throws {
        let found = try traces(
            ["{\"aps\":{\"alert\":\"x\",}}", #"{"a":1}"#, #"{"aps":"#].joined(separator: "\n")
        ) { $0.framing = .ndjson }
        #expect(section("record 1", of: found[0]) == [#"{"aps":{"alert":"x",}}"#, "                    ^"])
        #expect(
            section("outcome", of: found[0]) == [
                "malformed  line 1, column 21: expected a member name in double quotes after ',', but found '}'  json.trailing-comma"
            ])
        #expect(section("record 2", of: found[1]) == ["{", #"  "a": 1"#, "}"])
        #expect(section("message", of: found[1]) == nil)
        #expect(
            section("outcome", of: found[2])?.first?.hasPrefix("malformed  line 1, column 8: the text ends") == true)
    }

    @Test func `a record that is too long, and one in relaxed JSON, are shown too`() throws {
        let found = try traces("{'aps':{'alert':'x',},}\n" + apns(String(repeating: "x", count: 500))) {
            $0.framing = .ndjson
            $0.maximumRecordBytes = 100
            $0.decoding.acceptsRelaxedJSON = true
        }
        #expect(section("record 1", of: found[0]) == ["{'aps':{'alert':'x',},}"])
        #expect(section("outcome", of: found[0]) == ["delivered  200  push-1"])
        #expect(section("record 2", of: found[1]) == ["too long to be kept"])
    }

    @Test func `budgets are named by their table row`() throws {
        let voip = #"{"headers":{"apns-push-type":"voip","apns-topic":"t.voip"},"payload":{"aps":{}}}"#
        let topic = #"{"message":{"topic":"news","notification":{"title":"A"}}}"#
        let found = try traces([voip, topic].joined(separator: "\n"))
        #expect(section("budget", of: found[0])?.first?.contains("of 5120 bytes  apns-voip: ") == true)
        #expect(section("budget", of: found[1])?.first?.contains("of 2048 bytes  fcm-topic: ") == true)
        let forced = try traces(topic) { $0.decoding.budget = .apnsBinary }
        #expect(section("budget", of: forced[0])?.first?.contains("of 256 bytes  apns-256: ") == true)
    }

    @Test func `long texts are shortened only on request`() throws {
        let body = String(repeating: "abcdefghi ", count: 60)
        let cut: (inout PipelineConfiguration) -> Void = {
            $0.decoding.budget = Budget(bytes: 400)
            $0.recordStages = [FitToBudget()]
        }
        let whole = try #require(try traces(payload(body), cut).first)
        #expect(whole.contains("\"\(body)\""))
        let short = try #require(try traces(payload(body), columns: 60, cut).first)
        #expect(short.split(separator: "\n").allSatisfy { TerminalText.width(String($0)) <= 60 })
        // The common part is left out, so that the end shows.
        let change = try #require(section("fit", of: short)).joined(separator: " ")
        #expect(change.hasPrefix("~ /aps/alert/body:   …"))
        #expect(change.hasSuffix("…\""))
    }

    @Test func `no character that disturbs a terminal is passed through`() throws {
        for scalar in ["\u{1B}", "\u{7}", "\u{9B}", "\u{7F}", "\u{202E}", "\u{2066}", "\u{2028}", "\u{200F}"] {
            let hex = String(scalar.unicodeScalars.first?.value ?? 0, radix: 16)
            let escape = "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            // Raw where JSON permits it, and escaped everywhere.
            let text = "a\(hex == "1b" || hex == "7" ? "" : scalar)\(escape)[31mb"
            let input = [
                #"{"device":"\#(text)","headers":{"apns-collapse-id":"\#(text)","apns-push-type":"\#(text)"},"#
                    + #""payload":{"aps":{"alert":{"title":"\#(text)","body":"\#(text)"},"sound":"\#(text)"},"\#(text)":1}}"#,
                #"{"message":{"token":"t","android":{"notification":{"title":"x","tag":"\#(text)"}}}}"#,
                #"{"provider":"\#(text)"}"#, "{\"\(scalar)",
            ].joined(separator: "\n")
            for relaxed in [false, true] {
                let written = try traces(input) {
                    $0.framing = .ndjson
                    $0.decoding.acceptsRelaxedJSON = relaxed
                }.joined()
                #expect(!written.contains(scalar), "\(readable(written.utf8))")
                #expect(written.contains("\\u{\(hex)}"))
            }
        }
    }

    @Test func `colors are used only on request`() throws {
        let input = [apns("1", collapse: "r"), apns("x", device: "xyz"), "{", #"{"aps":{"alert":"a","alert":"b"}}"#]
            .joined(separator: "\n")
        let plain = try traces(input).joined()
        let coloured = try traces(input, hasColors: true).joined()
        #expect(!plain.contains("\u{1B}"))
        #expect(coloured.contains("\u{1B}[1mrecord 1\u{1B}[0m"))
        var stripped = coloured
        for code in ["0", "1", "2", "31", "32", "33", "36"] {
            stripped = stripped.split(separator: "\u{1B}[\(code)m", omittingEmptySubsequences: false).joined()
        }
        #expect(stripped == plain)
    }

    @Test func `what an app posts is named, with its findings, also after a wait`() throws {
        var rule = MessageRules.Post()
        rule.title = MessageText("Hi")
        rule.channel = MessageText("chats")
        var rules = MessageRules()
        rules.posts = [rule]
        func event(_ members: String) -> String { #"{"event":"device","device":"pixel",\#(members)}"# }
        let records = [
            event(#""platform":"android","channels":[{"id":"c"}]"#), #"{"message":{"token":"pixel","data":{"k":"v"}}}"#,
            event(#""online":false"#), #"{"message":{"token":"pixel","data":{"k":"v"}}}"#, event(#""online":true"#),
        ]
        let traces = try traces(records.joined(separator: "\n")) { $0.devicePolicy.messageRules = rules }
        for trace in [traces[2], traces[7]] {
            #expect(trace.contains("event  posted\n"))
            #expect(section("findings", of: trace)?.joined().contains("android.unknown-channel") == true)
        }
    }
}
