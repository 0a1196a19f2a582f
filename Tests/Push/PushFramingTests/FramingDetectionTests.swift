import PushFraming
import TestSupport
import Testing

/// `auto`: lines, unless the first line is only the beginning of a value.
struct FramingDetectionTests {
    /// Two values on a line: one record when lines are records, two otherwise.
    private static let probe = "\n[1][2]\n"

    private func detected(_ text: String, relaxed: Bool = false, pieces: [Int] = []) -> Framing? {
        switch frame(text + Self.probe, .auto, relaxed: relaxed, pieces: pieces).texts.last {
        case "[1][2]": .ndjson
        case "[2]": .json
        default: nil
        }
    }

    private func expectDetected(
        _ text: String, _ expected: Framing, relaxed: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let bytes = Array((text + Self.probe).utf8)
        var generator = SeededGenerator(seed: 7)
        let cuts = [[], byteByByte(bytes)] + (0..<40).map { _ in generator.pieces(bytes.count) }
        for pieces in cuts {
            let framing = detected(text, relaxed: relaxed, pieces: pieces)
            #expect(framing == expected, "pieces \(pieces.prefix(20))", sourceLocation: sourceLocation)
            guard framing == expected else { return }
        }
    }

    @Test(arguments: [
        "{\"a\":1}\n{\"b\":2}", "{\"a\":1}", "{\"a\":1}\r\n{\"b\":2}\r", "\n\n{\"a\":1}", "  {\"a\":1}",
        "\u{FEFF}{\"a\":1}\n{}",
        "1\n2", "\"x\"", "[1,2]\n[3]", "null",
    ])
    func `a first line that is a complete value is a record`(text: String) {
        expectDetected(text, .ndjson)
    }

    /// Cut off after each kind of token; the lines after it are separate records.
    @Test(arguments: [
        #"{"#, #"{"aps""#, #"{"aps":"#, #"{"aps":{"#, #"{"aps":{}"#, #"{"aps":{},"#, #"{"aps":{"badge":1"#,
        #"{"aps":[1,"#,
        #"{"aps":["#, #"{"aps":[1"#, #"{"aps":{"alert":"x"#, #"{"aps":{"alert":"x\"#, #"{"aps":tru"#,
        #"{"aps":{"alert":"x""#,
        #"{"a"#, "[", "[1,", #"{"aps":-"#, #"{"aps":1."#,
    ])
    func `a truncated first record keeps the framing of lines`(broken: String) {
        expectDetected("\(broken)\n{\"aps\":{\"alert\":\"y\"}}\n{\"aps\":{\"alert\":\"z\"}}", .ndjson)
        expectDetected("\(broken)\r\n{\"aps\":{}}\r\n{\"aps\":{}}\r", .ndjson)
    }

    @Test(arguments: [
        "}", "]", "{]", "no JSON", "{a:1}", "{\"a\":1,}", "{\"a\":1}}", "{\"a\":1},", "{\"a\" 1}", "'", "\"x",
    ])
    func `a first line that does not begin a value is a malformed record among lines`(broken: String) {
        expectDetected("\(broken)\n{\"aps\":{}}\n{\"aps\":{}}", .ndjson)
    }

    @Test(arguments: [
        "{\n  \"aps\": {\n    \"alert\": \"x\"\n  }\n}",
        "{\r\n  \"aps\": {}\r\n}\r",
        "\n\n{\n\"aps\":\n{\n}\n}",
        "[\n1,\n{}\n]",
        "{\"aps\":{\n\"alert\":\"x\"}}",
        "{\n  \"a\": 1\n}\n{\n  \"b\": 2\n}",
        "{\"a\":\n{\"b\":1}\n}",
    ])
    func `a value over several lines selects the framing of values`(text: String) {
        expectDetected(text, .json)
    }

