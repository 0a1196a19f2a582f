import PushJSON
import TestSupport
import Testing

struct StringTests {
    /// Calls `body` with the JSON string written as `raw` between its quotes.
    private static func withString<Result>(_ raw: String, _ body: (JSONString) throws -> Result) throws -> Result {
        try withRoot("\"\(raw)\"") { root in try body(try #require(root.string)) }
    }

    @Test func `every escape stands for its character`() throws {
        let rows: [(raw: String, decoded: String)] = [
            ("", ""), ("plain", "plain"), ("\\\"", "\""), ("\\\\", "\\"), ("\\/", "/"), ("/", "/"), ("\\b", "\u{8}"),
            ("\\f", "\u{C}"), ("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t"), ("\\u0000", "\u{0}"), ("\\u0041", "A"),
            ("\\u001f", "\u{1F}"), ("\\u007f", "\u{7F}"), ("\\u0080", "\u{80}"), ("\\u00e9", "é"), ("\\u00E9", "é"),
            ("\\u07ff", "\u{7FF}"), ("\\u0800", "\u{800}"), ("\\u65e5", "日"), ("\\ud7ff", "\u{D7FF}"),
            ("\\ue000", "\u{E000}"), ("\\uffff", "\u{FFFF}"), ("\\uFEFF", "\u{FEFF}"), ("\\ud83d\\ude00", "😀"),
            ("\\uD83D\\uDE00", "😀"), ("\\ud800\\udc00", "\u{10000}"), ("\\udbff\\udfff", "\u{10FFFF}"),
            ("\\\\n", "\\n"), ("\\\\u0041", "\\u0041"), ("\\\\\\n", "\\\n"), ("\\u005cn", "\\n"), ("\\u0022", "\""),
            ("a\\nb\\u00e9c", "a\nbéc"), ("日\\n本", "日\n本"), ("\\u00411", "A1"), ("😀\\ud83d\\ude00😀", "😀😀😀"),
        ]
        for (raw, decoded) in rows {
            try Self.withString(raw) { string in
                #expect(string.raw.string == raw)
                #expect(string.hasEscapes == raw.contains("\\"), "\(raw)")
                #expect(string.decodedBytes == Array(decoded.utf8), "\(raw)")
                #expect(string.decodedCount == decoded.utf8.count, "\(raw)")
                #expect(Array(string.string.utf8) == Array(decoded.utf8), "\(raw)")
            }
        }
    }

    @Test func `a lone surrogate becomes one replacement character`() throws {
        let rows: [(raw: String, decoded: String)] = [
            ("\\ud800", "\u{FFFD}"), ("\\udc00", "\u{FFFD}"), ("\\udbff", "\u{FFFD}"), ("\\udfff", "\u{FFFD}"),
            ("a\\ud83db", "a\u{FFFD}b"), ("\\ud83d\\n", "\u{FFFD}\n"), ("\\ud83d\\u0041", "\u{FFFD}A"),
            ("\\ude00\\ud83d", "\u{FFFD}\u{FFFD}"), ("\\ud83d\\ud83d\\ude00", "\u{FFFD}😀"),
            ("\\ud83d\\ude00\\ude00", "😀\u{FFFD}"), ("\\ud83d\\\\ude00", "\u{FFFD}\\ude00"), ("\\ud83d😀", "\u{FFFD}😀"),
            ("\\ud800\\ud800", "\u{FFFD}\u{FFFD}"), ("\\ud83d\\ue000", "\u{FFFD}\u{E000}"),
        ]
        for (raw, decoded) in rows {
            try Self.withString(raw) { string in
                #expect(string.decodedBytes == Array(decoded.utf8), "\(raw)")
                #expect(string.decodedCount == decoded.utf8.count, "\(raw)")
            }
        }
    }

    @Test func `every escape of four digits stands for its scalar`() throws {
        for value in UInt32(0)...0xFFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let digits = String(value, radix: 16)
            let raw = "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            try Self.withString(raw) { string in #expect(string.decodedBytes == Array("\(scalar)".utf8), "\(raw)") }
        }
    }

    @Test func `random strings decode like the naive reference`() throws {
        var generator = SeededGenerator(seed: 8259)
        for _ in 0..<2000 {
            let reference = Reference(&generator)
            try Self.withString(reference.raw) { string in
                #expect(string.decodedBytes == reference.decoded, "\(reference.raw)")
                #expect(string.decodedCount == reference.decoded.count, "\(reference.raw)")
                let offsets = (0..<reference.decoded.count).map { string.rawOffset(ofDecoded: $0) }
                #expect(offsets == reference.offsets, "\(reference.raw)")
                // The offset after the last byte is the end.
                let rawCount = reference.raw.utf8.count
                #expect(string.rawOffset(ofDecoded: reference.decoded.count) == rawCount, "\(reference.raw)")
                #expect(string.rawOffset(ofDecoded: reference.decoded.count + 5) == rawCount, "\(reference.raw)")
            }
        }
    }

    /// A string built from pieces whose decoded form is known.
    private struct Reference {
        var raw = ""
        var decoded: [UInt8] = []
        /// For each decoded byte, the offset in `raw` where it comes from: an escape's bytes all come from its backslash.
        var offsets: [Int] = []

        private static let pieces: [(raw: String, decoded: String)] = [
            ("a", "a"), ("bc", "bc"), ("0123456789", "0123456789"), (" ", " "), ("é", "é"), ("日本", "日本"), ("😀", "😀"),
            ("\u{301}", "\u{301}"), ("\\n", "\n"), ("\\\"", "\""), ("\\\\", "\\"), ("\\/", "/"), ("\\u0041", "A"),
            ("\\u00e9", "é"), ("\\u65E5", "日"), ("\\ud83d\\ude00", "😀"), ("\\u0000", "\u{0}"), ("\\ud83d", "\u{FFFD}"),
            ("\\ude00", "\u{FFFD}"),
        ]

        init(_ generator: inout SeededGenerator) {
            var last = ""
            for _ in 0..<generator.below(12) {
                let piece = generator.pick(Self.pieces)
                // These two would form a pair.
                if last == "\\ud83d", piece.raw == "\\ude00" { continue }
                last = piece.raw
                let start = raw.utf8.count
                let isEscape = piece.raw.hasPrefix("\\")
                for position in 0..<piece.decoded.utf8.count { offsets.append(isEscape ? start : start + position) }
                raw += piece.raw
                decoded += piece.decoded.utf8
            }
        }
    }

    @Test func `decoding writes no more than the string's own length`() throws {
        for raw in ["\\ud83d\\ude00", "\\uffff", "\\n", "\\ud800", "\\u0000", "xx\\u65e5\\u672c", "plain"] {
            try Self.withString(raw) { string in
                let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: string.count + 8)
                defer { room.deallocate() }
                room.update(repeating: 0xAA)
                let written = string.decode(to: try #require(room.baseAddress))
                #expect(written == string.decodedCount, "\(raw)")
                #expect(written <= string.count, "\(raw)")
                #expect(room[string.count...].allSatisfy { $0 == 0xAA }, "\(raw)")
            }
        }
    }

    @Test func `a string equals the name that it spells`() throws {
        let rows: [(raw: String, name: StaticString, isEqual: Bool)] = [
            ("aps", "aps", true), ("aps", "ap", false), ("aps", "apss", false), ("aps", "apz", false), ("", "", true),
            ("", "a", false), ("a", "", false), ("\\u0061ps", "aps", true), ("\\u0061\\u0070\\u0073", "aps", true),
            ("\\u0061p", "aps", false), ("\\u0061pss", "aps", false), ("\\u0062ps", "aps", false),
            ("content\\u002davailable", "content-available", true), ("a\\/b", "a/b", true), ("a\\/b", "a\\/b", false),
            ("\\ud83d\\ude00", "😀", true), ("\\u00e9", "é", true), ("e\\u0301", "\u{E9}", false), ("é", "é", true),
            ("\\ud800", "\u{FFFD}", true), ("a\\u0000", "a", false), ("APS", "aps", false),
        ]
        for (raw, name, isEqual) in rows {
            try Self.withString(raw) { string in #expect((string == name) == isEqual, "\(raw) and \(name)") }
        }
    }

    @Test func `two strings are equal when they spell the same`() throws {
        // Each row spells one name in several ways.
        let rows = [
            ["aps", "\\u0061ps", "a\\u0070s", "\\u0061\\u0070\\u0073"], ["ap", "\\u0061p"], ["", ""],
            ["é", "\\u00e9", "\\u00E9"], ["e\u{301}", "e\\u0301"], ["/", "\\/", "\\u002f"], ["😀", "\\ud83d\\ude00"],
            ["\\n", "\\u000a"], ["\\\\n", "\\u005cn"],
        ]
        for (leftRow, left) in rows.enumerated().flatMap({ row in row.element.map { (row.offset, $0) } }) {
            for (rightRow, right) in rows.enumerated().flatMap({ row in row.element.map { (row.offset, $0) } }) {
                try withRoot("[\"\(left)\",\"\(right)\"]") { root in
                    let first = try #require(root[pointer: "/0"]?.string)
                    let second = try #require(root[pointer: "/1"]?.string)
                    #expect((first == second) == (leftRow == rightRow), "\(left) and \(right)")
                }
            }
        }
    }
}
