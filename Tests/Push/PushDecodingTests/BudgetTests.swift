import PushDecoding
import PushModel
import Testing

/// A text of known length in bytes to fill a message with.
struct Filler: Sendable, CustomTestStringConvertible {
    /// Its spelling in the JSON text that is measured.
    let unit: String
    /// Length of `unit` in bytes as written.
    let written: Int
    /// Length in UTF-8 bytes of what `unit` stands for.
    let decoded: Int

    static let all = [
        Filler(unit: "a", written: 1, decoded: 1), Filler(unit: "é", written: 2, decoded: 2),
        Filler(unit: "😀", written: 4, decoded: 4), Filler(unit: #"\u00e9"#, written: 6, decoded: 2),
        Filler(unit: #"\ud83d\ude00"#, written: 12, decoded: 4), Filler(unit: #"\n"#, written: 2, decoded: 1),
    ]

    /// A text of exactly `bytes` bytes, with single letters where no unit fits.
    func text(of bytes: Int, counting cost: Int) -> String {
        repeated(unit, bytes / cost) + repeated("a", bytes % cost)
    }

    var testDescription: String { unit }
}

@Suite struct BudgetTests {
    /// A kind of message that contains text, and how its size is measured.
    struct Kind: Sendable, CustomTestStringConvertible {
        let budget: String
        let limit: Int
        /// The name of the budget to force, if it is not the message's own.
        let forced: String?
        /// Bytes besides the text.
        let overhead: Int
        /// Whether escapes count as the characters that they stand for.
        let isDecoded: Bool
        let reason: String
        let record: @Sendable (String) -> String

        init(
            _ budget: String, _ limit: Int, forced: String? = nil, overhead: Int, isDecoded: Bool, _ reason: String,
            _ record: @escaping @Sendable (String) -> String
        ) {
            self.budget = budget
            self.limit = limit
            self.forced = forced
            self.overhead = overhead
            self.isDecoded = isDecoded
            self.reason = reason
            self.record = record
        }

        func record(_ filler: Filler, bytes: Int) -> String {
            record(filler.text(of: bytes - overhead, counting: isDecoded ? filler.decoded : filler.written))
        }

        var testDescription: String { "\(budget): \(record("…"))" }
    }

    /// `{"aps":{"alert":""}}`
    static let payloadOverhead = 20

    static func payload(_ text: String) -> String { #"{"aps":{"alert":"\#(text)"}}"# }

    static func apns(
        _ budget: String, _ limit: Int, forced: String? = nil, _ record: @escaping @Sendable (String) -> String
    ) -> Kind {
        // Only the binary interface has to be forced.
        let reason = forced == nil ? "PayloadTooLarge" : "Invalid payload size"
        return Kind(budget, limit, forced: forced, overhead: payloadOverhead, isDecoded: false, reason, record)
    }

    static func google(
        _ budget: String, _ limit: Int, name: String = "k", _ record: @escaping @Sendable (String) -> String
    ) -> Kind {
        let reason = budget.hasPrefix("gcm") ? "MessageTooBig" : "INVALID_ARGUMENT"
        // Names count too.
        return Kind(budget, limit, overhead: name.utf8.count, isDecoded: true, reason, record)
    }

    static let kinds = [
        apns("apns", 4096) { payload($0) },
        apns("apns", 4096) { request(payload: payload($0)) },
        apns("apns", 4096) { request(#""apns-push-type":"background""#, payload: payload($0)) },
        apns("apns", 4096) { request(#""apns-push-type":"liveactivity""#, payload: payload($0)) },
        apns("apns-voip", 5120) { request(#""apns-push-type":"voip""#, payload: payload($0)) },
        apns("apns-broadcast", 5120) {
            #"{"headers":{"apns-channel-id":"c2xvdA==","apns-push-type":"liveactivity","apns-expiration":"0","apns-priority":"1"},"payload":\#(payload($0))}"#
        },
        apns("apns-2048", 2048, forced: "apns-2048") { payload($0) },
        apns("apns-256", 256, forced: "apns-256") { payload($0) },
        Kind("apns-256", 256, overhead: 55, isDecoded: false, "Invalid payload size") {
            // {"aps":{"alert":""},"type":"message","userfrom":"Anna"}
            #"{"type":"message","userfrom":"Anna","alert":"\#($0)"}"#
        },
        google("gcm", 4096) { #"{"to":"t","data":{"k":"\#($0)"}}"# },
        google("gcm", 4096) { #"{"registration_ids":["t"],"data":{"k":"\#($0)"}}"# },
        google("gcm", 4096) { #"{"notification_key":"t","notification":{"k":"\#($0)"}}"# },
        google("gcm-topic", 2048) { #"{"to":"/topics/t","data":{"k":"\#($0)"}}"# },
        google("gcm-topic", 2048) { #"{"condition":"'t' in topics","priority":"high","data":{"k":"\#($0)"}}"# },
        google("fcm", 4096) { #"{"message":{"token":"t","data":{"k":"\#($0)"}}}"# },
        google("fcm", 4096, name: "tag") { #"{"message":{"token":"t","android":{"notification":{"tag":"\#($0)"}}}}"# },
        // Without it FCM takes more: see `TopicSizeTests`.
        Kind("fcm-topic", 2048, forced: "fcm-topic", overhead: 1, isDecoded: true, "INVALID_ARGUMENT") {
            #"{"message":{"topic":"t","data":{"k":"\#($0)"}}}"#
        },
        Kind("fcm", 4096, overhead: payloadOverhead, isDecoded: false, "INVALID_ARGUMENT") {
            #"{"message":{"token":"t","apns":{"payload":\#(payload($0))}}}"#
        },
        Kind("fcm-topic", 2048, forced: "fcm-topic", overhead: payloadOverhead, isDecoded: false, "INVALID_ARGUMENT") {
            #"{"message":{"topic":"t","apns":{"payload":\#(payload($0))}}}"#
        },
    ]

    @Test func `every row of the table is measured here`() {
        #expect(Set(Self.kinds.map(\.budget)) == Set(Budget.table.compactMap(\.name)))
    }

    @Test(arguments: kinds, Filler.all)
    func `a message at its limit is accepted`(kind: Kind, filler: Filler) throws {
        let reading = try read(kind.record(filler, bytes: kind.limit)) { $0.budget = kind.forced.flatMap(Budget.init) }
        #expect(reading.isAccepted)
        #expect(reading.bytes == kind.limit)
        #expect(reading.limit == kind.limit)
    }

    @Test(arguments: kinds, Filler.all)
    func `a message one byte over its limit is refused`(kind: Kind, filler: Filler) throws {
        let record = kind.record(filler, bytes: kind.limit + 1)
        let reading = try read(record) { $0.budget = kind.forced.flatMap(Budget.init) }
        #expect(reading.reason == kind.reason)
        #expect(reading.bytes == kind.limit + 1)
        #expect(reading.limit == kind.limit)
    }

    // MARK: - String payloads

    /// Spellings in a payload's string, and the number of bytes that each stands for.
    static let stringUnits: [(unit: String, bytes: Int)] = [
        ("a", 1), ("é", 2), ("😀", 4), (#"\u00e9"#, 2), (#"\ud83d\ude00"#, 4), (#"\u0041"#, 1),
        // Escaped twice: the payload that is sent contains the escape.
        (#"\\u00e9"#, 6), (#"\\n"#, 2),
    ]

    static func stringRecord(_ unit: String, cost: Int, bytes: Int) -> String {
        let room = bytes - payloadOverhead
        let text = repeated(unit, room / cost) + repeated("a", room % cost)
        return request(payload: #""{\"aps\":{\"alert\":\"\#(text)\"}}""#)
    }

    @Test(arguments: stringUnits)
    func `of a payload in a string the decoded bytes count`(unit: String, cost: Int) throws {
        let full = try read(Self.stringRecord(unit, cost: cost, bytes: 4096))
        #expect(full.isAccepted)
        #expect(full.bytes == 4096)
        let over = try read(Self.stringRecord(unit, cost: cost, bytes: 4097))
        #expect(Refusal(over) == Refusal("PayloadTooLarge", 413, at: "/payload"))
        #expect(over.bytes == 4097)
    }

    @Test func `white space inside a payload counts, and around it does not`() throws {
        let spaced = #"{ "aps" : { "alert" : "x" } }"#
        #expect(try read(request(payload: "  \(spaced)\t")).bytes == 29)
        #expect(try read(request(payload: #""  {}  ""#)).bytes == 6)
    }

    // MARK: - Forced budgets

    @Test(arguments: Budget.table.compactMap(\.name))
    func `a budget forced by name applies to every provider`(name: String) throws {
        let budget = try #require(Budget(parsing: name))
        for record in [#"{"aps":{}}"#, #"{"to":"t"}"#, #"{"message":{"token":"t"}}"#, #"{"message":{"topic":"t"}}"#] {
            #expect(try read(record) { $0.budget = budget }.limit == budget.bytes, "\(record)")
        }
    }

    @Test func `a number forces a budget of that many bytes`() throws {
        let budget = try #require(Budget(parsing: "21"))
        let fits = try read(Self.payload("x")) { $0.budget = budget }
        #expect(fits.isAccepted)
        #expect(fits.limit == 21)
        let over = try read(Self.payload("xy")) { $0.budget = budget }
        #expect(Refusal(over) == Refusal("PayloadTooLarge", 413, at: ""))
        #expect(over.findings.contains { $0.message.contains("22") && $0.message.contains("21") })
    }

    @Test func `a forced budget goes before those of push types, topics and gateways`() throws {
        let budget = try #require(Budget(parsing: "10"))
        for record in [
            request(#""apns-push-type":"voip""#), #"{"to":"/topics/t","data":{"k":"0123456789"}}"#,
            #"{"type":"message","userfrom":"Anna","alert":"x"}"#,
        ] {
            let reading = try read(record) { $0.budget = budget }
            #expect(reading.limit == 10, "\(record)")
            #expect(reading.reason != nil, "\(record)")
        }
    }
}
