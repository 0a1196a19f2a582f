import PushDecoding
import PushModel
import Testing

/// Expo, "Send notifications with Expo's Push API". What Expo hands on to APNs and FCM is not documented: Documentation/reference/formats.md
/// says what is assumed.
@Suite struct ExpoTests {
    private static let token = "ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]"

    private static func message(_ members: String, to: String = #""\#(token)""#) -> String {
        #"{"to":\#(to),\#(members)}"#
    }

    // MARK: - What is one

    @Test(arguments: [
        message(#""title":"a","body":"b""#), #"{"to":"ExpoPushToken[x]","data":{"k":"v"}}"#,
        #"{"to":["ExponentPushToken[x]"],"body":"b","priority":"high"}"#,
        #"[{"to":"ExponentPushToken[x]","body":"b"}]"#,
        // The legacy protocol has these names, too.
        message(#""notification":{"title":"x"},"collapse_key":"k""#),
        #"{"provider":"expo","payload":{"to":"ExponentPushToken[x]","body":"b"}}"#,
        #"{"provider":"expo","payload":[{"to":"ExponentPushToken[x]","body":"b"}]}"#,
        #"{"provider":"expo","payload":"[{\"to\":\"ExponentPushToken[x]\",\"body\":\"b\"}]"}"#,
    ]) func `a message is recognized by its token, and by its provider`(record: String) throws {
        let reading = try read(record)
        #expect(reading.gateway == .expo)
        #expect(reading.isAccepted)
    }

    @Test(arguments: [
        #"{"to":"cXwZ9kT3R0m:APA91bHun4","title":"x","data":{"k":"v"}}"#,
        #"{"to":"ExponentPushToken","data":{"k":"v"}}"#,
        #"{"to":["cXwZ","ExponentPushToken[x]"],"data":{"k":"v"}}"#,
    ]) func `a record for another token is none`(record: String) {
        #expect(readAll(record).allSatisfy { $0.gateway == nil })
    }

    @Test(arguments: [#"[{"to":"bob","body":"x"}]"#, "[]", "[1]", #"["ExponentPushToken[x]"]"#])
    func `an array that is not for Expo is no record`(record: String) throws {
        #expect(try read(record).decodeFailure?.rule == "record.not-an-object")
    }

    @Test(arguments: [
        (#"{"provider":"expo","title":"x"}"#, "record.nothing-to-send"),
        (#"{"provider":"expo","to":5}"#, "record.nothing-to-send"),
        (#"{"provider":"expo","to":[]}"#, "record.nothing-to-send"),
        (#"{"provider":"expo","payload":[]}"#, "record.nothing-to-send"),
        (#"[{"to":"ExponentPushToken[x]"},5]"#, "record.payload-type"),
        (#"[{"to":"ExponentPushToken[x]"},{"title":"x"}]"#, "record.nothing-to-send"),
    ]) func `a request is read as a whole or not at all`(record: String, rule: String) throws {
        #expect(try read(record).decodeFailure?.rule == rule)
    }

    // MARK: - What becomes of it

    @Test func `for an Apple device it becomes a payload for APNs`() throws {
        let reading = try read(
            Self.message(
                #""title":"T","subtitle":"S","body":"B","data":{"match":7},"sound":"default","badge":3,"categoryId":"C","#
                    + #""mutableContent":true,"channelId":"news""#))
        #expect(reading.provider == .apns)
        #expect(reading.platform == .ios)
        #expect(reading.device == Self.token)
        #expect(reading.pushType == .alert)
        #expect(
            reading.payload
                == #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B"},"badge":3,"sound":"default","category":"C","#
                + #""mutable-content":1},"body":{"match":7}}"#)
        #expect(reading.startsServiceExtension)
        #expect(reading.bytes == reading.payload.utf8.count)
        #expect(reading.limit == 4096)
    }

    /// The types of Expo's SDK for Node.js, 6.1.
    @Test func `a notification is replaced by collapseId on Apple devices and by tag on Android`() throws {
        let record = Self.message(#""title":"T","collapseId":"score","tag":"board""#)
        #expect(try read(record).identifier == "score")
        let android = try read(record) { $0.platform = .android }
        #expect(android.payload.contains(#""tag":"board""#))
        #expect(android.identifier == "board")
    }

    @Test func `without mutableContent no service extension starts`() throws {
        #expect(try !read(Self.message(#""title":"T""#)).startsServiceExtension)
        #expect(try !read(Self.message(#""title":"T","mutableContent":false"#)).startsServiceExtension)
    }

    @Test func `for an Android device it becomes a message for FCM`() throws {
        let reading = try read(
            Self.message(
                #""title":"T","subtitle":"S","body":"B","data":{"match":7},"channelId":"news","priority":"high","ttl":60,"#
                    + #""badge":3,"sound":"default""#)
        ) { $0.platform = .android }
        #expect(reading.provider == .fcm)
        #expect(reading.platform == .android)
        #expect(reading.device == Self.token)
        #expect(reading.isAccepted)
        #expect(
            reading.payload
                == #"{"notification":{"title":"T","body":"B"},"data":{"body":"{\"match\":7}"},"#
                + #""android":{"priority":"HIGH","ttl":"60s","notification":{"channel_id":"news"}}}"#)
        #expect(reading.shown.title == "T")
    }

    /// `default` is normal on Android, and high on iOS.
    @Test(arguments: [
        ("", "NORMAL"), (#","priority":"default""#, "NORMAL"), (#","priority":"normal""#, "NORMAL"),
        (#","priority":"high""#, "HIGH"), (#","priority":null"#, "NORMAL"),
    ]) func `the priority default is normal on Android`(member: String, priority: String) throws {
        let reading = try read(Self.message(#""title":"T"\#(member)"#)) { $0.platform = .android }
        #expect(reading.payload.contains(#""priority":"\#(priority)""#))
    }

    @Test func `data alone shows nothing`() throws {
        for platform: Platform in [.ios, .android] {
            let reading = try read(Self.message(#""data":{"k":"v"}"#)) { $0.platform = platform }
            #expect(reading.isAccepted)
            #expect(!reading.isShown)
        }
    }

    @Test(arguments: [
        #""title":null,"subtitle":null,"body":null,"sound":null,"badge":null,"data":null,"ttl":null,"channelId":null"#,
        #""title":5,"body":{},"ttl":"60","expiration":-1,"badge":"3","priority":"urgent","mutableContent":1"#,
        #""data":"text""#, #""data":[1],"sound":5"#,
    ]) func `null and values of a wrong type are handed on as if they were missing`(members: String) throws {
        let reading = try read(Self.message(members))
        #expect(reading.isAccepted)
        #expect(reading.payload == #"{"aps":{}}"#)
    }

    // MARK: - Targets

    @Test func `each message and token is a message of its own, in order`() {
        let readings = readAll(
            #"[{"to":["ExponentPushToken[a]","ExpoPushToken[b]"],"title":"1"},{"to":"ExponentPushToken[c]","title":"2"}]"#
        )
        #expect(readings.map(\.device) == ["ExponentPushToken[a]", "ExpoPushToken[b]", "ExponentPushToken[c]"])
        #expect(readings.map(\.shown.title) == ["1", "1", "2"])
        #expect(readings.map(\.target) == [0, 1, 2])
        #expect(readings.allSatisfy { $0.isAccepted && $0.gateway == .expo })
    }

    @Test(arguments: ["7f3c1a09be52d486", "cXwZ9kT3R0m:APA91bHun4", "ExponentPushToken[x", ""])
    func `a token of another service is not registered`(token: String) {
        let readings = readAll(#"{"to":["ExponentPushToken[a]","\#(token)"],"title":"x"}"#)
        #expect(readings.map(\.reason) == [nil, "DeviceNotRegistered"])
        #expect(readings.last?.errors.map(\.pointer) == ["/to/1"])
        let alone = readAll(#"{"provider":"expo","payload":[{"to":"\#(token)","title":"x"}]}"#)
        #expect(alone.map(\.reason) == ["DeviceNotRegistered"])
        #expect(alone.first?.errors.map(\.pointer) == ["/payload/0/to"])
    }

    // MARK: - Limits

    /// An array has at most 100 messages.
    @Test(arguments: [(100, true), (101, false)])
    func `there are at most 100 messages in a request`(count: Int, isTaken: Bool) {
        let messages = (0..<count).map { #"{"to":"ExponentPushToken[\#($0)]","title":"x"}"# }
        let readings = readAll("[" + messages.joined(separator: ",") + "]")
        #expect(readings.count == count)
        #expect(readings.allSatisfy { $0.isAccepted == isTaken })
        #expect(Set(readings.map(\.reason)) == [isTaken ? nil : "PUSH_TOO_MANY_NOTIFICATIONS"])
    }

    /// expo/expo issue 24895: the object that the app gets, in place of its `data`.
    @Test func `an object in place of a token is named`() throws {
        let failure = try read(#"{"to":{"type":"expo","data":"ExponentPushToken[a]"},"title":"x"}"#).decodeFailure
        #expect(failure?.message.hasPrefix(#""to" must be an Expo token"#) == true)
    }

    /// The documentation does not say that tokens count.
    @Test func `a message may have more tokens`() {
        let tokens = (0..<101).map { #""ExponentPushToken[\#($0)]""# }
        let readings = readAll(#"{"to":[\#(tokens.joined(separator: ","))],"title":"x"}"#)
        #expect(readings.count == 101)
        #expect(readings.allSatisfy { $0.isAccepted })
    }

    /// The whole payload to Apple or Google has at most 4,096 bytes.
    @Test(arguments: [Platform.ios, .android]) func `what is handed on has a budget of 4096 bytes`(platform: Platform)
        throws
    {
        func reading(_ length: Int) throws -> Reading {
            try read(Self.message(#""body":"\#(String(repeating: "x", count: length))""#)) { $0.platform = platform }
        }
        let empty = try reading(1).bytes - 1
        let full = try reading(4096 - empty)
        #expect(full.bytes == 4096)
        #expect(full.isAccepted)
        let over = try reading(4097 - empty)
        #expect(over.bytes == 4097)
        #expect(over.reason == (platform == .ios ? "PayloadTooLarge" : "INVALID_ARGUMENT"))
    }

    // MARK: - Events

    @Test func `an event says which token leads to an app`() throws {
        var decoder = RecordDecoder(options: DecodingOptions())
        var batch = MessageBatch()
        let record = Array(
            #"{"event":"device","device":"ab54","app":"org.example","expo":"ExponentPushToken[X]"}"#.utf8)
        record.withUnsafeBytes { decoder.decode($0, record: 0, into: &batch) }
        #expect(batch.events.map(\.event.settings.tokens.expo) == ["ExponentPushToken[X]"])
        withExtendedLifetime(decoder) {}
    }
}
