package import PushJSON
package import PushModel
import PushSystem

/// The place of the record in each line or object of the input, such as a log line that carries a payload.
package struct RecordLocation: Sendable, Equatable {
    /// True if the line may begin with something else, such as a time and the name of a container. The record, or the object that
    /// `pointer` leads into, begins with the first `{` that a member name in quotes, or `}`, follows. What follows the object after a
    /// space is skipped, too. A string at `pointer` is read in the same way.
    package var skipsPrefix = false
    /// JSON Pointer (RFC 6901) to the record; nil if it is the whole object.
    ///
    /// The value is the record's object, or a string that holds its text. The pointer leads into strings that hold JSON, too.
    package private(set) var pointer: String?
    /// The value of the setting that takes the times of a log that was recognized; nil if its lines have none.
    package var timePlace: String?
    /// The place of a second payload in the line by which a log was recognized; nil if there is none.
    fileprivate(set) var other: String?
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
        // SOUND: the prefix ends within the line, and the tape is of what follows it.
        var (start, end) = (0, line.count)
        if location.skipsPrefix {
            guard let object = unsafe Self.object(in: line, &scanner, &tape) else { return .nothing }
            (start, end) = (object.lowerBound, object.upperBound)
        }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: line[start..<end])
        let whole =
            unsafe rest.count == line.count
            ? Place.whole : .found(LocatedRecord(in: line, start..<end, isFound: location.steps.isEmpty))
        let isWhole = location.steps.isEmpty
        if isWhole, !location.isAssumed { return whole }
        guard unsafe scanner.scan(rest, into: &tape) == nil, var root = unsafe tape.root(of: rest) else { return whole }
        if !isWhole {
            let found = unsafe find(from: root, location, trims: trimsStrings, in: line, at: start, &scratch)
            guard case .nothing = found, location.isAssumed else { return found }
            // The tape may be of a text in the line now.
            guard unsafe scanner.scan(rest, into: &tape) == nil, let again = unsafe tape.root(of: rest) else {
                return whole
            }
            root = again
        }
        switch LogRecognition.content(of: root, isAfterText: start > 0) {
        case .record:
            guard isWhole || LogRecognition.isBareRecord(root) else { return .nothing }
            return unsafe .found(LocatedRecord(in: line, start..<end))
        case .payload(let other):
            let trims = trimsStrings || other.skipsPrefix
            return unsafe find(from: root, other, trims: trims, in: line, at: start, &scratch)
        case .message: return isWhole ? whole : .nothing
        case .other: return .nothing
        }
    }

    private mutating func find(
        from root: JSONView, _ location: RecordLocation, trims: Bool, in line: UnsafeRawBufferPointer, at start: Int,
        _ scratch: inout ScratchArena
    ) -> Place {
        // SOUND: a value of the line is within it; the contents of strings live as long as the scratch memory, and the tape is not
        // used for the old text once it is of the next one.
        var view = root
        /// The outermost string that the pointer led into, and how many there were.
        var outer: (offset: Int, string: JSONString)?
        var level = 0
        for step in location.steps {
            if let string = view.string {
                guard level < NestedScan.maximumLevel else { return .nothing }
                outer = outer ?? (start + view.offset, string)
                level += 1
                let text = scratch.text(string)
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
            let lead = level == 1 ? view.offset : 0
            return .found(
                LocatedRecord(view.text, start: outer.offset, string: level == 1 ? outer.string : nil, lead: lead))
        }
        // The tape is of the string's contents after a look for an object in them.
        let place = outer?.offset ?? start + view.offset
        var (text, lead) = Self.trimmed(scratch.text(string))
        guard !text.isEmpty else { return .nothing }
        if trims {
            if let object = unsafe Self.object(in: text.bytes, &scanner, &tape) {
                text = unsafe UnsafeRawBufferPointer(rebasing: text.bytes[object]).text
                lead += object.lowerBound
            } else if unsafe text.buffer[0] != UInt8(ascii: "{") {
                return .nothing
            }
        }
        return .found(LocatedRecord(text, start: place, string: outer == nil ? string : nil, lead: lead))
    }

    /// The bytes of the first object, without other text that follows it; to the end if it is no JSON. O(count).
    ///
    /// - Parameter tape: of no text afterwards.
    fileprivate static func object(
        in line: UnsafeRawBufferPointer, _ scanner: inout JSONScanner, _ tape: inout JSONTape
    ) -> Range<Int>? {
        // SOUND: every index is below the count.
        guard let start = unsafe endOfPrefix(line) else { return nil }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: line[start...])
        guard let fault = unsafe scanner.scan(rest, into: &tape), fault.kind == .trailingContent,
            let last = unsafe rest[..<fault.offset].lastIndex(where: { !JSONScanner.isWhitespace($0) }),
            unsafe isOtherText(rest[(last + 1)...])
        else { return start..<line.count }
        return start..<start + last + 1
    }

    /// True for what may follow an object in a log: a space, or a mark and a space. What else follows is a mistake in the JSON.
    private static func isOtherText(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        // SOUND: every index is below the count.
        guard let first = unsafe text.first else { return false }
        if JSONScanner.isWhitespace(first) { return true }
        let next = unsafe text.dropFirst().first
        return ",;)".utf8.contains(first) && next.map { JSONScanner.isWhitespace($0) } ?? false
    }

    /// The offset of the first object. O(count).
    fileprivate static func endOfPrefix(_ line: UnsafeRawBufferPointer) -> Int? {
        // SOUND: every index is below the count.
        var index = 0
        while let open = unsafe line[index...].firstIndex(of: UInt8(ascii: "{")) {
            var next = open + 1
            while next < line.count, unsafe JSONScanner.isWhitespace(line[next]) { next += 1 }
            if next < line.count, unsafe line[next] == UInt8(ascii: "\"") || line[next] == UInt8(ascii: "}") {
                return open
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

/// The place of a record's time in its line.
package struct RecordTimePlace: Sendable, Equatable {
    /// The member that has it; nil for the text before the object.
    fileprivate let member: RecordLocation?

    /// A description for messages: `time at /log/time`.
    package var name: String { member?.pointer.map { "time at \($0)" } ?? "time before the object" }

    /// - Parameter text: `line`, or a JSON Pointer to a member; nil is returned for another text.
    package init?(_ text: String) {
        member = text == "line" ? nil : RecordLocation(pointer: text, skipsPrefix: true)
        if text.isEmpty || member == nil && text != "line" { return nil }
    }
}

/// Reads the times of records from their lines.
package struct RecordTimeReader: ~Copyable {
    /// Nil for the beginnings of lines.
    private var locator: RecordLocator?
    private let now: Int64

    /// - Parameter now: milliseconds since the epoch, by which the year of a time without one is known.
    package init(_ place: RecordTimePlace, now: Int64) {
        locator = place.member.map { RecordLocator($0, trimsStrings: false) }
        self.now = now
    }

    /// The time in milliseconds since the epoch; nil if the line has none.
    package mutating func time(of line: UnsafeRawBufferPointer, _ scratch: inout ScratchArena) -> Int64? {
        // SOUND: the slice is copied.
        guard locator != nil else {
            let beginning = unsafe line.prefix(LogTime.examinedBytes).prefix { $0 != UInt8(ascii: "{") }
            return LogTime.first(in: unsafe String(decoding: beginning, as: UTF8.self), now: now)
        }
        guard case .found(let member)? = unsafe locator?.locate(in: line, &scratch), member.isFound else { return nil }
        return LogTime.first(in: member.text.string, now: now)
    }
}

/// What the beginning of an input says about its lines.
package enum LogRecognition: Equatable {
    /// More lines are needed.
    case undecided
    /// A line begins with JSON, which is the record.
    case records
    /// Lines hold records at this place: after other text, or in a member of the object that is logged.
    case log(RecordLocation)
    /// No line begins with JSON, or holds a record.
    case text

    /// The number of bytes at the beginning of an input that decide, at most: 64 KiB.
    package static let examinedBytes = 64 << 10
    /// Names that the objects of a log have, and payloads have not.
    private static let logNames: [StaticString] = [
        "level", "lvl", "severity", "msg", "logger", "@timestamp", "log", "stream",
    ]
    /// Names in messages, lowercased: an object with one is a message, even if something else in it is wrong.
    private static let messageNames: Set<String> = [
        "aps", "payload", "headers", "message", "notification", "data", "apns", "android", "webpush", "to", "token",
        "registration_ids", "title", "body", "custom", "default", "device", "event", "alert", "badge", "asp", "apss",
        "aaps",
    ]
    /// Names of a line's time in logs.
    private static let timeNames = ["time", "ts", "timestamp", "@timestamp"]
    /// The levels of objects in which a payload is looked for.
    private static let deepest = 4

    /// O(count).
    ///
    /// - Parameter isEnd: true if no more bytes follow.
    package init(beginning: UnsafeRawBufferPointer, isEnd: Bool, _ options: DecodingOptions) {
        // SOUND: every slice is within the bytes, for which the caller vouches.
        self = .records
        if unsafe ForeignText(beginning) != nil { return }
        let isWhole = isEnd || beginning.count >= Self.examinedBytes
        var rest = unsafe beginning.prefix(Self.examinedBytes)
        if unsafe rest.starts(with: [0xEF, 0xBB, 0xBF]) { unsafe rest = rest.dropFirst(3) }
        self = .text
        while unsafe !rest.isEmpty {
            let newline = unsafe rest.firstIndex(of: UInt8(ascii: "\n"))
            if newline == nil, !isWhole {
                // An array needs no end to be one.
                if unsafe rest.starts(with: [UInt8(ascii: "["), UInt8(ascii: "{")]) { self = .records }
                break
            }
            let line = unsafe rest[..<(newline ?? rest.endIndex)]
            unsafe rest = rest[(line.endIndex + (newline == nil ? 0 : 1))...]
            let reading = unsafe Self.reading(of: UnsafeRawBufferPointer(rebasing: line), options)
            if reading == .undecided {
                self = .undecided
            } else if reading != .text {
                self = reading
                return
            }
        }
        if !isWhole, self != .records { self = .undecided } else if self == .undecided { self = .records }
    }

    /// What one line says: `undecided` for JSON without a payload, `text` for no JSON.
    private static func reading(of line: UnsafeRawBufferPointer, _ options: DecodingOptions) -> LogRecognition {
        // SOUND: the offset is within the line, for which the caller vouches.
        guard let start = unsafe line.firstIndex(where: { !JSONScanner.isWhitespace($0) }) else { return .text }
        let next = unsafe line[(start + 1)...].first { !JSONScanner.isWhitespace($0) }
        switch unsafe line[start] {
        case UInt8(ascii: "{"): return unsafe look(into: line, after: 0, options) ?? .records
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .records
        case UInt8(ascii: "[") where next.map { "{[\"']".utf8.contains($0) } ?? true: return .records
        // A comment.
        case UInt8(ascii: "/"), UInt8(ascii: "#"): return .text
        case let first:
            guard let brace = unsafe RecordLocator.endOfPrefix(line), brace > 0,
                unsafe !line[brace - 1].isLetter && !line[brace - 1].isDigit,
                // The beginning of an array that is wrong.
                unsafe first != UInt8(ascii: "[") || line[..<brace].contains(UInt8(ascii: "]")),
                unsafe line[..<brace].contains(where: { $0.isLetter || $0.isDigit })
            else { return .text }
            return unsafe look(into: line, after: brace, options) ?? .text
        }
    }

    /// Looks for a record in the object that begins `prefix` bytes after the beginning of a line; nil if it is not JSON.
    private static func look(
        into line: UnsafeRawBufferPointer, after prefix: Int, _ options: DecodingOptions
    ) -> LogRecognition? {
        var scanner = JSONScanner()
        var tape = JSONTape()
        // SOUND: the object is a slice of the line.
        let object = unsafe RecordLocator.object(in: line, &scanner, &tape) ?? prefix..<line.count
        return unsafe Array(line[object]).withJSON { root in
            var (place, other) = (nil as RecordLocation?, nil as RecordLocation?)
            switch options.format == nil ? content(of: root, isAfterText: prefix > 0) : .record {
            case .record where prefix == 0, .message where prefix == 0: return .records
            case .record: break
            case .payload(let found):
                place = found
                other = Self.place(in: root, "", takesObjects: true, level: 0, notIn: found.steps[0])
            case .message, .other: return .undecided
            }
            let skipsPrefix = prefix > 0 || object.upperBound < line.count || place?.skipsPrefix == true
            guard var location = RecordLocation(pointer: place?.pointer, skipsPrefix: skipsPrefix) else {
                return .records
            }
            location.isAssumed = options.format == nil
            location.other = other?.pointer
            location.timePlace = (["line"] + timeNames.map { "/\($0)" }).first {
                guard let place = RecordTimePlace($0) else { return false }
                var reader = RecordTimeReader(place, now: 0)
                var scratch = ScratchArena()
                return unsafe reader.time(of: line, &scratch) != nil
            }
            return .log(location)
        }
    }

    /// The kinds of objects in the lines of a log.
    fileprivate enum Content {
        case record
        /// It has a payload at this place.
        case payload(RecordLocation)
        /// It has names of messages.
        case message
        case other
    }

    /// - Parameter isAfterText: true if there is other text before it, as before most objects of logs.
    fileprivate static func content(of root: JSONView, isAfterText: Bool) -> Content {
        let keys = TopLevelKeys(of: root)
        let isLogged = isAfterText || root.members.contains { member in logNames.contains { member.key == $0 } }
        let hasPayload = holdsPayload(keys, isLogged: isLogged)
        // Logs have members of this name, too.
        let isEvent = keys.event?.string.map { DeviceEvent.Name(rawValue: $0.string) != nil } ?? false
        if keys.format != nil && !hasPayload || isEvent || keys.provider != nil || root["place"] != nil {
            return .record
        }
        let place = place(in: root, "", takesObjects: isLogged, level: isLogged ? 0 : deepest - 1)
        let isMessage = root.members.contains { isOfMessage($0.key) && (place == nil || !($0.key == "event")) }
        let hasLevel = root.members.contains { member in member.key == "level" || member.key == "severity" }
        // A payload in a text, beside a member that logs have, was logged.
        func hasText() -> Bool { Self.place(in: root, "", takesObjects: false, level: deepest - 1) != nil }
        if isMessage, !isAfterText, !hasPayload, !hasLevel, !(isLogged && hasText()) { return .message }
        if let place { return .payload(place) }
        return isMessage && isAfterText ? .message : .other
    }

    /// True for an object between the lines of a JSON log that is a payload or a request itself, and no line of the log.
    fileprivate static func isBareRecord(_ root: JSONView) -> Bool {
        isPayload(root, inText: false) && !root.members.contains { member in logNames.contains { member.key == $0 } }
    }

    /// True for an object that is no envelope, although it has a text as `payload`: it is a log's, or the text is for another provider
    /// than APNs.
    private static func holdsPayload(_ keys: TopLevelKeys, isLogged: Bool) -> Bool {
        guard keys.device == nil, keys.headers == nil, let text = keys.payload?.string else { return false }
        return text.decodedBytes.withJSON { isPayload($0, inText: true) && (isLogged || !TopLevelKeys(of: $0).hasAps) }
            ?? false
    }

    /// A pointer to the first payload in an object, of names that may stand in a message and in a shell.
    ///
    /// - Parameters:
    ///   - takesObjects: false if only a string can be one, because an object in an object may be a mistake.
    ///   - member: a pointer to a member that is left out; nil for none.
    private static func place(
        in object: JSONView, _ pointer: String, takesObjects: Bool, level: Int, notIn member: String? = nil
    ) -> RecordLocation? {
        guard level < deepest else { return nil }
        for (key, value) in object.members where UnknownShape.isPlain(key.string) {
            let next = "\(pointer)/\(key.string)"
            if next == member { continue }
            if value.isObject {
                if takesObjects, isPayload(value, inText: false) { return RecordLocation(pointer: next) }
                if let place = place(in: value, next, takesObjects: takesObjects, level: level + 1) { return place }
            } else if let text = value.string?.decodedBytes, let place = place(inText: text, next, takesObjects, level)
            {
                return place
            }
        }
        return nil
    }

    /// A pointer to the payload in a text at `pointer`, or to the text, which may have other text around the payload if it is logged.
    private static func place(
        inText text: [UInt8], _ pointer: String, _ isLogged: Bool, _ level: Int
    ) -> RecordLocation? {
        var scanner = JSONScanner()
        var tape = JSONTape()
        // SOUND: the bytes live until the closure returns.
        guard let object = unsafe text.withUnsafeBytes({ unsafe RecordLocator.object(in: $0, &scanner, &tape) }) else {
            return nil
        }
        let isWhole = object.count == text.count
        guard isWhole || isLogged else { return nil }
        return Array(text[object]).withJSON { view in
            if isPayload(view, inText: true) { return RecordLocation(pointer: pointer, skipsPrefix: !isWhole) }
            return isWhole ? place(in: view, pointer, takesObjects: true, level: level + 1) : nil
        } ?? nil
    }

    private static func isOfMessage(_ name: JSONString) -> Bool { messageNames.contains(name.string.lowercased()) }

    /// - Parameter inText: true for an object in a text, where GCM's member `to` means a message, too.
    private static func isPayload(_ view: JSONView, inText: Bool) -> Bool {
        guard view.isObject else { return false }
        let keys = TopLevelKeys(of: view)
        if let payload = keys.payload { return payload.isObject && payload["aps"] != nil }
        guard let format = keys.format else { return keys.hasAps }
        return keys.hasAps || [.fcm, .sns, .expo].contains(format) || inText && format == .gcm
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var text: BorrowedText {
        // SOUND: the same bytes.
        unsafe baseAddress.map { unsafe BorrowedText(start: $0.assumingMemoryBound(to: UInt8.self), count: count) }
            ?? .empty
    }
}
