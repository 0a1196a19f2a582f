#if os(Linux)
    public import Foundation

    /// Content, when to deliver it, and what to call it. Does not change once made.
    open class UNNotificationRequest: NSObject, NSCopying, @unchecked Sendable {
        /// The identifier that replaces and removes the notification. Of a push it is the collapse id, or one made up.
        public let identifier: String
        /// The content: a copy of what was given, so that later changes of the original do not show.
        public let content: UNNotificationContent
        /// When to deliver it; nil is at once. That of a push is a `UNPushNotificationTrigger`.
        public let trigger: UNNotificationTrigger?

        /// Makes a request.
        public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
            self.identifier = identifier
            self.content = content.copy() as? UNNotificationContent ?? content
            self.trigger = trigger
            super.init()
        }

        open func copy(with zone: NSZone? = nil) -> Any { self }

        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? UNNotificationRequest else { return false }
            return other.identifier == identifier && other.content == content && other.trigger == trigger
        }

        open override var hash: Int { identifier.hashValue }

        open override var description: String {
            describe(
                self,
                [
                    "identifier: \(identifier)", "content: \(content)",
                    "trigger: \(trigger.map(\.description) ?? "none")",
                ])
        }
    }

    /// A notification that was delivered. Immutable; only the host makes one.
    open class UNNotification: NSObject, NSCopying, @unchecked Sendable {
        /// When it was delivered.
        public let date: Date
        /// The request that was delivered.
        public let request: UNNotificationRequest

        package init(date: Date, request: UNNotificationRequest) {
            self.date = date
            self.request = request
            super.init()
        }

        open func copy(with zone: NSZone? = nil) -> Any { self }

        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? UNNotification else { return false }
            return other.date == date && other.request == request
        }

        open override var hash: Int { date.hashValue ^ request.hash }

        open override var description: String { describe(self, ["date: \(date)", "request: \(request)"]) }
    }
#endif
