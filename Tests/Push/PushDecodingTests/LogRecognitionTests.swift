import PushDecoding
import PushJSON
import PushModel
import Testing

/// A log is recognized by its beginning.
struct LogRecognitionTests {
    private func reading(
        _ lines: String..., isEnd: Bool = true, _ configure: (inout DecodingOptions) -> Void = { _ in }
    ) -> LogRecognition {
        let found = whole(lines, isEnd: isEnd, configure)
        guard case .log(var location) = found else { return found }
        location.timePlace = nil
        location.isAssumed = false
        return .log(location)
    }

    /// The reading with the place of times.
    private func whole(
        _ lines: [String], isEnd: Bool = true, _ configure: (inout DecodingOptions) -> Void = { _ in }
    ) -> LogRecognition {
        var options = DecodingOptions()
        configure(&options)
        // SOUND: the bytes live until the closure returns.
        return unsafe Array(lines.map { $0 + "\n" }.joined().utf8).withUnsafeBytes {
            unsafe LogRecognition(beginning: $0, isEnd: isEnd, options)
        }
    }

    @Test(
        arguments: [
            (#"Nov 28 20:00:00 web1 sender[42]: {"aps":{}}"#, "line"), (#"[req-1] sent {"aps":{}}"#, nil),
            (#"{"level":"info","time":"2026-11-28T20:00:00Z","push":{"aps":{}}}"#, "/time"),
            (#"{"level":"info","ts":1793736000.5,"push":{"aps":{}}}"#, "/ts"),
            (#"{"level":"info","push":{"aps":{}}}"#, nil),
        ] as [(String, String?)])
    func `the place of times is known`(line: String, place: String?) {
        guard case .log(let location) = whole([line]) else {
            Issue.record("no log")
            return
        }
        #expect(location.timePlace == place)
    }

    private func log(_ pointer: String? = nil, afterText: Bool = false) -> LogRecognition? {
        RecordLocation(pointer: pointer, skipsPrefix: afterText).map(LogRecognition.log)
    }

    @Test(arguments: [
        #"I, [2026-11-28T20:00:00.123456 #4242]  INFO -- : [req-1] sending {"aps":{"alert":"Goal!"}}"#,
        #"time=2026-11-28T20:00:00Z level=info payload={"aps":{"alert":"Goal!"}}"#,
        #"Nov 28 20:00:00 web1 sender[42]: {"aps":{"alert":"Goal!"}}"#,
        #"<13>1 2026-11-28T20:00:00Z web1 sender 42 - - {"message":{"token":"a","data":{}}}"#,
        #"[pod/sender-7d9f/app] {"to":"ExponentPushToken[a]","title":"x"}"#, #"1764360000 {"aps":{}}"#,
        #"2026-11-28 20:00:00,123 - sender - INFO - { "aps": {} }"#, #"INFO -- : sent {"aps":{"alert":"x"}} (12.3ms)"#,
        #"INFO: {"to":"a","notification":{"title":"x"}} status=200"#,
        #"level=info msg=sent payload="{\"aps\":{\"alert\":\"Hi\"}}" took=3ms"#, "INFO sent payload='{\"aps\":{}}'",
        #"INFO headers={"apns-topic":"a.b"} payload={"aps":{}}"#, #"INFO {"id":1}, payload="{\"aps\":{}}""#,
    ])
    func `an object after text is read`(line: String) {
        #expect(reading(line) == log(afterText: true))
        #expect(reading("Started POST \"/\"", "", "  Parameters: {\"a\"=>\"b\"}", line) == log(afterText: true))
    }

    @Test(arguments: [
        (#"{"push":"{\"aps\":{}}"}"#, "/push"), (#"{"log":"{\"a\":{\"push\":{\"aps\":{}}}}\n"}"#, "/log/a/push"),
        (#"{"level":"info","push":{"aps":{}}}"#, "/push"),
        (#"{"logger":"x","a":{"b":{"payload":{"aps":{}}}}}"#, "/a/b"),
        (#"{"level":"info","body":"{\"message\":{\"token\":\"x\"}}"}"#, "/body"),
        (#"{"level":"info","payload":"{\"message\":{\"token\":\"x\",\"data\":{}}}"}"#, "/payload"),
        (#"{"level":"info","payload":"{\"aps\":{}}"}"#, "/payload"),
        (#"{"level":"info","message":"sent","payload":{"aps":{}}}"#, "/payload"),
        (#"{"payload":"{\"message\":{\"token\":\"x\",\"data\":{}}}"}"#, "/payload"),
        (#"{"event":"sent","push":"{\"aps\":{}}"}"#, "/push"), (#"{"msg":"sent","body":"{\"aps\":{}}"}"#, "/body"),
        (#"{"time":5,"payload":"{\"to\":\"a\",\"notification\":{\"title\":\"x\"}}"}"#, "/payload"),
    ])
    func `the member with a payload is read`(_ line: String, _ pointer: String) {
        #expect(reading(line) == log(pointer))
        #expect(reading(#"{"level":"info","msg":"starting"}"#, line) == log(pointer))
        #expect(reading("10:00 INFO " + line) == log(pointer, afterText: true))
    }

    @Test(arguments: [
        #"{"level":"info","msg":"sent {\"aps\":{}} in 3 ms"}"#, #"{"level":"info","msg":"sending {\"aps\":{}}"}"#,
        #"{"level":"info","msg":"{\"aps\":{}} (3 ms)"}"#,
    ])
    func `text around the payload in a member is skipped`(line: String) {
        #expect(reading(line) == log("/msg", afterText: true))
    }

    @Test func `text around JSON in a member is skipped, too`() {
        let line = #"{"log":"INFO sent {\"push\":\"{\\\"aps\\\":{}}\"}\n","stream":"stdout"}"#
        #expect(reading(line) == log("/log/push", afterText: true))
        let quoted = #"{"log":"sent payload=\"{\\\"aps\\\":{}}\" 3ms\n","stream":"stdout"}"#
        #expect(reading(quoted) == log("/log", afterText: true))
        let journal = #"{"MESSAGE":"INFO sent {\"aps\":{}}","PRIORITY":"6"}"#
        #expect(reading(#"{"MESSAGE":"started","PRIORITY":"6"}"#, journal) == log("/MESSAGE", afterText: true))
    }

    /// Objects in logs have members with names of messages.
    @Test(arguments: [
        #"{"event":"cache.miss"}"#, #"{"message":"hello"}"#, #"{"to":"/a","x":1}"#,
        #"{"topic":"orders","data":{"id":1}}"#,
        #"{"provider":"aws","token":"x"}"#, #"{"place":"here","title":"t","body":"b"}"#,
    ])
    func `an object of a log is no message by a common name alone`(object: String) {
        #expect(reading("x \(object)", #"x {"aps":{}}"#) == log(afterText: true))
        #expect(reading("x \(object)", isEnd: false) == .undecided)
        let line = #"{"level":"info",\#(object.dropFirst())"#
        #expect(reading(line, isEnd: false) == .undecided)
        #expect(reading(line, #"{"level":"info","payload":{"aps":{}}}"#) == log("/payload"))
    }

    @Test(arguments: [
        #"{"device":"ab12","level":5,"payload":"{\"aps\":{}}"}"#,
        #"{"aps":{}}"#, #"{"event":"device","device":"a"}"#, #"{"payload":"{\"aps\":{}}"}"#, "{", "[", #"[{"aps":{}}]"#,
        #"{"title":"t","body":"b","data":{"json":"{\"aps\":{}}"}}"#, #"{"data":{"aps":{}}}"#,
        #"{"notification":{"title":"x"},"data":{"push":"{\"aps\":{}}"}}"#, #"{"msg":"hello","custom":{"aps":{}}}"#,
        #"{"timestamp":5,"APS":{"aps":1}}"#, #"{"apns":{"payload":{"aps":{}}},"time":5}"#,
        #""words""#, #"{"place":{"seq":1},"push":"{\"aps\":{}}"}"#, "{'aps':{}}",
    ])
    func `a line that begins with JSON of ours is a record`(line: String) {
        #expect(reading(line) == .records)
        #expect(reading(line, #"10:00 INFO {"aps":{}}"#) == .records)
    }

    /// An object in an object, without a log's members around it, may be a mistake.
    @Test(arguments: [
        #"{"foo":1}"#, #"{"deep":{"push":"{\"aps\":{}}"}}"#, #"{"level":"info","a b":{"aps":{}}}"#,
        #"{"msg":"{\"payload\":\"x\"}"}"#,
    ])
    func `JSON without a payload says nothing`(line: String) {
        #expect(reading(line) == .records)
        #expect(reading(line, isEnd: false) == .undecided)
        #expect(reading(line, #"10:00 INFO {"aps":{}}"#) == log(afterText: true))
    }

    @Test(arguments: [
        "words", "a,b,c", #"cb({"aps":{}})"#, #"// {"aps":{}}"#, "10:00 INFO {}", #"10:00 {"a":1} words"#, "",
    ])
    func `text without a record is no log`(line: String) {
        #expect(reading(line) == .text || reading(line) == .records)
        #expect(reading(line, isEnd: false) == .undecided)
        #expect(reading(line, #"{"aps":{}}"#) == .records)
    }

    @Test(arguments: [
        (#"{"level":"info","apns":"{\"aps\":{}}","fcm":"{\"message\":{\"token\":\"t\"}}"}"#, true),
        (#"{"level":"info","apns":"{\"aps\":{}}","fcm":"{}"}"#, false),
    ])
    func `a second payload in a line is told`(line: String, isTold: Bool) {
        guard case .log(let location) = whole([line]) else {
            Issue.record("no log")
            return
        }
        #expect(location.pointer == "/apns")
        let advice = #"another at /fcm, that one is not read [readOtherPlace("/fcm", afterText: false)]"#
        #expect(location.recognized { " [\($0)]" }.hasSuffix(advice) == isTold)
    }

    @Test func `an array that is wrong is no log, and needs no end of a line to be an array`() {
        #expect(reading(#"[null,{"aps":{"alert":"a"}}"#, #",{"aps":{}}"#) == .text)
        var options = DecodingOptions()
        options.format = nil
        // SOUND: the bytes live until the closure returns.
        let beginning = unsafe Array(#"[{"aps":{}},"#.utf8).withUnsafeBytes {
            unsafe LogRecognition(beginning: $0, isEnd: false, options)
        }
        #expect(beginning == .records)
    }

    @Test func `more lines are waited for, but not for ever`() {
        #expect(reading("words", isEnd: false) == .undecided)
        #expect(reading(#"{"aps":{}}"#, isEnd: false) == .records)
        let words = String(repeating: "words\n", count: LogRecognition.examinedBytes / 6 + 1)
        #expect(reading(words, isEnd: false) == .text)
        #expect(reading(words, #"10:00 {"aps":{}}"#) == .text)
    }

    @Test func `with a format that is forced, any object after text is a record`() {
        #expect(reading(#"10:00 {"a":1}"#) { $0.format = .apns } == log(afterText: true))
        #expect(reading(#"{"push":"{\"aps\":{}}"}"#) { $0.format = .apns } == .records)
    }
}
