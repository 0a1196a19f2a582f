package import PushDecoding
package import PushJSON
package import PushModel

/// A message that its provider queues until the device is online, with everything needed to deliver it then.
package final class QueuedMessage: Sendable {
    /// Number of its record, and the index of its target in it.
    package let seq: UInt64
    package let target: Int?
    /// When it was accepted and when it expires, in milliseconds since the epoch.
    package let acceptedAt: Int64
    package let expiresAt: Int64
    /// The key on Android: messages with the same key supersede each other. Nil for a message that is queued independently.
    package let collapseKey: String?

    package let provider: Provider
    package let gateway: Gateway?
    package let platform: Platform
    package let device: String
    package let topic: String
    /// `apns-collapse-id`.
    package let collapseID: String?
    package let pushType: PushType?
    package let byteCount: Int
    package let byteLimit: Int
    /// See `DecodedMessage.isBackground`.
    package let isBackground: Bool
    /// The body as sent. For a push to a Live Activity through FCM it is the FCM message, because that contains the activity's token. For one through APNs to another
    /// token than the device's: the same members.
    package let payload: String

    /// - Parameter activityToken: the token of a Live Activity that the message was sent to, if that is not its device.
    package init(
        _ message: DecodedMessage, activityToken: String? = nil, seq: UInt64, at: Int64, expiresAt: Int64,
        collapseKey: String?
    ) {
        self.seq = seq
        target = message.target
        acceptedAt = at
        self.expiresAt = expiresAt
        self.collapseKey = collapseKey
        provider = message.provider
        gateway = message.gateway
        platform = message.platform
        device = message.device.string
        topic = message.isTopicOfTarget ? "" : message.topic.string
        collapseID = message.headers.collapseID?.string
        pushType = message.headers.pushType
        byteCount = message.byteCount
        byteLimit = message.byteLimit
        isBackground = message.isBackground
        if let activityToken {
            payload = Self.request(message, activityToken)
            return
        }
        let isActivity = message.provider == .fcm && message.headers.pushType == .liveactivity
        payload = (isActivity && !message.headers.text.isEmpty ? message.headers.text : message.payload).string
    }

    private static func request(_ message: DecodedMessage, _ activityToken: String) -> String {
        .composed { request in
            request.append("{\"apns\":{\"live_activity_token\":")
            request.appendJSONString(activityToken)
            request.append(",\"payload\":")
            request.append(message.payload)
            request.append("}}")
        }
    }

    package init(
        seq: UInt64, target: Int?, acceptedAt: Int64, expiresAt: Int64, collapseKey: String?, provider: Provider,
        gateway: Gateway?, platform: Platform, device: String, topic: String, collapseID: String?, pushType: PushType?,
        byteCount: Int, byteLimit: Int, isBackground: Bool, payload: String
    ) {
        self.seq = seq
        self.target = target
        self.acceptedAt = acceptedAt
        self.expiresAt = expiresAt
        self.collapseKey = collapseKey
        self.provider = provider
        self.gateway = gateway
        self.platform = platform
        self.device = device
        self.topic = topic
        self.collapseID = collapseID
        self.pushType = pushType
        self.byteCount = byteCount
        self.byteLimit = byteLimit
        self.isBackground = isBackground
        self.payload = payload
    }
}

extension QueuedMessage: Equatable {
    /// A copy of the message for another topic.
    func renamed(to topic: String) -> QueuedMessage {
        QueuedMessage(
            seq: seq, target: target, acceptedAt: acceptedAt, expiresAt: expiresAt, collapseKey: collapseKey,
            provider: provider, gateway: gateway, platform: platform, device: device, topic: topic,
            collapseID: collapseID, pushType: pushType, byteCount: byteCount, byteLimit: byteLimit,
            isBackground: isBackground, payload: payload)
    }

    package static func == (left: QueuedMessage, right: QueuedMessage) -> Bool {
        if left === right { return true }
        return (left.seq, left.target, left.acceptedAt, left.expiresAt)
            == (right.seq, right.target, right.acceptedAt, right.expiresAt)
            && (left.collapseKey, left.device, left.topic, left.collapseID)
                == (right.collapseKey, right.device, right.topic, right.collapseID)
            && (left.provider, left.gateway, left.platform, left.pushType)
                == (right.provider, right.gateway, right.platform, right.pushType)
            && (left.byteCount, left.byteLimit, left.isBackground, left.payload)
                == (right.byteCount, right.byteLimit, right.isBackground, right.payload)
    }

    /// Orders messages to which something happens at the same time.
    package func isReported(before other: QueuedMessage) -> Bool {
        (seq, device, topic, target ?? 0) < (other.seq, other.device, other.topic, other.target ?? 0)
    }

