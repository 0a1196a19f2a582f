import PayloadJSON
import PushModel

extension RecordDecoder {
    /// Reads the headers of an envelope.
    static func readHeaders(
        _ view: JSONView, into message: inout PushMessage, defaultTopic: BorrowedText, _ batch: inout MessageBatch
    ) {
        message.headers.isRequest = true
        message.headers.text = view.text
        var seen: UInt8 = 0
        var path: BorrowedText?
        var members = view.members
        while let (key, value) = members.next() {
            guard value.kind != .null, let name = HeaderName(key) else { continue }
            if seen & name.bit != 0 { message.headers.hasDuplicates = true }
            seen |= name.bit
            guard let text = headerText(value, key, of: message, &batch) else { continue }
            let value = text.isEmpty ? nil : text
            switch name {
            case .topic: message.topic = value ?? defaultTopic
            case .pushType:
                message.headers.pushTypeText = value
                message.headers.pushType = value.flatMap { pushType($0, &batch) }
            case .priority: message.headers.priority = value
            case .id: message.headers.id = value
            case .expiration: message.headers.expiration = value
            case .collapseID: message.headers.collapseID = value
            case .channelID: message.headers.channelID = text
            case .path: path = text
            }
        }
        if let path { readPath(path, into: &message) }
        // Apple's pages on broadcasts have three spellings of it.
        if message.headers.channelID != nil, message.headers.pushType == nil, let type = message.headers.pushTypeText,
            type.string.lowercased() == "liveactivity"
        {
            message.headers.pushType = .liveactivity
            batch.hasLiveActivities = true
        }
    }

    /// The text of a header, or nil with a finding: no request can have a header that is an array or an object.
    @inline(__always)
    private static func headerText(
        _ value: JSONView, _ key: JSONString, of message: PushMessage, _ batch: inout MessageBatch
    ) -> BorrowedText? {
        if let string = value.string { return string.hasEscapes ? batch.scratch.text(string) : string.raw }
        if value.kind != .array, value.kind != .object { return value.text }
        let pointer = message.place.string + "/headers/" + JSONPointer.escape(key.string)
        let finding = Finding(
            rule: "apns.header-type", severity: .error, pointer: pointer,
            message: "the value of a header is text, not an \(value.kind == .array ? "array" : "object")")
        batch.report(finding, message: batch.messageCount - 1)
        return nil
    }

    /// The path of a broadcast has the app, which other requests have in a header. Source: Apple, "Sending broadcast push
    /// notification requests to APNs".
    @inline(never)
    private static func readPath(_ path: BorrowedText, into message: inout PushMessage) {
        let prefix: StaticString = "/4/broadcasts/apps/"
        guard path.hasPrefix(prefix) else { return }
        // SOUND: the path has the prefix, so it has at least as many bytes.
        let end = unsafe path.buffer.firstIndex(of: UInt8(ascii: "?")) ?? path.count
        message.topic = unsafe BorrowedText(
            start: path.start + prefix.utf8CodeUnitCount, count: end - prefix.utf8CodeUnitCount)
        message.headers.hasBroadcastPath = true
        message.headers.channelID = message.headers.channelID ?? .empty
    }

    /// Alerts come first: they are nearly all messages of most streams.
    @inline(__always)
    private static func pushType(_ name: BorrowedText, _ batch: inout MessageBatch) -> PushType? {
        if name == "alert" { return .alert }
        let type = PushType(wireName: name)
        if type == .liveactivity { batch.hasLiveActivities = true }
        return type
    }
}

/// The headers that this package uses, by their names in lower case.
enum HeaderName: UInt8, CaseIterable {
    case topic, pushType, priority, id, expiration, collapseID, channelID, path

    var bit: UInt8 { 1 &<< rawValue }

    private var wireName: StaticString {
        switch self {
        case .topic: "apns-topic"
        case .pushType: "apns-push-type"
        case .priority: "apns-priority"
        case .id: "apns-id"
        case .expiration: "apns-expiration"
        case .collapseID: "apns-collapse-id"
        case .channelID: "apns-channel-id"
        case .path: ":path"
        }
    }

    /// Header names are case-insensitive in HTTP; HTTP/2 writes them in lower case.
    @inline(__always)
    init?(_ key: JSONString) {
        // At most two names have the same length.
        switch key.count {
        case 5 where key == ":path": self = .path
        case 7 where key == "apns-id": self = .id
        case 10 where key == "apns-topic": self = .topic
        case 13 where key == "apns-priority": self = .priority
        case 14 where key == "apns-push-type": self = .pushType
        case 15 where key == "apns-expiration": self = .expiration
        case 15 where key == "apns-channel-id": self = .channelID
        case 16 where key == "apns-collapse-id": self = .collapseID
        default:
            guard let name = HeaderName(inAnySpelling: key) else { return nil }
            self = name
        }
    }

    @inline(never)
    private init?(inAnySpelling key: JSONString) {
        // SOUND: the bytes of the key are alive during the call.
        let hasCapitals = unsafe key.raw.buffer.contains { $0 &- UInt8(ascii: "A") < 26 }
        guard key.hasEscapes || hasCapitals else { return nil }
        let name = hasCapitals ? key.string.lowercased() : key.string
        guard let known = Self.allCases.first(where: { $0.wireName.description == name }) else { return nil }
        self = known
    }
}
