import PayloadJSON
import PushModel

/// The context of an APNs payload, which decides how it is sent.
struct APNsSurroundings {
    enum Source {
        /// A payload without a request: a simulator file, or a request's body.
        case bare
        /// An envelope, with or without headers.
        case request
        /// A gateway sets the headers itself.
        case gateway
        /// FCM composes the payload, and sets missing headers.
        case fcm
    }

    let source: Source
    /// The object of headers, if there is one.
    var headers: LintNode?
    /// `apns-push-type`; nil if it is absent or not one of Apple's values.
    var pushType: PushType?
    var pushTypeNode: LintNode?
    /// True if the headers have an `apns-push-type`, known or not.
    var hasPushType = false
    var priority: String? { priorityNode.map { $0.swiftString ?? $0.source } }
    var topicNode: LintNode?
    var priorityNode: LintNode?
    var isBroadcast = false
    /// True if text from elsewhere is shown if the payload has none.
    var hasTextElsewhere = false

    /// True if it may be sent to be seen, heard or to wake the app; also if nothing says what it is for.
    var isForNotification: Bool { pushType == nil || pushType == .alert || pushType == .background }

    /// True if its payload is what `aps` says, and not free JSON; also if nothing says what it is for.
    var isForAps: Bool {
        isForNotification || pushType == .liveactivity || pushType == .widgets || pushType == .controls
    }

    /// True if the topic is that of a Wallet pass, whose updates have an empty payload.
    var isForPass: Bool {
        guard let topic = topicNode?.string, topic.hasEscapes || topic.raw.hasPrefix("pass.") else { return false }
        return topic.string.hasPrefix("pass.")
    }
}
