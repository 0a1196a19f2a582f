import PushDecoding
import PushModel
import Testing

/// A request to APNs is measured before it is read, whatever its bytes are. Source: pushy's mock server, which checks nothing but the size of
/// a body.
struct OversizedRequestTests {
    private func read(
        _ before: String, _ wrong: [UInt8], _ after: String, _ adjust: (inout DecodingOptions) -> Void = { _ in }
    ) -> [Reading] {
        var options = DecodingOptions()
        adjust(&options)
        return readAll(Array(before.utf8) + wrong + Array(after.utf8), options)
    }

    private func envelope(
        _ wrong: [UInt8], type: String = "alert", topic: String = "a.b", headers: String = "",
        _ adjust: (inout DecodingOptions) -> Void = { _ in }
    ) -> Reading? {
        let head =
            #"{"device":"ab12","headers":{"apns-topic":"\#(topic)","apns-push-type":"\#(type)"\#(headers)},"payload":{"aps":{"alert":""#
        let readings = read(head, wrong, #""}}}"#, adjust)
        return readings.count == 1 ? readings.first : nil
    }

    /// Bytes that no character begins with, a cut character, a long form, half of a surrogate pair, and one behind the last character.
    private static let sequences: [[UInt8]] = [
        [0xFF], [0xE4], [0x80], [0xC3], [0xE2, 0x82], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
    ]

    @Test(arguments: sequences) func `a payload over the limit is too large`(sequence: [UInt8]) {
        // 20 bytes around the text.
        func text(_ bytes: Int) -> [UInt8] { sequence + [UInt8](repeating: 0x61, count: bytes - 20 - sequence.count) }
        let over = envelope(text(4097))
        #expect(over?.reason == "PayloadTooLarge" && over?.status == 413)
        #expect(over?.bytes == 4097 && over?.limit == 4096)
        #expect(over?.device == "ab12" && over?.errors.first?.pointer == "/payload")
        #expect(envelope(text(4096))?.verdict == .malformed)
        #expect(envelope(text(5121), type: "voip", topic: "a.b.voip")?.reason == "PayloadTooLarge")
        #expect(envelope(text(5120), type: "voip", topic: "a.b.voip")?.verdict == .malformed)
        // A limit of the user's.
        #expect(envelope(text(301)) { $0.budget = Budget(bytes: 300) }?.reason == "PayloadTooLarge")
        #expect(envelope(text(5000)) { $0.budget = Budget(bytes: 9000) }?.verdict == .malformed)
    }

    @Test func `the size comes before the other headers`() {
        let text = [UInt8](repeating: 0xFF, count: 5000)
        #expect(envelope(text, headers: #","apns-priority":"7""#)?.reason == "PayloadTooLarge")
        #expect(envelope(text, topic: "")?.reason == "PayloadTooLarge")
        #expect(envelope(text, headers: #",":path":"/3/nothing""#)?.reason == "BadPath")
        #expect(envelope(text, headers: #","apns-collapse-id":"é""#)?.identifier == "é")
    }

    @Test func `a bare payload and one in a string are measured, too`() {
        let text = [UInt8](repeating: 0xFF, count: 4096)
        #expect(read(#"{"aps":{"alert":""#, text, #""}}"#).first?.reason == "PayloadTooLarge")
        #expect(read(#"{"payload":""#, text + [0x78], #""}"#).first?.reason == "PayloadTooLarge")
        #expect(read(#"{"payload":""#, text, #""}"#).first?.verdict == .malformed)
        let binary = read(#"{"device":"ab12","budget":"apns-256","payload":""#, Array(text.prefix(257)), #""}"#)
        #expect(binary.first?.reason == "Invalid payload size")
    }

    @Test func `requests to others, events and what is not JSON stay malformed`() {
        let text = [UInt8](repeating: 0xFF, count: 5000)
        for (before, after, rule) in [
            (#"{"message":{"token":"t","notification":{"title":""#, #""}}}"#, "json.invalid-utf8"),
            (#"{"to":"t","data":{"a":""#, #""}}"#, "json.invalid-utf8"),
            (#"{"event":"device","device":""#, #""}"#, "json.invalid-utf8"),
            (#"{"type":"a","userfrom":"b","alert":""#, #""}"#, "json.invalid-utf8"),
            (#"{"payload":""#, #"""#, "json.invalid-utf8"), ("", "", "record.not-text"), ("[", "]", "json.syntax"),
        ] {
            let readings = read(before, text, after)
            #expect(readings.count == 1 && readings.first?.verdict == .malformed, "\(before)")
            #expect(readings.first?.decodeFailure?.rule.description == rule, "\(before)")
        }
    }
}
