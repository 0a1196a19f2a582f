import PushFraming
import PushJSON
import PushPipeline

/// However an input is cut, its records are the same; and no byte is in two of them.
enum FramingCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let framings = Framing.allCases
            let framing = framings[Int(input.options.0 & 0x0F) % framings.count]
            let relaxed = input.options.0 & 0x10 != 0
            let limit = [1 << 20, 1 << 20, 1, 2, 7, 20, 64, 200][Int(input.options.0 >> 5)]
            let text = Array(input.text)
            let whole = frame(text, framing, limit, relaxed) { text.count - $0 }
            if let trouble = whole.trouble { return trouble }
            var generator = CutGenerator(seed: UInt64(input.options.1))
            let cut = frame(text, framing, limit, relaxed) { _ in 1 + generator.below(generator.below(2) == 0 ? 3 : 40)
            }
            if let trouble = cut.trouble { return "in pieces: \(trouble)" }
            if cut.items != whole.items { return "in pieces \(cut.items), in one \(whole.items)" }
            guard text.count <= 256 else { return nil }
            let single = frame(text, framing, limit, relaxed) { _ in 1 }
            if let trouble = single.trouble { return "byte by byte: \(trouble)" }
            return single.items == whole.items ? nil : "byte by byte \(single.items), in one piece \(whole.items)"
        }
    }

    private enum Item: Equatable {
        /// Where a record stands in the input.
        case record(Range<Int>)
        case tooLong
    }

    /// Frames an input that arrives in pieces of the sizes that `size` gives for each position.
    private static func frame(
        _ bytes: [UInt8], _ framing: Framing, _ limit: Int, _ relaxed: Bool, _ size: (Int) -> Int
    ) -> (items: [Item], trouble: String?) {
        var framer = Framer(framing, maximumRecordBytes: limit, acceptsRelaxedJSON: relaxed)
        var items: [Item] = []
        /// The bytes that the framer has seen, and how many of them it has consumed.
        var shown = 0
        var dropped = 0
        var isEnd = false
        var standstills = 0
        while true {
            let answer = bytes[dropped..<shown].withUnsafeBytes { framer.next(in: $0, isEnd: isEnd) }
            let consumed: Int
            switch answer {
            case .record(let range, let count):
                guard range.lowerBound >= 0, range.upperBound <= count else {
                    return (items, "a record outside its bytes")
                }
                guard range.count <= limit else { return (items, "a record of \(range.count), \(limit) are allowed") }
                guard !range.isEmpty else { return (items, "an empty record") }
                items.append(.record(range.lowerBound + dropped..<range.upperBound + dropped))
                consumed = count
            case .tooLong(let start, let count):
                guard start >= 0, start <= count else { return (items, "an oversized record outside its bytes") }
                items.append(.tooLong)
                consumed = count
            case .skip(let count): consumed = count
            case .needsMore, .end:
                if isEnd {
                    guard answer == .end || dropped == shown else { return (items, "bytes remain at the end") }
                    return (items, nil)
                }
                isEnd = shown == bytes.count
                shown = min(shown + max(size(shown), 1), bytes.count)
                continue
            }
            standstills = consumed == 0 ? standstills + 1 : 0
            guard standstills < 4 else { return (items, "no progress") }
            dropped += consumed
            guard dropped <= shown else { return (items, "consumed more than was shown") }
        }
    }
}
