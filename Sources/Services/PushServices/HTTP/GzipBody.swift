/// A body that its client has compressed with gzip, as Expo's SDKs compress the longer ones.
///
/// Sources: RFC 1951, DEFLATE; RFC 1952, gzip. Small bodies come, and few of them, so it is written for clarity: a symbol is decoded bit by bit.
///
/// It is our own code because every library costs users more than it saves. NIOHTTPCompression wants NIO's own parts of HTTP/1.1, which this
/// gateway does not have for HTTP/2, and brings swift-nio-extras with its packages. It is over zlib, as any other would be: one more system
/// package (`zlib1g-dev`) for whoever builds the command or tests with `PushpipeTesting`, and one more library beside each archive. What is
/// linked already, swift-nio-http2 and swift-nio-ssl, inflates nothing. `gzip` itself, which `run` uses for files, would be a process per
/// request. The tests compare it with gzip, and the fuzz target `gzip` feeds it anything.
package enum GzipBody {
    /// The result of reading a body.
    package enum Reading: Equatable {
        case text([UInt8])
        /// The text has more bytes than are allowed.
        case tooLong
        /// Anything else, or one with a wrong checksum.
        case invalid
    }

    /// The text of a body; nil for anything else, and for one that is longer.
    ///
    /// - Parameter limit: of the text, in bytes.
    package static func text(of body: [UInt8], limit: Int) -> [UInt8]? {
        if case .text(let text) = reading(of: body, limit: limit) { text } else { nil }
    }

    /// Reads a body of one member, or of several, whose texts follow each other (RFC 1952, section 2.2).
    ///
    /// - Parameter limit: of the text, in bytes.
    package static func reading(of body: [UInt8], limit: Int) -> Reading {
        var text: [UInt8] = []
        var end = 0
        repeat {
            guard let start = start(of: body, from: end) else { return .invalid }
            var inflation = Inflation(body, from: start, limit: limit - text.count)
            do throws(Inflation.Fault) { try inflation.run() } catch { return error.isOfLength ? .tooLong : .invalid }
            end = inflation.position
            guard end + 8 <= body.count, number(body, at: end) == checksum(of: inflation.out),
                number(body, at: end + 4) == UInt32(truncatingIfNeeded: inflation.out.count)
            else { return .invalid }
            text += inflation.out
            end += 8
        } while end < body.count
        return .text(text)
    }

    /// Where the compressed data of a member begins.
    private static func start(of body: [UInt8], from first: Int) -> Int? {
        guard body.count - first >= 18, body[first] == 0x1F, body[first + 1] == 0x8B, body[first + 2] == 8 else {
            return nil
        }
        let flags = body[first + 3]
        var position = first + 10
        if flags & 4 != 0 { position += 2 + Int(body[position]) + Int(body[position + 1]) << 8 }
        // The file's name, and a comment.
        for flag: UInt8 in [8, 16] where flags & flag != 0 {
            guard position < body.count, let end = body[position...].firstIndex(of: 0) else { return nil }
            position = end + 1
        }
        if flags & 2 != 0 { position += 2 }
        return position < body.count ? position : nil
    }

    private static func number(_ bytes: [UInt8], at position: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[position + $1]) << UInt32(8 * $1) }
    }

    /// CRC-32 of RFC 1952.
    package static func checksum(of bytes: [UInt8]) -> UInt32 {
        var value = ~UInt32(0)
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }
}

/// The decompression of one stream of DEFLATE.
private struct Inflation {
    /// Data that is not DEFLATE, ends early, or is longer than the limit.
    struct Fault: Error {
        var isOfLength = false
    }

    private let input: [UInt8]
    private let limit: Int
    /// The next byte that has not been looked at. At the end, the first one after the stream.
    private(set) var position: Int
    private(set) var out: [UInt8] = []
    private var buffer = 0
    private var count = 0

    init(_ input: [UInt8], from position: Int, limit: Int) {
        self.input = input
        self.position = position
        self.limit = limit
    }

    mutating func run() throws(Fault) {
        var isLast = false
        while !isLast {
            isLast = try bits(1) == 1
            switch try bits(2) {
            case 0: try copyStored()
            case 1: try decode(Self.fixedLengths, Self.fixedDistances)
            case 2:
                let (lengths, distances) = try readCodes()
                try decode(lengths, distances)
            default: throw Fault()
            }
        }
    }

