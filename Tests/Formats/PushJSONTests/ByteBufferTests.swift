import PushJSON
import TestSupport
import Testing

struct ByteBufferTests {
    /// What `append` writes.
    private static func written(_ append: (inout ByteBuffer) -> Void) -> String {
        var buffer = ByteBuffer()
        append(&buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// What `appendJSONString` writes for arbitrary bytes.
    private static func jsonString(_ bytes: [UInt8]) -> [UInt8] {
        var buffer = ByteBuffer(capacity: 1)
        // Followed by a quote that does not belong to the text.
        (bytes + [0x22]).withUnsafeBufferPointer { utf8 in
            if let start = utf8.baseAddress { buffer.appendJSONString(BorrowedText(start: start, count: bytes.count)) }
        }
        return Array(buffer.bytes)
    }

    @Test func `what is appended stands in order`() {
        let text = Self.written { buffer in
            buffer.append(UInt8(ascii: "["))
            buffer.append("literal,")
            buffer.appendText("string é,")
            buffer.append(BorrowedText("text,"))
            buffer.appendText("")
            buffer.append("")
            buffer.append(BorrowedText.empty)
            buffer.append(UInt64(42))
            buffer.append(Int64(-7))
        }
        #expect(text == "[literal,string é,text,42-7")
    }

    @Test func `the contents survive growth`() {
        var buffer = ByteBuffer(capacity: 0)
        var expected: [UInt8] = []
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<2000 {
            let piece = String(repeating: generator.pick(["a", "é", "0"]), count: generator.below(100))
            buffer.appendText(piece)
            expected += piece.utf8
        }
        let contents = Array(buffer.bytes)
        #expect(contents == expected)
        let count = buffer.count
        #expect(count == expected.count)
    }

    @Test func `everything can be forgotten`() {
        let again = Self.written { buffer in
            buffer.append("abcdef")
            buffer.removeAll()
            buffer.append("Y")
        }
        #expect(again == "Y")
    }

    @Test func `unsigned integers are written in decimal`() {
        var numbers: [UInt64] = [0, 1, 9, .max, .max - 1, UInt64(Int64.max), UInt64(Int64.max) + 1]
        var power: UInt64 = 1
        for _ in 0..<19 {
            power *= 10
            numbers += [power - 1, power, power + 1]
        }
        var generator = SeededGenerator(seed: 10)
        for _ in 0..<1000 { numbers.append(generator.next() >> UInt64(generator.below(64))) }
        for number in numbers {
            let text = Self.written { $0.append(number) }
            #expect(text == String(number))
        }
        #expect(Self.written { $0.append(UInt64.max) } == "18446744073709551615")
    }

    @Test func `signed integers are written in decimal`() {
        let rows: [(number: Int64, text: String)] = [
            (0, "0"), (1, "1"), (-1, "-1"), (10, "10"), (-10, "-10"), (.max, "9223372036854775807"),
            (.min, "-9223372036854775808"), (.min + 1, "-9223372036854775807"),
        ]
        for (number, text) in rows { #expect(Self.written { $0.append(number) } == text) }
    }

    @Test func `only what must be escaped is`() {
        let rows: [(text: String, json: String)] = [
            ("", "\"\""), ("plain", "\"plain\""), ("\"", "\"\\\"\""), ("\\", "\"\\\\\""), ("/", "\"/\""),
            ("\u{8}", "\"\\b\""),
            ("\u{C}", "\"\\f\""), ("\n", "\"\\n\""), ("\r", "\"\\r\""), ("\t", "\"\\t\""), ("\u{0}", "\"\\u0000\""),
            ("\u{1F}", "\"\\u001f\""), ("\u{B}", "\"\\u000b\""), ("\u{7F}", "\"\u{7F}\""), ("é日😀", "\"é日😀\""),
            ("\u{2028}", "\"\u{2028}\""), ("a\"b\\c", "\"a\\\"b\\\\c\""), ("\"\"", "\"\\\"\\\"\""),
        ]
        for (text, json) in rows {
            #expect(Self.written { $0.appendJSONString(text) } == json, "\(json)")
            #expect(Self.jsonString(Array(text.utf8)) == Array(json.utf8), "\(json)")
        }
        #expect(Self.written { $0.appendJSONString(BorrowedText.empty) } == "\"\"")
    }

    @Test func `commas come by themselves`() {
        let json = Self.written { out in
            out.append("{")
            out.appendMember("a", 1)
            out.appendMember("b", nil as String?)
            out.appendMember("c", ["x", "y"])
            out.appendMember("d", [true, false]) { $0.append($1) }
            out.appendMemberName(text: "\"")
            out.append("{")
            out.appendMember("e", "{")
            out.appendMember("f", true)
            out.append("}}")
        }
        #expect(json == #"{"a":1,"c":["x","y"],"d":[true,false],"\"":{"e":"{","f":true}}"#)
        #expect(Self.written { $0.appendMember("a", 1) } == #","a":1"#)
    }

    @Test func `every ASCII character is escaped or not, wherever it stands`() {
        for byte in UInt8(0)..<0x80 {
            for before in Array(0..<18) + [31, 45, 46, 60, 61, 62, 80] {
                let padding = [UInt8](repeating: UInt8(ascii: "x"), count: before)
                let bytes = padding + [byte] + Array("yz".utf8)
                let json = Self.jsonString(bytes)
                let isEscaped = byte < 0x20 || byte == 0x22 || byte == 0x5C
                #expect((json[before + 1] == 0x5C) == isEscaped, "byte \(byte) behind \(before)")
                #expect(ScanResult(json).value == .string(bytes), "byte \(byte) behind \(before)")
            }
        }
    }

    @Test func `there is room for a text that is all escapes`() {
        for count in [1, 10, 11, 100, 10_000, 100_000] {
            let bytes = [UInt8](repeating: 0x01, count: count)
            let expected = "\"" + String(repeating: "\\u0001", count: count) + "\""
            #expect(Self.jsonString(bytes) == Array(expected.utf8), "\(count)")
        }
    }

    @Test func `any text comes back through the scanner`() {
        var generator = SeededGenerator(seed: 42)
        let scalars: [ClosedRange<UInt32>] = [
            0x00...0x1F, 0x20...0x7F, 0x22...0x22, 0x5C...0x5C, 0x80...0xD7FF, 0xE000...0x10FFFF,
        ]
        for _ in 0..<3000 {
            var text = ""
            for _ in 0..<generator.below(40) {
                let range = generator.pick(scalars)
                let value = range.lowerBound + UInt32(generator.below(range.count))
                if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            }
            var buffer = ByteBuffer()
            buffer.appendJSONString(text)
            let json = Array(buffer.bytes)
            let scan = ScanResult(json)
            #expect(scan.fault == nil, "\(readable(json))")
            #expect(scan.notes.isEmpty, "\(readable(json))")
            #expect(scan.value == .string(Array(text.utf8)), "\(readable(json))")
        }
    }
}
