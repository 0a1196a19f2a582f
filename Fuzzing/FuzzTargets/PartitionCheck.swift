import PayloadJSON
import PushDecoding
import PushModel
import PushPartition
import PushPipeline
import RecordFraming

/// An input in parts: every record is in them, in order, and each copy for one target says what the whole request says about it.
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
                return trouble(whole, divided, configuration.decoding)
            } catch let error as Parts.Trouble {
                return error.text
            } catch {
                return "\(error)"
            }
        }
    }

    private static func trouble(_ whole: Parts, _ divided: Parts, _ options: DecodingOptions) -> String? {
        guard whole.records == divided.records else { return "\(whole.records) records, \(divided.records) in parts" }
        var originals: [UInt64: [UInt8]] = [:]
        for line in whole.lines where line.recipient == nil { originals[line.seq] = line.record ?? [] }
        if originals.count != Int(whole.records) { return "a record is not in the only part" }
        var seen: [UInt64: Set<Int>] = [:]
        for line in divided.lines where !line.isCopy && line.recipient == nil {
            guard let original = originals[line.seq] else { return "a record that there is not" }
            if !seen[line.seq, default: []].insert(line.target ?? 0).inserted { return "a record is there twice" }
            guard let target = line.target else {
                if original != line.record ?? [] { return "the bytes of record \(line.seq) change" }
                continue
            }
            let messages = decoded(original, options)
            let alone = decoded(line.record ?? [], options)
            guard target < messages.count, let message = alone.prefix(target + 1).last else {
                return "target \(target) is not there"
            }
            if message != messages[target] {
                return "target \(target): \(message), and in the whole \(messages[target])"
            }
        }
        return seen.count == originals.count ? nil : "a record is in no part"
    }

    /// What is read from a record, message by message.
    private static func decoded(_ record: [UInt8], _ options: DecodingOptions) -> [String] {
        var decoder = RecordDecoder(options: options)
        var batch = MessageBatch()
        return record.withUnsafeBytes { bytes in
            decoder.decode(bytes, record: 0, into: &batch)
            return (0..<batch.messageCount).map { index in
                let message = batch.messages[index]
                let findings = batch.findings.filter { $0.message == index }.map { "\($0.finding)" }
                let failures = batch.decodeFailures.filter { $0.message == index }.map { "\($0.decodeFailure)" }
                return "\(message.provider) \(message.platform) \(message.device.string) \(message.topic.string) "
                    + "\(message.verdict) \(message.byteCount) \(message.byteLimit) \(message.payload.string) \(findings) \(failures)"
            }
        }
    }

    /// A divided input, read again.
    private final class Parts: PartOutput {
        struct Trouble: Error { var text: String }

        struct Line {
            var seq: UInt64
            var target: Int?
            var recipient: String?
            var isCopy: Bool
            var record: [UInt8]?
        }

        private(set) var lines: [Line] = []
        private(set) var records: UInt64 = 0
        private var reader = PlacedRecordReader()
        private var scratch = ScratchArena()
        private var last: [Int: (seq: UInt64, position: Int)] = [:]

        init(_ text: UnsafeRawBufferPointer, _ parts: Int, _ configuration: PipelineConfiguration) throws {
            let partitioner = Partitioner(configuration, parts: parts, to: self)
            let input = DecodedInput(configuration, partitioner)
            try partitioner.begin()
            input.begin(InputSource("-"))
            try input.feed(text)
            try input.finish()
            try partitioner.end()
            records = partitioner.summary.records
        }

        func append(_ line: BorrowedText, part: Int, seq: UInt64, position: Int) throws {
            guard line.count > 1, line.buffer[line.count - 1] == UInt8(ascii: "\n"),
                !line.buffer.dropLast().contains(UInt8(ascii: "\n"))
            else { throw Trouble(text: "not one line") }
            if let last = last[part], last >= (seq, position) { throw Trouble(text: "not in order") }
            last[part] = (seq, position)
            let bytes = UnsafeRawBufferPointer(rebasing: line.bytes.dropLast())
            guard case .success(let record) = reader.read(bytes, &scratch) else {
                throw Trouble(text: "cannot be read: \(readable(bytes))")
            }
            if record.place.part != nil || record.place.isEnd { return }
            lines.append(
                Line(
                    seq: record.place.seq ?? 0, target: record.place.target,
                    recipient: record.place.recipient?.device.string, isCopy: record.place.isCopy,
                    record: record.record.map { Array($0.buffer) }))
        }

        func flush() {}
        func finish() {}
    }
}
