package import PushJSON
package import PushModel
import PushSystem

/// The place of the record in each line or object of the input, such as a log line that carries a payload.
package struct RecordLocation: Sendable, Equatable {
    /// True if the line may begin with something else, such as a time and the name of a container. The record, or the object that
    /// `pointer` leads into, begins with a `{` that a member name in quotes, or `}`, follows; it may be in a string, as in
    /// `payload="{\"aps\":…}"`. Of several objects it is the first that is a message, or has something at `pointer`. What follows the object
    /// after a space is skipped, too. A string at `pointer` is read in the same way.
    package var skipsPrefix = false
    /// JSON Pointer (RFC 6901) to the record; nil if it is the whole object.
    ///
    /// The value is the record's object, or a string that holds its text. The pointer leads into strings that hold JSON, too.
    package private(set) var pointer: String?
    /// The value of the setting that takes the times of a log that was recognized; nil if its lines have none.
    package var timePlace: String?
    /// The place of a second payload in the line by which a log was recognized; nil if there is none.
    var other: String?
    /// True for a log that was recognized: a line may have its record in another place, or something else than a record.
    package var isAssumed = false
    /// One pointer per token.
    let steps: [String]

    /// A description of the payload for messages: `payload at /log/push`.
    package var name: String { pointer.map { "payload at \($0)" } ?? "object after a prefix" }

    /// A sentence about an input that is recognized as a log: what is read of it, and how to state that.
    package func recognized(_ advice: Advice.Wording) -> String {
        let place = pointer.map { "payload at \($0)" } ?? "object"
        return "looks like a log, so the \(place)\(skipsPrefix ? " after the text" : "") on each line is read"
            + advice(.statePlace(pointer, afterText: skipsPrefix))
            + (other.map {
                "; of a line with another at \($0), that one is not read"
                    + advice(.readOtherPlace($0, afterText: skipsPrefix))
            } ?? "")
    }

    /// - Parameters:
    ///   - pointer: JSON Pointer to the record; nil if it is the whole object.
    ///   - skipsPrefix: true if the line may begin with something else.
    /// - Returns: nil if the text is not a JSON Pointer.
    package init?(pointer: String?, skipsPrefix: Bool = false) {
        self.pointer = pointer
        self.skipsPrefix = skipsPrefix
        guard let pointer else {
            steps = []
            return
        }
        guard let tokens = JSONPointer.tokens(pointer) else { return nil }
        steps = tokens.map { "/" + JSONPointer.escape($0) }
    }
}

/// A record that was found in a line. Valid as long as the line and the scratch memory.
package struct LocatedRecord {
    package let text: BorrowedText
    /// The number of bytes before it in the line; those before the string that holds it, if there is one.
    package let start: Int
    /// True if the text is a part of the line.
    package let isInPlace: Bool
    /// The string that holds it; nil for one within another string.
    private let string: JSONString?
    /// The number of bytes of that string's contents before the text.
    private let lead: Int
    /// True if the pointer, if there is one, led to it. Otherwise it is what follows a prefix and is not JSON.
    package let isFound: Bool

    fileprivate init(in line: UnsafeRawBufferPointer, _ range: Range<Int>, isFound: Bool = true) {
        // SOUND: the range is within the line.
        self.isFound = isFound
        text = unsafe UnsafeRawBufferPointer(rebasing: line[range]).text
        start = range.lowerBound
        isInPlace = true
        string = nil
        lead = 0
    }

    fileprivate init(_ text: BorrowedText, start: Int, string: JSONString?, lead: Int) {
        self.text = text
        self.start = start
        isInPlace = false
        self.string = string
        self.lead = lead
        isFound = true
    }

    /// The offset in the line of a byte of the text; that of its string if there is no such byte. O(offset).
    package func offsetInLine(_ offset: Int) -> Int {
        if isInPlace { return start + offset }
        return string.map { start + 1 + $0.rawOffset(ofDecoded: lead + offset) } ?? start
    }
}

