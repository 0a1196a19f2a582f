import PushDecoding
import PushModel
import Testing

@Suite struct GoogleDecodingTests {
    static func message(_ members: String) -> String { #"{"message":{"token":"t",\#(members)}}"# }

    // MARK: - What Android shows

    @Test func `a legacy notification is shown under its tag`() throws {
        let reading = try read(#"{"to":"t","notification":{"title":"T","body":"B","tag":"chat-7"}}"#)
        #expect(reading.platform == .android)
        #expect(reading.shown == ShownContent(title: "T", body: "B"))
        #expect(reading.identifier == "chat-7")
        #expect(reading.isShown)
        #expect(!reading.startsServiceExtension)
    }

    @Test(arguments: [
        #"{"to":"t","data":{"title":"T","body":"B"}}"#, #"{"to":"t","notification":{}}"#,
        #"{"to":"t","notification":{"title":"","body":""}}"#, #"{"message":{"token":"t","data":{"body":"B"}}}"#,
        #"{"message":{"token":"t"}}"#,
    ])
    func `a message without text shows nothing`(record: String) throws {
        let reading = try read(record)
        #expect(reading.isAccepted)
        #expect(!reading.isShown)
    }

    @Test func `without a tag there is no identifier`() throws {
        #expect(try read(#"{"to":"t","collapse_key":"c","notification":{"title":"T"}}"#).identifier == nil)
        #expect(try read(#"{"to":"t","notification":{"title":"T","tag":""}}"#).identifier == nil)
        #expect(try read(Self.message(#""android":{"collapse_key":"c"}"#)).identifier == nil)
    }

    @Test func `the android block's notification wins over the common one`() throws {
        let common = #""notification":{"title":"common","body":"common body"}"#
        let android = #""android":{"notification":{"title":"android","tag":"a1"}}"#
        for members in ["\(common),\(android)", "\(android),\(common)"] {
            let reading = try read(Self.message(members))
            #expect(reading.shown == ShownContent(title: "android", body: "common body"))
            #expect(reading.identifier == "a1")
        }
    }

    @Test func `localisation keys stand for texts that are not given`() throws {
        let keys = #""title_loc_key":"TK","body_loc_key":"BK""#
        #expect(try read(#"{"to":"t","notification":{\#(keys)}}"#).shown == ShownContent(title: "TK", body: "BK"))
        #expect(
            try read(#"{"to":"t","notification":{\#(keys),"title":"T"}}"#).shown
                == ShownContent(title: "T", body: "BK"))
    }

    @Test func `escapes are decoded on Android too`() throws {
        let reading = try read(#"{"to":"t\u0031","notification":{"body":"\u00e9","t\u0061g":"a\/b"}}"#)
        #expect(reading.device == "t1")
        #expect(reading.shown.body == "é")
        #expect(reading.identifier == "a/b")
    }

    @Test func `the app is the restricted package`() throws {
        #expect(try read(#"{"to":"t","restricted_package_name":"org.example"}"#).topic == "org.example")
        #expect(try read(Self.message(#""android":{"restricted_package_name":"org.example"}"#)).topic == "org.example")
        #expect(try read(#"{"to":"t"}"#) { $0.topic = "org.option" }.topic == "org.option")
    }

    // MARK: - Targets

    @Test(arguments: [
        (#"{"to":"t"}"#, "t", 4096), (#"{"notification_key":"group"}"#, "group", 4096),
        (#"{"registration_ids":["one"]}"#, "one", 4096), (#"{"to":"/topics/news"}"#, "/topics/news", 2048),
        (#"{"condition":"'a' in topics"}"#, "'a' in topics", 2048),
        (#"{"message":{"token":"t"}}"#, "t", 4096), (#"{"message":{"topic":"news"}}"#, "news", 2048),
        (#"{"message":{"condition":"'a' in topics"}}"#, "'a' in topics", 2048),
        (#"{"to":"topics/news"}"#, "topics/news", 4096),
    ])
    func `topics and conditions are devices with half the room`(record: String, device: String, limit: Int) throws {
        let reading = try read(record)
        #expect(reading.isAccepted)
        #expect(reading.device == device)
        #expect(reading.limit == limit)
        #expect(reading.target == nil)
    }

    // MARK: - Counting

    @Test(arguments: [
        (#"{"to":"t"}"#, 0),
        (#"{"to":"t","data":{"score":"5x1"}}"#, 8),
        (#"{"to":"t","data":{"a":"b"},"notification":{"title":"x"}}"#, 8),
        (#"{"to":"t","data":{"n":1,"b":true,"z":null}}"#, 12),
        (#"{"to":"t","data":{"o":{ "p" : [1] }}}"#, 14),
        (#"{"to":"t","data":{"é":"\u00e9\n\""}}"#, 6),
        (#"{"to":"t","data":{"a":"b","a":"cd"}}"#, 5),
        (#"{"message":{"token":"t","data":{"a":"b"},"notification":{"body":"B"}}}"#, 7),
        (#"{"message":{"token":"t","data":{"a":"b"},"android":{"data":{"c":"d"},"notification":{"tag":"t"}}}}"#, 8),
        (#"{"message":{"token":"t","android":{"ttl":"5s"},"webpush":{"data":{"x":"y"}}}}"#, 0),
    ])
    func `names and values are counted in decoded bytes`(record: String, bytes: Int) throws {
        #expect(try read(record).bytes == bytes)
    }

    // MARK: - Dry runs

    @Test(arguments: [
        #"{"to":"t","dry_run":true}"#, #"{"message":{"token":"t"},"validate_only":true}"#,
        #"{"validateOnly":true,"message":{"token":"t"}}"#,
    ])
    func `a dry run is accepted and suppressed`(record: String) throws {
        #expect(try read(record).verdict == .suppressed("dry-run"))
    }

    @Test(arguments: [
        #"{"to":"t","dry_run":false}"#, #"{"message":{"token":"t"},"validate_only":false}"#,
        #"{"message":{"token":"t","data":{"validate_only":"true"}}}"#, #"{"to":"t","data":{"dry_run":"true"}}"#,
    ])
    func `what is no dry run is delivered`(record: String) throws {
        #expect(try read(record).isAccepted)
    }

    @Test func `a dry run is refused as the real one would be`() throws {
        #expect(try read(#"{"to":"t","dry_run":true,"time_to_live":-1}"#).reason == "InvalidTtl")
        #expect(try read(#"{"message":{},"validate_only":true}"#).reason == "INVALID_ARGUMENT")
    }
}
