import PayloadJSON
import RecordFraming

/// The name of a member at a place in a text.
package struct KeyPlace: Equatable {
    /// The names of the members that lead to it, and its own.
    package let path: [String]
    /// Its bytes in the text, with the quotes.
    package let range: Range<Int>

    /// The name at a byte of a text, which may be in JSON inside a string. Nil if there is none, or if its record is not JSON.
    package init?(at offset: Int, in text: [UInt8]) {
        // SOUND: the ranges are of these bytes, which live until the closure returns; a `LintText` copies its record.
        let found: (path: [String], range: Range<Int>)? = unsafe text.withUnsafeBytes { bytes in
            let cutter = RecordCutter(framing: .auto, maximumRecordBytes: TextLinter.defaultMaximumRecordBytes)
            for piece in unsafe cutter.pieces(of: bytes) {
                guard case .record(let range) = piece, range.contains(offset) else { continue }
                let record = unsafe LintText(record: UnsafeRawBufferPointer(rebasing: bytes[range]))
                guard let (path, place) = record.root?.key(at: offset - range.lowerBound) else { return nil }
                return (path, place.lowerBound + range.lowerBound..<place.upperBound + range.lowerBound)
            }
            return nil
        }
        guard let found else { return nil }
        (path, range) = found
    }
}

extension LintNode {
    /// The name at a byte of the node's text, and its bytes in the record. O(bytes), for each string that it is in.
    fileprivate func key(at offset: Int) -> (path: [String], range: Range<Int>)? {
        if isString {
            let place = offset - range.lowerBound - 1
            guard let string, (0..<string.count).contains(place) else { return nil }
            return inner?.root?.key(at: string.decodedOffset(ofRaw: place))
        }
        var found: (path: [String], range: Range<Int>)?
        forEachMember { member in
            if member.keyRange.contains(offset) {
                found = ([member.name], text.recordRange(member.keyRange))
            } else if member.value.range.contains(offset), let inner = member.value.key(at: offset) {
                found = ([member.name] + inner.path, inner.range)
            }
        }
        forEachElement { element in
            if element.range.contains(offset) { found = element.key(at: offset) }
        }
        return found
    }
}
