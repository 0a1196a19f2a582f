import PushModel
import PushPipeline
import Testing

/// `FitToBudget`: what is cut, how far, and which findings report it.
struct FitToBudgetTests {
    /// A message with only a long body, and the size of its other bytes.
    struct Kind: Sendable, CustomTestStringConvertible {
        var limit: Int
        var overhead: Int
        var outcome: Outcome
        /// Of the body, in the record.
        var pointer: String
        /// The record, and its payload, with this body.
        var record: @Sendable (String) -> String
        var payload: @Sendable (String) -> String

        init(
            _ limit: Int, overhead: Int, outcome: Outcome = .delivered, at pointer: String,
            _ record: @escaping @Sendable (String) -> String, payload: (@Sendable (String) -> String)? = nil
        ) {
            self.limit = limit
            self.overhead = overhead
            self.outcome = outcome
            self.pointer = pointer
            self.record = record
            self.payload = payload ?? record
        }

        var testDescription: String { record("…") }
    }

    static func body(_ text: String) -> String { #"{"aps":{"alert":{"body":"\#(text)"}}}"# }

    /// Of a Live Activity that no device has.
    static func update(_ body: String) -> String {
        #"{"aps":{"timestamp":1,"event":"update","content-state":{},"alert":{"body":"\#(body)"}}}"#
    }

    static func request(_ headers: String, _ payload: String) -> String {
        #"{"device":"ab12","headers":{"apns-topic":"org.example.news"\#(headers)},"payload":\#(payload)}"#
    }

    static let kinds = [
        Kind(4096, overhead: 20, at: "/aps/alert") { #"{"aps":{"alert":"\#($0)"}}"# },
        Kind(4096, overhead: 29, at: "/aps/alert/body") { body($0) },
        Kind(4096, overhead: 33, at: "/payload/aps/alert/body") {
            request("", #"{ "aps":{"alert" : {"body":"\#($0)"} }}"#)
        } payload: {
            #"{ "aps":{"alert" : {"body":"\#($0)"} }}"#
        },
        Kind(5120, overhead: 29, outcome: .silent, at: "/payload/aps/alert/body") {
            request(#","apns-push-type":"voip""#, body($0))
        } payload: {
            body($0)
        },
        Kind(5120, overhead: update("").utf8.count, outcome: .updated, at: "/payload/aps/alert/body") {
            request(#","apns-channel-id":"c2xvdA==","apns-push-type":"liveactivity""#, update($0))
        } payload: {
            update($0)
        },
        Kind(4096, overhead: 29, at: "/payload/aps/alert/body") {
            request("", quoted(body($0)))
        } payload: {
            body($0)
        },
        Kind(4096, overhead: 29, at: "/APNS/aps/alert/body") {
            #"{"APNS":\#(quoted(body($0)))}"#
        } payload: {
            body($0)
        },
        // The payload of a derived message is not in the record, so the pointer is that of the message.
        Kind(256, overhead: 55, at: "") {
            #"{"type":"message","userfrom":"Anna","alert":"\#($0)"}"#
        } payload: {
            #"{"aps":{"alert":"\#($0)"},"type":"message","userfrom":"Anna"}"#
        },
        // Names count too.
        Kind(4096, overhead: 4, at: "/notification/body") { #"{"to":"t","notification":{"body":"\#($0)"}}"# },
        Kind(2048, overhead: 7, at: "/notification/body") {
            #"{"to":"/topics/t","data":{"k":"v1"},"notification":{"body":"\#($0)"}}"#
        },
        Kind(4096, overhead: 4, at: "/message/notification/body") {
            #"{"message":{"token":"t","notification":{"body":"\#($0)"}}}"#
        } payload: {
            #"{"token":"t","notification":{"body":"\#($0)"}}"#
        },
        Kind(4096, overhead: 4, at: "/message/android/notification/body") {
            #"{"message":{"topic":"t","android":{"notification":{"body":"\#($0)"}}}}"#
        } payload: {
            #"{"topic":"t","android":{"notification":{"body":"\#($0)"}}}"#
        },
        Kind(4096, overhead: 29, at: "/message") {
            #"{"message":{"token":"t","notification":{"body":"\#($0)"},"apns":{}}}"#
        } payload: {
            body($0)
        },
        Kind(4096, overhead: 20, at: "/message") {
            #"{"message":{"token":"t","apns":{"payload":{"aps":{"alert":"\#($0)"}}}}}"#
        } payload: {
            #"{"aps":{"alert":"\#($0)"}}"#
        },
    ]

    @Test(arguments: kinds) func `a message at its limit stays as it is`(kind: Kind) throws {
        let text = repeated("x", kind.limit - kind.overhead)
        let fitted = try #require(try fit(kind.record(text)).first)
        #expect(fitted.bytes == kind.limit)
        #expect(fitted.limit == kind.limit)
        #expect(fitted.findings == [])
        #expect(fitted.payload == kind.payload(text))
    }

    @Test(arguments: kinds) func `a message one byte over its limit is cut to the limit`(kind: Kind) throws {
        let over = kind.limit - kind.overhead + 1
        let fitted = try #require(try fit(kind.record(repeated("x", over))).first)
        let text = repeated("x", over - 4) + "…"
        #expect(fitted.payload == kind.payload(text))
        #expect(fitted.body == text)
        #expect(fitted.bytes == kind.limit)
        #expect(fitted.limit == kind.limit)
        #expect(fitted.outcome == kind.outcome)
        #expect(
            fitted.findings == [
                Finding(
                    rule: "fit.cut", severity: .info, pointer: kind.pointer,
                    message: "body cut from \(over) to \(over - 1) bytes to fit \(kind.limit)")
            ])
    }

    @Test func `texts are cut to a forced budget`() throws {
        for limit in [40, 256, 1000] {
            for kind in Self.kinds where kind.overhead < 34 {
                let fitted = try #require(try fit(kind.record(repeated("x", 2000)), budget: limit).first)
                #expect(fitted.bytes == limit, "\(kind)")
                #expect(fitted.payload == kind.payload(repeated("x", limit - kind.overhead - 3) + "…"))
            }
        }
    }

    // MARK: - Order

    static func alert(_ title: Int, _ subtitle: Int, _ body: Int, beside: String = "") -> String {
        let texts = [
            #""title":"\#(repeated("t", title))""#, #""subtitle":"\#(repeated("s", subtitle))""#,
            #""body":"\#(repeated("b", body))""#,
        ]
        return #"{"aps":{"alert":{\#(texts.joined(separator: ","))}}\#(beside)}"#
    }

    static let alertOverhead = alert(0, 0, 0).utf8.count

    @Test func `the body is cut first, then the subtitle, then the title`() throws {
        let input = Self.alert(100, 100, 100)
        for (room, cut, left) in [
            (299, ["body"], [100, 100, 99]), (203, ["body"], [100, 100, 3]),
            (202, ["body", "subtitle"], [100, 99, 3]),
            (106, ["body", "subtitle"], [100, 3, 3]), (105, ["body", "subtitle", "title"], [99, 3, 3]),
            (9, ["body", "subtitle", "title"], [3, 3, 3]),
        ] {
            let fitted = try #require(try fit(input, budget: Self.alertOverhead + room).first)
            #expect(fitted.outcome == .delivered)
            #expect(fitted.bytes == fitted.limit, "\(room)")
            #expect(fitted.cuts == cut.map { "/aps/alert/\($0)" }, "\(room)")
            #expect([fitted.title, fitted.subtitle, fitted.body].map { $0?.utf8.count } == left, "\(room)")
        }
    }

    @Test func `the order can be changed, and texts that it does not name stay`() throws {
        let input = Self.alert(100, 100, 100)
        for (order, cut) in [
            ([AlertText.title], ["title"]), ([.title, .body], ["title", "body"]),
            ([.subtitle, .subtitle, .title], ["subtitle", "title"]),
        ] {
            let fitted = try #require(try fit(input, order: order, budget: Self.alertOverhead + 110).first)
            let expected: [String] = order.count == 1 ? [] : cut.map { "/aps/alert/\($0)" }
            #expect(fitted.cuts == expected)
            #expect(fitted.outcome == (order.count == 1 ? .rejected : .delivered))
            if order.count == 1 { #expect(fitted.payload == input) }
        }
        #expect(try fit(input, order: [], budget: 200).first?.rules == ["fit.cannot"])
    }

    @Test func `space that a later text cannot use goes to an earlier one`() throws {
        // The family has 25 bytes. Without it there are 25 - 3 bytes for the body, which would otherwise be `…` alone.
        let input = #"{"aps":{"alert":{"title":"👨‍👩‍👧‍👦","body":"\#(repeated("b", 40))"}}}"#
        let least = input.utf8.count - 40 + 3
        let fitted = try #require(try fit(input, budget: least - 1).first)
        #expect(fitted.title == "…")
        #expect(fitted.body == repeated("b", 21) + "…")
        #expect(fitted.bytes == fitted.limit)
        // A body that then fits is not cut at all.
        let short = #"{"aps":{"alert":{"title":"👨‍👩‍👧‍👦","body":"bbbbb"}}}"#
        let whole = try #require(try fit(short, budget: short.utf8.count - 3).first)
        #expect(whole.cuts == ["/aps/alert/title"])
        #expect(whole.body == "bbbbb")
    }

    @Test func `a text that an ellipsis would not shorten stays`() throws {
        let input = #"{"aps":{"alert":{"title":"\#(repeated("t", 50))","body":"no"}}}"#
        let fitted = try #require(try fit(input, budget: 60).first)
        #expect(fitted.cuts == ["/aps/alert/title"])
        #expect(fitted.body == "no")
    }

    // MARK: - What cannot be fitted

    @Test func `a payload that is too large without its texts is unchanged and refused`() throws {
        let beside = #","k":"\#(repeated("k", 4096))""#
        let input = Self.alert(10, 10, 10, beside: beside)
        let fitted = try #require(try fit(input).first)
        #expect(fitted.outcome == .rejected)
        #expect(fitted.payload == input)
        let least = input.utf8.count - 21
        #expect(
            fitted.findings == [
                Finding(
                    rule: "fit.cannot", severity: .warning, pointer: "",
                    message: "cutting reduces \(input.utf8.count) bytes to \(least), still over the limit of 4096")
            ])
        let exact = try #require(try fit(input, budget: least).first)
        #expect(exact.outcome == .delivered)
        #expect([exact.title, exact.subtitle, exact.body] == ["…", "…", "…"])
        #expect(try fit(input, budget: least - 1).first?.outcome == .rejected)
    }

    @Test(arguments: [
        #"{"aps":{"content-available":1},"k":"LONG"}"#, #"{"aps":{"alert":{"loc-key":"LONG"}}}"#,
        #"{"aps":{"alert":{"title":7,"body":["LONG"]}}}"#, #"{"aps":"LONG"}"#, #"{"aps":{"alert":null},"k":"LONG"}"#,
        #"{"to":"t","data":{"body":"LONG"}}"#, #"{"to":"t","notification":{"subtitle":"LONG"}}"#,
        #"{"message":{"token":"t","android":{"data":{"title":"LONG"}}}}"#,
        #"{"token":"ab","device":"ios","alert":"","apns":{"category":"LONG"}}"#,
    ])
    func `a message without a text to cut is still refused`(record: String) throws {
        let input = record.replacing("LONG", with: repeated("x", 5000))
        let fitted = try #require(try fit(input).first)
        #expect(fitted.rules == ["fit.cannot"])
        let without = try #require(try Pipeline(configuration()).reports(input).first)
        #expect(without.outcome == .rejected)
        #expect(fitted.bytes == without.bytes)
    }

    @Test func `an impossible budget does no harm`() throws {
        for limit in [Int.min, -1, 0, 1, Int.max] {
            for kind in Self.kinds { #expect(try fit(kind.record("text"), budget: limit).count == 1) }
        }
    }

    // MARK: - Texts

    @Test func `the kept part of a text keeps its bytes`() throws {
        for (text, left) in [
            ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦…"), (#"🇩🇪\ud83c\uddeb\ud83c\uddf7🇮🇹🇯🇵🇰🇷🇮🇳"#, #"🇩🇪\ud83c\uddeb\ud83c\uddf7…"#),
            (#"\u0065\u0301 \u006f\u0308abcdefghijklmnopqrst"#, #"\u0065\u0301 \u006f\u0308\u2026"#),
            (#"one \/ two \" three \\ four \n five \t six"#, #"one \/ two \" three \\ four…"#),
            (#"a\ud83dbcdefghijklmnopqrstuvwxyz0123456789"#, #"a\ud83dbcdefghijklmnopqrstu\u2026"#),
        ] {
            func payload(_ text: String) -> String { #"{"aps":{"alert":"\#(text)"},"é":"\u00e9","n":1.50 }"# }
            let budget = payload(left).utf8.count
            #expect(try fit(payload(text), budget: budget).first?.payload == payload(left))
            #expect(try fit(payload(text), budget: budget - 1).first?.payload != payload(left))
        }
    }

    @Test func `with duplicate members the last is the text`() throws {
        let long = repeated("x", 200)
        let input = #"{"aps":{"alert":{"body":"\#(long)","body":"\#(long)"}}}"#
        let fitted = try #require(try fit(input, budget: 300).first)
        #expect(
            fitted.payload
                == input.replacing(long + #""}"#, with: repeated("x", 300 - (input.utf8.count - 200) - 3) + #"…"}"#))
        // Google treats null as absent.
        let null = #"{"to":"t","notification":{"body":"\#(long)"},"notification":null}"#
        let google = try #require(try fit(null, budget: 100).first)
        #expect(google.payload == null.replacing(long, with: repeated("x", 100 - 4 - 3) + "…"))
        #expect(google.bytes == 100)
    }

    @Test func `of a text in two places the one that is not shown is cut first`() throws {
        let input = #"""
            {"message":{"token":"t","notification":{"title":"T","body":"\#(repeated("n", 50))"},
            "android":{"notification":{"body":"\#(repeated("a", 50))"}}}}
            """#.replacing("\n", with: "")
        let all = 5 + 1 + 4 + 50 + 4 + 50
        let one = try #require(try fit(input, budget: all - 1).first)
        #expect(one.cuts == ["/message/notification/body"])
        #expect(one.body == repeated("a", 50))
        let both = try #require(try fit(input, budget: all - 48).first)
        #expect(both.cuts == ["/message/notification/body", "/message/android/notification/body"])
        #expect(both.body == repeated("a", 46) + "…")
    }

    // MARK: - Several messages

    @Test func `the targets of one request get the same payload`() throws {
        let targets = (0..<300).map { "\"token\($0)\"" }.joined(separator: ",")
        let long = repeated("é", 3000)
        let gcm = #"{"registration_ids":[\#(targets)],"notification":{"title":"T","body":"\#(long)"}}"#
        let other = gcm.replacing("\"T\"", with: "\"other\"")
        let fitted = try fit([gcm, other, gcm].joined(separator: "\n"))
        #expect(fitted.count == 900)
        for (start, title) in [(0, "T"), (300, "other"), (600, "T")] {
            let first = fitted[start]
            #expect(first.title == title)
            #expect(first.rules == ["fit.cut"])
            #expect(first.body?.hasSuffix("éé…") == true)
            #expect(fitted[start..<start + 300].allSatisfy { $0 == first })
        }
        let wikimedia = #"{"deviceTokens":["ab","cd"],"messageType":"checkEchoV1","topic":"org.wikimedia"}"#
        #expect(try fit(wikimedia, budget: 104).map(\.body) == ["check…", "check…"])
    }

    @Test func `a message that was already refused is skipped`() throws {
        let ids = #"{"registration_ids":["o k","ok"],"notification":{"body":"\#(repeated("x", 5000))"}}"#
        let fitted = try fit(ids)
        #expect(fitted.map(\.rules) == [[], ["fit.cut"]])
        #expect(fitted.map(\.outcome) == [.rejected, .delivered])
    }

    @Test func `reports do not depend on the number of jobs`() throws {
        let bytes = String(decoding: try workload(3000, seed: 21, malformedRate: "0.02"), as: UTF8.self)
        let alone = try fit(bytes, budget: 200)
        #expect(alone.contains { $0.rules == ["fit.cut"] })
        #expect(alone.contains { $0.rules == ["fit.cannot"] })
        #expect(try fit(bytes, budget: 200) { $0.jobs = 3 } == alone)
    }

    @Test func `two successive stages do not confuse each other's edits`() throws {
        let input = Self.alert(100, 100, 100)
        let fitted = try #require(
            try fit(input, order: [.title], budget: Self.alertOverhead + 110) {
                $0.recordStages.insert(FitToBudget(order: [.subtitle, .body]), at: 1)
            }.first)
        #expect(fitted.rules == ["fit.cannot", "fit.cut", "fit.cut"])
        #expect(fitted.outcome == .delivered)
    }
}
