import PushJSON
import PushModel

/// Puts changed payloads back into the records they came from, so that every other byte stays as it was.
enum PayloadMerge {
    /// Bytes to replace, and what replaces them.
    private typealias Edit = (range: Range<Int>, text: [UInt8])

    /// A record with the payload at a place replaced. O(count), and for each change within a string the length of that string.
    ///
    /// - Parameters:
    ///   - place: the tokens of a JSON Pointer, which also leads into strings that hold JSON.
    ///   - payload: a JSON object.
    /// - Returns: nil if there is no object at that place.
    static func record(
        _ record: [UInt8], replacing place: ArraySlice<String>, with payload: BorrowedText
    ) -> [UInt8]? {
        guard let edits = edits(of: record, replacing: place, with: payload) else { return nil }
        var out: [UInt8] = []
        var position = 0
        for edit in edits {
            out += record[position..<edit.range.lowerBound]
            out += edit.text
            position = edit.range.upperBound
        }
        return out + record[position...]
    }

    /// The edits in the order of the text; they do not overlap. Nil if there is no object at the place.
    private static func edits(
        of text: [UInt8], replacing place: ArraySlice<String>, with payload: BorrowedText
    ) -> [Edit]? {
        let found = text.withJSON { root -> [Edit]? in
            var view = root
            var rest = place
            while !view.isString, let token = rest.popFirst() {
                guard let next = view[pointer: "/" + JSONPointer.escape(token)] else { return nil }
                view = next
            }
            if let string = view.string {
                // After the quote.
                let start = view.offset + 1
                guard let inner = edits(of: string.decodedBytes, replacing: rest, with: payload) else { return nil }
                return inner.map { edit in
                    let from = start + string.rawOffset(ofDecoded: edit.range.lowerBound)
                    let to = start + string.rawOffset(ofDecoded: edit.range.upperBound)
                    return (from..<max(from, to), escaped(edit.text))
                }
            }
            guard view.isObject else { return nil }
            return payload.withJSON { $0.isObject ? edits(from: view, to: $0) : nil } ?? nil
        }
        return found ?? nil
    }

    /// The text as it stands between the quotes of a string.
    private static func escaped(_ text: [UInt8]) -> [UInt8] {
        // SOUND: the bytes are copied.
        var out = ByteBuffer(capacity: text.count + 16)
        text.withText { out.appendJSONString($0) }
        return unsafe Array(out.bytes.dropFirst().dropLast())
    }

    private static func edits(from old: JSONView, to new: JSONView) -> [Edit] {
        var edits: [Edit] = []
        if collect(from: old, to: new, &edits, isRequest: true) { return edits }
        // SOUND: the bytes are copied.
        var payload = unsafe Array(new.text.buffer)
        // The payload of one of a request's messages does not have the list of all targets.
        if let targets = old["registration_ids"], new["registration_ids"] == nil {
            let member = unsafe Array("\"registration_ids\":".utf8) + Array(targets.text.buffer)
            payload.insert(contentsOf: member + (payload.count > 2 ? [UInt8(ascii: ",")] : []), at: 1)
        }
        return [(old.offset..<old.offset + old.text.count, payload)]
    }

    /// Collects the members that differ, if both objects have the same names in the same order.
    private static func collect(
        from old: JSONView, to new: JSONView, _ edits: inout [Edit], isRequest: Bool = false
    ) -> Bool {
        var oldMembers = old.members
        var newMembers = new.members
        while let (newKey, newValue) = newMembers.next() {
            var member = oldMembers.next()
            while isRequest, let (key, _) = member, key == "registration_ids", !(newKey == "registration_ids") {
                member = oldMembers.next()
            }
            guard let (key, value) = member, key == newKey else { return false }
            if value.text == newValue.text { continue }
            if value.isObject, newValue.isObject {
                guard collect(from: value, to: newValue, &edits) else { return false }
            } else {
                // SOUND: the bytes are copied.
                edits.append((value.offset..<value.offset + value.text.count, unsafe Array(newValue.text.buffer)))
            }
        }
        while let (key, _) = oldMembers.next() {
            guard isRequest, key == "registration_ids" else { return false }
        }
        return true
    }
}

extension [UInt8] {
    /// Passes the bytes to `body`, for the duration of the call.
    func withText<Result>(_ body: (BorrowedText) -> Result) -> Result {
        // SOUND: the bytes live until the closure returns.
        unsafe withUnsafeBufferPointer { bytes in
            unsafe body(bytes.baseAddress.map { unsafe BorrowedText(start: $0, count: bytes.count) } ?? .empty)
        }
    }
}
