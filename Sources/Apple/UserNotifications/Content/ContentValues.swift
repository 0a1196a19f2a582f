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
#endif
