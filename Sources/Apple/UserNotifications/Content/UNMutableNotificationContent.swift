#if os(Linux)
    public import Foundation

    /// Content that can be changed: what an extension makes of a notification.
    ///
    /// Whatever is put in is kept as a value: changing an array or dictionary afterwards does not change the content.
    open class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
        /// The first line, in bold.
        open override var title: String {
            get { read { $0.title } }
            set { values.withLock { $0.content.title = newValue } }
        }

        /// The line below the title.
        open override var subtitle: String {
            get { read { $0.subtitle } }
            set { values.withLock { $0.content.subtitle = newValue } }
        }

        /// The text.
        open override var body: String {
            get { read { $0.body } }
            set { values.withLock { $0.content.body = newValue } }
        }

        /// The number for the app's icon: nil leaves it as it is, 0 removes it.
        open override var badge: NSNumber? {
            get { read { $0.badge } }
            set { values.withLock { $0.content.badge = newValue } }
        }

        /// The sound; nil for silence.
        open override var sound: UNNotificationSound? {
            get { read { $0.sound } }
            set { values.withLock { $0.content.sound = newValue } }
        }

        /// Pictures, sounds and films.
        open override var attachments: [UNNotificationAttachment] {
            get { read { $0.attachments } }
            set { values.withLock { $0.content.attachments = newValue } }
        }

        /// Values of the app's own. To be archived they have to be a property list.
        open override var userInfo: [AnyHashable: Any] {
            get { read { $0.userInfo } }
            set { values.withLock { $0.content.userInfo = newValue } }
        }

        /// Identifier of the category whose actions are offered.
        open override var categoryIdentifier: String {
            get { read { $0.categoryIdentifier } }
            set { values.withLock { $0.content.categoryIdentifier = newValue } }
        }

        /// Notifications of one thread are grouped.
        open override var threadIdentifier: String {
            get { read { $0.threadIdentifier } }
            set { values.withLock { $0.content.threadIdentifier = newValue } }
        }

        /// Name of the launch image for an app that is opened from the notification.
        open override var launchImageName: String {
            get { read { $0.launchImageName } }
            set { values.withLock { $0.content.launchImageName = newValue } }
        }

        /// Which of the app's windows the notification belongs to.
        open override var targetContentIdentifier: String? {
            get { read { $0.targetContentIdentifier } }
            set { values.withLock { $0.content.targetContentIdentifier = newValue } }
        }

        /// Ignored since iOS 15: what the notification adds to the summary of its group.
        open override var summaryArgument: String {
            get { read { $0.summaryArgument } }
            set { values.withLock { $0.content.summaryArgument = newValue } }
        }

        /// Ignored since iOS 15: how many things the notification stands for. Less than 1 counts as 1.
        open override var summaryArgumentCount: Int {
            get { read { $0.summaryArgumentCount } }
            set { values.withLock { $0.content.summaryArgumentCount = max(1, newValue) } }
        }

        /// How much the notification may disturb.
        open override var interruptionLevel: UNNotificationInterruptionLevel {
            get { read { $0.interruptionLevel } }
            set { values.withLock { $0.content.interruptionLevel = newValue } }
        }

        /// Where in the summary it stands among the app's notifications, from 0 to 1. Kept as it is given.
        open override var relevanceScore: Double {
            get { read { $0.relevanceScore } }
            set { values.withLock { $0.content.relevanceScore = newValue } }
        }

        /// The text that a Focus filter compares to tell whether to show it.
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
#endif
