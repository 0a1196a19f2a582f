import PushDecoding
import PushModel
import PushSystem
import Testing

/// Records of every format that their providers accept.
enum GoodRecords {
    static let all = apns + google + gateways

    static let apns = [
        #"{"aps":{"alert":"Hello"}}"#,
        #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B"},"badge":3,"sound":"default"},"id":"m1"}"#,
        #"{"aps":{"alert":{"title-loc-key":"TK","loc-key":"BK","loc-args":["a","b"]},"mutable-content":1}}"#,
        #"{"aps":{"content-available":1},"sync":{"since":1760000000}}"#,
        #"{"Simulator Target Bundle":"org.example.app","aps":{"alert":"caf\u00e9 😀"}}"#,
        #"{"payload":{"aps":{"alert":"x","thread-id":"chat","badge":0}}}"#,
        #"{"payload":"{\"aps\":{\"alert\":\"caf\\u00e9 \\\"quoted\\\"\"}}"}"#,
        #"{"device":"ab12","headers":{"apns-topic":"org.example","apns-collapse-id":"c1"},"#
            + #""payload":{"aps":{"alert":"x"}}}"#,
        #"{"headers":{"apns-topic":"org.example.voip","apns-push-type":"voip","apns-expiration":0},"#
            + #""payload":{"call":1}}"#,
        #"{"headers":{"APNS-Topic":"org.example","apns-priority":5},"payload":"{\"aps\":{}}","device":"00ff"}"#,
        #"{"headers":{"apns-channel-id":"c2xvdA==","apns-push-type":"liveactivity"},"#
            + #""payload":{"aps":{"event":"end"}}}"#,
        #"{"headers":{"apns-topic":"a","apns-id":"8b1d6a4e-0a3f-4a55-9c7e-2f1f6f0f9d10"},"payload":{"aps":{}}}"#,
        #"{"provider":"apns","payload":{"mdm":"magic"}}"#,
        "{\n  \"aps\": {\n    \"alert\": \"pretty\"\n  }\n}",
    ]

    static let google = [
        #"{"to":"token-1","data":{"score":"5x1","time":"15:10"}}"#,
        ##"{"to":"/topics/news","notification":{"title":"T","body":"B","tag":"n1","color":"#ff0000"}}"##,
        #"{"registration_ids":["a","b","c"],"collapse_key":"score","time_to_live":3600,"data":{"k":"v"}}"#,
        #"{"condition":"'a' in topics && ('b' in topics || !('c' in topics))","priority":"high"}"#,
        #"{"notification_key":"group","dry_run":true,"restricted_package_name":"org.example"}"#,
        #"{"to":"t","content_available":true,"mutable_content":true,"notification":{"body":"B","badge":"2"}}"#,
        #"{"provider":"gcm","device":"d","payload":{"data":{"a":"b"}}}"#,
        #"{"provider":"gcm","payload":"{\"to\":\"t\",\"data\":{\"k\":\"\\u00e9\"}}"}"#,
        #"{"message":{"token":"t","data":{"k":"v"}}}"#,
        #"{"message":{"topic":"news","notification":{"title":"T","body":"B"}},"validate_only":false}"#,
        #"{"message":{"condition":"'a' in topics || 'b' in topics","android":{"ttl":"3.5s","priority":"HIGH"}}}"#,
        ##"{"message":{"token":"t","android":{"notification":{"tag":"x","color":"#00ff00","visibility":"SECRET"}}}}"##,
        #"{"message":{"token":"t","notification":{"body":"B"},"apns":{"headers":{"apns-collapse-id":"c"},"#
            + #""payload":{"aps":{"badge":1}}}}}"#,
        #"{"message":{"token":"t","apns":{"payload":{"aps":{"alert":{"title":"x"}},"a":1}},"data":{"a":"2","b":"3"}}}"#,
        #"{"validateOnly":true,"message":{"fid":"t","webpush":{"headers":{"TTL":"5"}}}}"#,
    ]

