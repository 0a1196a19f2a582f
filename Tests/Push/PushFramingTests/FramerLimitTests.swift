import PushFraming
import TestSupport
import Testing

/// Records at the limit and over it, and how much of the input must be buffered.
struct FramerLimitTests {
    private static let limit = 64

    /// How a framing writes records, and the bytes after one that do not count.
    struct Notation: Sendable, CustomTestStringConvertible {
        var framing: Framing
        var before = ""
        var after: String

        var testDescription: String { "\(framing) \(readable((before + after).utf8))" }

        static let all = [
            Notation(framing: .ndjson, after: "\n"), Notation(framing: .ndjson, after: "\r\n"),
            Notation(framing: .nul, after: "\0"), Notation(framing: .seq, before: "\u{1E}", after: "\n"),
            Notation(framing: .json, after: "\n"), Notation(framing: .json, after: ""),
            Notation(framing: .auto, after: "\n"), Notation(framing: .auto, after: "\r\n"),
        ]

        func write(_ records: [String]) -> String { records.map { before + $0 + after }.joined() }
    }

    /// A JSON object of that many bytes.
    private static func object(_ count: Int) -> String {
        #"{"a":""# + String(repeating: "x", count: count - 8) + #""}"#
    }

    @Test(arguments: Notation.all)
    func `a record at the limit passes, and one byte more does not`(_ notation: Notation) {
        let small = #"{"b":1}"#
        for (length, expected) in [
            (Self.limit - 1, Self.object(Self.limit - 1)), (Self.limit, Self.object(Self.limit)), (Self.limit + 1, nil),
            (Self.limit + 2, nil), (Self.limit + 3, nil), (10 * Self.limit, nil),
        ] {
            let bytes = Array(notation.write([small, Self.object(length), small]).utf8)
            for pieces in [[], byteByByte(bytes)] {
                let framed = frame(bytes, notation.framing, limit: Self.limit, pieces: pieces)
                let texts = framed.texts.map { $0.map { $0.last == "\n" ? String($0.dropLast()) : $0 } }
                #expect(texts == [small, expected, small], "\(length) bytes, \(pieces.count) pieces")
                #expect(framed.isWellBehaved)
            }
        }
    }

    @Test(arguments: Notation.all)
    func `an oversized record at the end is reported once`(_ notation: Notation) {
        for length in [Self.limit + 1, Self.limit + 2, 10 * Self.limit] {
            var text = notation.write([#"{"b":1}"#, Self.object(length)])
            for _ in 0..<2 {
                let bytes = Array(text.utf8)
                for pieces in [[], byteByByte(bytes)] {
                    let framed = frame(bytes, notation.framing, limit: Self.limit, pieces: pieces)
                    #expect(framed.items.count == 2)
                    #expect(framed.items.last == .tooLong, "\(readable(text.utf8))")
                }
                // And again without its terminator.
                text = notation.before + #"{"b":1}"# + notation.after + notation.before + Self.object(length)
            }
        }
    }

    @Test(arguments: Notation.all)
    func `an oversized first record does not affect the next`(_ notation: Notation) {
        let small = [#"{"b":1}"#, #"{"c":2}"#]
        let bytes = Array(notation.write([Self.object(5 * Self.limit)] + small).utf8)
        for pieces in [[], byteByByte(bytes), Array(repeating: Self.limit, count: 10)] {
            let framed = frame(bytes, notation.framing, limit: Self.limit, pieces: pieces)
            let texts = framed.texts.map { $0.map { $0.last == "\n" ? String($0.dropLast()) : $0 } }
            #expect(texts == [nil] + small, "\(pieces.count) pieces")
        }
    }

    @Test(arguments: Framing.allCases)
    func `buffered bytes stay close to the limit`(_ framing: Framing) {
        let space = String(repeating: " ", count: 40)
        let lines = String(repeating: "\n", count: 40)
        let long = String(repeating: "x", count: 40)
        for part in [
            #"{"a":[1,2,3]}"# + "\n", "{\n  \"a\": 1\n}\n", "[[[[", "]]]]", "\"", "\\", "{\n", "\0", "\u{1E}", space,
            lines,
            long, "\u{1E}" + long, "\u{1E}" + space,
        ] {
            let bytes = Array(String(repeating: part, count: 400).utf8)
            var generator = SeededGenerator(seed: UInt64(bytes.count))
            for longest in [1, 16] {
                let pieces = generator.pieces(bytes.count, longest: longest)
                let framed = frame(bytes, framing, limit: Self.limit, pieces: pieces)
                #expect(framed.isWellBehaved)
                // A byte-order mark, a carriage return, and the piece that went over the limit.
                #expect(framed.mostKept <= Self.limit + 3 + longest, "\(readable(part.utf8)) again and again")
            }
        }
    }

    @Test func `blank lines before the first record are not buffered`() {
        let bytes = Array(String(repeating: "\n", count: 20 * Self.limit).utf8) + Array(#"{"a":1}"#.utf8)
        let framed = frame(bytes, .auto, limit: Self.limit, pieces: byteByByte(bytes))
        #expect(framed.texts == [#"{"a":1}"#])
        #expect(framed.mostKept <= Self.limit + 3)
    }

    @Test(arguments: [Framing.ndjson, .nul])
    func `a blank record over the limit is treated the same however it arrives`(_ framing: Framing) {
        let separator = framing == .nul ? "\0" : "\n"
        let bytes = Array((String(repeating: " ", count: 3 * Self.limit) + separator + #"{"a":1}"# + separator).utf8)
        let whole = frame(bytes, framing, limit: Self.limit)
        #expect(whole.texts.last == #"{"a":1}"#)
        #expect(frame(bytes, framing, limit: Self.limit, pieces: byteByByte(bytes)).items == whole.items)
    }
}