    @Test(arguments: [
        // A missing comma, an extra comma, a bare name, a wrong literal, single quotes, a mismatched bracket.
        "{\n  \"aps\": {\n    \"alert\": \"x\"\n    \"badge\": 1\n  }\n}",
        "{\n  \"aps\": {\n    \"alert\": \"x\",\n  }\n}",
        "{\n  aps: {\n    \"alert\": \"x\"\n  }\n}",
        "{\n  \"aps\": {\n    \"badge\": one\n  }\n}",
        "{\n  'aps': {\n    'alert': 'x'\n  }\n}",
        "{\n  \"aps\": {\n    \"alert\": \"x\"\n  ]\n}",
    ])
    func `a pretty-printed value with an error inside is one record`(text: String) {
        expectDetected(text, .json)
        #expect(frame(text, .auto).texts == [text])
    }

    @Test func `a relaxed value over several lines is one record`() {
        let text = "{\n  aps: {\n    'alert': 'it\\'s } time',\n  },\n}"
        expectDetected(text, .json, relaxed: true)
        #expect(frame(text + "\n" + text, .auto, relaxed: true).texts == [text, text])
    }

    @Test func `relaxed records in lines stay lines`() {
        expectDetected("{aps:{'alert':'x',}}\n{aps:{'alert':'y'}}", .ndjson, relaxed: true)
        for broken in ["{aps:{'alert':'x'", "{aps:{'alert':'x'}", "{aps:{", "{aps:[", "{aps:{alert:'x',"] {
            expectDetected("\(broken)\n{aps:{'alert':'y'}}\n{aps:{}}", .ndjson, relaxed: true)
        }
    }

    @Test func `what follows a relaxed value decides as it does after a strict one`() {
        for (value, relaxed) in [(#"{"a":1}"#, false), ("{a:1}", true)] {
            expectDetected("  \(value) \(value)", .json, relaxed: relaxed)
            expectDetected("\(value) x", .ndjson, relaxed: relaxed)
        }
    }

    @Test func `several values on the first line select the framing of values`() {
        expectDetected(#"{"a":1}{"b":2}"#, .json)
        expectDetected(#"{"a":1} {"b":2}"#, .json)
        expectDetected(#"{"a":1}[2]"#, .json)
        #expect(frame(#"{"a":1}{"b":2}"#, .auto).texts == [#"{"a":1}"#, #"{"b":2}"#])
    }

    @Test func `a record separator at the beginning selects the framing of sequences`() {
        for text in ["\u{1E}{}\n\u{1E}[1]\n", "\n\u{1E}{}\n\u{1E}[1]\n", "\u{FEFF}\u{1E}{}\u{1E}[1]"] {
            #expect(frame(text, .auto).texts.map { $0?.first } == ["{", "["])
        }
    }

    @Test func `an empty input has no records`() {
        for text in ["", "\n", " \r\n\t\n", "\u{FEFF}", "\u{FEFF}\n"] {
            #expect(frame(text, .auto).items.isEmpty)
            #expect(frame(text, .auto, pieces: byteByByte(Array(text.utf8))).items.isEmpty)
        }
    }

    @Test func `a pretty-printed value is returned after its last line, not at the end of the input`() {
        let bytes = Array("{\n  \"a\": 1\n}\n".utf8)
        var framer = Framer(.auto, maximumRecordBytes: 100)
        for count in 0..<bytes.count {
            let frame = bytes[..<count].withUnsafeBytes { framer.next(in: $0, isEnd: false) }
            #expect(frame == .needsMore)
        }
        let frame = bytes.withUnsafeBytes { framer.next(in: $0, isEnd: false) }
        #expect(frame == .record(0..<12, consumed: 12))
    }

    @Test func `an input of one line without a newline is decided at its end, or at the limit`() {
        #expect(frame(#"{"a":"#, .auto).texts == [#"{"a":"#])
        let long = Array((#"{"a":""# + String(repeating: "x", count: 200) + "\"}\n{\"b\":2}\n").utf8)
        for pieces in [[], byteByByte(long)] {
            let framed = frame(long, .auto, limit: 50, pieces: pieces)
            #expect(framed.texts == [nil, "{\"b\":2}"])
        }
    }
}