    static let gateways = [
        #"{"token":"t","device":"android-fcm","alert":"Hi"}"#,
        #"{"token":"ab12","device":"ios","alert":{"title":"T","body":"B"},"apns":{"badge":2,"category":"c"}}"#,
        #"{"token":"t","device":"ios-fcm","alert":"x\ny","fcm":{"data":{"n":1,"t":true,"o":{"a":[1,2]}}}}"#,
        #"{"token":"t","device":"Android-fcm","extra":{"processor":"moodle","sitefullname":"S","smallmessage":"M"}}"#,
        #"{"APNS":"{\"aps\":{\"alert\":\"x\"}}","GCM":"{\"data\":{\"k\":\"v\"}}","default":"x"}"#,
        #"{"APNS_VOIP":"{\"call\":1}","FCM":"{\"fcmV1Message\":{\"message\":{\"data\":{\"k\":\"v\"}}}}"}"#,
        #"{"MessageStructure":"json","TargetArn":"arn:1","#
            + #""Message":"{\"APNS\":\"{\\\"aps\\\":{\\\"alert\\\":\\\"é\\\"}}\"}"}"#,
        #"{"deviceTokens":["ab","cd"],"messageType":"checkEchoV1","topic":"org.wikimedia.wikipedia"}"#,
        #"{"deviceTokens":["t1","t2"],"messageType":"checkEchoV1","dryRun":true}"#,
        #"{"type":"message","userfrom":"Anna","alert":"Hi","date":1371600000}"#,
        #"{"provider":"moodle","alert":"x"}"#,
        #"{"provider":"sns","payload":{"APNS":"{\"aps\":{}}"}}"#,
        #"{"to":["ExponentPushToken[a]","ExpoPushToken[b]"],"title":"T","badge":1,"data":{"k":[1]},"ttl":60}"#,
        #"[{"to":"ExponentPushToken[a]","body":"B","sound":{"critical":true}},{"to":"ExponentPushToken[b]"}]"#,
        #"{"provider":"expo","payload":"[{\"to\":\"ExponentPushToken[a]\",\"channelId\":\"c\"}]"}"#,
    ]
}

/// Derives broken records from valid ones, the same ones for the same seed.
struct RecordMutator {
    private var generator: SplitMix64
    private static let records = GoodRecords.all.map { Array($0.utf8) }

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// One to three changes to a random record.
    mutating func next() -> [UInt8] {
        var bytes = Self.records[below(Self.records.count)]
        for _ in 0...below(3) { change(&bytes) }
        return bytes
    }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    private mutating func change(_ bytes: inout [UInt8]) {
        switch below(6) {
        case 0: bytes.removeSubrange(span(in: bytes))
        case 1:
            let copied = Array(bytes[span(in: bytes)])
            bytes.insert(contentsOf: copied, at: below(bytes.count + 1))
        case 2: bytes.replaceSubrange(span(in: bytes), with: Self.pieces[below(Self.pieces.count)])
        case 3: replaceValue(in: &bytes)
        case 4 where !bytes.isEmpty: bytes[below(bytes.count)] ^= 1 << UInt8(below(8))
        default: bytes.insert(contentsOf: Self.pieces[below(Self.pieces.count)], at: below(bytes.count + 1))
        }
    }

    /// Replaces the value after a colon, so that the record often remains JSON.
    private mutating func replaceValue(in bytes: inout [UInt8]) {
        let colons = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") }
        guard !colons.isEmpty else { return }
        let start = colons[below(colons.count)] + 1
        let end = bytes[start...].firstIndex { ",}]".utf8.contains($0) } ?? bytes.endIndex
        bytes.replaceSubrange(start..<end, with: Self.values[below(Self.values.count)])
    }

    private mutating func span(in bytes: [UInt8]) -> Range<Int> {
        let from = below(bytes.count + 1)
        return from..<min(from + below(below(2) == 0 ? 4 : 40), bytes.count)
    }

    private static let values = [
        "null", "true", "0", "-1", "1e400", "99999999999999999999", #""""#, #""x""#, #"" ""#, #""\ud800""#, "{}", "[]",
        "[[[]]]", #"{"a":1,"a":2}"#, #""{}""#, #""{\"aps\":""#, #"["x",5,null]"#,
    ].map { Array($0.utf8) }

