#if os(Linux)
    public import Foundation

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

        /// Values of the app's own. To be archived they have to be a property list.
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

        /// Where in the summary it stands among the app's notifications, from 0 to 1. Kept as it is given.
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
#endif
