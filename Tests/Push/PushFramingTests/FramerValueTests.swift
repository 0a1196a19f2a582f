import PushFraming
import TestSupport
import Testing

/// Concatenated values: valid ones, malformed ones, and the valid ones after those.
struct FramerValueTests {
    private func expectRecords(
        _ text: String, _ expected: [String], relaxed: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for pieces in [[], byteByByte(Array(text.utf8))] {
            let framed = frame(text, .json, relaxed: relaxed, pieces: pieces)
            #expect(framed.texts == expected, "\(pieces.count) pieces", sourceLocation: sourceLocation)
            #expect(framed.isWellBehaved, sourceLocation: sourceLocation)
        }
    }

    @Test func `values follow each other with or without anything between them`() {
        expectRecords(#"{"a":1}{"b":2}[3]{}"#, [#"{"a":1}"#, #"{"b":2}"#, "[3]", "{}"])
        expectRecords(#"  {"a":1} {"b":2}"# + "\t\r\n{}\n", [#"{"a":1}"#, #"{"b":2}"#, "{}"])
        expectRecords("\u{FEFF}{}\n", ["{}"])
        expectRecords("", [])
        expectRecords(" \n\r\n\t", [])
    }

    @Test func `a value takes as many lines as it needs`() {
        let first = "{\n  \"a\": [\n    {\n      \"b\": {}\n    }\n  ]\n}"
        let second = "[\r\n{\"c\":\r\n{}},\r\n{}]"
        expectRecords(first + "\n" + second, [first, second])
        expectRecords(first + second + first, [first, second, first])
    }

    @Test func `members that begin in the first column belong to their object`() {
        let value = "{\n\"a\":\n{\n\"b\":[\n{\n},\n{\n}\n]\n}\n}"
        expectRecords(value + "\n" + value + "\n", [value, value])
    }

    @Test func `brackets and quotes inside strings do not count`() {
        let value = #"{"a":"}{][","\"}":"\\","b":"\\\"}"}"#
        expectRecords(value + value, [value, value])
        expectRecords(#""{""# + "\n" + value, [#""{""#, value])
    }

    @Test func `a top-level value that is not an object is a record too`() {
        expectRecords("1\n\"x y\"\ntrue\nnull\n", ["1", "\"x y\"", "true", "null"])
        expectRecords("12 {\"a\":1}", ["12", "{\"a\":1}"])
        expectRecords("-1.5e3", ["-1.5e3"])
    }

    @Test func `text between two values is a separate record`() {
        expectRecords(#"{"a":1} garbage {"b":2}"#, [#"{"a":1}"#, "garbage", #"{"b":2}"#])
        expectRecords("{\"a\":1},\n{\"b\":2}", ["{\"a\":1}", ",", "{\"b\":2}"])
        expectRecords("# a comment\n{\"a\":1}\n", ["# a comment", "{\"a\":1}"])
    }

    @Test(arguments: [
        // Cut off after each kind of token.
        #"{"#, #"{"a""#, #"{"a":1"#, #"{"a":1,"#, #"{"a":{"b":[1"#, #"{"a":[{},{}"#, #"{"a":[1,2]"#, #"{"a":tru"#,
        // Cut off inside a string, which a line feed ends.
        #"{"a":"x"#, #"{"a":"x\"#, #"{"a":"x\""#, #"{"a"#, #"{""#, #"{"a":[{"b":"{[}"#,
        // One bracket too few.
        #"{"a":[1}"#, #"{"a":{"b":1}"#, #"[[1]"#,
    ])
    func `a truncated record does not affect its neighbors`(broken: String) {
        let pretty = "{\n  \"c\": 3\n}"
        expectRecords("{\"a\":0}\n\(broken)\n{\"b\":2}\n\(pretty)\n", ["{\"a\":0}", broken, "{\"b\":2}", pretty])
        expectRecords("\(broken)\r\n{\"b\":2}\r\n", [broken, "{\"b\":2}"])
    }

    @Test func `an extra bracket is a separate record`() {
        expectRecords("{\"a\":1}}\n{\"b\":2}\n", ["{\"a\":1}", "}", "{\"b\":2}"])
        expectRecords("[1]]\n{\"b\":2}\n", ["[1]", "]", "{\"b\":2}"])
    }

    @Test func `a truncated pretty-printed record ends where the next begins`() {
        let broken = "{\n  \"a\": {\n    \"b\": \"x"
        expectRecords(broken + "\n{\n  \"c\": 3\n}\n", [broken, "{\n  \"c\": 3\n}"])
    }

    @Test func `single quotes enclose strings in relaxed JSON`() {
        expectRecords("{'a':'}'}{'b':'\\'}'}", ["{'a':'}'}", "{'b':'\\'}'}"], relaxed: true)
        expectRecords(#"{"a":"it's"}{"b":'"'}"#, [#"{"a":"it's"}"#, #"{"b":'"'}"#], relaxed: true)
        expectRecords(#"{"a":"it's"}{}"#, [#"{"a":"it's"}"#, "{}"])
    }

    @Test func `values beyond the depth limit are still framed correctly`() {
        let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
        expectRecords(deep + "\n{\"a\":1}\n", [deep, "{\"a\":1}"])
    }

    @Test func `an oversized value is skipped to its end`() {
        let long = "{\"a\":[\n{\"b\":\"}}]]\"},\n{\"c\":[{}]}\n]}"
        let bytes = Array("{\"a\":1}\(long)\n{\"b\":2}\(long){\"c\":3}".utf8)
        for pieces in [[], byteByByte(bytes)] {
            let framed = frame(bytes, .json, limit: 16, pieces: pieces)
            #expect(framed.texts == ["{\"a\":1}", nil, "{\"b\":2}", nil, "{\"c\":3}"])
        }
    }
}
