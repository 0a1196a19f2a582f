import PushDecoding
import PushJSON
import Testing

/// Payloads are found in the lines of logs.
struct RecordLocationTests {
    /// What is found, and where it begins in the line; nil for nothing.
    private func find(_ line: String, at pointer: String?, skipsPrefix: Bool = false) throws -> (String, Int)? {
        let location = try #require(RecordLocation(pointer: pointer, skipsPrefix: skipsPrefix))
        var locator = RecordLocator(location)
        var scratch = ScratchArena()
        // SOUND: the bytes live until the closure returns, and what is found is copied.
        return unsafe Array(line.utf8).withUnsafeBytes { bytes in
            switch unsafe locator.locate(in: bytes, &scratch) {
            case .whole: (line, 0)
            case .found(let record): (record.text.string, record.start)
            case .nothing: nil
            }
        }
    }

    private static let payload = #"{"aps":{"alert":"Grüße"}}"#

    @Test(arguments: [
        (#"{"level":"info","payload":P}"#, "/payload", 26), (#"{"a":{"b":[1,P]}}"#, "/a/b/1", 13),
        (#"{"a/b":{"~":P}}"#, "/a~1b/~0", 12), (#"{"":P}"#, "/", 4), (#"[P]"#, "/0", 1),
    ])
    func `an object is found where a pointer leads`(_ line: String, _ pointer: String, _ start: Int) throws {
        let found = try find(line.replacing("P", with: Self.payload), at: pointer)
        #expect(found?.0 == Self.payload)
        #expect(found?.1 == start)
    }

    @Test(arguments: [
        (#"{"log":"{\"aps\":{\"badge\":1}}\n","stream":"stdout"}"#, "/log", 7),
        (#"{"log":"{\"push\":{\"aps\":{\"badge\":1}}}\n"}"#, "/log/push", 7),
        (#"{"log":"{\"push\":\"{\\\"aps\\\":{\\\"badge\\\":1}}\"}"}"#, "/log/push", 7),
        (#"{"a":["  {\"aps\":{\"badge\":1}} "]}"#, "/a/0", 6),
        (#"{"p":"{\u0022aps\u0022:{\u0022badge\u0022:1}}"}"#, "/p", 5),
    ])
    func `a string that holds JSON is read`(_ line: String, _ pointer: String, _ start: Int) throws {
        let found = try find(line, at: pointer)
        #expect(found?.0 == #"{"aps":{"badge":1}}"#)
        #expect(found?.1 == start)
    }

    @Test(arguments: [
        (#"{"level":"info"}"#, "/payload"), (#"{"payload":null}"#, "/payload"), (#"{"payload":""}"#, "/payload"),
        (#"{"payload":" \n"}"#, "/payload"), (#"{"payload":5}"#, "/payload/x"), (#"{"log":"started"}"#, "/log/x"),
        (#"{"a":[P]}"#, "/a/1"), (#"{"a":[P]}"#, "/a/01"), (#"{"a":[P]}"#, "/a/-"), (#"{"a":{"B":P}}"#, "/a/b"),
    ])
    func `a line without a payload has none`(_ line: String, _ pointer: String) throws {
        #expect(try find(line.replacing("P", with: Self.payload), at: pointer) == nil)
    }

    @Test(arguments: [
        "2026-11-23T10:00:00Z P", "[pod/push-7d9f/sender] P", "level=info {pool} msg=P", "{ {{ P",
        #"I1123 sent: "x" P"#,
        "P",
    ])
    func `what stands before the object is skipped`(_ line: String) throws {
        let line = line.replacing("P", with: Self.payload)
        let found = try find(line, at: nil, skipsPrefix: true)
        #expect(found?.0 == Self.payload)
        #expect(found?.1 == line.utf8.count - Self.payload.utf8.count)
    }

    @Test(arguments: [
        "10:00 P (12.3ms)", "P status=200", "x P \t(", "x P \u{FF}", "push P -> 200 {}", "x payload=P, 3ms",
        "sent (P) x",
    ])
    func `other text that follows the object is skipped`(_ line: String) throws {
        let found = try find(line.replacing("P", with: Self.payload), at: nil, skipsPrefix: true)
        #expect(found?.0 == Self.payload)
    }

    @Test(arguments: [
        #"x {"aps":{}}}"#, #"x({"aps":{}})"#, #"x {"aps":{}},"#, #"x {"aps":{}}(1 ms)"#, #"x {"aps":{} (1 ms)"#,
        #"x {"aps":{}},{"aps":{}}"#,
    ])
    func `text right after the object, or in it, is a mistake and stays`(_ line: String) throws {
        #expect(try find(line, at: nil, skipsPrefix: true)?.0 == String(line.dropFirst(2)))
    }

    @Test(arguments: [
        (#"{"msg":"sent {\"aps\":{}} in 3 ms"}"#, 13), (#"{"msg":"{\"aps\":{}} (3 ms)"}"#, 8),
        (#"I {"msg":"sent {\"aps\":{}}"}"#, 15), (#"{"msg":" {\"aps\":{}}"}"#, 9),
    ])
    func `text around the object in a string is skipped`(_ line: String, _ start: Int) throws {
        #expect(try find(line, at: "/msg", skipsPrefix: true)?.0 == #"{"aps":{}}"#)
        var locator = RecordLocator(try #require(RecordLocation(pointer: "/msg", skipsPrefix: true)))
        var scratch = ScratchArena()
        // SOUND: the bytes live until the closure returns.
        let offset = unsafe Array(line.utf8).withUnsafeBytes { bytes -> Int? in
            guard case .found(let record) = unsafe locator.locate(in: bytes, &scratch) else { return nil }
            return record.offsetInLine(0)
        }
        #expect(offset == start)
    }

    @Test(arguments: [
        #"a={"id":1} b=P"#, #"a={"id":1}, b=P c={"id":2}"#, #"{"id":1} P"#,
        #"a={} b='P'"#, #"say "{\"x" P"#, #"a="{\"id\":1}" b=P"#,
    ])
    func `of several objects the message is read`(_ line: String) throws {
        #expect(try find(line.replacing("P", with: Self.payload), at: nil, skipsPrefix: true)?.0 == Self.payload)
    }

    @Test(arguments: [
        (#"a={"id":1} b={"n":2}"#, #"{"id":1}"#), (#"a={"id":1} b={"alert":2}"#, #"{"id":1}"#),
        (#"a={"id":1} b={"aps":"#, #"{"id":1}"#), (#"a="{\"id\":1}" b=2"#, #"{"id":1}"#),
    ])
    func `of several objects without a message the first is read`(_ line: String, _ object: String) throws {
        #expect(try find(line, at: nil, skipsPrefix: true)?.0 == object)
    }

    @Test(
        arguments: [
            (#"a=1 p="P" b=2"#, nil, 7, 0), (#"p="P""#, nil, 3, 0),
            (#"a={"id":1} p="{\"sent\":P}" b=2"#, "/sent", 14, 8),
            (#"p="{\"sent\":\"{\\\"aps\\\":{}}\"}""#, "/sent", 3, nil),
        ] as [(String, String?, Int, Int?)])
    func `an object in a string after text is read`(_ line: String, _ pointer: String?, _ start: Int, _ lead: Int?)
        throws
    {
        let line = line.replacing("P", with: #"{\"aps\":{}}"#)
        let found = try find(line, at: pointer, skipsPrefix: true)
        #expect(found?.0 == #"{"aps":{}}"#)
        #expect(found?.1 == start - 1)
        guard let lead else { return }
        var locator = RecordLocator(try #require(RecordLocation(pointer: pointer, skipsPrefix: true)))
        var scratch = ScratchArena()
        // SOUND: the bytes live until the closure returns.
        let offset = unsafe Array(line.utf8).withUnsafeBytes { bytes -> Int? in
            guard case .found(let record) = unsafe locator.locate(in: bytes, &scratch) else { return nil }
            return record.offsetInLine(2)
        }
        // Two escapes of one byte each before the payload's name.
        #expect(offset == start + lead + (pointer == nil ? 3 : 5))
    }

    /// Loggers cut long lines, and those have the payloads that are too large.
    @Test(arguments: [
        #"a payload="{\"aps\":{\"alert\":\"A very long... (truncated)"#, #"a {"id":1} p="{\"message\":{\"tok"#,
    ])
    func `a string that is cut is no JSON, if it begins like a payload`(_ line: String) throws {
        let start = try #require(line.firstRange(of: "\"{\\")).lowerBound
        #expect(
            try find(line, at: nil, skipsPrefix: true)?.0
                == (line.hasPrefix("a {") ? #"{"id":1}"# : String(line[start...])))
        #expect(try find(#"say "{\"x"#, at: nil, skipsPrefix: true) == nil)
    }

    @Test func `a mistake in a string stays, if it is like a payload`() throws {
        let text = #"{"aps":{"alert":"d",}}"#
        #expect(try find(#"x log="{\"aps\":{\"alert\":\"d\",}}""#, at: nil, skipsPrefix: true)?.0 == text)
        #expect(try find(#"x log="{\"id\":1,}""#, at: nil, skipsPrefix: true) == nil)
    }

    /// Looking for the message in a line of many objects reads each once. With the square of the line this would take minutes.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [#"{} "#, #"{"a":1} "#, #"{"a":"{\"b\":1}"} "#, #""{\"a\":1}" "#, #"{""#, #""{\""#])
    func `a line of many objects is read in time`(unit: String) throws {
        let line = "x " + String(repeating: unit, count: 1_000_000 / unit.utf8.count)
        _ = try find(line, at: nil, skipsPrefix: true)
        _ = try find(line, at: "/aps", skipsPrefix: true)
        // SOUND: the bytes live until the closure returns.
        unsafe Array(line.utf8).withUnsafeBytes {
            _ = unsafe LogRecognition(beginning: $0, isEnd: true, DecodingOptions())
        }
    }

    @Test func `a string in a string is read`() throws {
        let line = #"{"log":"sent payload=\"{\\\"push\\\":{\\\"aps\\\":{}}}\" 3ms\n"}"#
        #expect(try find(line, at: "/log", skipsPrefix: true)?.0 == #"{"push":{"aps":{}}}"#)
        let found = try find(line, at: "/log/push", skipsPrefix: true)
        #expect(found?.0 == #"{"aps":{}}"# && found?.1 == 7)
    }

    @Test func `text before JSON in a string is skipped on the way to a payload`() throws {
        let line = #"{"log":"INFO {\"push\":{\"aps\":{}}} 3 ms\n"}"#
        #expect(try find(line, at: "/log/push", skipsPrefix: true)?.0 == #"{"aps":{}}"#)
        #expect(try find(line, at: "/log/push") == nil)
    }

    @Test(arguments: [#"{"msg":"starting"}"#, #"{"msg":"a {b} c"}"#])
    func `a string without an object is skipped with text before objects`(_ line: String) throws {
        #expect(try find(line, at: "/msg", skipsPrefix: true) == nil)
    }

    @Test(arguments: ["", "started", "[1,2]", "{", "{x}", "{pool: 3}", "a {"])
    func `a line without an object is skipped`(_ line: String) throws {
        #expect(try find(line, at: nil, skipsPrefix: true) == nil)
    }

    @Test func `a pointer leads into the object after a prefix`() throws {
        let line = #"sender-1 {"sent":P}"#.replacing("P", with: Self.payload)
        let found = try find(line, at: "/sent", skipsPrefix: true)
        #expect(found?.0 == Self.payload)
        #expect(found?.1 == 17)
    }

    /// Whoever reads it says what is wrong with it.
    @Test func `a line that is not JSON stays as it is`() throws {
        #expect(try find(#"{"payload":"#, at: "/payload")?.0 == #"{"payload":"#)
        #expect(try find(#"x {"payload":"#, at: "/payload", skipsPrefix: true)?.0 == #"{"payload":"#)
    }

    @Test(arguments: ["payload", "/a~", "/a~2"]) func `other texts are no pointers`(_ text: String) {
        #expect(RecordLocation(pointer: text) == nil)
    }

    @Test(arguments: [
        (#"{"p":"{\"aps\":1}"}"#, "/p", 2, 9), (#"{"p":"  {\"aps\":1}"}"#, "/p", 2, 11),
        (#"{"p":{"aps":1}}"#, "/p", 2, 7), (#"{"p":"{\"q\":{\"aps\":1}}"}"#, "/p/q", 2, 16),
    ])
    func `an offset in the payload is one in the line`(
        _ line: String, _ pointer: String, _ offset: Int, _ expected: Int
    ) throws {
        var locator = RecordLocator(try #require(RecordLocation(pointer: pointer)))
        var scratch = ScratchArena()
        let bytes = Array(line.utf8)
        // SOUND: the bytes live until the closure returns.
        let found: Int? = unsafe bytes.withUnsafeBytes { bytes in
            guard case .found(let record) = unsafe locator.locate(in: bytes, &scratch) else { return nil }
            return record.offsetInLine(offset)
        }
        #expect(found == expected)
        // The byte is the same: the a of aps.
        #expect(bytes[expected] == UInt8(ascii: "a"))
    }

    @Test func `strings within strings are followed to a limit`() throws {
        var line = #"{"a":1}"#
        for _ in 0..<12 { line = #"{"a":"# + String(decoding: quoted(line), as: UTF8.self) + "}" }
        let pointer = String(repeating: "/a", count: 12)
        #expect(try find(line, at: pointer) == nil)
    }

    private func quoted(_ text: String) -> [UInt8] {
        // SOUND: the bytes are copied.
        var out = ByteBuffer()
        out.appendJSONString(text)
        return unsafe Array(out.bytes)
    }
}
