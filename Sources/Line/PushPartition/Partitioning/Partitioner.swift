import PushFraming
import PushJSON
package import PushPipeline
import PushReports
import PushSystem

/// Divides records by device: writes each to the parts of its devices, with its number in the input. The hash of a device's name decides its
/// part, and a part has its records in input order.
///
/// Pure. Call `begin`, then read any number of inputs with that of `makeInput`, and call `end`. Nothing is known of earlier records, so a
/// record whose outcome depends on devices of several parts ends it: a part alone would not have the outcomes of the whole.
///
/// `Samples/scale-out/README.md` has the rules.
package final class Partitioner {
    private let configuration: PipelineConfiguration
    private let composer: PartComposer
    package private(set) var summary: PartitionSummary
    /// The name of the input that is read, for errors; nil for standard input.
    package var input: String?
    private let parts: Int
    /// The number of the record before the first one.
    private let before: UInt64
    private let output: any PartOutput

    /// - Parameters:
    ///   - configuration: how records are read.
    ///   - parts: the number of parts, at least 1.
    ///   - firstSequence: the number of the first record, from 1; larger in a slice of a larger input.
    ///   - writesSources: true if places include the record's position in its input.
    package init(
        _ configuration: PipelineConfiguration, parts: Int, from firstSequence: UInt64 = 1, writesSources: Bool = true,
        to output: any PartOutput
    ) {
        self.configuration = configuration
        self.parts = max(parts, 1)
        before = max(firstSequence, 1) &- 1
        composer = PartComposer(
            parts: self.parts, before: before, acceptsRelaxedJSON: configuration.decoding.acceptsRelaxedJSON,
            writesSources: writesSources)
        summary = PartitionSummary(parts: self.parts)
        self.output = output
    }

    // MARK: - First and last lines

    /// Writes the first line of each part.
    ///
    /// - Parameter reportsSources: true if every report line has its source, because there are several inputs.
    package func begin(reportsSources: Bool = false) throws {
        for part in 0..<parts {
            var place = RecordPlace(seq: 0)
            place.part = RecordPlace.Part(part, of: parts)
            place.reportsSources = reportsSources
            try append(place, part: part, seq: 0)
        }
    }

    /// Writes the last line of each part.
    package func end() throws {
        for part in 0..<parts {
            var place = RecordPlace(seq: before &+ summary.records)
            place.isEnd = true
            try append(place, part: part, seq: before &+ summary.records &+ 1)
        }
    }

    private func append(_ place: RecordPlace, part: Int, seq: UInt64) throws {
        // SOUND: there is no record.
        var line = ByteBuffer()
        unsafe PlacedRecordWriter.append(place, record: nil, isJSON: true, to: &line)
        line.append(UInt8(ascii: "\n"))
        try line.withText { try output.append($0, part: part, seq: seq) }
    }

    // MARK: - Chunks

    /// A reader of inputs whose records are divided. It throws `PlainError` for a record that cannot be, and what the output throws.
    package func makeInput() -> DecodedInput {
        DecodedInput(configuration, composer, flush: output.flush) { [self] in try write(&$0) }
    }

    /// Writes the lines of a chunk.
    private func write(_ chunk: inout RecordChunk) throws {
        guard let placed = chunk.attachment as? PlacedChunk else { return }
        var start = 0
        for entry in placed.entries {
            let seq = placed.firstSequence &+ UInt64(entry.record)
            if let reason = entry.obstacle {
                throw PlainError.unfit(
                    input,
                    "record \(seq) \(reason), so the input cannot be divided; run it as a whole, or leave such records out"
                )
            }
            let line = placed.lines.text(start..<entry.end)
            start = entry.end
            try write(line, part: entry.part, seq: seq)
            for part in entry.others { try write(line, part: part, seq: seq) }
            summary.copies &+= UInt64(entry.others.count)
        }
        summary.records &+= UInt64(chunk.recordCount)
        summary.emptyRecords &+= UInt64(chunk.emptyLines)
        summary.locatedRecords &+= UInt64(chunk.locatedRecords)
        summary.placedBefore &+= placed.placedBefore
    }

    private func write(_ line: BorrowedText, part: Int, seq: UInt64) throws {
        summary.lines &+= 1
        summary.linesOfPart[part] &+= 1
        try output.append(line, part: part, seq: seq)
    }
}

extension ByteBuffer {
    /// A part of the bytes. Valid until the buffer changes.
    fileprivate func text(_ range: Range<Int>) -> BorrowedText {
        // SOUND: the range is within the bytes.
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
        return unsafe bytes.baseAddress.map {
            unsafe BorrowedText(start: $0.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        } ?? .empty
    }
}

package struct PartitionSummary: Sendable, Equatable {
    /// Records read, including malformed ones.
    package var records: UInt64 = 0
    /// Those that have nothing where `DecodingOptions.location` says, and those that have something.
    package var emptyRecords: UInt64 = 0
    package var locatedRecords: UInt64 = 0
    /// Lines written for records, without the first and the last line of each part.
    package var lines: UInt64 = 0
    /// Those lines whose records are in other parts, too.
    package var copies: UInt64 = 0
    package var linesOfPart: [UInt64]
    /// Records that look as if they had been placed before.
    package var placedBefore: UInt64 = 0

    package init(parts: Int) { linesOfPart = Array(repeating: 0, count: parts) }

    /// Lines of text, each with a line feed.
    package func text(seconds: Double) -> String {
        let rate = UInt64(Double(records) / max(seconds, 0.000_001))
        let tenths = UInt64((max(seconds, 0) * 10).rounded())
        let parts = linesOfPart.count
        var text =
            "\(Self.count(records, "record")) in \(Self.count(UInt64(parts), "part")), \(tenths / 10).\(tenths % 10) s "
        text += "(\(SummaryText.grouped(rate)) records/s)\n"
        if parts > 1, let least = linesOfPart.min(), let most = linesOfPart.max() {
            text += "  lines of a part \(SummaryText.grouped(least)) to \(SummaryText.grouped(most))\n"
        }
        if copies > 0 { text += "  copies of records for several parts \(SummaryText.grouped(copies))\n" }
        if emptyRecords > 0 { text += "  without a payload \(SummaryText.grouped(emptyRecords))\n" }
        return text
    }

    private static func count(_ number: UInt64, _ name: String) -> String {
        "\(SummaryText.grouped(number)) \(name)\(number == 1 ? "" : "s")"
    }
}
