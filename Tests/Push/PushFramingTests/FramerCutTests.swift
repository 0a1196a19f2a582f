import PushFraming
import TestSupport
import Testing

/// Bytes arrive in arbitrary pieces: however an input is divided, its records are the same.
struct FramerCutTests {
    private static let hugeLimit = 1 << 20

    /// The parts of generated records, complete values more often than fragments.
    private static let records = [
        #"{"aps":{"alert":"Hi"}}"#, "{\n  \"aps\": {\n    \"alert\": \"Hi\"\n  }\n}", #"{"a":[1,{"b":"}{\"]"}]}"#, "{}",
        "[1,2]",
        "12", "\"x\"", "{\"aps\":{\"alert\":\"é日😀\"}}",
    ]
    private static let damage = [
        "{", "}", "[", "]", "\"", "\\", ":", ",", "{\"a\":", "{\"a\":1", "{\"a\":\"x", "garbage", "'", " ", "\t",
        "\u{FEFF}", "é", "0",
        "{\n", "\n}", "\r", "\n{",
    ]

    private static func separator(_ framing: Framing) -> String {
        switch framing {
        case .nul: "\0"
        case .seq: "\u{1E}"
        case .array: ","
        case .auto, .ndjson, .json: "\n"
        }
    }

    /// Records of this framing, `damaged` of ten with something malformed before, after or instead of them.
    private static func input(_ framing: Framing, damaged: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        let separator = separator(framing)
        // A line feed inside a record would be a separator.
        let whole = framing == .ndjson || framing == .auto ? records.filter { !$0.contains("\n") } : records
        var text = generator.below(4) == 0 ? "\u{FEFF}" : ""
        for _ in 0..<(1 + generator.below(8)) {
            if framing == .seq { text += separator }
            if generator.below(10) < damaged { text += generator.pick(damage) }
            if damaged == 0 || generator.below(4) > 0 { text += generator.pick(whole) }
            if generator.below(10) < damaged { text += generator.pick(damage) }
            if framing == .seq {
                text += generator.below(4) == 0 ? "" : "\n"
            } else if framing != .json || generator.below(3) > 0 {
                text += generator.pick(framing == .ndjson ? ["\n", "\n", "\r\n", "\n\n"] : [separator])
            }
        }
        return Array(text.utf8)
    }

    /// The first input whose records depend on how it is divided, and the difference.
    private func dependence(
        _ framing: Framing, damaged: Int, limit: Int, relaxed: Bool = false, rounds: Int, seed: UInt64
    ) -> String? {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<rounds {
            let bytes = Self.input(framing, damaged: damaged, &generator)
            let whole = frame(bytes, framing, limit: limit, relaxed: relaxed)
            guard whole.isWellBehaved else { return "round \(round) is not well-behaved: \(readable(bytes))" }
            for pieces in [byteByByte(bytes)] + (0..<6).map({ _ in generator.pieces(bytes.count) }) {
                let cut = frame(bytes, framing, limit: limit, relaxed: relaxed, pieces: pieces)
                guard cut.items == whole.items, cut.isWellBehaved else {
                    let how = pieces.count == bytes.count ? "byte by byte" : "in pieces of \(pieces)"
                    return "round \(round), \(how): \(readable(bytes)) gives \(cut.items) and not \(whole.items)"
                }
            }
        }
        return nil
    }

    @Test(arguments: Framing.allCases)
    func `valid records do not depend on how the bytes arrive`(_ framing: Framing) {
        let found = dependence(framing, damaged: 0, limit: Self.hugeLimit, rounds: 150, seed: 1)
        #expect(found == nil)
    }

    @Test(arguments: Framing.allCases, [false, true])
    func `broken records do not depend on how the bytes arrive`(_ framing: Framing, relaxed: Bool) {
        let found = dependence(framing, damaged: 4, limit: Self.hugeLimit, relaxed: relaxed, rounds: 300, seed: 2)
        #expect(found == nil)
    }

    @Test(arguments: Framing.allCases)
    func `records around the limit do not depend on how the bytes arrive`(_ framing: Framing) {
        for limit in [1, 2, 7, 12, 20, 26] {
            let found = dependence(framing, damaged: 1, limit: limit, rounds: 80, seed: UInt64(limit))
            #expect(found == nil, "limit \(limit)")
        }
    }

    @Test(arguments: [Framing.ndjson, .nul, .json, .seq])
    func `the valid records of an input are returned intact`(_ framing: Framing) {
        let expected = Self.records.filter { framing != .ndjson || !$0.contains("\n") }
        let separator = Self.separator(framing)
        let text = expected.map { framing == .seq ? separator + $0 : $0 + separator }.joined()
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let framed = frame(text, framing, pieces: generator.pieces(text.utf8.count))
            #expect(framed.texts == expected)
        }
    }
}
