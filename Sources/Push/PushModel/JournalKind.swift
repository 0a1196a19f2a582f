/// What a line of the journal reports. The names are a contract: stores, reports and traces contain them.
public enum JournalKind: UInt8, Sendable, CaseIterable {
    // On the device's screen.

    /// A notification appeared.
    case delivered
    /// A notification replaced one with the same identifier.
    case replaced
    /// A service extension removed a notification.
    case removed
    /// A service extension asked for the removal of a notification and called its content handler before it was done: the
    /// notification stays.
    case removalLost
    /// A push was queued: its device is offline.
    case held
    /// A push did not reach the screen.
    case suppressed
    /// A notification went to the list without a banner and a sound: the user, or its sender, wants it so.
    case quiet
    /// A queued push passed its expiration.
    case expired
    /// A queued push was replaced by a later one, or dropped because the queue was full.
    case discarded
    /// The user tapped a notification.
    case tapped
    /// The user dismissed a notification.
    case dismissed
    /// The sender stopped sending to a token that a push service reported as unregistered.
    case tokenDisabled
    /// The sender deleted a token.
    case tokenDeleted
    /// A Live Activity started, got new content, or ended.
    case started, updated, ended
    /// A push to a Live Activity had an alert: the screen lit up.
    case alerted

    // In the app: the steps of its state machine.

    case launch, restore, wake, comeToFront, startOver, dismissModal, askToDiscard, discard, cancel, pushCenter
    case showCenter, open, back
    case save, banner, list, sound, badge, notPresented, markBell, clearBell, fetch, keepSilent
    case handleAction, toast

    /// The name in stores, reports and traces.
    public var name: StaticString {
        switch self {
        case .delivered: "delivered"
        case .replaced: "replaced"
        case .removed: "removed"
        case .removalLost: "removal-lost"
        case .held: "held"
        case .suppressed: "suppressed"
        case .quiet: "quiet"
        case .expired: "expired"
        case .discarded: "discarded"
        case .tapped: "tapped"
        case .dismissed: "dismissed"
        case .tokenDisabled: "token_disabled"
        case .tokenDeleted: "token_deleted"
        case .started: "started"
        case .updated: "updated"
        case .ended: "ended"
        case .alerted: "alerted"
        case .launch: "launch"
        case .restore: "restore"
        case .wake: "wake"
        case .comeToFront: "come-to-front"
        case .startOver: "start-over"
        case .dismissModal: "dismiss-modal"
        case .askToDiscard: "ask-to-discard"
        case .discard: "discard"
        case .cancel: "cancel"
        case .pushCenter: "push-centre"
        case .showCenter: "show-centre"
        case .open: "open"
        case .back: "back"
        case .save: "save"
        case .banner: "banner"
        case .list: "list"
        case .sound: "sound"
        case .badge: "badge"
        case .notPresented: "not-presented"
        case .markBell: "mark-bell"
        case .clearBell: "clear-bell"
        case .fetch: "fetch"
        case .keepSilent: "keep-silent"
        case .handleAction: "handle-action"
        case .toast: "toast"
        }
    }
}
