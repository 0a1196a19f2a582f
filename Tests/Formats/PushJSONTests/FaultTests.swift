import PushJSON
import Testing

/// Where a text stops being JSON, worked out by hand from the grammar of RFC 8259.
struct FaultTests {
    struct Row {
        var text: String
        var kind: JSONFault.Kind
        var offset: Int
        var line: Int
        var column: Int

        init(_ text: String, _ kind: JSONFault.Kind, _ offset: Int, _ line: Int, _ column: Int) {
            self.text = text
            self.kind = kind
            self.offset = offset
            self.line = line
            self.column = column
        }
    }

    /// Text, kind, offset in bytes, line, column in scalars.
    static let rows: [Row] = [
        Row("", .empty, 0, 1, 1),
        Row("   ", .empty, 3, 1, 4),
        Row(" \n\t ", .empty, 4, 2, 3),

        Row("]", .expectedValue, 0, 1, 1),
        Row("+1", .expectedValue, 0, 1, 1),
        Row(".5", .expectedValue, 0, 1, 1),
        Row("'a'", .expectedValue, 0, 1, 1),
        Row("True", .expectedValue, 0, 1, 1),
        Row("\u{FEFF}1", .expectedValue, 0, 1, 1),
        Row("[,1]", .expectedValue, 1, 1, 2),
        Row("[1,]", .expectedValue, 3, 1, 4),
        Row("[1,,2]", .expectedValue, 3, 1, 4),
        Row("[1,\r\n x]", .expectedValue, 6, 2, 2),
        Row("{\"a\":}", .expectedValue, 5, 1, 6),
        Row("{\"日\":,}", .expectedValue, 7, 1, 6),

        Row("{1:2}", .expectedKeyOrClose, 1, 1, 2),
        Row("{,}", .expectedKeyOrClose, 1, 1, 2),
        Row("{ ]", .expectedKeyOrClose, 2, 1, 3),
        Row("[{\n'a':1}]", .expectedKeyOrClose, 3, 2, 1),

        Row("{\"a\":1,}", .expectedKey, 7, 1, 8),
        Row("{\"a\":1,\n b:2}", .expectedKey, 9, 2, 2),
        Row("{\"a\":1,,\"b\":2}", .expectedKey, 7, 1, 8),

        Row("{\"a\" 1}", .expectedColon, 5, 1, 6),
        Row("{\"é\",1}", .expectedColon, 5, 1, 5),
        Row("{\"a\"}", .expectedColon, 4, 1, 5),

        Row("{\"a\":1]", .expectedCommaOrBrace, 6, 1, 7),
        Row("{\"a\":1 \"b\":2}", .expectedCommaOrBrace, 7, 1, 8),
        Row("{\"a\":[]:2}", .expectedCommaOrBrace, 7, 1, 8),

        Row("[1}", .expectedCommaOrBracket, 2, 1, 3),
        Row("[1 2]", .expectedCommaOrBracket, 3, 1, 4),
        Row("[\"日本\" 1]", .expectedCommaOrBracket, 10, 1, 7),
        Row("[{} {}]", .expectedCommaOrBracket, 4, 1, 5),

        Row("trux", .invalidLiteral, 3, 1, 4),
        Row("nUll", .invalidLiteral, 1, 1, 2),
        Row("[nul]", .invalidLiteral, 4, 1, 5),
        Row("[fal se]", .invalidLiteral, 4, 1, 5),

        Row("-x", .invalidNumber, 1, 1, 2),
        Row("[-]", .invalidNumber, 2, 1, 3),
        Row("[1.]", .invalidNumber, 3, 1, 4),
        Row("1.e5", .invalidNumber, 2, 1, 3),
        Row("[1e+]", .invalidNumber, 4, 1, 5),
        Row("[1E]", .invalidNumber, 3, 1, 4),

        Row("01", .leadingZero, 1, 1, 2),
        Row("[-00]", .leadingZero, 3, 1, 4),

        Row("\"\\x\"", .invalidEscape, 2, 1, 3),
        Row("\"é\\\u{0}\"", .invalidEscape, 4, 1, 4),
        Row("{\"\\'\":1}", .invalidEscape, 3, 1, 4),

        Row("\"\\u12G4\"", .invalidUnicodeEscape, 5, 1, 6),
        Row("\"\\u12\"", .invalidUnicodeEscape, 5, 1, 6),
        Row("\"\\ud800\\u12\"", .invalidUnicodeEscape, 11, 1, 12),

        Row("\"a\nb\"", .controlCharacter, 2, 1, 3),
        Row("\"\t\"", .controlCharacter, 1, 1, 2),
        Row("\"12345678\u{0}\"", .controlCharacter, 9, 1, 10),

        Row("\"", .unterminatedString, 1, 1, 2),
        Row("\"abc", .unterminatedString, 4, 1, 5),
        Row("\"é", .unterminatedString, 3, 1, 3),
        Row("{\"a", .unterminatedString, 3, 1, 4),
        Row("\"\\", .unterminatedString, 2, 1, 3),
        Row("\"\\u00", .unterminatedString, 5, 1, 6),

        Row("[", .unexpectedEnd, 1, 1, 2),
        Row("{", .unexpectedEnd, 1, 1, 2),
        Row("[1", .unexpectedEnd, 2, 1, 3),
        Row("[1\n\n", .unexpectedEnd, 4, 3, 1),
        Row("[1,", .unexpectedEnd, 3, 1, 4),
        Row("{\"a\"", .unexpectedEnd, 4, 1, 5),
        Row("{\"a\":", .unexpectedEnd, 5, 1, 6),
        Row("{\"a\":1", .unexpectedEnd, 6, 1, 7),
        Row("{\"a\":1,", .unexpectedEnd, 7, 1, 8),
        Row("tru", .unexpectedEnd, 3, 1, 4),
        Row("-", .unexpectedEnd, 1, 1, 2),
        Row("1.", .unexpectedEnd, 2, 1, 3),
        Row("1e", .unexpectedEnd, 2, 1, 3),
        Row("1e-", .unexpectedEnd, 3, 1, 4),

        Row("1 2", .trailingContent, 2, 1, 3),
        Row("1\u{0}", .trailingContent, 1, 1, 2),
        Row("truex", .trailingContent, 4, 1, 5),
        Row("\"a\"\"b\"", .trailingContent, 3, 1, 4),
        Row("[]]", .trailingContent, 2, 1, 3),
        Row("[]\r\n[]", .trailingContent, 4, 2, 1),
        Row("\"😀\" x", .trailingContent, 7, 1, 5),

        Row(String(repeating: "[", count: 513), .tooDeep, 512, 1, 513),
        Row(String(repeating: "{\"a\":\n", count: 513), .tooDeep, 512 * 6, 513, 1),
    ]

