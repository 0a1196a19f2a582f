public import Foundation

/// What a notification shows and carries. Does not change once made.
///
/// Copies of it, and of the mutable class, are of this class; mutable copies are `UNMutableNotificationContent`. Two are equal
/// when their values are, whichever of the two classes they are of.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, NSSecureCoding, @unchecked Sendable {
    /// The values. Only the mutable subclass writes to them.
    let values: Locked<ContentValues>

    /// Makes empty content. An extension that may filter notifications hands it on to show nothing.
    public override init() {
        values = Locked(ContentValues())
        super.init()
    }

    /// Makes content of values.
    init(values: ContentValues) {
        self.values = Locked(values)
        super.init()
    }

    /// The first line, in bold.
    open var title: String { values.title }

    /// The line below the title.
    open var subtitle: String { values.subtitle }

    /// The text.
    open var body: String { values.body }

    /// The number for the app's icon: nil leaves it as it is, 0 removes it.
    open var badge: NSNumber? { values.badge }

    /// What is played; nil for silence.
    open var sound: UNNotificationSound? { values.sound }

    /// Pictures, sounds and films.
    open var attachments: [UNNotificationAttachment] { values.attachments }

    /// The payload of a push, with `aps`, or what the app put in.
    open var userInfo: [AnyHashable: Any] { values.userInfo }

    /// Identifier of the category whose actions are offered.
    open var categoryIdentifier: String { values.categoryIdentifier }

    /// Notifications of one thread are grouped.
    open var threadIdentifier: String { values.threadIdentifier }

    /// Name of the launch image for an app that is opened from the notification.
    open var launchImageName: String { values.launchImageName }

    /// Which of the app's windows the notification belongs to.
    open var targetContentIdentifier: String? { values.targetContentIdentifier }

    /// Ignored since iOS 15: what the notification adds to the summary of its group.
    open var summaryArgument: String { values.summaryArgument }

    /// Ignored since iOS 15: how many things the notification stands for in the summary of its group. At least 1.
    open var summaryArgumentCount: Int { values.summaryArgumentCount }

    /// How much the notification may disturb.
    open var interruptionLevel: UNNotificationInterruptionLevel { values.interruptionLevel }

    /// Where in the summary it stands among the app's notifications, from 0 to 1.
    open var relevanceScore: Double { values.relevanceScore }

    /// What a Focus filter compares to tell whether to show it.
    open var filterCriteria: String? { values.filterCriteria }

    /// Content with what an object of the system's adds to it.
    ///
    /// - Throws: `UNError.contentProvidingObjectNotAllowed`, always: the types that Apple honours are intents, which do not
    ///   exist here.
    open func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
        throw UNError(.contentProvidingObjectNotAllowed)
    }

    // MARK: Copies, equality, archives

    /// Content of these values that does not change.
    open func copy(with zone: NSZone? = nil) -> Any {
        type(of: self) == UNNotificationContent.self ? self : UNNotificationContent(values: values.snapshot)
    }

    /// Content of these values that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        UNMutableNotificationContent(values: values.snapshot)
    }

    /// Whether the other object is content of the same values.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationContent else { return false }
        return other === self || other.values.snapshot == values.snapshot
    }

    /// A hash of the values.
    open override var hash: Int { values.snapshot.hashValue }

    /// Title, subtitle and body, and what else is set.
    open override var description: String {
        let values = values.snapshot
        var parts = ["title: \(values.title)", "subtitle: \(values.subtitle)", "body: \(values.body)"]
        if let badge = values.badge { parts.append("badge: \(badge)") }
        if let sound = values.sound { parts.append("sound: \(sound)") }
        if !values.categoryIdentifier.isEmpty { parts.append("categoryIdentifier: \(values.categoryIdentifier)") }
        if !values.threadIdentifier.isEmpty { parts.append("threadIdentifier: \(values.threadIdentifier)") }
        if !values.attachments.isEmpty { parts.append("attachments: \(values.attachments)") }
        parts.append("interruptionLevel: \(values.interruptionLevel)")
        return describe(self, parts)
    }

    /// True: archives are read by class.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the values to an archive. User info has to be a property list.
    open func encode(with coder: NSCoder) {
        values.snapshot.encode(with: coder)
    }

    /// Reads content from an archive.
    public required init?(coder: NSCoder) {
        values = Locked(ContentValues(coder: coder))
        super.init()
    }
}

/// The one form of all descriptions: the class, then what is worth telling.
func describe(_ object: NSObject, _ parts: [String]) -> String {
    "<\(type(of: object)): \(parts.joined(separator: ", "))>"
}
