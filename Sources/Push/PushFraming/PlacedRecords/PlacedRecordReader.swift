import FoundationEssentials
package import PushJSON
package import PushModel

/// Reads placed records, in any form that is JSON on one line. That of `PlacedRecordWriter` takes no scan of the record.
package struct PlacedRecordReader: ~Copyable {
    private var scanner = JSONScanner()
    private var tape = JSONTape()

    package init() {}

    package static let rule: StaticString = "record.place"

    /// The members of a line that has a place.
    private struct Members {
        var place: JSONView
        var record: BorrowedText?
        var base64: String?
    }

    /// True if a line is the first one of a part, or an object whose `place` has a `seq` or a `stream`. An app may have such a `place` of its
    /// own, so this says nothing about an input of which nobody has said that its records have places.
    package mutating func isPlaced(_ line: UnsafeRawBufferPointer) -> Bool {
        // SOUND: the line is looked at during the call.
        if unsafe PartHeader.begins(line) { return true }
        guard let place = unsafe members(of: line, scansLine: true)?.place, place.isObject else { return false }
        return place["seq"] != nil || place["stream"] != nil
    }

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - scansLine: true to scan the line whatever its form. Otherwise a line that another program has added members to may seem to have a
    ///     record that is not JSON: read it again with this.
    ///   - scratch: memory for what does not stand in the line as it is.
    package mutating func read(
        _ line: UnsafeRawBufferPointer, scansLine: Bool = false, _ scratch: inout ScratchArena
    ) -> Result<PlacedRecord, DecodeFailure> {
        // SOUND: the line outlives what was read from it, as the caller promises.
        if unsafe PartHeader.begins(line) {
            guard let place = unsafe PartHeader.place(of: line) else { return .failure(Self.damagedHeader) }
            let record = PlacedRecord(place: place)
            if let flaw = Self.flaw(of: record) { return .failure(Self.failure(flaw)) }
            return .success(record)
        }
        guard let members = unsafe members(of: line, scansLine: scansLine) else { return .failure(Self.withoutPlace) }
        guard members.place.isObject else {
            return .failure(Self.failure("place is \(members.place.kindName), not an object"))
        }
        var record = PlacedRecord(place: RecordPlace(seq: nil), record: members.record)
        if let flaw = Self.read(members.place, into: &record.place, &scratch) { return .failure(Self.failure(flaw)) }
        if let text = members.base64 {
            guard let data = Data(base64Encoded: text) else {
                return .failure(Self.failure("base64 is not Base64 (RFC 4648, section 4)"))
            }
            // SOUND: the bytes are copied while the data lives.
            record.record = unsafe data.withUnsafeBytes { unsafe scratch.copy($0) }
        }
        if let flaw = Self.flaw(of: record) { return .failure(Self.failure(flaw)) }
        return .success(record)
    }

    /// What stands in a line; nil if it has no place. Valid until the next line is read.
    private mutating func members(of line: UnsafeRawBufferPointer, scansLine: Bool) -> Members? {
        // SOUND: the tape is of this line, which the caller keeps alive.
        if !scansLine, let members = unsafe membersBeforeRecord(line) { return members }
        guard unsafe scanner.scan(line, into: &tape) == nil else { return unsafe membersBeforeRecord(line) }
        guard let root = unsafe tape.root(of: line), let place = root["place"] else { return nil }
        let record = root["record"].flatMap { $0.kind == .null ? nil : $0.text }
        return Members(place: place, record: record, base64: record == nil ? root["base64"]?.string?.string : nil)
    }

    private static let beginning = Array("{\"place\":".utf8)
    private static let beforeRecord = Array(",\"record\":".utf8)
    private static let null = Array("null".utf8)

    /// The members of `{"place":{…},"record":…}`, of which only the place is scanned. Engines wrap what senders have written: what is wrong with a
    /// record that is not JSON is said where it is decoded.
    private mutating func membersBeforeRecord(_ line: UnsafeRawBufferPointer) -> Members? {
        // SOUND: the offsets are within the line, which the caller keeps alive, and the tape is of the place in it.
        guard unsafe line.starts(with: Self.beginning), unsafe line.last == UInt8(ascii: "}"),
            let end = unsafe Self.endOfObject(at: Self.beginning.count, in: line),
            unsafe line[end...].starts(with: Self.beforeRecord)
        else { return nil }
        let place = unsafe UnsafeRawBufferPointer(rebasing: line[Self.beginning.count..<end])
        let rest = unsafe UnsafeRawBufferPointer(rebasing: line[(end + Self.beforeRecord.count)...].dropLast())
        guard unsafe !rest.starts(with: Self.null), unsafe scanner.scan(place, into: &tape) == nil,
            let view = unsafe tape.root(of: place),
            let start = unsafe rest.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return nil }
        return unsafe Members(place: view, record: BorrowedText(start: start, count: rest.count))
    }

    /// The offset after an object that begins at an offset; nil if it does not end.
    private static func endOfObject(at start: Int, in line: UnsafeRawBufferPointer) -> Int? {
        // SOUND: every offset is below the count.
        var depth = 0
        var isInString = false
        var offset = start
        while offset < line.count {
            switch unsafe line[offset] {
            case UInt8(ascii: "\\") where isInString: offset += 1
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "{") where !isInString: depth += 1
            case UInt8(ascii: "}") where !isInString:
                depth -= 1
                if depth <= 0 { return offset + 1 }
            default: break
            }
            offset += 1
        }
        return nil
    }

    private static func read(
        _ view: JSONView, into place: inout RecordPlace, _ scratch: inout ScratchArena
    ) -> String? {
        var members = MemberReader(view)
        place.seq = members.number("seq")
        place.isEnd = members.flag("end")
        if let stream = members.text("stream", &scratch) {
            if let offset = members.text("offset", &scratch, orNumber: true) {
                place.streamOffset = RecordPlace.StreamOffset(stream: stream, offset: offset)
            } else {
                members.flaw = members.flaw ?? "place has a stream and no offset"
            }
        }
        members.object("source") { source in
            place.source = RecordPlace.Source(
                file: source.text("file", &scratch) ?? .empty, record: source.number("record") ?? 0,
                position: source.position, offset: source.number("offset") ?? 0)
        }
        members.object("too_long") { excess in
            place.excess = RecordPlace.Excess(
                offset: excess.smallNumber("offset") ?? 0, position: excess.position)
        }
        return members.flaw
    }

    /// The inconsistency of a place; nil for none.
    private static func flaw(of record: PlacedRecord) -> String? {
        let place = record.place
        if let part = place.part, !part.isValid {
            return "part \(part.part) of \(part.parts) does not exist; parts count from 0, and there are at most "
                + "\(RecordPlace.maximumParts)"
        }
        if let offset = place.streamOffset?.offset, !isOrdered(offset) {
            return "place.offset is neither a whole number nor two of them with - between, "
                + "so run cannot tell which record comes first"
        }
        if place.seq == nil, place.streamOffset == nil { return "place has no seq" }
        if let seq = place.seq, seq > RecordPlace.greatestSequence {
            return "place.seq is \(seq), and records have numbers up to \(RecordPlace.greatestSequence)"
        }
        if place.hasNoRecord { return nil }
        if place.seq == 0 { return "place.seq is 0; records count from 1" }
        if record.record == nil { return "there is neither a record nor base64" }
        return nil
    }

    /// True if an offset is a whole number from 0 on, of at most 100 digits, or two of them, as those of Redis.
    private static func isOrdered(_ offset: BorrowedText) -> Bool {
        guard offset.count <= 201 else { return false }
        let numbers = offset.string.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return numbers.count <= 2
            && numbers.allSatisfy { number in
                !number.isEmpty && number.count <= 100 && number.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
            }
    }

    private static func failure(_ flaw: String) -> DecodeFailure {
        DecodeFailure(rule: "\(rule)", message: flaw + "; pushpipe partition writes placed records")
    }

    /// Why a record with a place is malformed among records without.
    package static var unexpectedPlace: DecodeFailure {
        DecodeFailure(
            rule: "\(rule)",
            message:
                "this record has a place, and the input does not begin with the first line of a part; "
                + "run a part on its own, from its first line"
        )
    }

    package static var damagedHeader: DecodeFailure {
        failure("this first line of a part is damaged, or of a newer version")
    }

    private static var withoutPlace: DecodeFailure {
        DecodeFailure(
            rule: "\(rule)",
            message:
                "this record has no place, and the input is a part; hand over a part as it was written, "
                + "without other records")
    }
}

