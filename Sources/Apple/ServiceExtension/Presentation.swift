#if os(Linux)
    public import UserNotifications

    extension ServiceExtensionHarness {
        /// The state of the app when a push arrives.
        public enum AppState: Sendable {
            /// On the screen: its delegate decides how a notification is presented.
            case foreground
            /// Not on the screen: the system presents.
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
