import PushJSON
import Testing

struct FaultMessageTests {
    private static func message(_ bytes: [UInt8]) -> String? {
        scanning(bytes) { _, text, fault in fault?.message(in: text) }
    }

    private static func message(_ text: String) -> String? { message(Array(text.utf8)) }

    @Test func `a message names what stands there`() {
        let rows: [(text: String, words: String)] = [
            ("[1 x]", "'x'"),
            ("[1}", "'}'"),
            ("{\"a\":1 \"b\":2}", "'\"'"),
            ("{\"a\" 1}", "'1'"),
            ("{1:2}", "'1'"),
            ("{\"a\":1,}", "'}'"),
            ("[1,]", "']'"),
            ("[é]", "'é'"),
            ("[日]", "'日'"),
            ("[😀]", "'😀'"),
            ("[fal se]", "a space"),
            ("\"\t\"", "a tab"),
            ("{'a':1}", "a single quote"),
            ("\"a\nb\"", "the end of the line"),
            ("\"a\rb\"", "a carriage return"),
            ("[1,\u{C}2]", "the byte 0x0C"),
            ("1\u{0}", "the byte 0x00"),
            ("[\u{7F}]", "the byte 0x7F"),
            ("\"\\x\"", "'x'"),
            ("\"\\u12G4\"", "'G'"),
            ("truE", "'E'"),
            ("-x", "'x'"),
            ("1 2", "'2'"),
        ]
        for (text, words) in rows {
            let message = Self.message(text)
            #expect(message?.contains(words) == true, "\(text): \(message ?? "accepted")")
        }
    }

    @Test func `a message names what was expected`() {
        let rows: [(text: String, words: [String])] = [
            ("[1 x]", ["','", "']'"]),
            ("{\"a\":1]", ["','", "'}'"]),
            ("{\"a\" 1}", ["':'"]),
            ("{1:2}", ["double quotes", "'}'"]),
            ("{\"a\":1,}", ["double quotes"]),
            ("[,]", ["a value"]),
            ("[tru]", ["true", "false", "null"]),
            ("[-]", ["a digit"]),
            ("\"\\u12\"", ["four hexadecimal digits"]),
            ("\"\t\"", ["control character", "escaped"]),
            ("", ["empty"]),
            ("[", ["ends"]),
            ("\"", ["ends", "string"]),
            ("1 2", ["nothing after the value"]),
            (String(repeating: "[", count: 513), ["512 levels"]),
        ]
        for (text, words) in rows {
            let message = Self.message(text) ?? "accepted"
            for word in words { #expect(message.contains(word), "\(text): \(message)") }
        }
    }

    @Test func `bytes that are not text are named in hexadecimal`() {
        #expect(Self.message([0x22, 0xFF, 0x22])?.contains("the byte 0xFF") == true)
        #expect(Self.message([0x22, 0xE2, 0x82])?.contains("the byte 0xE2") == true)
        #expect(Self.message([0xC0, 0xAF])?.contains("the byte 0xC0") == true)
        // A byte-order mark would be invisible.
        #expect(Self.message("\u{FEFF}{}")?.contains("the byte 0xEF") == true)
    }

    @Test func `a message is one line whatever stands there`() {
        for scalar in Unicode.Scalar(0).value...0x2FFF {
            guard let scalar = Unicode.Scalar(scalar), let message = Self.message("[1,\(scalar)") else { continue }
            let isOneLine = !message.contains { $0.isNewline }
            #expect(isOneLine, "U+\(String(scalar.value, radix: 16))")
        }
    }

    @Test func `faults that a reader treats differently have rules of their own`() {
        let rows: [(text: [UInt8], rule: String)] = [
            ([0x22, 0xFF, 0x22], "json.invalid-utf8"),
            ([UInt8](repeating: UInt8(ascii: "["), count: 513), "json.too-deep"),
            ([UInt8](repeating: UInt8(ascii: "["), count: 512), "json.syntax"),
            ([], "json.syntax"),
            (Array("{\"a\":1,}".utf8), "json.syntax"),
        ]
        for (text, rule) in rows {
            let found = ScanResult(text).fault.map { "\($0.rule)" }
            #expect(found == rule, "\(readable(text.prefix(20)))")
        }
    }
}

struct TextPositionTests {
    private static func position(_ offset: Int, _ bytes: [UInt8]) -> TextPosition {
        bytes.withUnsafeBytes { TextPosition(of: offset, in: $0) }
    }

    @Test func `columns count scalars and lines end with a line feed`() {
        // Bytes:          0 12 3456 7 8 9 10
        let text = Array("aé日\r\nb\n".utf8)
        let expected: [(offset: Int, line: Int, column: Int)] = [
            (0, 1, 1),  // a
            (1, 1, 2),  // é, two bytes
            (3, 1, 3),  // 日, three bytes
            (6, 1, 4),  // carriage return
            (7, 1, 5),  // line feed
            (8, 2, 1),  // b
            (9, 2, 2),  // line feed
            (10, 3, 1),  // the end
        ]
        for (offset, line, column) in expected {
            #expect(Self.position(offset, text) == TextPosition(line: line, column: column), "offset \(offset)")
        }
    }

    @Test func `a character of several scalars takes as many columns`() {
        // e and a combining accent: two scalars, three bytes.
        #expect(Self.position(3, Array("e\u{301}x".utf8)) == TextPosition(line: 1, column: 3))
        // A surrogate pair in UTF-16, one scalar here.
        #expect(Self.position(4, Array("😀x".utf8)) == TextPosition(line: 1, column: 2))
    }

    @Test func `a carriage return alone ends no line`() {
        #expect(Self.position(2, Array("a\rb".utf8)) == TextPosition(line: 1, column: 3))
    }

    @Test func `a byte that is not UTF-8 takes one column`() {
        #expect(Self.position(2, [0xFF, 0x80, 0x61]) == TextPosition(line: 1, column: 3))
        #expect(Self.position(3, [0xE2, 0x82, 0x41, 0x42]) == TextPosition(line: 1, column: 4))
    }

    @Test func `an offset outside the text is taken as its nearest end`() {
        #expect(Self.position(99, Array("ab\nc".utf8)) == TextPosition(line: 2, column: 2))
        #expect(Self.position(-1, Array("ab".utf8)) == TextPosition(line: 1, column: 1))
        #expect(Self.position(0, []) == TextPosition(line: 1, column: 1))
    }
}
