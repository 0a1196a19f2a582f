import PushDecoding
import PushModel
import Testing

/// How large a message to a topic or a condition of FCM v1 may be.
///
/// Sources: Firebase, "FCM error codes" (2,048 bytes of `data`); binwiederhier/ntfy-android issue 186 and
/// invertase/react-native-firebase issue 5332 (what goes to APNs may have 4,096, and more is lost without an error).
@Suite struct TopicSizeTests {
    private static let targets = [#""topic":"t""#, #""condition":"'t' in topics""#]

    private static func toTopic(_ members: String, _ target: String = targets[0]) -> String {
        #"{"message":{\#(target),\#(members)}}"#
    }

    private static func data(_ bytes: Int, in block: String? = nil) -> String {
        let data = #""data":{"k":"\#(repeated("x", bytes - 1))"}"#
        return block.map { #""\#($0)":{\#(data)}"# } ?? data
    }

    /// A block whose payload has so many bytes.
    private static func apns(_ bytes: Int) -> String {
        // {"aps":{"alert":""}}
        #""apns":{"payload":{"aps":{"alert":"\#(repeated("x", bytes - 20))"}}}"#
    }

    @Test(arguments: targets, [nil, "android"])
    func `data over 2048 bytes is accepted with a warning`(target: String, block: String?) throws {
        let at = try read(Self.toTopic(Self.data(2048, in: block), target))
        #expect(at.isAccepted)
        #expect(at.findings.isEmpty)
        for bytes in [2049, 4096] {
            let over = try read(Self.toTopic(Self.data(bytes, in: block), target))
            #expect(over.isAccepted)
            #expect(over.rules == ["fcm.topic-size"])
            #expect(over.findings.first?.severity == .warning)
            #expect(over.findings.first?.pointer == "/message")
        }
    }

    @Test(arguments: targets)
    func `what is beside data does not count as data`(target: String) throws {
        for members in [
            #""notification":{"title":"a","body":"\#(repeated("x", 2500))"}"#,
            #""android":{"notification":{"body":"\#(repeated("x", 2500))"}}"#,
            Self.data(2048) + #","notification":{"body":"\#(repeated("x", 500))"}"#,
        ] {
            let reading = try read(Self.toTopic(members, target))
            #expect(reading.isAccepted)
            #expect(reading.findings.isEmpty)
        }
        let both = Self.data(2049) + #","notification":{"body":"x"}"#
        #expect(try read(Self.toTopic(both, target)).rules == ["fcm.topic-size"])
    }

    @Test(arguments: targets)
    func `what Android gets is refused beyond 4096 bytes`(target: String) throws {
        let over = try read(Self.toTopic(Self.data(4097), target))
        #expect(Refusal(over) == Refusal("INVALID_ARGUMENT", 400, at: "/message"))
        #expect(over.rules == ["fcm.invalid-argument"])
        #expect(over.limit == 4096)
        let text = try read(Self.toTopic(#""notification":{"body":"\#(repeated("x", 4093))"}"#, target))
        #expect(Refusal(text) == Refusal("INVALID_ARGUMENT", 400, at: "/message"))
    }

    @Test(arguments: targets)
    func `what Apple devices get may have 4096 bytes, and beyond that it is lost`(target: String) throws {
        for bytes in [2048, 2049, 4096] {
            let fits = try read(Self.toTopic(Self.apns(bytes), target))
            #expect(fits.isAccepted)
            #expect(fits.bytes == bytes)
            #expect(fits.limit == 4096)
            #expect(fits.findings.isEmpty)
        }
        let over = try read(Self.toTopic(Self.apns(4097), target))
        #expect(over.verdict == .suppressed("too-large-for-apns"))
        #expect(over.rules == ["fcm.topic-apns-size"])
        #expect(over.findings.first?.severity == .error)
    }

    @Test(arguments: [#""android":{"priority":"HIGH"}"#, #""webpush":{"headers":{"TTL":"60"}}"#])
    func `a block for others beside it changes nothing for Apple devices`(block: String) throws {
        let fits = try read(Self.toTopic("\(Self.apns(4096)),\(block)"))
        #expect(fits.isAccepted)
        #expect(fits.findings.isEmpty)
        let over = try read(Self.toTopic("\(Self.apns(4097)),\(block)"))
        #expect(over.isAccepted)
        #expect(over.rules == ["fcm.topic-apns-size"])
    }

    @Test func `data goes next to aps, and counts`() throws {
        let members = Self.apns(3000) + "," + Self.data(1200) + #","android":{}"#
        #expect(try read(Self.toTopic(members)).rules == ["fcm.topic-apns-size"])
        #expect(try read(Self.toTopic(Self.apns(2000) + "," + Self.data(1200) + #","android":{}"#)).findings.isEmpty)
    }

    @Test func `what Android could not get is refused, whatever Apple devices get`() throws {
        let members = Self.data(4097) + #","apns":{"payload":{"aps":{"content-available":1}}}"#
        let reading = try read(Self.toTopic(members))
        #expect(Refusal(reading) == Refusal("INVALID_ARGUMENT", 400, at: "/message"))
        #expect(
            reading.errors.map(\.detail) == [
                .fcmError(field: "", description: "Message is too large. The maximum is 4K (4096 bytes).")
            ])
    }

    @Test func `of a message for Apple devices data counts by itself, too`() throws {
        let members = Self.data(2049) + #","apns":{"payload":{"aps":{"content-available":1}}}"#
        let reading = try read(Self.toTopic(members))
        #expect(reading.platform == .ios)
        #expect(reading.isAccepted)
        #expect(reading.rules == ["fcm.topic-size"])
    }

    @Test func `a token has one limit for everything`() throws {
        let reading = try read(#"{"message":{"token":"t",\#(Self.apns(4097))}}"#)
        #expect(Refusal(reading) == Refusal("INVALID_ARGUMENT", 400, at: "/message"))
        #expect(try read(#"{"message":{"token":"t",\#(Self.data(4096))}}"#).findings.isEmpty)
    }

    @Test func `a validated message is not sent, and so not lost`() throws {
        let reading = try read(#"{"validate_only":true,"message":{"topic":"t",\#(Self.apns(4097))}}"#)
        #expect(reading.verdict == .suppressed("dry-run"))
        #expect(reading.rules == ["fcm.topic-apns-size"])
    }

    @Test func `a budget that the user forces refuses what is over it`() throws {
        for members in [Self.data(2049), Self.apns(2049)] {
            #expect(try read(Self.toTopic(members)) { $0.budget = .fcmTopic }.reason == "INVALID_ARGUMENT")
        }
    }

    @Test func `a message that is wrong otherwise is refused for that`() throws {
        let reading = try read(Self.toTopic(Self.apns(4097) + #","data":{"from":"x"}"#))
        #expect(Refusal(reading) == Refusal("INVALID_ARGUMENT", 400, at: "/message/data/from"))
        #expect(reading.rules == ["fcm.invalid-argument"])
    }
}
