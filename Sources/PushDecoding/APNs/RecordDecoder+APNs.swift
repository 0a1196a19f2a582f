import PayloadJSON
import PushModel

extension RecordDecoder {
    /// The hot path: `{"device":…,"headers":{…},"payload":{…}}`, in any order, without other members. False for any
    /// other record.
    mutating func decodePlainEnvelope(_ root: JSONView, record: Int, into batch: inout MessageBatch) -> Bool {
        // SOUND: the message stays in place until the next one is appended.
        guard readsEnvelopes else { return false }
        var device: JSONView?
        var headers: JSONView?
        var payload: JSONView?
        var members = root.members
        while let (key, value) = members.next() {
            if key == "payload" {
                payload = value
            } else if key == "device" {
                device = value
            } else if key == "headers" {
                headers = value
            } else {
                return false
            }
        }
        guard let payload, payload.isObject else { return false }
        let message = unsafe batch.appendCopy(of: blank)
        unsafe message.pointee.record = record
        unsafe readEnvelope(device, headers, into: message, &batch)
        unsafe message.pointee.payload = payload.text
        var aps: JSONView?
        members = payload.members
        while let (key, value) = members.next() {
            if key == "aps" { aps = value }
        }
        if let aps {
            let oddities = unsafe Self.readAps(aps, into: &message.pointee.content)
            if !oddities.isEmpty { unsafe settle(oddities, of: aps, message, &batch) }
        }
        return true
    }

    /// Reads what an envelope says about its request.
    ///
    /// Mutating, though it changes nothing: the compiler copies a decoder that may change for the call of a method that
    /// may not change it.
    @inline(__always)
    private mutating func readEnvelope(
        _ device: JSONView?, _ headers: JSONView?, into message: UnsafeMutablePointer<PushMessage>,
        _ batch: inout MessageBatch
    ) {
        // SOUND: the caller's message stays in place during the call.
        unsafe message.pointee.payloadPointer = "/payload"
        if let device, device.kind != .null {
            unsafe message.pointee.headers.isTargetNamed = true
            let token = Self.text(of: device, in: &batch)
            unsafe message.pointee.setToken(token, &batch.scratch)
        }
        if let headers, headers.isObject {
            unsafe Self.readHeaders(headers, into: &message.pointee, defaultTopic: blank.pointee.topic, &batch)
        }
    }

    /// `{"device":…,"headers":{…},"payload":…}`.
    mutating func decodeAPNsEnvelope(
        _ payload: JSONView, _ keys: TopLevelKeys, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        // SOUND: the message stays in place until the next one is appended. Nested decoding appends some only after it
        // was removed.
        let message = unsafe appendMessage(origin, &batch)
        unsafe readEnvelope(keys.device, keys.headers, into: message, &batch)
        if payload.isObject {
            unsafe message.pointee.payload = payload.text
            unsafe readAPNsRequest(payload, into: message, &batch)
            return nil
        }
        // A request without a body.
        if payload.kind == .null { return nil }
        guard let body = payload.string else {
            batch.removeLast()
            return Self.notAPayload(payload)
        }
        let bytes = batch.scratch.text(body)
        unsafe message.pointee.payload = bytes
        if bytes.isEmpty { return nil }
        let isTooLarge = unsafe bytes.count > APNsAcceptance.byteLimit(message, forced: options.budget)
        // Appended again once its payload is known to be a request: findings inside the payload belong to the messages
        // from there.
        let unfinished = batch.removeLast()
        var inner = origin
        inner.pointer += "/payload"
        let decodeFailure = withText(in: body, at: payload.offset, inner, into: &batch) { decoder, root, _, batch in
            guard root.isObject else { return Self.notAnObject(root) }
            batch.append(unfinished)
            // SOUND: the message was just appended, and stays in place until the next one is.
            guard let base = unsafe batch.messages.baseAddress else { return nil }
            unsafe decoder.readAPNsRequest(root, into: base + (batch.messageCount - 1), &batch)
            return nil
        }
        guard decodeFailure != nil, isTooLarge else { return decodeFailure }
        // APNs measures a body before it reads it.
        batch.append(unfinished)
        return nil
    }

