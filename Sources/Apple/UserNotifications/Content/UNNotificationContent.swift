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

        /// The place in the summary among the app's notifications, from 0 to 1.
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

        // MARK: - Copies and equality

        /// Content of these values that does not change.
        open func copy(with zone: NSZone? = nil) -> Any {
            type(of: self) == UNNotificationContent.self ? self : UNNotificationContent(values: values.snapshot)
        }

        /// Copies as `copy(with:)` does, without the search for a conformance by which Foundation finds that.
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

    /// An object of the system's that adds to the content of a notification. Has no requirements, and own conformances are not
    /// honoured.
    public protocol UNNotificationContentProviding: NSObjectProtocol {}

    /// How much a notification may disturb.
    public enum UNNotificationInterruptionLevel: UInt, Sendable {
        /// Goes to the list, without a sound or a lit screen.
        case passive = 0
        /// Is shown at once, with its sound.
        case active = 1
        /// Also breaks through a Focus and the scheduled summary.
        case timeSensitive = 2
        /// Also ignores the mute switch.
        case critical = 3
    }

    /// Content that can be changed: what an extension makes of a notification.
    ///
    /// Whatever is put in is kept as a value: changing an array or dictionary afterwards does not change the content.
    open class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
        open override var title: String {
            get { read { $0.title } }
            set { values.withLock { $0.content.title = newValue } }
        }

        open override var subtitle: String {
            get { read { $0.subtitle } }
            set { values.withLock { $0.content.subtitle = newValue } }
        }

        open override var body: String {
            get { read { $0.body } }
            set { values.withLock { $0.content.body = newValue } }
        }

        open override var badge: NSNumber? {
            get { read { $0.badge } }
            set { values.withLock { $0.content.badge = newValue } }
        }

        open override var sound: UNNotificationSound? {
            get { read { $0.sound } }
            set { values.withLock { $0.content.sound = newValue } }
        }

        open override var attachments: [UNNotificationAttachment] {
            get { read { $0.attachments } }
            set { values.withLock { $0.content.attachments = newValue } }
        }

        /// Values of the app's own.
        open override var userInfo: [AnyHashable: Any] {
            get { read { $0.userInfo } }
            set { values.withLock { $0.content.userInfo = newValue } }
        }

        open override var categoryIdentifier: String {
            get { read { $0.categoryIdentifier } }
            set { values.withLock { $0.content.categoryIdentifier = newValue } }
        }

        open override var threadIdentifier: String {
            get { read { $0.threadIdentifier } }
            set { values.withLock { $0.content.threadIdentifier = newValue } }
        }

        open override var launchImageName: String {
            get { read { $0.launchImageName } }
            set { values.withLock { $0.content.launchImageName = newValue } }
        }

        open override var targetContentIdentifier: String? {
            get { read { $0.targetContentIdentifier } }
            set { values.withLock { $0.content.targetContentIdentifier = newValue } }
        }

        open override var summaryArgument: String {
            get { read { $0.summaryArgument } }
            set { values.withLock { $0.content.summaryArgument = newValue } }
        }

        /// Ignored since iOS 15: how many things the notification stands for. Less than 1 counts as 1.
        open override var summaryArgumentCount: Int {
            get { read { $0.summaryArgumentCount } }
            set { values.withLock { $0.content.summaryArgumentCount = max(1, newValue) } }
        }

        open override var interruptionLevel: UNNotificationInterruptionLevel {
            get { read { $0.interruptionLevel } }
            set { values.withLock { $0.content.interruptionLevel = newValue } }
        }

        /// The place in the summary among the app's notifications, from 0 to 1. Kept as it is given.
        open override var relevanceScore: Double {
            get { read { $0.relevanceScore } }
            set { values.withLock { $0.content.relevanceScore = newValue } }
        }

        open override var filterCriteria: String? {
            get { read { $0.filterCriteria } }
            set { values.withLock { $0.content.filterCriteria = newValue } }
        }

        /// Whom a communication notification is from: what an intent of the module `Intents` says. Apple keeps it to itself.
        package var sender: String? {
            get { read { $0.sender } }
            set { values.withLock { $0.content.sender = newValue } }
        }

        /// The sender's picture as a data URL, from the same intent.
        package var senderImage: String? {
            get { read { $0.senderImage } }
            set { values.withLock { $0.content.senderImage = newValue } }
        }
    }

    // Key-value coding of content, which on Apple's systems belongs to `NSObject`. Other objects have none.

    extension UNNotificationContent {
        /// The value of a property, or of a path that begins with one, such as `userInfo.aps.badge`. Nil for a name that is not one of a
        /// property, which raises an exception on a device.
        public func value(forKeyPath keyPath: String) -> Any? {
            let keys = keyPath.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let value = value(forKey: keys[0])
            guard keys.count > 1 else { return value }
            return (value as? NSDictionary)?.value(forKeyPath: keys[1])
        }

        /// The value of a property. Nil for a name that is not one of a property, which raises an exception on a device.
        public func value(forKey key: String) -> Any? {
            switch key {
            case "title": title
            case "subtitle": subtitle
            case "body": body
            case "badge": badge
            case "sound": sound
            case "attachments": attachments
            case "userInfo": NSDictionary(dictionary: userInfo)
            case "categoryIdentifier": categoryIdentifier
            case "threadIdentifier": threadIdentifier
            case "launchImageName": launchImageName
            case "targetContentIdentifier": targetContentIdentifier
            case "interruptionLevel": NSNumber(value: interruptionLevel.rawValue)
            case "relevanceScore": NSNumber(value: relevanceScore)
            case "filterCriteria": filterCriteria
            default: nil
            }
        }
    }

    extension UNNotificationContent {
        /// Sets a property as `setValue(_:forKey:)` does. A path leads nowhere further: no property has an object that can be changed.
        public func setValue(_ value: Any?, forKeyPath keyPath: String) { setValue(value, forKey: keyPath) }

        /// Sets a property of mutable content, which what `updating(from:)` returns may be, too. Other content stays as it is.
        ///
        /// A value of another type leaves the property as it is; so do names of Apple's own that are not documented, such as
        /// `shouldAlwaysAlertWhileAppIsForeground`, and names that are not those of a property, which raise an exception on a device.
        public func setValue(_ value: Any?, forKey key: String) {
            (self as? UNMutableNotificationContent)?.store(value, forKey: key)
        }
    }

    extension UNMutableNotificationContent {
        fileprivate func store(_ value: Any?, forKey key: String) {
            switch key {
            case "title": set(\.title, value)
            case "subtitle": set(\.subtitle, value)
            case "body": set(\.body, value)
            case "badge": badge = value as? NSNumber
            case "sound": sound = value as? UNNotificationSound
            case "attachments": set(\.attachments, value)
            case "userInfo": set(\.userInfo, value)
            case "categoryIdentifier": set(\.categoryIdentifier, value)
            case "threadIdentifier": set(\.threadIdentifier, value)
            case "launchImageName": set(\.launchImageName, value)
            case "targetContentIdentifier": targetContentIdentifier = value as? String
            case "interruptionLevel":
                let level = (value as? NSNumber).flatMap { UNNotificationInterruptionLevel(rawValue: $0.uintValue) }
                set(\.interruptionLevel, level ?? value)
            case "relevanceScore": set(\.relevanceScore, (value as? NSNumber)?.doubleValue)
            case "filterCriteria": filterCriteria = value as? String
            default: break
            }
        }

        private func set<Value>(
            _ property: ReferenceWritableKeyPath<UNMutableNotificationContent, Value>, _ value: Any?
        ) {
            if let value = value as? Value { self[keyPath: property] = value }
        }
    }

    /// Changes the content of a notification by an object of the system's: the requirement that Apple's protocol hides. The intents of
    /// the module `Intents` have it, and no app can.
    package protocol ContentUpdating: UNNotificationContentProviding {
        /// Changes the content, on the thread of the call.
        ///
        /// - Throws: `UNError.contentProvidingInvalid` when something that it needs is missing.
        func update(_ content: UNMutableNotificationContent) throws
    }

    extension UNMutableNotificationContent {
        /// True unless the host says that the app has no communication entitlement: then an intent changes nothing that is shown, and the
        /// sender alone is handed over, for the host's finding.
        private static let mayCommunicate =
            ProcessInfo.processInfo.environment["PUSHPIPE_EXTENSION_COMMUNICATION"] != "no"

        /// Makes this a communication notification.
        ///
        /// - Parameters:
        ///   - group: the name of the group; nil for a message between two people, and a call.
        ///   - image: the sender's picture, as a data URL.
        package func communicate(from sender: String, in group: String? = nil, image: String?) {
            self.sender = sender
            guard Self.mayCommunicate else { return }
            title = sender
            if let group { subtitle = group }
            senderImage = image
        }
    }

    /// The state that both content classes share.
    struct ContentValues {
        var title = ""
        var subtitle = ""
        var body = ""
        var badge: NSNumber?
        var sound: UNNotificationSound?
        var attachments: [UNNotificationAttachment] = []
        var userInfo: [AnyHashable: Any] = [:] {
            didSet { payload = nil }
        }
        /// What user info came with: one object for all copies of the content, until it is set.
        private var payload: Payload?
        var categoryIdentifier = ""
        var threadIdentifier = ""
        var launchImageName = ""
        var targetContentIdentifier: String?
        var summaryArgument = ""
        var summaryArgumentCount = 1
        var interruptionLevel = UNNotificationInterruptionLevel.active
        var relevanceScore = 0.0
        var filterCriteria: String?
        /// Whom a communication notification is from; nil for any other.
        var sender: String?
        /// The sender's picture, as a data URL; nil without one.
        var senderImage: String?
    }

    extension ContentValues {
        private final class Payload: Sendable {}

        /// Sets user info to a payload.
        mutating func setUserInfo(ofPayload values: [String: Any]) {
            userInfo = values
            payload = Payload()
        }

        /// True if user info is equal. As it came with one payload it need not be compared, which takes longer than all else about a push.
        func hasUserInfo(of other: ContentValues) -> Bool {
            if let payload, payload === other.payload { return true }
            return (userInfo as NSDictionary).isEqual(other.userInfo as NSDictionary)
        }
    }

    /// Written by hand, because user info is not `Hashable`: it is compared as a Foundation dictionary.
    extension ContentValues: Hashable {
        static func == (left: ContentValues, right: ContentValues) -> Bool {
            left.texts == right.texts && left.badge == right.badge && left.sound == right.sound
                && left.attachments == right.attachments
                && left.summaryArgumentCount == right.summaryArgumentCount
                && left.interruptionLevel == right.interruptionLevel && left.relevanceScore == right.relevanceScore
                && left.hasUserInfo(of: right)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(texts)
            hasher.combine(badge)
        }

        private var texts: [String?] {
            [
                title, subtitle, body, categoryIdentifier, threadIdentifier, launchImageName, targetContentIdentifier,
                summaryArgument, filterCriteria, sender, senderImage,
            ]
        }
    }

    /// Copy-on-write storage for content: a push is copied four times on its way, and changed once or not at all.
    struct SharedValues {
        private final class Box {
            var content: ContentValues

            init(_ content: ContentValues) { self.content = content }
        }

        private var box: Box

        init(_ content: ContentValues = ContentValues()) { box = Box(content) }

        var content: ContentValues {
            _read { yield box.content }
            _modify {
                if !isKnownUniquelyReferenced(&box) { box = Box(box.content) }
                yield &box.content
            }
        }
    }
#endif