    /// Orders messages by acceptance.
    package func wasAccepted(before other: QueuedMessage) -> Bool {
        (seq, target ?? 0) < (other.seq, other.target ?? 0)
    }
}

/// Turns queued messages back into messages.
package struct QueuedMessageReader: ~Copyable {
    private var decoder: RecordDecoder
    private var scanner = JSONScanner()
    private var tape = JSONTape()
    private var batch = MessageBatch()

    /// - Parameter options: the options that the messages were decoded with; only the replacement key matters.
    package init(options: DecodingOptions) {
        var options = options
        // The queued message has its platform.
        options.platform = nil
        decoder = RecordDecoder(options: options)
    }

    /// Call when the returned messages are no longer used.
    package mutating func reset() { batch.removeAll() }

    /// The message as it was accepted, and the token of a Live Activity that is not its device. Both are valid until
    /// `reset`.
    package mutating func message(_ queued: QueuedMessage) -> (message: DecodedMessage, activityToken: BorrowedText?) {
        var message = DecodedMessage(record: 0, device: copy(queued.device))
        message.target = queued.target
        message.provider = queued.provider
        message.gateway = queued.gateway
        message.platform = queued.platform
        message.topic = copy(queued.topic)
        message.headers.collapseID = queued.collapseID.map { copy($0) }
        message.headers.pushType = queued.pushType
        var activityToken: BorrowedText?
        let payload = copy(queued.payload)
        message.payload = payload
        // SOUND: `payload` is in scratch memory, which stays until `reset`.
        if unsafe scanner.scan(payload.bytes, into: &tape) == nil, let root = unsafe tape.root(of: payload.bytes) {
            let isRequest = queued.pushType == .liveactivity && root["aps"] == nil
            if isRequest, queued.provider == .apns, let apns = root["apns"], let push = apns["payload"] {
                activityToken = apns["live_activity_token"]?.string.map { copy($0.string) }
                message.payload = copy(push.text.string)
                decoder.adopt(message.payload, push, for: &message, &batch)
            } else if isRequest, queued.provider == .fcm, let read = activityPush(payload, like: message) {
                message.payload = read.message.payload
                message.content = read.message.content
                activityToken = read.token
            } else {
                decoder.adopt(payload, root, for: &message, &batch)
            }
        }
        message.byteCount = queued.byteCount
        message.byteLimit = queued.byteLimit
        return (message, activityToken)
    }

    /// Decodes an FCM message again into the push that FCM sends to APNs.
    private mutating func activityPush(
        _ request: BorrowedText, like message: DecodedMessage
    ) -> (message: DecodedMessage, token: BorrowedText?)? {
        // SOUND: the batch keeps the copy and its messages until `reset`.
        let record = copy("{\"message\":\(request.string)}")
        let index = batch.messageCount
        decoder.decode(record, like: message, for: .ios, into: &batch)
        guard index < batch.messageCount else { return nil }
        return unsafe (batch.messages[index], batch.activityTokens[index])
    }

    /// A message to a topic as one of its subscribers gets it, valid until `reset`, and as long as the original.
    package mutating func copy(of message: DecodedMessage, device: String, app: String, target: Int) -> DecodedMessage {
        var copied = message
        copied.device = copy(device)
        copied.topic = copy(app)
        copied.target = target
        copied.isForTopic = false
        return copied
    }

    /// A notification that an app posts by itself, as a message to its device: valid until `reset`, and as long as another to that device.
    ///
    /// - Parameters:
    ///   - identifier: what the app chose, or what was made for it.
    ///   - data: see `AppReaction`.
    ///   - other: the message because of which it does that, or one that represents its event.
    package mutating func message(
        posting notification: LocalNotification, as identifier: String, data: String, like other: DecodedMessage
    ) -> DecodedMessage {
        var message = DecodedMessage(record: 0, device: other.device)
        message.target = other.target
        message.platform = other.platform
        message.provider = other.platform == .ios ? .apns : .fcm
        message.topic = other.namedApp
        message.isTopicOfTarget = other.isTopicOfTarget
        message.isLocal = true
        let payload = copy(notification.payload(for: other.platform, data: data))
        // SOUND: `payload` is in scratch memory, which stays until `reset`.
        if unsafe scanner.scan(payload.bytes, into: &tape) == nil, let root = unsafe tape.root(of: payload.bytes) {
            decoder.adopt(payload, root, for: &message, &batch)
        }
        if other.platform == .ios {
            message.headers.collapseID = copy(identifier)
        } else {
            message.content.tag = copy(identifier)
        }
        message.content.customID = nil
        // The app does that wherever it is.
        message.content.isShownInFront = true
        return message
    }

    /// A message that represents an event of an app on a device, valid until `reset`.
    package mutating func event(device: String, app: String) -> DecodedMessage {
        var message = DecodedMessage(record: 0, device: copy(device))
        message.topic = copy(app)
        message.verdict = .event
        return message
    }

    private mutating func copy(_ text: String) -> BorrowedText {
        // SOUND: the bytes are copied within the closure.
        unsafe text.withBytes { unsafe batch.scratch.copy(UnsafeRawBufferPointer($0)) }
    }
}

