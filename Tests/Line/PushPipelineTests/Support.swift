import Foundation
import PayloadJSON
import PushModel
import PushPipeline
import PushWorkload
import RecordFraming
import TestSupport

// MARK: - Framing

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

/// Sizes that let an input arrive byte by byte.
func byteByByte(_ bytes: [UInt8]) -> [Int] { Array(repeating: 1, count: bytes.count) }

/// Bytes in readable form that can be pasted into a test: ASCII unchanged, all others as `\xNN`.
func readable(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
        if byte >= 0x20, byte < 0x7F { return String(Character(Unicode.Scalar(byte))) }
        return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
}

extension SeededGenerator {
    /// Sizes of pieces that make up `count` bytes: many short ones, some longer.
    mutating func pieces(_ count: Int, longest: Int = 40) -> [Int] {
        var sizes: [Int] = []
        var sum = 0
        while sum < count {
            let size = 1 + below(below(2) == 0 ? 3 : longest)
            sizes.append(size)
            sum += size
        }
        return sizes
    }
}

// MARK: - Reports

/// A report in values that outlive it.
struct Reported: Equatable {
    var seq: UInt64
    var target: Int?
    var outcome: Outcome
    var device: String
    var identifier: String?
    var replaces: UInt64?
    var bytes: Int
    var limit: Int
    var rules: [String]
    var error: String?
    /// The line as `NDJSONReport` writes it.
    var line: String

    init(_ report: RecordReport) {
        seq = report.seq
        target = report.message.target
        outcome = report.outcome
        device = report.message.device.string
        identifier = report.identifier
        replaces = report.replaces
        bytes = report.message.byteCount
        limit = report.message.byteLimit
        rules = report.findings.map(\.rule)
        error = report.decodeFailure?.rule
        var out = ByteBuffer()
        NDJSONReport().append(report, to: &out)
        line = String(decoding: out.bytes, as: UTF8.self)
    }
}

extension Pipeline {
    /// Processes a whole input, and returns its reports.
    func reports(_ input: String) throws -> [Reported] {
        var found: [Reported] = []
        try process(input) { found.append(Reported($0)) }
        return found
    }

    /// Feeds an input in pieces of these sizes, and returns its reports.
    func reports(_ bytes: [UInt8], pieces: [Int]) throws -> [Reported] {
        var found: [Reported] = []
        var position = 0
        var sizes = pieces[...]
        while position < bytes.count {
            let size = min(max(sizes.popFirst() ?? bytes.count, 1), bytes.count - position)
            try bytes[position..<position + size].withUnsafeBytes { piece in
                try feed(piece) { found.append(Reported($0)) }
            }
            position += size
        }
        try finish { found.append(Reported($0)) }
        return found
    }
}

/// A configuration whose reports do not depend on the day.
func configuration(_ change: (inout PipelineConfiguration) -> Void = { _ in }) -> PipelineConfiguration {
    var configuration = PipelineConfiguration()
    configuration.clock = .fixed(milliseconds: 1_000_000)
    change(&configuration)
    return configuration
}

/// An APNs request. The collapse id is its identifier on the device.
func apns(_ body: String, device: String = "ab54", collapse: String? = nil) -> String {
    let header = collapse.map { #","apns-collapse-id":"\#($0)""# } ?? ""
    return #"{"device":"\#(device)","headers":{"apns-topic":"org.example.news"\#(header)},"payload":\#(payload(body))}"#
}

/// The payload of `apns`.
func payload(_ body: String) -> String { #"{"aps":{"alert":{"body":"\#(body)"}}}"# }

/// The bytes of a generated workload.
func workload(_ count: Int, seed: UInt64, malformedRate: String = "0", eventRate: String = "0") throws -> [UInt8] {
    let configuration = try WorkloadConfiguration(
        count: count, seed: seed, devices: 20, replaceRate: WorkloadRate(parsing: "0.4"),
        malformedRate: WorkloadRate(parsing: malformedRate), eventRate: WorkloadRate(parsing: eventRate))
    var generator = WorkloadGenerator(configuration)
    var bytes: [UInt8] = []
    while generator.appendRecord(to: &bytes) {}
    return bytes
}

/// A line of a report as Foundation reads it; nil when it is not a JSON object.
func object(_ line: String) -> [String: Any]? {
    try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
}

/// The names of an object's members, in their order.
func names(_ line: String) -> [String] {
    var scanner = JSONScanner()
    var tape = JSONTape()
    var line = line
    return line.withUTF8 { text in
        let bytes = UnsafeRawBufferPointer(text)
        guard scanner.scan(bytes, into: &tape) == nil, let root = tape.root(of: bytes) else { return [] }
        var names: [String] = []
        var members = root.members
        while let (key, _) = members.next() { names.append(key.string) }
        return names
    }
}
