import PushFraming
import PushJSON
import PushModel

/// A line of a part: what was read can be written again, and any bytes survive as a record.
enum PlacedRecordCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            var reader = PlacedRecordReader()
            var scratch = ScratchArena()
            return trouble(with: input.text, &reader, &scratch) ?? troubleWriting(input.text, &reader, &scratch)
        }
    }

    private static func trouble(
        with line: UnsafeRawBufferPointer, _ reader: inout PlacedRecordReader, _ scratch: inout ScratchArena
    ) -> String? {
        let isPlaced = reader.isPlaced(line)
        guard case .success(let read) = reader.read(line, &scratch) else { return nil }
        if !isPlaced, read.place.seq != nil { return "a placed record is not recognized" }
        let first = text(of: read)
        var out = ByteBuffer()
        PlacedRecordWriter.append(
            read.place, record: read.record?.bytes, isJSON: read.record.map { isJSON($0.bytes) } ?? false, to: &out)
        guard case .success(let again) = reader.read(out.bytes, &scratch) else {
            return "what is written cannot be read"
        }
        return text(of: again) == first ? nil : "what is written is read as something else"
    }

    /// Any bytes survive as a record.
    private static func troubleWriting(
        _ bytes: UnsafeRawBufferPointer, _ reader: inout PlacedRecordReader, _ scratch: inout ScratchArena
    ) -> String? {
        guard bytes.count > 0 else { return nil }
        var out = ByteBuffer()
        PlacedRecordWriter.append(RecordPlace(seq: 7), record: bytes, isJSON: isJSON(bytes), to: &out)
        if out.bytes.contains(UInt8(ascii: "\n")) { return "a line break is written" }
        guard case .success(let record) = reader.read(out.bytes, &scratch), let text = record.record else {
            return "what is written cannot be read"
        }
        return text.bytes.elementsEqual(bytes) ? nil : "the bytes do not survive"
    }

    /// Everything that was read, as text.
    private static func text(of read: PlacedRecord) -> String {
        let place = read.place
        let source = place.source.map { "\($0.file.string) \($0.record) \($0.position) \($0.offset)" }
        let stream = place.streamOffset.map { "\($0.stream.string) \($0.offset.string)" }
        let excess = place.excess.map { "\($0.offset) \($0.position)" }
        return [
            place.seq.map { "\($0)" }, source, stream, place.part.map { "\($0)" },
            "\(place.isEnd) \(place.reportsSources)",
            excess, place.hasNoRecord ? nil : read.record.map { readable($0.buffer) },
        ].map { $0 ?? "-" }.joined(separator: "|")
    }
}
