import PushFraming
import TestSupport

/// The output of a framer for an input, in order.
struct FramedInput: Equatable {
    enum Item: Equatable, CustomStringConvertible {
        case record(String)
        case tooLong

        var description: String {
            switch self {
            case .record(let text): "record \(readable(text.utf8))"
            case .tooLong: "too long"
            }
        }
    }

    var items: [Item] = []
    /// The most bytes that the caller had to buffer while it waited for more.
    var mostKept = 0
    /// The framer made progress with each answer, and ended when the input did.
    var isWellBehaved = true

    /// The records; nil where one was too long.
    var texts: [String?] {
        items.map { item in
            if case .record(let text) = item { text } else { nil }
        }
    }
}

/// Frames an input that arrives in pieces of these sizes; what is left over comes as one last piece.
func frame(
    _ bytes: [UInt8], _ framing: Framing, limit: Int = 1 << 20, relaxed: Bool = false, pieces: [Int] = []
) -> FramedInput {
    var framer = Framer(framing, maximumRecordBytes: limit, acceptsRelaxedJSON: relaxed)
    var result = FramedInput()
    var buffer: [UInt8] = []
    var position = 0
    var sizes = pieces[...]
    var isEnd = false
    while true {
        var start = 0
        var standstills = 0
        loop: while true {
            let frame = buffer.withUnsafeBytes {
                framer.next(in: UnsafeRawBufferPointer(rebasing: $0[start...]), isEnd: isEnd)
            }
            switch frame {
            case .record(let range, let consumed):
                let record = buffer[(start + range.lowerBound)..<(start + range.upperBound)]
                result.items.append(.record(String(decoding: record, as: UTF8.self)))
                start += consumed
            case .tooLong(_, let consumed):
                result.items.append(.tooLong)
                start += consumed
            case .skip(let consumed):
                // Once is a new framing of the same bytes; repeatedly is an endless loop.
                standstills = consumed == 0 ? standstills + 1 : 0
                if standstills > 3 { result.isWellBehaved = false }
                start += consumed
            case .needsMore, .end: break loop
            }
            if start > buffer.count { result.isWellBehaved = false }
            guard result.isWellBehaved else { return result }
        }
        buffer.removeFirst(start)
        if isEnd {
            result.isWellBehaved = buffer.isEmpty
            return result
        }
        result.mostKept = max(result.mostKept, buffer.count)
        if position == bytes.count {
            isEnd = true
        } else {
            let size = min(max(sizes.popFirst() ?? bytes.count, 1), bytes.count - position)
            buffer += bytes[position..<position + size]
            position += size
        }
    }
}

func frame(
    _ text: String, _ framing: Framing, limit: Int = 1 << 20, relaxed: Bool = false, pieces: [Int] = []
) -> FramedInput {
    frame(Array(text.utf8), framing, limit: limit, relaxed: relaxed, pieces: pieces)
}
