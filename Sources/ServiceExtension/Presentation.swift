public import UserNotifications

extension ServiceExtensionHarness {
    /// What the app is doing when a push arrives.
    public enum AppState: Sendable {
        /// It is on the screen: its delegate decides how a notification is presented.
        case foreground
        /// It is not on the screen: the system presents.
        case background
        /// The system has ended it: the system presents, and what the person does with a notification launches it.
        case terminated
        /// The person has ended it. As `terminated`, but for silent pushes, which have nothing to show anyway.
        case forceQuit
    }
}

extension ServiceExtensionResult {
    /// How a notification was presented.
    public struct Presentation: Sendable, Equatable {
        /// Who decided it.
        public enum Decision: Sendable {
            /// The system: the app was not in the foreground, or its notification centre has no delegate.
            case system
            /// The delegate.
            case delegate
            /// Nobody: the delegate has no `willPresent`, so nothing is presented.
            case methodMissing
            /// Nobody: the delegate has not called its handler in time, so nothing is presented.
            case noAnswer
        }

        /// Who decided it.
        public var decision: Decision
        /// What came of it, `[]` when nothing did: `banner`, `list` (Notification Center), `sound` and `badge`, as far as the content has any.
        /// The old `alert` of a delegate counts as banner and list.
        public var options: UNNotificationPresentationOptions

        /// A way to present, for a test to compare with.
        public init(decision: Decision, options: UNNotificationPresentationOptions) {
            self.decision = decision
            self.options = options
        }

        /// How the system presents content. A passive notification goes to the list alone.
        static func bySystem(_ content: UNNotificationContent) -> Presentation {
            let asked: UNNotificationPresentationOptions =
                content.interruptionLevel == .passive ? [.list, .badge] : [.banner, .list, .sound, .badge]
            return Presentation(decision: .system, options: limited(asked, content))
        }

        /// How content is presented when the delegate has answered.
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
    /// Whether there is something to read, without which nothing is shown.
    var hasText: Bool { !title.isEmpty || !subtitle.isEmpty || !body.isEmpty }
}