/// Finds records in lines, one at a time.
package struct RecordLocator: ~Copyable {
    package enum Place {
        /// The line is the record, or is not JSON, which whoever reads it says in detail.
        case whole
        case found(LocatedRecord)
        /// There is no record in the line.
        case nothing
    }

    private let location: RecordLocation
    private var scanner = JSONScanner()
    private var tape = JSONTape()

    private let trimsStrings: Bool

    /// - Parameter trimsStrings: false if a string at the pointer is read whole, even if text before objects is skipped.
    package init(_ location: RecordLocation, trimsStrings: Bool = true) {
        self.location = location
        self.trimsStrings = trimsStrings && (location.skipsPrefix || location.isAssumed)
    }

    /// - Parameters:
    ///   - line: an object, after a prefix if that is skipped.
    ///   - scratch: memory for the contents of strings.
    package mutating func locate(
        in line: UnsafeRawBufferPointer, _ scratch: inout ScratchArena
    ) -> Place {
        // SOUND: an object is within the line.
        guard location.skipsPrefix else { return unsafe locate(0..<line.count, in: line, &scratch, isOnly: true).place }
        var first: Place?
        var start = 0
        while let object = unsafe Self.object(in: line, from: start) {
            start = object.range.upperBound
            let isOnly = unsafe first == nil && !line[start...].contains(UInt8(ascii: "{"))
            let found =
                unsafe object.isQuoted
                ? locate(quoted: object.range, in: line, &scratch)
                : locate(object.range, in: line, &scratch, isOnly: isOnly)
            if found.isSure || isOnly { return found.place }
            switch first {
            case nil, .nothing: first = found.place
            default: break
            }
        }
        return first ?? .nothing
    }

    /// - Parameter isOnly: true if the line has no other object, so that this one need not be a message.
    /// - Returns: the record, and whether no other object of the line may be meant.
    private mutating func locate(
        _ range: Range<Int>, in line: UnsafeRawBufferPointer, _ scratch: inout ScratchArena, isOnly: Bool
    ) -> (place: Place, isSure: Bool) {
        // SOUND: the range is within the line, and the tape is of the object.
        let start = range.lowerBound
        let object = unsafe UnsafeRawBufferPointer(rebasing: line[range])
        let isWhole = location.steps.isEmpty
        let whole =
            unsafe range.count == line.count ? Place.whole : .found(LocatedRecord(in: line, range, isFound: isWhole))
        if isWhole, !location.isAssumed, isOnly { return (whole, true) }
        guard unsafe scanner.scan(object, into: &tape) == nil, var root = unsafe tape.root(of: object) else {
            return (whole, false)
        }
        if !isWhole {
            let found = unsafe find(from: root, location, trims: trimsStrings, in: line, at: start, &scratch)
            guard case .nothing = found, location.isAssumed else { return (found, found.isFound) }
            // The tape may be of a text in the line now.
            guard unsafe scanner.scan(object, into: &tape) == nil, let again = unsafe tape.root(of: object) else {
                return (whole, false)
            }
            root = again
        }
        switch LogRecognition.content(of: root, isAfterText: start > 0) {
        case .record:
            guard isWhole || LogRecognition.isBareRecord(root) else { return (.nothing, false) }
            return unsafe (.found(LocatedRecord(in: line, range)), true)
        case .payload(let other) where location.isAssumed:
            let trims = trimsStrings || other.skipsPrefix
            return unsafe (find(from: root, other, trims: trims, in: line, at: start, &scratch), true)
        case .message, .payload: return (isWhole ? whole : .nothing, false)
        case .other: return (location.isAssumed ? .nothing : whole, false)
        }
    }

    /// - Parameter range: a string that contains an object.
    private mutating func locate(
        quoted range: Range<Int>, in line: UnsafeRawBufferPointer, _ scratch: inout ScratchArena
    ) -> (place: Place, isSure: Bool) {
        // SOUND: the range is within the line; the contents of strings live as long as the scratch memory.
        let literal = unsafe UnsafeRawBufferPointer(rebasing: line[range])
        /// True if it looks like a payload. Asked only about what cannot be read.
        func isPayload() -> Bool {
            LogRecognition.escapedNames.contains { unsafe literal.firstRange(of: Array($0.utf8)) != nil }
        }
        guard unsafe scanner.scan(literal, into: &tape) == nil, let string = unsafe tape.root(of: literal)?.string
        else {
            // Loggers cut long lines.
            return unsafe (isPayload() ? .found(LocatedRecord(in: line, range)) : .nothing, false)
        }
        let text = scratch.text(string)
        guard unsafe scanner.scan(text.bytes, into: &tape) == nil, let root = unsafe tape.root(of: text.bytes) else {
            // Whoever reads it says what is wrong with it.
            let whole = LocatedRecord(text, start: range.lowerBound, string: string, lead: 0)
            return (isPayload() ? .found(whole) : .nothing, false)
        }
        let outer = (offset: range.lowerBound, string: string)
        if !location.steps.isEmpty {
            let found = unsafe find(from: root, location, trims: trimsStrings, in: line, at: 0, &scratch, within: outer)
            if !location.isAssumed || found.isFound { return (found, found.isFound) }
            guard unsafe scanner.scan(text.bytes, into: &tape) == nil, let again = unsafe tape.root(of: text.bytes)
            else { return (.nothing, false) }
            return located(again)
        }
        return located(root)

        func located(_ root: JSONView) -> (place: Place, isSure: Bool) {
            // SOUND: as above.
            let whole = Place.found(LocatedRecord(text, start: range.lowerBound, string: string, lead: 0))
            switch LogRecognition.content(of: root, isAfterText: true) {
            case .record: return (whole, true)
            case .payload(let other) where location.isAssumed:
                return unsafe (find(from: root, other, trims: true, in: line, at: 0, &scratch, within: outer), true)
            case .message, .payload: return (whole, false)
            case .other: return (location.isAssumed ? .nothing : whole, false)
            }
        }
    }

    /// - Parameter string: the string of the line whose contents the tape is of; nil if it is of an object of the line.
    private mutating func find(
        from root: JSONView, _ location: RecordLocation, trims: Bool, in line: UnsafeRawBufferPointer, at start: Int,
        _ scratch: inout ScratchArena, within string: (offset: Int, string: JSONString)? = nil
    ) -> Place {
        // SOUND: a value of the line is within it; the contents of strings live as long as the scratch memory, and the tape is not
        // used for the old text once it is of the next one.
        var view = root
        /// The outermost string that the pointer led into, and how many there were.
        var outer = string
        var level = string == nil ? 0 : 1
        /// The offset of the tape's text in that string's contents.
        var lead = 0
        for step in location.steps {
            if let string = view.string {
                guard level < NestedScan.maximumLevel else { return .nothing }
                outer = outer ?? (start + view.offset, string)
                level += 1
                var text = scratch.text(string)
                if trims, let object = object(in: text, &scratch) {
                    text = object.text
                    lead = object.lead ?? 0
                    if object.lead == nil { level += 1 }
                }
                guard unsafe scanner.scan(text.bytes, into: &tape) == nil, let inner = unsafe tape.root(of: text.bytes)
                else { return .nothing }
                view = inner
            }
            guard let next = view[pointer: step] else { return .nothing }
            view = next
        }
        if view.kind == .null { return .nothing }
        guard let string = view.string else {
            guard let outer else {
                let begin = start + view.offset
                return unsafe .found(LocatedRecord(in: line, begin..<begin + view.text.count))
            }
            return .found(
                LocatedRecord(
                    view.text, start: outer.offset, string: level == 1 ? outer.string : nil,
                    lead: level == 1 ? lead + view.offset : 0))
        }
        // The tape is of the string's contents after a look for an object in them.
        let place = outer?.offset ?? start + view.offset
        var isInLine = outer == nil
        var (text, trimmed) = Self.trimmed(scratch.text(string))
        guard !text.isEmpty else { return .nothing }
        if trims {
            if let object = object(in: text, &scratch) {
                text = object.text
                trimmed += object.lead ?? 0
                if object.lead == nil { isInLine = false }
            } else if unsafe text.buffer[0] != UInt8(ascii: "{") {
                return .nothing
            }
        }
        return .found(LocatedRecord(text, start: place, string: isInLine ? string : nil, lead: trimmed))
    }

    /// The first object in the contents of a string.
    ///
    /// - Returns: its text, and where it begins; nil for one in a string of its own there.
    private mutating func object(
        in text: BorrowedText, _ scratch: inout ScratchArena
    ) -> (text: BorrowedText, lead: Int?)? {
        // SOUND: the range is within the text; the contents of strings live as long as the scratch memory.
        guard let object = unsafe Self.object(in: text.bytes, from: 0) else { return nil }
        let part = unsafe UnsafeRawBufferPointer(rebasing: text.bytes[object.range])
        guard object.isQuoted else { return (unsafe part.text, object.range.lowerBound) }
        guard unsafe scanner.scan(part, into: &tape) == nil, let string = unsafe tape.root(of: part)?.string else {
            return nil
        }
        return (scratch.text(string), nil)
    }

    /// The bytes of the first object from an offset on, without other text that follows it; to the end if it does not end, or if what follows
    /// is a mistake. Or those of a string with an object, as loggers quote a value. O(what is skipped and returned).
    static func object(
        in line: UnsafeRawBufferPointer, from offset: Int
    ) -> (range: Range<Int>, isQuoted: Bool)? {
        // SOUND: every index is below the count.
        guard let (open, isQuoted) = unsafe endOfPrefix(line, from: offset) else { return nil }
        let start = isQuoted ? open - 1 : open
        guard let end = unsafe isQuoted ? end(ofString: start, in: line) : end(ofObject: start, in: line),
            unsafe isQuoted || isOtherText(line[end...]),
            unsafe line[end...].contains(where: { !JSONScanner.isWhitespace($0) })
        else { return (start..<line.count, isQuoted) }
        return (start..<end, isQuoted)
    }

    /// The offset after the bracket that closes the object at an offset; nil if none does.
    private static func end(ofObject start: Int, in line: UnsafeRawBufferPointer) -> Int? {
        // SOUND: every index is below the count.
        var depth = 0
        var index = start
        while index < line.count {
            switch unsafe line[index] {
            case UInt8(ascii: "\""):
                guard let end = unsafe end(ofString: index, in: line) else { return nil }
                index = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
            index += 1
        }
        return nil
    }

    /// The offset after the quotation mark that ends the string at an offset; nil if none does.
    private static func end(ofString start: Int, in line: UnsafeRawBufferPointer) -> Int? {
        // SOUND: every index is below the count.
        var index = start + 1
        while index < line.count {
            switch unsafe line[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return nil
    }

    /// True for what may follow an object in a log: a space, or a mark and a space. What else follows is a mistake in the JSON.
    private static func isOtherText(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        // SOUND: every index is below the count.
        guard let first = unsafe text.first else { return false }
        if JSONScanner.isWhitespace(first) { return true }
        let next = unsafe text.dropFirst().first
        return ",;)'\"".utf8.contains(first)
            && next.map { JSONScanner.isWhitespace($0) } ?? (first == UInt8(ascii: "'") || first == UInt8(ascii: "\""))
    }

    /// The offset of the `{` of the first object from another offset on, and whether it is in a string: its first quotation mark is escaped.
    /// O(count).
    static func endOfPrefix(_ line: UnsafeRawBufferPointer, from offset: Int = 0) -> (open: Int, isQuoted: Bool)? {
        // SOUND: every index is below the count.
        var index = offset
        while let open = unsafe line[index...].firstIndex(of: UInt8(ascii: "{")) {
            var next = open + 1
            while next < line.count, unsafe JSONScanner.isWhitespace(line[next]) { next += 1 }
            if next < line.count, unsafe line[next] == UInt8(ascii: "\"") || line[next] == UInt8(ascii: "}") {
                return (open, false)
            }
            if next + 1 < line.count, open > offset, unsafe line[open - 1] == UInt8(ascii: "\""),
                unsafe line[next] == UInt8(ascii: "\\") && line[next + 1] == UInt8(ascii: "\"")
            {
                return (open, true)
            }
            // What was skipped has no bracket in it.
            index = next
        }
        return nil
    }

    private static func trimmed(_ text: BorrowedText) -> (text: BorrowedText, lead: Int) {
        // SOUND: every index is below the count.
        let buffer = unsafe text.buffer
        guard let first = unsafe buffer.firstIndex(where: { !JSONScanner.isWhitespace($0) }),
            let last = unsafe buffer.lastIndex(where: { !JSONScanner.isWhitespace($0) })
        else { return (.empty, 0) }
        return (unsafe BorrowedText(start: text.start + first, count: last - first + 1), first)
    }
}

extension RecordLocator.Place {
    /// True for what is surely a record, and no rest of a line.
    fileprivate var isFound: Bool { if case .found(let record) = self { record.isFound } else { false } }
}

extension UnsafeRawBufferPointer {
    fileprivate var text: BorrowedText {
        // SOUND: the same bytes.
        unsafe baseAddress.map { unsafe BorrowedText(start: $0.assumingMemoryBound(to: UInt8.self), count: count) }
            ?? .empty
    }
}
