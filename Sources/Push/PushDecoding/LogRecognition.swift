import PushJSON
import PushModel
import PushSystem

/// The kind of lines that an input has, by its beginning.
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
        "level", "lvl", "severity", "msg", "logger", "@timestamp", "log", "stream", "MESSAGE", "PRIORITY",
    ]
    /// Names in messages, lowercased: an object with one is a message, even if something else in it is wrong.
    private static let messageNames: Set<String> = [
        "aps", "payload", "headers", "notification", "apns", "android", "webpush", "registration_ids", "alert", "badge",
        "asp", "apss", "aaps",
    ]
    /// Names that are in other objects of logs, too.
    private static let commonNames: Set<String> = [
        "message", "data", "to", "token", "title", "body", "custom", "default", "device", "event",
    ]
    /// Names of payloads' members as they are in a string.
    static let escapedNames = [#"\"aps\""#, #"\"notification\""#, #"\"message\":{"#]
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

    /// The reading of one line: `undecided` for JSON without a payload, `text` for no JSON.
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
            guard let (brace, _) = unsafe RecordLocator.endOfPrefix(line), brace > 0,
                unsafe !line[brace - 1].isLetter && !line[brace - 1].isDigit,
                // The beginning of an array that is wrong.
                unsafe first != UInt8(ascii: "[") || line[..<brace].contains(UInt8(ascii: "]")),
                unsafe line[..<brace].contains(where: { $0.isLetter || $0.isDigit })
            else { return .text }
            return unsafe look(into: line, after: brace, options) ?? .text
        }
    }

    /// Looks for a record in the objects of a line, the first of which begins `prefix` bytes after its beginning; nil if none is JSON.
    private static func look(
        into line: UnsafeRawBufferPointer, after prefix: Int, _ options: DecodingOptions
    ) -> LogRecognition? {
        var found: LogRecognition?
        var start = 0
        // SOUND: an object is a slice of the line.
        repeat {
            let object = unsafe RecordLocator.object(in: line, from: start)
            let range = object?.range ?? prefix..<line.count
            start = range.upperBound
            let bytes = unsafe Array(line[range])
            let text = object?.isQuoted == true ? bytes.withJSON { $0.string?.decodedBytes } ?? nil : bytes
            let reading = text.flatMap { unsafe look(into: $0, at: range, of: line, after: prefix, options) }
            if reading != nil, reading != .undecided { return reading }
            found = found ?? reading
        } while prefix > 0 && start < line.count
        return found
    }

    /// - Parameters:
    ///   - object: an object of a line.
    ///   - range: the object, or the string with it.
    private static func look(
        into object: [UInt8], at range: Range<Int>, of line: UnsafeRawBufferPointer, after prefix: Int,
        _ options: DecodingOptions
    ) -> LogRecognition? {
        object.withJSON { root in
            var (place, other) = (nil as RecordLocation?, nil as RecordLocation?)
            switch options.format == nil ? content(of: root, isAfterText: prefix > 0) : .record {
            case .record where prefix == 0, .message where prefix == 0: return .records
            case .record: break
            case .payload(let found):
                place = found
                other = Self.place(in: root, "", takesObjects: true, level: 0, notIn: found.steps[0])
            case .message, .other: return .undecided
            }
            let skipsPrefix = prefix > 0 || range.upperBound < line.count || place?.skipsPrefix == true
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
    enum Content {
        case record
        /// It has a payload at this place.
        case payload(RecordLocation)
        /// It has names of messages.
        case message
        case other
    }

    /// - Parameter isAfterText: true if there is other text before it, as before most objects of logs.
    static func content(of root: JSONView, isAfterText: Bool) -> Content {
        let keys = TopLevelKeys(of: root)
        func hasMember(of names: some Sequence<StaticString>) -> Bool {
            root.members.contains { member in names.contains { member.key == $0 } }
        }
        let isLogged = isAfterText || hasMember(of: logNames)
        let hasLevel = hasMember(of: ["level", "severity", "PRIORITY"])
        /// True if names that messages have need not mean one.
        let isLine = isAfterText || hasLevel
        let hasPayload = holdsPayload(keys, isLogged: isLogged, hasLevel: hasLevel)
        let isRecord = keys.format != nil && !hasPayload && !(isLine && keys.hasCommonNamesAlone)
        // Logs have members of these names, too.
        let isEvent = keys.event?.string.map { DeviceEvent.Name(rawValue: $0.string) != nil } ?? false
        let isOwn = keys.provider != nil && (!isLine || keys.payload != nil) || !isLine && root["place"] != nil
        if isRecord || isEvent || isOwn { return .record }
        let place = place(in: root, "", takesObjects: isLogged, level: isLogged ? 0 : deepest - 1)
        let isMessage = root.members.contains { key, value in
            let name = key.string.lowercased()
            return messageNames.contains(name) || name == "message" && value.isObject
                || !isLine && commonNames.contains(name) && (place == nil || name != "event")
        }
        // A payload in a text, beside a member that logs have, was logged.
        func hasText() -> Bool { Self.place(in: root, "", takesObjects: false, level: deepest - 1) != nil }
        if isMessage, !isLine, !hasPayload, !(isLogged && hasText()) { return .message }
        if let place { return .payload(place) }
        return isMessage && isAfterText ? .message : .other
    }

    /// True for an object between the lines of a JSON log that is a payload or a request itself, and no line of the log.
    static func isBareRecord(_ root: JSONView) -> Bool {
        isPayload(root, inText: false) && !root.members.contains { member in logNames.contains { member.key == $0 } }
    }

    /// True for an object that is no envelope, although it has a `payload`: it is a log's, or that is a text for another provider than APNs.
    private static func holdsPayload(_ keys: TopLevelKeys, isLogged: Bool, hasLevel: Bool) -> Bool {
        guard keys.device == nil, keys.headers == nil, let payload = keys.payload else { return false }
        guard let text = payload.string else { return hasLevel && payload["aps"] != nil }
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
        // SOUND: the bytes live until the closure returns.
        let object = unsafe text.withUnsafeBytes { unsafe RecordLocator.object(in: $0, from: 0) }
        guard let object else { return nil }
        let isWhole = object.range.count == text.count
        guard isWhole || isLogged else { return nil }
        let part = Array(text[object.range])
        guard let inner = object.isQuoted ? part.withJSON({ $0.string?.decodedBytes }) ?? nil : part else { return nil }
        return inner.withJSON { view in
            if isPayload(view, inText: true) { return RecordLocation(pointer: pointer, skipsPrefix: !isWhole) }
            var place = place(in: view, pointer, takesObjects: true, level: level + 1)
            if !isWhole { place?.skipsPrefix = true }
            return place
        } ?? nil
    }

    /// - Parameter inText: true for an object in a text, where GCM's member `to` means a message, too.
    private static func isPayload(_ view: JSONView, inText: Bool) -> Bool {
        guard view.isObject else { return false }
        let keys = TopLevelKeys(of: view)
        if let payload = keys.payload { return payload.isObject && payload["aps"] != nil }
        guard let format = keys.format else { return keys.hasAps }
        return keys.hasAps || [.fcm, .sns, .expo].contains(format) || inText && format == .gcm
    }
}
