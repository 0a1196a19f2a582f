import FoundationEssentials
package import PayloadJSON
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
