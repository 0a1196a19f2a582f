#if os(Linux)
    public import Foundation

    /// An object that does not change once made: a copy is the object itself, and two are equal if they are of one class and their values are
    /// equal.
    open class ImmutableObject: NSObject, NSCopying, @unchecked Sendable {
        // Unchecked because of the superclass: subclasses have constants.

        /// The values that tell two objects of a class apart. The first one, such as the identifier, is the hash.
        @_spi(Overlay) open var comparedValues: [AnyHashable?] { [] }

        open func copy(with zone: NSZone? = nil) -> Any { self }

        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? ImmutableObject, type(of: other) == type(of: self) else { return false }
            return other.comparedValues == comparedValues
        }

        open override var hash: Int { comparedValues.first?.hashValue ?? 0 }
    }

    /// The one form of all descriptions: the class, then what is worth telling.
    func describe(_ object: NSObject, _ parts: [String]) -> String {
        "<\(type(of: object)): \(parts.joined(separator: ", "))>"
    }

    /// Content, when to deliver it, and what to call it. Does not change once made.
    open class UNNotificationRequest: ImmutableObject, @unchecked Sendable {
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

        @_spi(Overlay) open override var comparedValues: [AnyHashable?] { [identifier, content, trigger] }

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
    open class UNNotification: ImmutableObject, @unchecked Sendable {
        /// When it was delivered.
        public let date: Date
        /// The request that was delivered.
        public let request: UNNotificationRequest

        package init(date: Date, request: UNNotificationRequest) {
            self.date = date
            self.request = request
            super.init()
        }

        @_spi(Overlay) open override var comparedValues: [AnyHashable?] { [date, request] }

        open override var description: String { describe(self, ["date: \(date)", "request: \(request)"]) }
    }

    /// The condition under which a notification appears. Abstract: use a subclass.
    open class UNNotificationTrigger: ImmutableObject, @unchecked Sendable {
        private static let clock = Locked<@Sendable () -> Date>({ Date() })

        /// The clock for triggers, for the whole process. A host with simulated time, or a test, sets another.
        package static var now: @Sendable () -> Date {
            get { clock.snapshot }
            set { clock.withLock { $0 = newValue } }
        }

        /// True if the notification repeats.
        public let repeats: Bool

        init(repeats: Bool) {
            self.repeats = repeats
            super.init()
        }

        @_spi(Overlay) open override var comparedValues: [AnyHashable?] { [repeats] }

        open override var description: String { describe(self, ["repeats: \(repeats)"]) }
    }

    /// The trigger of notifications that a push service sent. Only the host makes one.
    open class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
        package init() {
            super.init(repeats: false)
        }
    }

    /// A trigger that fires when a time has passed.
    open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
        /// Seconds.
        public let timeInterval: TimeInterval

        /// Makes a trigger that fires after some seconds.
        ///
        /// - Precondition: the interval is more than 0, and at least 60 when it repeats. Apple's raises an exception otherwise,
        ///   which ends the app; this one ends it too.
        public init(timeInterval: TimeInterval, repeats: Bool) {
            precondition(timeInterval > 0, "time interval must be greater than 0")
            precondition(!repeats || timeInterval >= 60, "time interval must be at least 60 if repeating")
            self.timeInterval = timeInterval
            super.init(repeats: repeats)
        }

        /// When it would fire if it were scheduled now.
        open func nextTriggerDate() -> Date? {
            UNNotificationTrigger.now().addingTimeInterval(timeInterval)
        }

        @_spi(Overlay) open override var comparedValues: [AnyHashable?] { [repeats, timeInterval] }

        open override var description: String {
            describe(self, ["repeats: \(repeats)", "timeInterval: \(timeInterval)"])
        }
    }

    /// A trigger that fires when date and time match.
    open class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
        /// The components that have to match.
        public let dateComponents: DateComponents

        /// Makes a trigger that fires when the components match. Only those given have to match: an hour alone is every day.
        public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
            self.dateComponents = dateComponents
            super.init(repeats: repeats)
        }

        /// When it fires next; nil if never.
        ///
        /// Computed with the calendar and time zone of the components, else with the person's. A time that a change of clocks skips counts as the
        /// next one that exists.
        open func nextTriggerDate() -> Date? {
            var calendar = dateComponents.calendar ?? .current
            if let timeZone = dateComponents.timeZone { calendar.timeZone = timeZone }
            return calendar.nextDate(
                after: UNNotificationTrigger.now(), matching: dateComponents, matchingPolicy: .nextTime)
        }

        @_spi(Overlay) open override var comparedValues: [AnyHashable?] { [repeats, dateComponents] }

        open override var description: String {
            describe(self, ["repeats: \(repeats)", "dateComponents: \(dateComponents)"])
        }
    }
#endif
