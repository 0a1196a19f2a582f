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

    extension ContentValues {
        func encode(with coder: NSCoder) {
            coder.encode(title as NSString, forKey: "title")
            coder.encode(subtitle as NSString, forKey: "subtitle")
            coder.encode(body as NSString, forKey: "body")
            coder.encode(badge, forKey: "badge")
            coder.encode(sound, forKey: "sound")
            coder.encode(attachments as NSArray, forKey: "attachments")
            coder.encode(userInfo as NSDictionary, forKey: "userInfo")
            coder.encode(categoryIdentifier as NSString, forKey: "categoryIdentifier")
            coder.encode(threadIdentifier as NSString, forKey: "threadIdentifier")
            coder.encode(launchImageName as NSString, forKey: "launchImageName")
            coder.encode(targetContentIdentifier as NSString?, forKey: "targetContentIdentifier")
            coder.encode(summaryArgument as NSString, forKey: "summaryArgument")
            coder.encode(summaryArgumentCount, forKey: "summaryArgumentCount")
            coder.encode(Int(interruptionLevel.rawValue), forKey: "interruptionLevel")
            coder.encode(relevanceScore, forKey: "relevanceScore")
            coder.encode(filterCriteria as NSString?, forKey: "filterCriteria")
            coder.encode(sender as NSString?, forKey: "sender")
            coder.encode(senderImage as NSString?, forKey: "senderImage")
        }

        init(coder: NSCoder) {
            title = coder.string(forKey: "title") ?? ""
            subtitle = coder.string(forKey: "subtitle") ?? ""
            body = coder.string(forKey: "body") ?? ""
            badge = coder.decodeObject(of: NSNumber.self, forKey: "badge")
            sound = coder.decodeObject(of: UNNotificationSound.self, forKey: "sound")
            attachments = coder.objects(of: UNNotificationAttachment.self, forKey: "attachments")
            userInfo = coder.dictionary(forKey: "userInfo") ?? [:]
            categoryIdentifier = coder.string(forKey: "categoryIdentifier") ?? ""
            threadIdentifier = coder.string(forKey: "threadIdentifier") ?? ""
            launchImageName = coder.string(forKey: "launchImageName") ?? ""
            targetContentIdentifier = coder.string(forKey: "targetContentIdentifier")
            summaryArgument = coder.string(forKey: "summaryArgument") ?? ""
            summaryArgumentCount = max(1, coder.decodeInteger(forKey: "summaryArgumentCount"))
            interruptionLevel =
                UInt(exactly: coder.decodeInteger(forKey: "interruptionLevel"))
                .flatMap(UNNotificationInterruptionLevel.init) ?? .active
            relevanceScore = coder.decodeDouble(forKey: "relevanceScore")
            filterCriteria = coder.string(forKey: "filterCriteria")
            sender = coder.string(forKey: "sender")
            senderImage = coder.string(forKey: "senderImage")
        }
    }
#endif
