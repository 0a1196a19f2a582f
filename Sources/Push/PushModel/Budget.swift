import PushSystem

/// The byte limit of a message. The limit is inclusive.
public struct Budget: Sendable, Equatable {
    /// The name, for options and reports; nil for a number of bytes that the user chose.
    public let name: String?
    /// The limit, inclusive.
    public let bytes: Int
    /// The source of the number.
    package let source: String

    /// Creates a budget of the user's choice.
    public init(bytes: Int) {
        self.init(name: nil, bytes: bytes, source: "chosen by the user")
    }

    private init(name: String?, bytes: Int, source: String) {
        self.name = name
        self.bytes = bytes
        self.source = source
    }

    /// The budget with that name, or of that many bytes (at least 1): `300`, `4K`.
    public init?(parsing text: String) {
        if let known = Self.table.first(where: { $0.name == text }) {
            self = known
        } else if let bytes = ByteSize.bytes(text), bytes >= 1 {
            self.init(bytes: bytes)
        } else {
            return nil
        }
    }

    /// The row that sets a message's limit; nil when no row of its provider has that limit.
    ///
    /// - Parameter forced: The budget that every message is checked against, if the user chose one.
    package init?(of message: DecodedMessage, forced: Budget?) {
        let rows: [Budget] =
            switch message.provider {
            case .apns where message.headers.pushType == .voip: [.apnsVoIP]
            case .apns: [.apns, .apnsBroadcast, .apnsBinary2014, .apnsBinary]
            case .gcm: [.gcm, .gcmTopic]
            case .fcm: [.fcm, .fcmTopic]
            }
        guard let row = forced ?? rows.first(where: { $0.bytes == message.byteLimit }) else { return nil }
        self = row
    }

    /// APNs, all push types except VoIP.
    public static let apns = Budget(
        name: "apns", bytes: 4096, source: "Apple, Generating a remote notification: 4 KB for all but VoIP")
    /// APNs, push type `voip`.
    public static let apnsVoIP = Budget(
        name: "apns-voip", bytes: 5120, source: "Apple, Generating a remote notification: 5 KB for VoIP")
    /// APNs, requests to a broadcast channel.
    public static let apnsBroadcast = Budget(
        name: "apns-broadcast", bytes: 5120, source: "Apple, Sending broadcast push notification requests to APNs")
    /// The binary interface of APNs since 2014.
    public static let apnsBinary2014 = Budget(
        name: "apns-2048", bytes: 2048, source: "legacy binary interface from iOS 8 on (archived programming guide)")
    /// The original binary interface of APNs.
    public static let apnsBinary = Budget(
        name: "apns-256", bytes: 256, source: "legacy binary interface, original limit (archived programming guide)")
    /// GCM and FCM legacy, one target.
    public static let gcm = Budget(
        name: "gcm", bytes: 4096, source: "Firebase Cloud Messaging HTTP protocol (legacy), MessageTooBig")
    /// FCM legacy, topics and conditions.
    public static let gcmTopic = Budget(
        name: "gcm-topic", bytes: 2048, source: "Firebase Cloud Messaging HTTP protocol (legacy), MessageTooBig, topics"
    )
    /// FCM v1, one target.
    public static let fcm = Budget(
        name: "fcm", bytes: 4096, source: "Firebase, About FCM messages")
    /// FCM v1, topics and conditions.
    public static let fcmTopic = Budget(
        name: "fcm-topic", bytes: 2048, source: "Firebase, FCM error codes: messages to topics")

    /// True if it is a limit of the binary interface, which has answers of its own.
    package var isBinaryInterface: Bool { self == .apnsBinary || self == .apnsBinary2014 }

    package static func ofBinaryInterface(named name: String) -> Budget? {
        table.first { $0.name == name && $0.isBinaryInterface }
    }

    /// True if a number of bytes is a limit of the binary interface.
    package static func isLimitOfBinaryInterface(_ bytes: Int) -> Bool {
        bytes == apnsBinary.bytes || bytes == apnsBinary2014.bytes
    }

    /// Every budget with a name.
    package static let table: [Budget] = [
        apns, apnsVoIP, apnsBroadcast, apnsBinary2014, apnsBinary, gcm, gcmTopic, fcm, fcmTopic,
    ]
}
