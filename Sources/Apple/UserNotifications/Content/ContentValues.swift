#if os(Linux)
    import Foundation

    /// The state that both content classes share.
    struct ContentValues {
        var title = ""
        var subtitle = ""
        var body = ""
        var badge: NSNumber?
        var sound: UNNotificationSound?
        var attachments: [UNNotificationAttachment] = []
        var userInfo: [AnyHashable: Any] = [:]
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

    /// Written by hand, because user info is not `Hashable`: it is compared as a Foundation dictionary.
    extension ContentValues: Hashable {
        static func == (left: ContentValues, right: ContentValues) -> Bool {
            left.texts == right.texts && left.badge == right.badge && left.sound == right.sound
                && left.attachments == right.attachments
                && left.summaryArgumentCount == right.summaryArgumentCount
                && left.interruptionLevel == right.interruptionLevel && left.relevanceScore == right.relevanceScore
                && (left.userInfo as NSDictionary).isEqual(right.userInfo as NSDictionary)
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
#endif