    /// Texts that are not UTF-8: an invalid sequence is reported at its first byte.
    static let brokenSequences: [(bytes: [UInt8], offset: Int, column: Int)] = [
        ([0x22, 0xFF, 0x22], 1, 2),
        ([0x22, 0x80, 0x22], 1, 2),
        ([0x22, 0xC0, 0xAF, 0x22], 1, 2),
        ([0x22, 0xC3, 0xA9, 0xC3, 0x22], 3, 3),
        ([0x22, 0xE2, 0x82], 1, 2),
        ([0x5B, 0x22, 0xED, 0xA0, 0x80, 0x22, 0x5D], 2, 3),
        ([0x22, 0x61, 0xF4, 0x90, 0x80, 0x80, 0x22], 2, 3),
        ([0x7B, 0x22, 0xF0, 0x9F, 0x98, 0x22, 0x3A, 0x31, 0x7D], 2, 3),
    ]

    @Test func `a fault stands at the first byte that cannot belong`() {
        for row in Self.rows {
            let bytes = Array(row.text.utf8)
            let fault = ScanResult(bytes).fault
            #expect(fault == JSONFault(row.kind, at: row.offset), "\(readable(bytes))")
            let position = bytes.withUnsafeBytes { TextPosition(of: row.offset, in: $0) }
            #expect(position == TextPosition(line: row.line, column: row.column), "\(readable(bytes))")
        }
    }

    @Test func `a sequence that is not UTF-8 is at fault at its first byte`() {
        for (bytes, offset, column) in Self.brokenSequences {
            let fault = ScanResult(bytes).fault
            #expect(fault == JSONFault(.invalidUTF8, at: offset), "\(readable(bytes))")
            let position = bytes.withUnsafeBytes { TextPosition(of: offset, in: $0) }
            #expect(position == TextPosition(line: 1, column: column), "\(readable(bytes))")
        }
    }

    @Test func `every kind of fault has a row`() {
        let shown = Set(Self.rows.map(\.kind)).union([.invalidUTF8])
        #expect(shown == Set(JSONFault.Kind.allCases))
    }

    @Test func `a fault leaves the scanner fit for the next text`() {
        var scanner = JSONScanner()
        var tape = JSONTape()
        let next = Array("{\"a\":[1,{\"b\":2}],\"a\":null}".utf8)
        let expected = ScanResult(next)
        #expect(expected.notes.count == 1)
        for row in Self.rows {
            _ = Array(row.text.utf8).withUnsafeBytes { scanner.scan($0, into: &tape) }
            let result = next.withUnsafeBytes { text in
                let fault = scanner.scan(text, into: &tape)
                return ScanResult(tape, text, fault)
            }
            #expect(result == expected, "after \(row.text)")
        }
    }

    @Test func `a text longer than offsets reach is refused unread`() throws {
        // Only the length is checked, so the pointer needs no memory.
        var scanner = JSONScanner()
        var tape = JSONTape()
        let nowhere = UnsafeRawPointer(bitPattern: 0x1000)
        let text = UnsafeRawBufferPointer(start: nowhere, count: JSONScanner.maximumLength + 1)
        let fault = scanner.scan(text, into: &tape)
        #expect(fault?.offset == JSONScanner.maximumLength)
    }
}
