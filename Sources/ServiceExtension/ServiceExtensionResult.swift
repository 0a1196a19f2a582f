public import PushModel
public import UserNotifications

/// What a device made of one push that was given to a `ServiceExtensionHarness`.
public struct ServiceExtensionResult: Sendable {
    /// How it went.
    public enum Outcome: Sendable, Equatable {
        /// What the extension handed to its content handler is shown.
        case modified
        /// The extension ran, and what came from the provider is shown.
        case original(Reason)
        /// The extension was not run, and what came from the provider is shown, if there is anything to show.
        case notStarted(Reason)
        /// Nothing is shown: the extension may filter, and handed over empty content.
        case suppressed
    }

    /// Why the extension's work counts for nothing.
    public enum Reason: String, Sendable {
        /// `mutable-content` is not 1.
        case notMutable = "not-mutable"
        /// There is no title, subtitle or body.
        case noAlert = "no-alert"
        /// The user has switched alerts off, or has not allowed notifications.
        case notAuthorized = "not-authorized"
        /// The push type is one that the system never shows, or `background`.
        case pushType = "push-type"
        /// The content handler was not called, not even when the time was up.
        case handlerNotCalled = "handler-not-called"
        /// The content that was handed over has no text.
        case emptyText = "empty-text"
    }

    /// How it went.
    public var outcome: Outcome
    /// What is shown, or what the delegate of an app in the foreground was asked about; nil when there is nothing to show.
    public var content: UNNotificationContent?
    /// How it was presented; nil when there was nothing to present.
    public var presentation: Presentation?
    /// The request's identifier: the `apns-collapse-id`, or one that the device made up.
    public var identifier: String
    /// Whether a shown notification with the same identifier gave way.
    public var isReplacement: Bool
    /// From `didReceive` to the call of the content handler; nil when it was not called, or the extension was not run.
    public var duration: Duration?
    /// Whether `serviceExtensionTimeWillExpire` was called.
    public var didExpire: Bool
    /// Identifiers of delivered notifications that the extension removed, in the order of removal, as far as that took effect.
    public var removed: [String]
    /// Identifiers of local notifications that the extension added.
    public var added: [String]
    /// What the extension did that goes wrong on a real device now and then.
    public var findings: [Finding]
}
