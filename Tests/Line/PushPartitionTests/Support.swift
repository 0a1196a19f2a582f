import Foundation
import PushDecoding
import PushFraming
import PushJSON
import PushModel
import PushPartition
import PushPipeline
import PushRuns
import PushSystem

/// Keeps the lines of parts.
final class CollectedParts: PartOutput {
    struct Line {
        var text: String
        var seq: UInt64
    }

    private(set) var parts: [Int: [Line]] = [:]
    private(set) var flushes = 0

    func append(_ line: BorrowedText, part: Int, seq: UInt64) {
        parts[part, default: []].append(Line(text: line.string, seq: seq))
    }

    func flush() { flushes += 1 }
    func finish() {}

    /// The contents of a part.
    func text(_ part: Int) -> String { parts[part, default: []].map(\.text).joined() }
}

/// A divided input.
struct DividedInput {
    struct Record {
        var part: Int
        var place: Place
        /// Its bytes; nil for one over the limit.
        var bytes: [UInt8]?
    }

    struct Place: Equatable {
        var seq: UInt64 = 0
        var source: String?
        var isTooLong = false
    }

    let output = CollectedParts()
    private(set) var records: [Record] = []
    private(set) var summary: PartitionSummary

    init(
        _ input: [UInt8], parts: Int, jobs: Int = 1, pieces: Int = .max, framing: Framing = .auto,
        _ change: (inout PipelineConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = PipelineConfiguration()
        (configuration.jobs, configuration.framing) = (jobs, framing)
        configuration.clock = .fixed(milliseconds: 1_000_000)
        change(&configuration)
        let partitioner = Partitioner(configuration, parts: parts, to: output)
        let reader = partitioner.makeInput()
        try partitioner.begin()
        reader.begin(InputSource("input.ndjson"))
        var rest = input[...]
        while !rest.isEmpty {
            let piece = rest.prefix(pieces)
            try piece.withUnsafeBytes { try reader.feed($0) }
            rest = rest.dropFirst(piece.count)
        }
        try reader.finish()
        try partitioner.end()
        summary = partitioner.summary
        for (part, lines) in output.parts.sorted(by: { $0.key < $1.key }) {
            for line in lines.dropFirst().dropLast() { records.append(try Self.read(line, part)) }
        }
    }

    init(_ input: String, parts: Int, _ change: (inout PipelineConfiguration) -> Void = { _ in }) throws {
        try self.init(Array(input.utf8), parts: parts, change)
    }

    struct NotPlaced: Error { var line: String }

    private static func read(_ line: CollectedParts.Line, _ part: Int) throws -> Record {
        guard line.text.hasSuffix("\n") else { throw NotPlaced(line: line.text) }
        var reader = PlacedRecordReader()
        var scratch = ScratchArena()
        var record: Record?
        Array(line.text.utf8.dropLast()).withUnsafeBytes { bytes in
            guard case .success(let read) = reader.read(bytes, &scratch) else { return }
            var place = Place(seq: read.place.seq ?? 0)
            place.source = read.place.source.map {
                "\($0.file.string) \($0.record) \($0.position.line):\($0.position.column) \($0.offset)"
            }
            place.isTooLong = read.place.excess != nil
            record = Record(part: part, place: place, bytes: read.record.map { Array($0.buffer) })
        }
        guard let record else { throw NotPlaced(line: line.text) }
        return record
    }
}

/// The parts that a record alone is for, from what a run reports about it.
func parts(of record: [UInt8], seq: UInt64, among parts: Int) throws -> Set<Int> {
    var configuration = PipelineConfiguration()
    configuration.framing = .nul
    configuration.validation = .off
    let pipeline = Pipeline(configuration)
    var found: [Int] = []
    var isClock = false
    var isRefused = true
    func note(_ report: borrowing RecordReport) {
        if report.outcome == .malformed { return }
        let device = report.message.device.string
        isClock = isClock || device.isEmpty
        isRefused = isRefused && report.outcome == .rejected
        found.append(Int(hash(device) % UInt64(parts)))
    }
    try record.withUnsafeBytes { try pipeline.feed($0, report: note) }
    try pipeline.finish(report: note)
    if isClock { return Set(0..<parts) }
    if found.isEmpty { return [Int(seq % UInt64(parts))] }
    return isRefused ? [found[0]] : Set(found)
}

/// FNV-1a with 64 bits, written again from its definition (draft-eastlake-fnv).
func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
}
