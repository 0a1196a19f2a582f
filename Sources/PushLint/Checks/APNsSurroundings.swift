import PushModel

/// What stands around an APNs payload, and says how it will be sent.
struct APNsSurroundings {
    enum Source {
        /// A payload alone: a simulator file, or a body without its request.
        case bare
        /// An envelope, with or without headers.
        case request
        /// A gateway sets the headers itself.
        case gateway
        /// FCM composes the payload, and sets what headers are missing.
        case fcm
    }

    let source: Source
    /// The headers' object, when there is one.
    var headers: LintNode?
    /// `apns-push-type`; nil when it is absent or none of Apple's values.
    var pushType: PushType?
    var pushTypeNode: LintNode?
    /// Whether the headers have an `apns-push-type`, known or not.
    var hasPushType = false
    var priority: String?
    var priorityNode: LintNode?
    var isBroadcast = false
    /// Whether text from elsewhere is shown even when the payload brings none.
    var hasTextElsewhere = false

    init(_ source: Source) { self.source = source }
}
