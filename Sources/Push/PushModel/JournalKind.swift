/// The event that a line of the journal reports. The names are a contract: stores, reports and traces contain them.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
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
    public var name: StaticString { Self.names[Int(rawValue)] }

    /// In the order of the cases.
    private static let names: [StaticString] = [
        "delivered", "replaced", "removed", "removal-lost", "held", "suppressed", "quiet", "expired", "discarded",
        "tapped", "dismissed", "token_disabled", "token_deleted", "started", "updated", "ended", "alerted",
        "launch", "restore", "wake", "come-to-front", "start-over", "dismiss-modal", "ask-to-discard", "discard",
        "cancel", "push-centre", "show-centre", "open", "back",
        "save", "banner", "list", "sound", "badge", "not-presented", "mark-bell", "clear-bell", "fetch", "keep-silent",
        "handle-action", "toast",
    ]
}
