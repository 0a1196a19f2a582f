import PayloadJSON
package import PushDecoding
package import PushModel

/// A message that its provider keeps until the device is back: what it takes to deliver it then.
package struct QueuedMessage: Sendable, Equatable {
    /// Number of its record, and the index of its target there.
    package var seq: UInt64
    package var target: Int?
    /// When it was accepted and until when it is kept, in milliseconds since the epoch.
    package var acceptedAt: Int64
    package var expiresAt: Int64
    /// On Android: what messages that take each other's place have in common. Nil for one that is kept beside the others.
    package var collapseKey: String?

    package var provider: Provider
    package var gateway: Gateway?
    package var platform: Platform
    package var device: String
    package var topic: String
    /// `apns-collapse-id`.
    package var collapseID: String?
    package var pushType: PushType?
    package var byteCount: Int
    package var byteLimit: Int
    /// See `PushMessage.isBackground`.
    package var isBackground: Bool
    package var payload: String

    package init(_ message: PushMessage, seq: UInt64, at: Int64, expiresAt: Int64, collapseKey: String?) {
        self.seq = seq
        target = message.target
        acceptedAt = at
        self.expiresAt = expiresAt
        self.collapseKey = collapseKey
        provider = message.provider
        gateway = message.gateway
        platform = message.platform
        device = message.device.string
        topic = message.topic.string
        collapseID = message.headers.collapseID?.string
        pushType = message.headers.pushType
        byteCount = message.byteCount
        byteLimit = message.byteLimit
        isBackground = message.isBackground
        payload = message.payload.string
    }

    /// As a store kept it.
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

extension QueuedMessage {
    /// In the order in which messages expire.
    package func expires(before other: QueuedMessage) -> Bool {
        (expiresAt, seq, target ?? 0) < (other.expiresAt, other.seq, other.target ?? 0)
    }

    /// In the order in which they were accepted.
    package func wasAccepted(before other: QueuedMessage) -> Bool {
        (seq, target ?? 0) < (other.seq, other.target ?? 0)
    }
}

/// Makes messages of held ones again.
package struct QueuedMessageReader: ~Copyable {
    private let decoder: RecordDecoder
    private var scanner = JSONScanner()
    private var tape = JSONTape()
    private var batch = MessageBatch()

    /// - Parameter options: as the messages were decoded with, of which the replacement key matters.
    package init(options: DecodingOptions) { decoder = RecordDecoder(options: options) }

    /// The messages that were made are no longer used.
    package mutating func reset() { batch.removeAll() }

    /// The message as it was accepted, valid until `reset`.
    package mutating func message(_ held: QueuedMessage) -> PushMessage {
        var message = PushMessage(record: 0, device: copy(held.device))
        message.target = held.target
        message.provider = held.provider
        message.gateway = held.gateway
        message.platform = held.platform
        message.topic = copy(held.topic)
        message.headers.collapseID = held.collapseID.map { copy($0) }
        message.headers.pushType = held.pushType
        let payload = copy(held.payload)
        message.payload = payload
        if scanner.scan(payload.bytes, into: &tape) == nil, let root = tape.root(of: payload.bytes) {
            decoder.adopt(payload, root, for: &message, &batch)
        }
        message.byteCount = held.byteCount
        message.byteLimit = held.byteLimit
        return message
    }

    /// What stands for something that happens to an app on a device, valid until `reset`.
    package mutating func event(device: String, app: String) -> PushMessage {
        var message = PushMessage(record: 0, device: copy(device))
        message.topic = copy(app)
        message.verdict = .event
        return message
    }

    private mutating func copy(_ text: String) -> BorrowedText {
        var text = text
        return text.withUTF8 { batch.scratch.copy(UnsafeRawBufferPointer($0)) }
    }
}