    /// The next bits, the first one lowest.
    private mutating func bits(_ wanted: Int) throws(Fault) -> Int {
        while count < wanted {
            guard position < input.count else { throw Fault() }
            buffer |= Int(input[position]) << count
            position += 1
            count += 8
        }
        let value = buffer & (1 << wanted - 1)
        buffer >>= wanted
        count -= wanted
        return value
    }

    private mutating func append(_ byte: UInt8) throws(Fault) {
        guard out.count < limit else { throw Fault(isOfLength: true) }
        out.append(byte)
    }

    private mutating func copyStored() throws(Fault) {
        // The rest of a byte is not used. No whole byte is in the buffer.
        buffer = 0
        count = 0
        let length = try bits(16)
        guard try bits(16) == ~length & 0xFFFF, position + length <= input.count else { throw Fault() }
        for index in position..<position + length { try append(input[index]) }
        position += length
    }

    // MARK: - Codes

    /// A prefix code: how many symbols there are of each length, and the symbols in the order of their codes.
    private struct Code {
        var counts = [Int](repeating: 0, count: 16)
        var symbols: [Int]

        /// - Parameter lengths: by symbol; 0 for a symbol without a code.
        init(_ lengths: some Collection<Int>) {
            for length in lengths { counts[length] += 1 }
            counts[0] = 0
            symbols = lengths.enumerated().filter { $0.element > 0 }
                .sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(\.offset)
        }

        /// False if it has more codes than there are.
        var isPossible: Bool {
            var left = 1
            for length in 1..<16 {
                left = left << 1 - counts[length]
                if left < 0 { return false }
            }
            return true
        }
    }

    private mutating func symbol(_ code: Code) throws(Fault) -> Int {
        var value = 0
        var first = 0
        var index = 0
        for length in 1..<16 {
            value |= try bits(1)
            let count = code.counts[length]
            if value - count < first { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw Fault()
    }

    private static let fixedLengths = Code(
        [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
            + [Int](repeating: 8, count: 8))
    private static let fixedDistances = Code([Int](repeating: 5, count: 30))

    /// The order in which a block has the lengths of the codes of its lengths.
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    private mutating func readCodes() throws(Fault) -> (lengths: Code, distances: Code) {
        let lengthCount = try bits(5) + 257
        let distanceCount = try bits(5) + 1
        let codeCount = try bits(4) + 4
        guard lengthCount <= 286, distanceCount <= 30 else { throw Fault() }
        var own = [Int](repeating: 0, count: 19)
        for position in 0..<codeCount { own[Self.order[position]] = try bits(3) }
        let code = Code(own)
        guard code.isPossible else { throw Fault() }
        var lengths: [Int] = []
        while lengths.count < lengthCount + distanceCount {
            let symbol = try symbol(code)
            switch symbol {
            case 16:
                guard let last = lengths.last else { throw Fault() }
                lengths += [Int](repeating: last, count: try bits(2) + 3)
            case 17: lengths += [Int](repeating: 0, count: try bits(3) + 3)
            case 18: lengths += [Int](repeating: 0, count: try bits(7) + 11)
            default: lengths.append(symbol)
            }
        }
        guard lengths.count == lengthCount + distanceCount else { throw Fault() }
        let codes = (Code(lengths.prefix(lengthCount)), Code(lengths.suffix(distanceCount)))
        guard codes.0.isPossible, codes.1.isPossible else { throw Fault() }
        return codes
    }

    // MARK: - Data

    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145,
        8193, 12289, 16385, 24577,
    ]
    private static let distanceBits = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]

    private mutating func decode(_ lengths: Code, _ distances: Code) throws(Fault) {
        while true {
            let symbol = try symbol(lengths)
            if symbol < 256 {
                try append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return }
            guard symbol - 257 < Self.lengthBases.count else { throw Fault() }
            let length = try Self.lengthBases[symbol - 257] + bits(Self.lengthBits[symbol - 257])
            let code = try self.symbol(distances)
            let distance = try Self.distanceBases[code] + bits(Self.distanceBits[code])
            guard distance <= out.count else { throw Fault() }
            for _ in 0..<length { try append(out[out.count - distance]) }
        }
    }
}