    private static let pieces =
        [
            "\"", "\\", "{", "}", "[", "]", ",", ":", "'", "\\\"", "\\\\", "\\u0000", "\\ud83d", "é", "😀", "\n", " ",
            #""aps":{},"#, #""payload":"{}","#, #""provider":"gcm","#, #""to":"t","#, #""message":{},"#, "a:1,", ",}",
            #""APNS":"{}","#, #""x":1,"x":2,"#,
        ].map { Array($0.utf8) } + [[0x00], [0xFF], [0xC3]]
}

@Suite struct MutationTests {
    @Test(arguments: GoodRecords.all)
    func `each good record is accepted`(record: String) {
        for reading in readAll(record) {
            #expect(reading.isAccepted || reading.verdict == .suppressed("dry-run"))
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `no record traps, and each gives at least one message`(seed: UInt64) {
        var mutator = RecordMutator(seed: seed)
        var options = DecodingOptions()
        options.acceptsRelaxedJSON = seed.isMultiple(of: 2)
        options.platform = seed.isMultiple(of: 3) ? .ios : nil
        options.replacementKey = seed.isMultiple(of: 2) ? "id" : "/aps/alert/title"
        options.format = seed < 7 ? nil : seed == 7 ? .apns : .sns
        for _ in 0..<2500 {
            let bytes = mutator.next()
            let readings = readAll(bytes, options)
            let faults = Self.faults(of: readings, in: bytes)
            #expect(faults.isEmpty, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    /// The invariants of decoding that these readings violate.
    private static func faults(of readings: [Reading], in bytes: [UInt8]) -> [String] {
        var faults: [String] = []
        if readings.isEmpty { faults.append("no message") }
        if readings.count > 1, readings.map(\.target) != Array(0..<readings.count) {
            faults.append("targets not numbered")
        }
        if readings.count == 1, readings[0].target != nil { faults.append("a single target is numbered") }
        for reading in readings {
            if reading.findings.count > Finding.maximumPerRecord { faults.append("too many findings") }
            if (reading.verdict == .malformed) != (reading.decodeFailure != nil) {
                faults.append("no word on malformed")
            }
            if let decodeFailure = reading.decodeFailure {
                if !(0...bytes.count).contains(decodeFailure.offset) { faults.append("offset outside the record") }
                if decodeFailure.message.isEmpty { faults.append("no message for malformed") }
            }
            if case .rejected(let rejection) = reading.verdict {
                if !reading.errors.contains(where: { $0.rule == rejection.rule }) {
                    faults.append("no word on rejected")
                }
            } else if reading.decodeFailure == nil, reading.bytes > reading.limit {
                faults.append("over its limit")
            }
        }
        return faults
    }

    /// Sixteen duplicates, the most that are noted per text; the contents of an object without its braces.
    private static let duplicates = (0..<16).map { #""k\#($0)":1,"k\#($0)":2"# }.joined(separator: ",")

    /// Four nested texts, each with as many findings as a text can have.
    private static func recordWithDuplicates(_ alert: String) -> String {
        let apns = quoted(#"{"aps":{"alert":"\#(alert)"},\#(duplicates)}"#)
        let message = quoted(#"{"APNS":\#(apns),\#(duplicates)}"#)
        let payload = quoted(#"{"Message":\#(message),"MessageStructure":"json",\#(duplicates)}"#)
        return #"{"provider":"sns","payload":\#(payload),\#(duplicates)}"#
    }

    @Test func `a record keeps no more findings than its share`() throws {
        let reading = try read(Self.recordWithDuplicates("x"))
        #expect(reading.isAccepted)
        #expect((49...Finding.maximumPerRecord).contains(reading.findings.count))
    }

    @Test func `a refusal is explained however many findings there are`() throws {
        let reading = try read(Self.recordWithDuplicates(repeated("x", 4096)))
        #expect(reading.reason == "PayloadTooLarge")
        #expect(reading.rules.contains("apns.payload-too-large"))
        #expect(reading.findings.count <= Finding.maximumPerRecord)
    }

    /// In the derived payload the alert is one level deeper.
    @Test func `a record at the limit of levels is one message all the same`() {
        let arguments = repeated("[", 510) + repeated("]", 510)
        let record = #"{"to":"t","notification":{"body":"B","body_loc_args":\#(arguments)}}"#
        #expect(readAll(record).count == 1)
        #expect(readAll(record) { $0.platform = .ios }.count == 1)
    }
}
