import PushJSON
import PushModel
import Testing

/// Where a failure is: its offset in bytes from the record's first byte, and its position in an editor.
@Suite struct DecodeFailureTests {
    struct Place: Equatable {
        var offset: Int
        var line: Int
        var column: Int
    }

    /// The place of the mark, computed with Swift's own string functions. Valid JSON has no mark outside a string.
    static func place(of mark: Unicode.Scalar = "@", in record: String) throws -> Place {
        let scalars = record.unicodeScalars
        let index = try #require(scalars.firstIndex(of: mark))
        let before = scalars[..<index]
        let line = before.count { $0 == "\n" } + 1
        let start = before.lastIndex(of: "\n").map { before.index(after: $0) } ?? before.startIndex
        return Place(
            offset: record.utf8.distance(from: record.startIndex, to: index), line: line,
            column: before[start...].count + 1)
    }

    static func place(_ decodeFailure: DecodeFailure) -> Place {
        Place(offset: decodeFailure.offset, line: decodeFailure.position.line, column: decodeFailure.position.column)
    }

    @Test func `the marks are found where they are`() throws {
        #expect(try Self.place(in: "@") == Place(offset: 0, line: 1, column: 1))
        #expect(try Self.place(in: "é😀@") == Place(offset: 6, line: 1, column: 3))
        #expect(try Self.place(in: "a\r\n日@b\n") == Place(offset: 6, line: 2, column: 2))
    }

    @Test(arguments: [
        "@", #"{"aps":@}"#, #"{"é":"日本",@}"#, "{\n  \"aps\": {\r\n\t\"alert\": \"😀\" @\n}}", #"{"aps":{}}@"#,
        "{\"a\":[1,\n\n@]}",
        #"{"aps":{"a":"\u00e9"@}}"#,
    ])
    func `a fault in the record itself`(record: String) throws {
        let decodeFailure = try #require(try read(record).decodeFailure)
        #expect(decodeFailure.rule == "json.syntax")
        #expect(Self.place(decodeFailure) == (try Self.place(in: record)))
    }

    @Test(arguments: [
        #"{"payload":"@"}"#,
        #"{"payload":"{\"aps\":@}"}"#,
        #"{"payload":"{\"aps\":{\"alert\":\"caf\u00e9 \ud83d\ude00\"}@}"}"#,
        #"{"payload":"{\"a\\nb\":\"\\u00e9\",\n\t@}"}"#,
        #"{"payload":"\u007b\u0022a\u0022:1@}"}"#,
        #"{"é":"日","payload":"{\"é\":\"日本\" @}"}"#,
        "{\n \"device\":\"ab\",\n \"payload\":\"{\\\"a\\\": @}\"}",
        #"{"provider":"gcm","payload":"{\"to\":@}"}"#,
        #"{"provider":"fcm","payload":"{\"message\":{\"token\":\"t\u00e9\"@}}"}"#,
        #"{"APNS":"{\"aps\":{\"alert\":\"x\"}@}"}"#,
        #"{"default":"\u00e9","GCM":"{\"data\"@}"}"#,
        #"{"MessageStructure":"json","Message":"{\"APNS\"@\"{}\"}"}"#,
    ])
    func `a fault in JSON inside a string`(record: String) throws {
        let decodeFailure = try #require(try read(record).decodeFailure)
        #expect(decodeFailure.rule == "json.syntax")
        #expect(Self.place(decodeFailure) == (try Self.place(in: record)))
    }

    @Test(arguments: [
        #"{"aps":@}"#, #"{"aps":{"alert":"é\n😀\u00e9\"\\"}@}"#, "{\n\t\"aps\": {},@}", #"{"a\/b":"\/\b\f\r\t"@}"#,
    ])
    func `a fault in JSON inside a string inside a string`(payload: String) throws {
        let message = "{\"default\":\"\u{E9}\\n\",\"APNS\":\(Self.lines(quoted(payload)))}"
        let record = "{\"MessageStructure\":\"json\",\n\"Message\":\(Self.lines(quoted(message)))}"
        let decodeFailure = try #require(try read(record).decodeFailure)
        #expect(decodeFailure.rule == "json.syntax")
        #expect(Self.place(decodeFailure) == (try Self.place(in: record)))
    }

