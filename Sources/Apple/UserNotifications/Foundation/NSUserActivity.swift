#if os(Linux)
    public import Foundation

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The activity of looking at a page.
    public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

    /// Something that a user does in an app. No other device or app learns of it here.
    open class NSUserActivity: NSObject {
        /// The kind of activity.
        public let activityType: String
        /// Its title.
        open var title: String?
        /// Whatever the app wants to know again.
        open var userInfo: [AnyHashable: Any]?
        /// The page of the activity.
        open var webpageURL: URL?
        /// The page that led to it.
        open var referrerURL: URL?
        /// Words to find it by.
        open var keywords: Set<String> = []
        /// The last moment at which it is of use.
        open var expirationDate: Date?
        /// The identifier that a scene asks for.
        open var targetContentIdentifier: String?
        /// The identifier that deletes it.
        open var persistentIdentifier: String?
        /// True if other devices may continue it.
        open var isEligibleForHandoff = true
        /// True if it can be searched for.
        open var isEligibleForSearch = false
        /// True if it may be suggested.
        open var isEligibleForPrediction = false
        /// True if it has changed.
        open var needsSave = false

        /// Makes an activity of a kind.
        public init(activityType: String) {
            self.activityType = activityType
        }

        /// Adds members to `userInfo`.
        open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
            userInfo = (userInfo ?? [:]).merging(otherDictionary) { $1 }
        }

        /// Without effect: nothing else runs here that it could be told.
        open func becomeCurrent() {}
        /// Without effect.
        open func resignCurrent() {}
        /// Without effect.
        open func invalidate() {}
    }
#endif
