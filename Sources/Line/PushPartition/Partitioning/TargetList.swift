package import PayloadJSON

/// The list of targets in a request, so that a copy of the request for one of them need not have the others.
///
/// Valid as long as the record and the tape of its scan.
@safe  // SOUND: every range is of a value in the record, which the caller keeps alive.
package struct TargetList {
    private let record: UnsafeRawBufferPointer
    private let list: JSONView

    /// Nil for a record without such a list, for one in a string, and for one with another number of targets.
    ///
    /// - Parameters:
    ///   - place: JSON Pointer to the request in it.
    ///   - name: the list's name in the request.
    ///   - count: the number of targets that were read.
    package init?(
        in record: UnsafeRawBufferPointer, _ root: JSONView, place: BorrowedText, name: StaticString, count: Int
    ) {
        // SOUND: stores the address.
        let request: JSONView? = place.isEmpty ? root : place == "/payload" ? root["payload"] : nil
        guard let request, request.isObject, let list = Self.last(name, in: request), list.kind == .array else {
            return nil
        }
        guard list.elements.count(where: { _ in true }) == count else { return nil }
        self.list = list
        unsafe self.record = unsafe record
    }

    /// The last member of this name that is not null, which is the one that counts.
    private static func last(_ name: StaticString, in request: JSONView) -> JSONView? {
        var found: JSONView?
        for (key, value) in request.members where key == name && value.kind != .null { found = value }
        return found
    }

    /// The form of the copy of a request for one of its targets.
    package enum Form {
        /// The record as it is.
        case whole
        /// A list of this target alone.
        case alone
        /// A number before it, so that findings about the record are not about this target.
        case second
        /// Numbers in place of the targets before it: what is said about it, and where it is, stays the same.
        case inPlace
    }

    /// Passes the record for each target to `body`, in order.
    ///
    /// - Parameters:
    ///   - form: called with the index of the target.
    ///   - body: called with the index of the target and a text that is valid for the duration of the call.
    package func forEach(
        _ form: (Int) -> Form, _ body: (Int, UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        // SOUND: the list's text is within the record, and the buffer does not change during `body`.
        var out = ByteBuffer(capacity: record.count + 64)
        let end = list.offset + list.text.count
        for (target, element) in list.elements.enumerated() {
            let form = form(target)
            if form == .whole {
                try unsafe body(target, record)
                continue
            }
            out.removeAll()
            unsafe out.append(Self.text(record[..<list.offset]))
            out.append("[")
            let before = form == .inPlace ? target : form == .second ? 1 : 0
            for _ in 0..<before { out.append("0,") }
            out.append(element.text)
            out.append("]")
            unsafe out.append(Self.text(record[end...]))
            try unsafe body(target, out.bytes)
        }
    }

    private static func text(_ slice: Slice<UnsafeRawBufferPointer>) -> BorrowedText {
        // SOUND: the same bytes.
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: slice)
        return unsafe bytes.baseAddress.map {
            unsafe BorrowedText(start: $0.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        } ?? .empty
    }
}
