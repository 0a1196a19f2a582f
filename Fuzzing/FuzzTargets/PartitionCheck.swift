import PushDecoding
import PushFraming
import PushJSON
import PushModel
import PushPartition
import PushPipeline
import PushSystem

/// An input in parts: every record is in the parts of its devices, in order and with its bytes.
enum PartitionCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            var configuration = PipelineConfiguration()
            configuration.clock = .fixed(milliseconds: 1_000_000)
            configuration.framing = Framing.allCases[Int(input.options.0 & 0x0F) % Framing.allCases.count]
            configuration.maximumRecordBytes = input.options.0 & 0x10 == 0 ? 1 << 20 : 64
            configuration.decoding.acceptsRelaxedJSON = input.options.0 & 0x20 != 0
            configuration.decoding.platform = input.options.1 & 1 == 0 ? nil : .ios
            let parts = [2, 7, 64, 500][Int(input.options.0 >> 6)]
            do {
                let whole = try Parts(input.text, 1, configuration)
                let divided = try Parts(input.text, parts, configuration)
                return trouble(whole, divided)
            } catch let error as PlainError where error.message.contains("so the input cannot be divided") {
                return nil
            } catch let error as Parts.Trouble {
                return error.text
            } catch {
                return "\(error)"
            }
        }
    }

    private static func trouble(_ whole: Parts, _ divided: Parts) -> String? {
        guard whole.records == divided.records else { return "\(whole.records) records, \(divided.records) in parts" }
        var originals: [UInt64: [UInt8]] = [:]
        for line in whole.lines { originals[line.seq] = line.record ?? [] }
        if originals.count != Int(whole.records) { return "a record is not in the only part" }
        var seen: Set<UInt64> = []
        for line in divided.lines {
            guard let original = originals[line.seq] else { return "a record that there is not" }
            if original != line.record ?? [] { return "the bytes of record \(line.seq) change" }
            seen.insert(line.seq)
        }
        return seen.count == originals.count ? nil : "a record is in no part"
    }

    /// A divided input, read again.
    private final class Parts: PartOutput {
        struct Trouble: Error { var text: String }

        struct Line {
            var seq: UInt64
            var record: [UInt8]?
        }

        private(set) var lines: [Line] = []
        private(set) var records: UInt64 = 0
        private var reader = PlacedRecordReader()
        private var scratch = ScratchArena()
        private var last: [Int: UInt64] = [:]

        init(_ text: UnsafeRawBufferPointer, _ parts: Int, _ configuration: PipelineConfiguration) throws {
            let partitioner = Partitioner(configuration, parts: parts, to: self)
            let input = partitioner.makeInput()
            try partitioner.begin()
            input.begin(InputSource("-"))
            try input.feed(text)
            try input.finish()
            try partitioner.end()
            records = partitioner.summary.records
        }

        func append(_ line: BorrowedText, part: Int, seq: UInt64) throws {
            guard line.count > 1, line.buffer[line.count - 1] == UInt8(ascii: "\n"),
                !line.buffer.dropLast().contains(UInt8(ascii: "\n"))
            else { throw Trouble(text: "not one line") }
            if let last = last[part], last >= seq { throw Trouble(text: "not in order") }
            last[part] = seq
            let bytes = UnsafeRawBufferPointer(rebasing: line.bytes.dropLast())
            guard case .success(let record) = reader.read(bytes, &scratch) else {
                throw Trouble(text: "cannot be read: \(readable(bytes))")
            }
            if record.place.part != nil || record.place.isEnd { return }
            lines.append(Line(seq: record.place.seq ?? 0, record: record.record.map { Array($0.buffer) }))
        }

        func flush() {}
        func finish() {}
    }
}