/// Decodes a GCM or FCM message again, as a device of another platform gets it.
///
/// A token does not tell the kind of its device, and records are decoded without looking up devices: which block of a
/// message takes effect is guessed. A device registered with its platform gets its messages from here. Source: Firebase,
/// "Customize a message across platforms": a block is "interpreted only by app instances running on the specified
/// platform".
package struct PlatformReader: ~Copyable {
    /// A message as a device of another platform gets it.
    package struct Reading {
        /// Valid until `reset`.
        package var message: DecodedMessage
        /// Why APNs refuses it, or why a browser does not show it.
        package var finding: Finding?
    }

    private var decoder: RecordDecoder
    private var batch = MessageBatch()
    private var text = ByteBuffer()
    private let acceptance: Acceptance

    /// - Parameter options: the options that the messages were decoded with.
    package init(options: DecodingOptions) {
        var options = options
        options.platform = nil
        decoder = RecordDecoder(options: options)
        acceptance = Acceptance(budget: options.budget)
    }

    /// Call when the returned messages are no longer used.
    package mutating func reset() { batch.removeAll() }

    /// The message as a device of a platform gets it; nil for one that is decoded for this platform, and for one of APNs.
    package mutating func message(_ message: DecodedMessage, for platform: Platform) -> Reading? {
        guard message.platform != platform else { return nil }
        if message.gateway == .expo { return messageOfExpo(message, for: platform) }
        guard message.provider != .apns else { return nil }
        // What an Apple device gets is derived from the request.
        let request = message.platform == .ios ? message.headers.text : message.payload
        guard !request.isEmpty else { return nil }
        text.removeAll()
        if message.provider == .fcm { text.append("{\"message\":") }
        text.append(request)
        if message.provider == .fcm { text.append("}") }
        // SOUND: the scratch memory keeps the copy until `reset`, and so for longer than the decoded message.
        let record = unsafe batch.scratch.copy(text.bytes)
        decoder.decode(record, like: message, for: platform, into: &batch)
        // SOUND: the batch keeps its messages until `reset`.
        guard var read = unsafe batch.messages.last, read.platform == platform else { return nil }
        let index = batch.messageCount - 1
        // The request and its answer stay the same.
        read.device = message.device
        read.target = message.target
        read.gateway = message.gateway
        read.isForTopic = message.isForTopic
        read.isDryRun = message.isDryRun
        read.byteCount = message.byteCount
        read.byteLimit = message.byteLimit
        read.place = message.place
        read.payloadPointer = message.payloadPointer
        read.secondsKept = message.secondsKept ?? read.secondsKept
        if read.topic.isEmpty, platform == .ios { read.topic = message.topic }
        read.verdict = message.verdict
        guard platform == .ios else {
            let finding = batch.findings.last { $0.message == index && WebNotification.rules.contains($0.finding.rule) }
            return Reading(message: read, finding: finding?.finding)
        }
        guard message.provider == .fcm else { return Reading(message: read) }
        let refusal = FCMMessage.refusalOfHeaders(
            in: read, nil, at: message.place.string, isDerived: message.isDerived)
        if refusal != nil { read.verdict = .rejected(.invalidArgument) }
        return Reading(message: read, finding: refusal)
    }

    /// The message that Expo hands on for a device of another platform: to another service, which measures it and answers in its own words.
    private mutating func messageOfExpo(_ message: DecodedMessage, for platform: Platform) -> Reading? {
        // SOUND: the scratch memory keeps the copy until `reset`, and the batch its messages; the index is that of one.
        guard !message.headers.text.isEmpty else { return nil }
        text.removeAll()
        text.append(message.headers.text)
        let request = unsafe batch.scratch.copy(text.bytes)
        let index = batch.messageCount
        decoder.decodeExpo(request, like: message, for: platform, into: &batch)
        guard index < batch.messageCount else { return nil }
        acceptance.check(index, in: &batch)
        var read = unsafe batch.messages[index]
        read.device = message.device
        read.topic = message.topic
        read.target = message.target
        let finding = batch.findings.last { $0.message == index }
        guard case .rejected = read.verdict else { return Reading(message: read) }
        return Reading(message: read, finding: finding?.finding)
    }
}