    /// The body of a request: a bare payload, or a gateway's request.
    mutating func decodeAPNsBody(
        _ root: JSONView, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        // SOUND: the message stays in place until the next one is appended, which happens after the last use.
        let message = unsafe appendMessage(origin, &batch)
        unsafe message.pointee.payload = root.text
        unsafe message.pointee.headers.pushType = origin.pushType
        if origin.pushType == .liveactivity { batch.hasLiveActivities = true }
        if let bundle = root["Simulator Target Bundle"]?.string {
            unsafe message.pointee.topic = batch.scratch.text(bundle)
        }
        unsafe readAPNsRequest(root, into: message, &batch)
        return nil
    }

    /// Appends a message with the properties of its origin, to be filled in place: a message is large, and APNs is the
    /// hot path.
    private func appendMessage(
        _ origin: RecordOrigin, _ batch: inout MessageBatch
    ) -> UnsafeMutablePointer<PushMessage> {
        // SOUND: the message was just appended, and stays in place until the next one is.
        let message = unsafe batch.appendCopy(of: blank)
        unsafe message.pointee.record = origin.record
        if let device = origin.device { unsafe message.pointee.setToken(device, &batch.scratch) }
        unsafe adopt(origin, for: &message.pointee, .apns, &batch)
        return unsafe message
    }

    /// A message with the properties of its origin.
    func newMessage(_ provider: Provider, _ origin: RecordOrigin, _ batch: inout MessageBatch) -> PushMessage {
        var message = PushMessage(record: origin.record, device: origin.device ?? defaultDevice.text)
        adopt(origin, for: &message, provider, &batch)
        return message
    }

    private func adopt(
        _ origin: RecordOrigin, for message: inout PushMessage, _ provider: Provider, _ batch: inout MessageBatch
    ) {
        // SOUND: the pointer's bytes are copied before the array is freed.
        message.provider = provider
        message.gateway = origin.gateway
        if !origin.pointer.isEmpty {
            message.place = unsafe Array(origin.pointer.utf8).withUnsafeBytes { unsafe batch.scratch.copy($0) }
        }
        message.topic = defaultTopic.text
        message.byteLimit = origin.budget?.bytes ?? 0
        message.isDryRun = origin.isDryRun
        message.secondsKept = origin.secondsKept
        message.isDerived = origin.isDerived
    }

    /// A string's contents, or the text of any other value.
    func text(of view: JSONView, in batch: inout MessageBatch) -> BorrowedText { Self.text(of: view, in: &batch) }

    @inline(__always)
    private static func text(of view: JSONView, in batch: inout MessageBatch) -> BorrowedText {
        guard let string = view.string else { return view.text }
        return string.hasEscapes ? batch.scratch.text(string) : string.raw
    }

