#if os(Linux)
    public import Foundation

    /// The content of a notification, shown and carried. Does not change once made.
    ///
    /// Copies of it, and of the mutable class, are of this class; mutable copies are `UNMutableNotificationContent`. Two are equal
    /// when their values are, whichever of the two classes they are of.
    open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
        /// The values. Only the mutable subclass writes to them.
        let values: Locked<SharedValues>

        /// Reads of the values under their lock. Not by a key path, which takes longer than all the rest.
        func read<Value>(_ body: (ContentValues) -> Value) -> Value { values.withLock { body($0.content) } }

        /// Makes empty content. An extension that may filter notifications hands it on to show nothing.
        public override init() {
            values = Locked(SharedValues())
            super.init()
        }

        init(values: SharedValues) {
            self.values = Locked(values)
            super.init()
        }

        /// The first line, in bold.
        open var title: String { read { $0.title } }

        /// The line below the title.
        open var subtitle: String { read { $0.subtitle } }

        /// The text.
        open var body: String { read { $0.body } }

        /// The number for the app's icon: nil leaves it as it is, 0 removes it.
        open var badge: NSNumber? { read { $0.badge } }

        /// The sound; nil for silence.
        open var sound: UNNotificationSound? { read { $0.sound } }

        /// Pictures, sounds and films.
        open var attachments: [UNNotificationAttachment] { read { $0.attachments } }

        /// The payload of a push, with `aps`, or what the app put in.
        open var userInfo: [AnyHashable: Any] { read { $0.userInfo } }

        /// Identifier of the category whose actions are offered.
        open var categoryIdentifier: String { read { $0.categoryIdentifier } }

        /// Notifications of one thread are grouped.
        open var threadIdentifier: String { read { $0.threadIdentifier } }

        /// Name of the launch image for an app that is opened from the notification.
        open var launchImageName: String { read { $0.launchImageName } }

        /// Which of the app's windows the notification belongs to.
        open var targetContentIdentifier: String? { read { $0.targetContentIdentifier } }

        /// Ignored since iOS 15: what the notification adds to the summary of its group.
        open var summaryArgument: String { read { $0.summaryArgument } }

        /// Ignored since iOS 15: how many things the notification stands for in the summary of its group. At least 1.
        open var summaryArgumentCount: Int { read { $0.summaryArgumentCount } }

        /// How much the notification may disturb.
        open var interruptionLevel: UNNotificationInterruptionLevel { read { $0.interruptionLevel } }

        /// Where in the summary it stands among the app's notifications, from 0 to 1.
        open var relevanceScore: Double { read { $0.relevanceScore } }

        /// The text that a Focus filter compares to tell whether to show it.
        open var filterCriteria: String? { read { $0.filterCriteria } }

        /// Content with what an object of the system's adds to it: one of the intents of the module `Intents`.
        ///
        /// That of mutable content is mutable, because extensions cast it to `UNMutableNotificationContent`.
        ///
        /// - Throws: `UNError.contentProvidingObjectNotAllowed` for any other object.
        open func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
            guard let provider = provider as? any ContentUpdating else {
                throw UNError(.contentProvidingObjectNotAllowed)
            }
            let content = UNMutableNotificationContent(values: values.snapshot)
            try provider.update(content)
            return self is UNMutableNotificationContent
                ? content : UNNotificationContent(values: content.values.snapshot)
        }

        // MARK: Copies, equality, archives

        /// Content of these values that does not change.
        open func copy(with zone: NSZone? = nil) -> Any {
            type(of: self) == UNNotificationContent.self ? self : UNNotificationContent(values: values.snapshot)
        }

        /// As `copy(with:)`, without the search for a conformance by which Foundation finds that.
        open override func copy() -> Any { copy(with: nil) }

        open override func mutableCopy() -> Any { mutableCopy(with: nil) }

        /// Content of these values that can be changed.
        open func mutableCopy(with zone: NSZone? = nil) -> Any {
            UNMutableNotificationContent(values: values.snapshot)
        }

        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? UNNotificationContent else { return false }
            return other === self || other.values.snapshot.content == values.snapshot.content
        }

        open override var hash: Int { values.snapshot.content.hashValue }

        open override var description: String {
            let values = values.snapshot.content
            var parts = ["title: \(values.title)", "subtitle: \(values.subtitle)", "body: \(values.body)"]
            if let badge = values.badge { parts.append("badge: \(badge)") }
            if let sound = values.sound { parts.append("sound: \(sound)") }
            if !values.categoryIdentifier.isEmpty { parts.append("categoryIdentifier: \(values.categoryIdentifier)") }
            if !values.threadIdentifier.isEmpty { parts.append("threadIdentifier: \(values.threadIdentifier)") }
            if !values.attachments.isEmpty { parts.append("attachments: \(values.attachments)") }
            parts.append("interruptionLevel: \(values.interruptionLevel)")
            return describe(self, parts)
        }
    }

    /// The one form of all descriptions: the class, then what is worth telling.
    func describe(_ object: NSObject, _ parts: [String]) -> String {
        "<\(type(of: object)): \(parts.joined(separator: ", "))>"
    }
#endif
