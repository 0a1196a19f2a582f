public import Foundation

/// Content that can be changed: what an extension makes of a notification.
///
/// Whatever is put in is kept as a value: changing an array or dictionary afterwards does not change the content.
open class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
    /// The first line, in bold.
    open override var title: String {
        get { values.title }
        set { values.title = newValue }
    }

    /// The line below the title.
    open override var subtitle: String {
        get { values.subtitle }
        set { values.subtitle = newValue }
    }

    /// The text.
    open override var body: String {
        get { values.body }
        set { values.body = newValue }
    }

    /// The number for the app's icon: nil leaves it as it is, 0 removes it.
    open override var badge: NSNumber? {
        get { values.badge }
        set { values.badge = newValue }
    }

    /// What is played; nil for silence.
    open override var sound: UNNotificationSound? {
        get { values.sound }
        set { values.sound = newValue }
    }

    /// Pictures, sounds and films.
    open override var attachments: [UNNotificationAttachment] {
        get { values.attachments }
        set { values.attachments = newValue }
    }

    /// Values of the app's own. To be archived they have to be a property list.
    open override var userInfo: [AnyHashable: Any] {
        get { values.userInfo }
        set {
            values.withLock {
                $0.userInfo = newValue
                $0.hasPayloadAsUserInfo = false
            }
        }
    }

    /// Identifier of the category whose actions are offered.
    open override var categoryIdentifier: String {
        get { values.categoryIdentifier }
        set { values.categoryIdentifier = newValue }
    }

    /// Notifications of one thread are grouped.
    open override var threadIdentifier: String {
        get { values.threadIdentifier }
        set { values.threadIdentifier = newValue }
    }

    /// Name of the launch image for an app that is opened from the notification.
    open override var launchImageName: String {
        get { values.launchImageName }
        set { values.launchImageName = newValue }
    }

    /// Which of the app's windows the notification belongs to.
    open override var targetContentIdentifier: String? {
        get { values.targetContentIdentifier }
        set { values.targetContentIdentifier = newValue }
    }

    /// Ignored since iOS 15: what the notification adds to the summary of its group.
    open override var summaryArgument: String {
        get { values.summaryArgument }
        set { values.summaryArgument = newValue }
    }

    /// Ignored since iOS 15: how many things the notification stands for. Less than 1 counts as 1.
    open override var summaryArgumentCount: Int {
        get { values.summaryArgumentCount }
        set { values.summaryArgumentCount = max(1, newValue) }
    }

    /// How much the notification may disturb.
    open override var interruptionLevel: UNNotificationInterruptionLevel {
        get { values.interruptionLevel }
        set { values.interruptionLevel = newValue }
    }

    /// Where in the summary it stands among the app's notifications, from 0 to 1. Kept as it is given.
    open override var relevanceScore: Double {
        get { values.relevanceScore }
        set { values.relevanceScore = newValue }
    }

    /// What a Focus filter compares to tell whether to show it.
    open override var filterCriteria: String? {
        get { values.filterCriteria }
        set { values.filterCriteria = newValue }
    }
}
