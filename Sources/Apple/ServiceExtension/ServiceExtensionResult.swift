#if os(Linux)
    public import PushModel
    public import UserNotifications

    /// The result of a push that a `ServiceExtensionHarness` delivered.
    public struct ServiceExtensionResult: Sendable {
        /// How it went.
        #if hasAttribute(nonexhaustive)
            @nonexhaustive
        #endif
        public enum Outcome: Sendable, Equatable {
            /// The content that the extension passed to its handler is shown.
            case modified
            /// The extension ran, and the provider's content is shown.
            case original(Reason)
            /// The extension did not run, and the provider's content is shown, if there is any.
            case notStarted(Reason)
            /// Nothing is shown: the extension may filter, and passed empty content.
            case suppressed
        }

        /// Why the extension's work does not count.
        #if hasAttribute(nonexhaustive)
            @nonexhaustive
        #endif
        public enum Reason: String, Sendable {
            /// `mutable-content` is not 1.
            case notMutable = "not-mutable"
            /// There is no title, subtitle or body.
            case noAlert = "no-alert"
            /// The user has turned alerts off, or has not allowed notifications.
            case notAuthorized = "not-authorized"
            /// The push type is `background`, or another one that the system never shows.
            case pushType = "push-type"
            /// The content handler was not called before the time was up.
            case handlerNotCalled = "handler-not-called"
            /// The content passed to the handler has no text.
            case emptyText = "empty-text"
        }

        /// How it went.
        public var outcome: Outcome
        /// The content that is shown, or that the delegate of an app in the foreground was asked about; nil if there is none.
        public var content: UNNotificationContent?
        /// How it was presented; nil if there was nothing to present.
        public var presentation: Presentation?
        /// The request's identifier: the `apns-collapse-id`, or one that the device generated.
        public var identifier: String
        /// True if it replaced a shown notification with the same identifier.
        public var isReplacement: Bool
        /// Time from `didReceive` to the call of the content handler; nil if it was not called, or the extension did not run.
        public var duration: Duration?
        /// True if `serviceExtensionTimeWillExpire` was called.
        public var didExpire: Bool
        /// Identifiers of delivered notifications that the extension removed, in order of removal, if the removal took effect.
        public var removed: [String]
        /// Identifiers of local notifications that the extension added.
        public var added: [String]
        /// Findings: what the extension did that sometimes fails on a real device.
        public var findings: [Finding]
        /// The notifications that the extension asked to be removed, and that are in the list beside the new one.
        public var stale: [StaleDuplicate] = []

        /// A notification that stays beside the one that should have taken its place.
        public struct StaleDuplicate: Sendable, Equatable {
            /// Its identifier.
            public var identifier: String
            /// How long until its removal takes effect, by the harness's clock; nil if the removal is lost.
            public var remaining: Duration?

            /// Makes a value.
            public init(identifier: String, remaining: Duration?) {
                self.identifier = identifier
                self.remaining = remaining
            }
        }
    }
#endif
