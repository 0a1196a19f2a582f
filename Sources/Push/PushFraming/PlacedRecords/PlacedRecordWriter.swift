import FoundationEssentials
package import PushJSON
import PushSystem

/// Writes placed records without spaces, and with the members in a fixed order.
package enum PlacedRecordWriter {
    /// Appends a line without its line feed.
    ///
    /// - Parameters:
    ///   - record: the record's bytes; nil for a place that comes without a record.
    ///   - isJSON: true if the bytes are known to be JSON. Bytes that are not, or not on one line, are written in Base64.
    package static func append(
        _ place: RecordPlace, record: UnsafeRawBufferPointer?, isJSON: Bool, to out: inout ByteBuffer
    ) {
        // SOUND: the bytes are copied during the call.
        if let part = place.part { return PartHeader.append(part, reportsSources: place.reportsSources, to: &out) }
        out.append("{\"place\":{")
        appendMembers(of: place, to: &out)
        out.append("}")
        if let record = unsafe record {
            if isJSON, unsafe standsAlone(record), let start = record.baseAddress {
                out.append(",\"record\":")
                unsafe out.append(
                    BorrowedText(start: start.assumingMemoryBound(to: UInt8.self), count: record.count))
            } else {
                out.append(",\"base64\":\"")
                unsafe out.appendText(Data(record).base64EncodedString())
                out.append("\"")
            }
        }
        out.append("}")
    }

    /// True if JSON can be put into a line as it is: blanks around it would be lost when another program writes the line again, programs
    /// divide lines at tabs and carriage returns, and a record that is `null` would be none.
    private static func standsAlone(_ record: UnsafeRawBufferPointer) -> Bool {
        // SOUND: looks at the given bytes only.
        guard let first = unsafe record.first, let last = unsafe record.last, let base = record.baseAddress else {
            return false
        }
        func contains(_ control: Unicode.Scalar) -> Bool {
            unsafe Memory.firstOffset(of: UInt8(ascii: control), in: base, count: record.count) != nil
        }
        guard first > 0x20, last > 0x20, first != UInt8(ascii: "n") else { return false }
        return !contains("\n") && !contains("\r") && !contains("\t")
    }

    private static func appendMembers(of place: RecordPlace, to out: inout ByteBuffer) {
        if let seq = place.seq {
            out.appendMemberName("seq")
            out.append(seq)
        }
        if let source = place.source {
            out.appendMemberName("source")
            out.append("{\"file\":")
            out.appendJSONString(source.file)
            out.append(",\"record\":")
            out.append(source.record)
            out.appendMember("line", source.position.line)
            out.appendMember("column", source.position.column)
            out.append(",\"offset\":")
            out.append(source.offset)
            out.append("}")
        }
        if let place = place.streamOffset {
            out.appendMemberName("stream")
            out.appendJSONString(place.stream)
            out.appendMemberName("offset")
            out.appendJSONString(place.offset)
        }
        if place.isEnd { out.appendMember("end", true) }
        if let excess = place.excess {
            out.appendMemberName("too_long")
            out.append("{\"offset\":")
            out.append(Int64(excess.offset))
            out.appendMember("line", excess.position.line)
            out.appendMember("column", excess.position.column)
            out.append("}")
        }
    }
}

/// The first line of a part: a string, because no payload is one, so that no record of an app makes an input a part.
///
///     "pushpipe-part 1 3 of 64 5422ca25c9bc84e2"             version 1, part 3 of 64, digest
///     "pushpipe-part 1 0 of 2 sources 050b214cfc3da63d"      every report line has its source
///
/// The digest is FNV-1a with 64 bits of what is between the quotation mark and it.
package enum PartHeader {
    private static let name = "pushpipe-part"
    private static let version = "1"
    private static let beginning: StaticString = "\"pushpipe-part "
    /// A line that begins like a header and is longer is none.
    private static let longest = 256

    package static func append(_ part: RecordPlace.Part, reportsSources: Bool, to out: inout ByteBuffer) {
        let text = "\(name) \(version) \(part.part) of \(part.parts) \(reportsSources ? "sources " : "")"
        out.appendText("\"\(text)\(digest(of: text))\"")
    }

    /// True if a line begins like a header.
    package static func begins(_ line: UnsafeRawBufferPointer) -> Bool {
        // SOUND: the bytes are looked at during the call.
        guard unsafe line.first == UInt8(ascii: "\""), let base = line.baseAddress else { return false }
        let count = beginning.utf8CodeUnitCount
        return unsafe line.count >= count && Memory.isEqual(base, beginning.utf8Start, count: count)
    }

    /// The place that a header stands for; nil for a header that is damaged or of another version.
    static func place(of line: UnsafeRawBufferPointer) -> RecordPlace? {
        // SOUND: the bytes are copied.
        guard line.count <= longest else { return nil }
        let text = unsafe String(decoding: line, as: UTF8.self).trimmingBlanks()
        guard text.utf8.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return nil }
        let words = text.dropFirst().dropLast().split(separator: " ", omittingEmptySubsequences: false)
        guard words.count >= 6, words[0] == name, words[1] == version, words[3] == "of",
            let part = Int(words[2]), let parts = Int(words[4]), let sum = words.last,
            sum == digest(of: words.dropLast().joined(separator: " ") + " ")
        else { return nil }
        let options = words[5...].dropLast()
        guard options.isEmpty || options == ["sources"] else { return nil }
        var place = RecordPlace(seq: 0)
        place.part = RecordPlace.Part(part, of: parts)
        place.reportsSources = !options.isEmpty
        return place
    }

    private static func digest(of text: String) -> String {
        var hash = FNV1a()
        hash.add(text.utf8)
        return hash.hexadecimal
    }
}

extension String {
    /// The text without blanks and line ends around it.
    fileprivate func trimmingBlanks() -> Substring {
        let isBlank = { (character: Character) in character.isWhitespace }
        let rest = drop(while: isBlank)
        return rest[..<(rest.lastIndex { !isBlank($0) }.map(rest.index(after:)) ?? rest.startIndex)]
    }
}
