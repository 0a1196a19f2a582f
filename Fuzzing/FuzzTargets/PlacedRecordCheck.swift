import PayloadJSON
import PushModel
import RecordFraming

/// A line of a part: reading it by its beginning gives what a scan of all of it gives, and what was read can be written again.
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
        guard case .success(let quick) = reader.read(line, &scratch) else { return nil }
        if !isPlaced, isFirst("place", in: line) { return "a placed record is not recognized" }
        let first = text(of: quick)
        if quick.isUnscanned, !isJSON(line) { return nil }
        guard case .success(let scanned) = reader.read(line, scansLine: true, &scratch) else {
            return quick.isUnscanned ? nil : "a scan gives nothing"
        }
        // A member after the record is part of what was not scanned.
        if quick.isUnscanned, let record = quick.record, !isJSON(record.bytes) { return nil }
        if first != text(of: scanned), !hasTwo(line) { return "a scan gives another record" }
        // The first line of a part says nothing else.
        guard quick.place.seq != nil, quick.place.part == nil else { return nil }
        var out = ByteBuffer()
        PlacedRecordWriter.append(
            quick.place, record: quick.record?.bytes, isJSON: quick.record.map { isJSON($0.bytes) } ?? false, to: &out)
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
        for scans in [false, true] {
            guard case .success(let record) = reader.read(out.bytes, scansLine: scans, &scratch),
                let text = record.record
            else {
                // In its envelope a record is a level deeper than a scan accepts.
                if scans, !isJSON(out.bytes) { continue }
                return "what is written cannot be read"
            }
            if !text.bytes.elementsEqual(bytes) { return "the bytes do not survive" }
        }
        return nil
    }

    private static func isFirst(_ name: String, in line: UnsafeRawBufferPointer) -> Bool {
        line.drop { $0 <= 0x20 }.dropFirst().drop { $0 <= 0x20 }.starts(with: Array("\"\(name)\"".utf8))
    }

    /// Whether the line has the same name twice: which one is read depends on the form.
    private static func hasTwo(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let base = line.baseAddress else { return false }
        return BorrowedText(start: base.assumingMemoryBound(to: UInt8.self), count: line.count).withJSON { root in
            var names: [String] = []
            var members = root.members
            while let (key, _) = members.next() { names.append(key.string) }
            return Set(names).count < names.count
        } ?? false
    }

    /// Everything that was read, as text.
    private static func text(of read: PlacedRecord) -> String {
        let place = read.place
        let source = place.source.map { "\($0.file.string) \($0.record) \($0.position) \($0.offset)" }
        let recipient = place.recipient.map { "\($0.device.string) \($0.app.string)" }
        let stream = place.streamOffset.map { "\($0.stream.string) \($0.offset.string)" }
        let excess = place.excess.map { "\($0.offset) \($0.position)" }
        return [
            place.seq.map { "\($0)" }, place.target.map { "\($0)" }, source, recipient,
            place.recipients.map { "\($0)" }, "\(place.isCopy)", stream, place.part.map { "\($0)" },
            "\(place.isEnd) \(place.reportsSources)",
            excess, place.hasNoRecord ? nil : read.record.map { readable($0.buffer) },
        ].map { $0 ?? "-" }.joined(separator: "|")
    }
}