    /// Line feeds and tabs as escapes of a JSON string.
    static func lines(_ text: String) -> String { text.replacing("\n", with: "\\n").replacing("\t", with: "\\t") }

    @Test func `a fault at an escape is at the escape's first byte`() throws {
        // The string contains {"a":\u0040}. The invalid character is the decoded @, at the backslash.
        let record = #"{"payload":"{\"a\":\u0040}"}"#
        let decodeFailure = try #require(try read(record).decodeFailure)
        #expect(decodeFailure.offset == #"{"payload":"{\"a\":"#.utf8.count)
    }

    @Test func `a text that ends too early ends at its closing quote`() throws {
        for payload in [#"{\"aps\":"#, #"{\"aps\":\"\u00e9"#, #"{"#] {
            let record = #"{"payload":"\#(payload)","x":1}"#
            let decodeFailure = try #require(try read(record).decodeFailure)
            #expect(decodeFailure.offset == 12 + payload.utf8.count, "\(payload)")
        }
    }

    @Test func `a value of a wrong kind inside a string is pointed at`() throws {
        let payload = try #require(try read(#"{"payload":" \t@[1]"}"#.replacing("@", with: "")).decodeFailure)
        #expect(payload.rule == "record.payload-type")
        #expect(payload.offset == #"{"payload":" \t"#.utf8.count)
        let sns = try #require(try read(#"{"APNS":"\n 5"}"#).decodeFailure)
        #expect(sns.rule == "record.payload-type")
        #expect(sns.offset == #"{"APNS":"\n "#.utf8.count)
    }

    @Test func `text that is not UTF-8 has a rule of its own`() throws {
        let bytes = Array(#"{"aps":{"alert":""#.utf8) + [0xC3, 0x28] + Array(#""}}"#.utf8)
        let readings = readAll(bytes)
        #expect(readings.map(\.decodeFailure?.rule) == ["json.invalid-utf8"])
        #expect(readings.map(\.decodeFailure?.offset) == [17])
    }

    @Test func `more than 512 levels are too deep, in a string as outside`() throws {
        func nested(_ depth: Int) -> String { repeated("[", depth) + repeated("]", depth) }
        #expect(try read(#"{"aps":{},"x":\#(nested(511))}"#).isAccepted)
        #expect(try read(#"{"aps":{},"x":\#(nested(512))}"#).decodeFailure?.rule == "json.too-deep")
        #expect(try read(#"{"payload":"{\"x\":\#(nested(511))}"}"#).isAccepted)
        #expect(try read(#"{"payload":"{\"x\":\#(nested(512))}"}"#).decodeFailure?.rule == "json.too-deep")
    }

    @Test func `an empty record is malformed`() throws {
        #expect(try read("").decodeFailure?.rule == "json.syntax")
        #expect(try read(" \n ").decodeFailure?.rule == "json.syntax")
    }

    /// RFC 8259 has none of these.
    @Test(
        arguments: [
            (#"{"aps":{"alert":"a",}}"#, "json.trailing-comma", true), ("{'aps':{}}", "json.single-quotes", true),
            ("{aps:{}}", "json.bare-key", true), (#"{"aps":{}"#, "json.unclosed", false),
            (#"{"aps":{}}}"#, "json.extra-content", nil), ("@", nil, false), ("<html>", nil, false),
        ] as [(String, String?, Bool?)])
    func `the mistake of a text that is not JSON is named`(record: String, cause: String?, isFixable: Bool?) throws {
        let decodeFailure = try #require(try read(record).decodeFailure)
        #expect(decodeFailure.rule == "json.syntax")
        #expect(decodeFailure.cause == cause)
        if let isFixable { #expect(decodeFailure.isFixable == isFixable) }
    }
}