    private static func readHeaders(
        _ view: JSONView, into message: inout PushMessage, defaultTopic: BorrowedText, _ batch: inout MessageBatch
    ) {
        message.headers.isRequest = true
        message.headers.text = view.text
        var seen: UInt8 = 0
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
            case .channelID: message.headers.channelID = value
            }
        }
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

    /// Alerts come first: they are nearly all messages of most streams.
    @inline(__always)
    private static func pushType(_ name: BorrowedText, _ batch: inout MessageBatch) -> PushType? {
        if name == "alert" { return .alert }
        let type = PushType(wireName: name)
        if type == .liveactivity { batch.hasLiveActivities = true }
        return type
    }

    /// Reads the payload of the batch's last message.
    private func readAPNsRequest(
        _ payload: JSONView, into message: UnsafeMutablePointer<PushMessage>, _ batch: inout MessageBatch
    ) {
        // SOUND: the caller's message stays in place during the call.
        let oddities = unsafe readAPNsContent(payload, into: &message.pointee, &batch)
        if !oddities.isEmpty, let aps = payload["aps"] { unsafe settle(oddities, of: aps, message, &batch) }
    }

    /// What few payloads have.
    struct Oddities: OptionSet {
        let rawValue: UInt8
        /// A badge below 0, which sets nothing.
        static let negativeBadge = Oddities(rawValue: 1)
        /// An `event`: perhaps that of a Live Activity.
        static let event = Oddities(rawValue: 2)
    }

    /// Reports or applies the oddities of the batch's last message.
    @inline(never)
    private func settle(
        _ oddities: Oddities, of aps: JSONView, _ message: UnsafeMutablePointer<PushMessage>,
        _ batch: inout MessageBatch
    ) {
        // SOUND: the caller's message stays in place during the call.
        // Without a push type the keys say that a push is for a Live Activity, as the linter reads them.
        if oddities.contains(.event), unsafe message.pointee.headers.pushTypeText == nil,
            unsafe message.pointee.headers.pushType == nil, aps["content-state"] != nil || aps["timestamp"] != nil
        {
            unsafe message.pointee.headers.pushType = .liveactivity
            batch.hasLiveActivities = true
        }
        if oddities.contains(.negativeBadge) {
            let place = unsafe "\(message.pointee.place.string)\(message.pointee.payloadPointer)"
            let finding = Finding(
                rule: "aps.badge-value", severity: .warning, pointer: place + "/aps/badge",
                message: "a badge is a whole number from 0 on; this one leaves the number on the icon as it is")
            batch.report(finding, message: batch.messageCount - 1)
        }
    }

    /// Reads the parts of an APNs payload that a device acts on.
    @discardableResult
    func readAPNsContent(
        _ payload: JSONView, into message: inout PushMessage, _ batch: inout MessageBatch
    ) -> Oddities {
        message.content = NotificationContent()
        var aps: JSONView?
        var members = payload.members
        while let (key, value) = members.next() {
            if key == "aps" {
                aps = value
            } else if let wanted = replacementKey, batch.scratch.text(key) == wanted.text {
                message.content.customID = scalarText(of: value, &batch)
            }
        }
        if let pointer = replacementPointer {
            message.content.customID = payload[pointer: pointer].flatMap { scalarText(of: $0, &batch) }
        }
        return aps.map { Self.readAps($0, into: &message.content) } ?? []
    }

    private func scalarText(of value: JSONView, _ batch: inout MessageBatch) -> BorrowedText? {
        switch value.kind {
        case .string, .number, .true, .false: text(of: value, in: &batch)
        default: nil
        }
    }

    private static func readAps(_ aps: JSONView, into content: inout NotificationContent) -> Oddities {
        var oddities: Oddities = []
        var members = aps.members
        while let (key, value) = members.next() {
            if key == "alert" {
                readAlert(value, into: &content)
            } else if key == "badge" {
                content.badge = value.int64.flatMap { Int(exactly: $0) } ?? value.double.flatMap { Int(exactly: $0) }
                if let badge = content.badge, badge < 0 {
                    content.badge = nil
                    oddities.insert(.negativeBadge)
                }
            } else if key == "thread-id" {
                content.thread = value.string
            } else if key == "mutable-content" {
                content.isMutable = value.isOne
            } else if key == "event" {
                oddities.insert(.event)
            }
        }
        return oddities
    }

    private static func readAlert(_ alert: JSONView, into content: inout NotificationContent) {
        content.title = nil
        content.subtitle = nil
        content.body = alert.string
        var titleKey: JSONString?
        var subtitleKey: JSONString?
        var bodyKey: JSONString?
        var members = alert.members
        while let (key, value) = members.next() {
            if key == "title" {
                content.title = value.string
            } else if key == "body" {
                content.body = value.string
            } else if key == "subtitle" {
                content.subtitle = value.string
            } else if key == "title-loc-key" {
                titleKey = value.string
            } else if key == "loc-key" {
                bodyKey = value.string
            } else if key == "subtitle-loc-key" {
                subtitleKey = value.string
            }
        }
        // The app's localized strings are not available, so the key stands for the text. An empty text is none: libraries
        // send it next to a key. Source: Apple, "Generating a remote notification": the key is used instead of the text.
        if titleKey != nil, content.title?.count ?? 0 == 0 { content.title = titleKey }
        if subtitleKey != nil, content.subtitle?.count ?? 0 == 0 { content.subtitle = subtitleKey }
        if bodyKey != nil, content.body?.count ?? 0 == 0 { content.body = bodyKey }
        content.hasAlert =
            (content.body?.count ?? 0) > 0 || (content.title?.count ?? 0) > 0 || (content.subtitle?.count ?? 0) > 0
    }
}

/// The headers that this package uses, by their names in lower case.
enum HeaderName: UInt8, CaseIterable {
    case topic, pushType, priority, id, expiration, collapseID, channelID

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
        }
    }

    /// Header names are case-insensitive in HTTP; HTTP/2 writes them in lower case.
    @inline(__always)
    init?(_ key: JSONString) {
        // At most two names have the same length.
        switch key.count {
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