/// Reads the members of an object in `place`. Null is like a member that is not there.
private struct MemberReader {
    private let view: JSONView
    private let name: String
    /// The first value that is not as it must be.
    var flaw: String?

    init(_ view: JSONView, name: String = "place") {
        self.view = view
        self.name = name
    }

    private subscript(_ member: StaticString) -> JSONView? {
        guard let value = view[member], value.kind != .null else { return nil }
        return value
    }

    private mutating func refuse(_ member: StaticString, _ value: JSONView, _ wanted: String) {
        flaw = flaw ?? "\(name).\(member) is \(value.kindName), not \(wanted)"
    }

    mutating func number(_ member: StaticString) -> UInt64? {
        guard let value = self[member] else { return nil }
        guard let number = value.int64, number >= 0 else {
            refuse(member, value, "a whole number from 0 on")
            return nil
        }
        return UInt64(number)
    }

    mutating func smallNumber(_ member: StaticString) -> Int? {
        guard let value = self[member], let number = number(member) else { return nil }
        guard number <= UInt64(Int32.max) else {
            refuse(member, value, "below \(Int32.max)")
            return nil
        }
        return Int(number)
    }

    mutating func flag(_ member: StaticString) -> Bool {
        guard let value = self[member] else { return false }
        if value.kind != .true, value.kind != .false { refuse(member, value, "true or false") }
        return value.kind == .true
    }

    mutating func text(
        _ member: StaticString, _ scratch: inout ScratchArena, orNumber: Bool = false
    ) -> BorrowedText? {
        guard let value = self[member] else { return nil }
        if orNumber, value.int64 != nil { return value.text }
        guard let string = value.string else {
            refuse(member, value, orNumber ? "a string or a whole number below 2^63" : "a string")
            return nil
        }
        return scratch.text(string)
    }

    var position: TextPosition {
        mutating get { TextPosition(line: smallNumber("line") ?? 1, column: smallNumber("column") ?? 1) }
    }

    mutating func object(_ member: StaticString, _ body: (inout MemberReader) -> Void) {
        guard let value = self[member] else { return }
        guard value.isObject else { return refuse(member, value, "an object") }
        var reader = MemberReader(value, name: "\(name).\(member)")
        body(&reader)
        flaw = flaw ?? reader.flaw
    }
}
