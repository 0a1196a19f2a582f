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
        public var isReplacement = false
        /// Time from `didReceive` to the call of the content handler; nil if it was not called, or the extension did not run.
        public var duration: Duration?
        /// True if `serviceExtensionTimeWillExpire` was called.
        public var didExpire = false
        /// Identifiers of delivered notifications that the extension removed, in order of removal, if the removal took effect.
        public var removed: [String] = []
        /// Identifiers of local notifications that the extension added.
        public var added: [String] = []
        /// Findings: what the extension did that sometimes fails on a real device.
        public var findings: [Finding] = []
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

    extension ServiceExtensionHarness {
        /// The state of the app when a push arrives.
        public enum AppState: Sendable {
            /// The app is on the screen: its delegate decides how a notification is presented.
            case foreground
            /// The app is not on the screen: the system presents.
            case background
            /// Ended by the system: the system presents, and a response to a notification launches the app.
            case terminated
            /// Ended by the person. As `terminated`, except for silent pushes, which show nothing anyway.
            case forceQuit
        }
    }

    extension ServiceExtensionResult {
        /// How a notification was presented.
        public struct Presentation: Sendable, Equatable {
            /// Who decided it.
            public enum Decision: Sendable {
                /// The system: the app was not in the foreground, or its notification center has no delegate.
                case system
                case delegate
                /// Nobody: the delegate does not implement `willPresent`, so nothing is presented.
                case methodMissing
                /// Nobody: the delegate did not call its handler in time, so nothing is presented.
                case noAnswer
            }

            /// Who decided it.
            public var decision: Decision
            /// How it was presented, `[]` for not at all: `banner`, `list` (Notification Center), and `sound` and `badge` if the content has them.
            /// A delegate's old `alert` counts as banner and list.
            public var options: UNNotificationPresentationOptions

            /// A presentation, for a test to compare with.
            public init(decision: Decision, options: UNNotificationPresentationOptions) {
                self.decision = decision
                self.options = options
            }

            /// How the system presents content. A passive notification goes to the list only.
            static func bySystem(_ content: UNNotificationContent) -> Presentation {
                let asked: UNNotificationPresentationOptions =
                    content.interruptionLevel == .passive ? [.list, .badge] : [.banner, .list, .sound, .badge]
                return Presentation(decision: .system, options: limited(asked, content))
            }

            /// How content is presented after the delegate has answered.
            static func byDelegate(
                _ answer: UNNotificationPresentationOptions, _ content: UNNotificationContent
            ) -> Presentation {
                Presentation(decision: .delegate, options: limited(answer, content))
            }

            private static func limited(
                _ options: UNNotificationPresentationOptions, _ content: UNNotificationContent
            ) -> UNNotificationPresentationOptions {
                var result = options.intersection([.banner, .list, .sound, .badge])
                if options.contains(.alert) { result.formUnion([.banner, .list]) }
                if !content.hasText { result.subtract([.banner, .list]) }
                if content.sound == nil { result.remove(.sound) }
                if content.badge == nil { result.remove(.badge) }
                return result
            }
        }
    }

    extension UNNotificationContent {
        /// True if there is any text, without which nothing is shown.
        var hasText: Bool { !title.isEmpty || !subtitle.isEmpty || !body.isEmpty }
    }
#endif
