#if os(Linux)
    public import Foundation

    /// How the notifications of a category are treated.
    public struct UNNotificationCategoryOptions: OptionSet, Sendable {
        /// The raw bits.
        public let rawValue: UInt

        /// Creates a set from raw bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Reports dismissals to the delegate.
        public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1 << 0)
        /// Shown in a car.
        public static let allowInCarPlay = UNNotificationCategoryOptions(rawValue: 1 << 1)
        /// The title is shown even where previews are hidden.
        public static let hiddenPreviewsShowTitle = UNNotificationCategoryOptions(rawValue: 1 << 2)
        /// The subtitle is shown even where previews are hidden.
        public static let hiddenPreviewsShowSubtitle = UNNotificationCategoryOptions(rawValue: 1 << 3)
        /// Ignored since iOS 15: may be read aloud.
        public static let allowAnnouncement = UNNotificationCategoryOptions(rawValue: 1 << 4)
    }

    /// A kind of notifications of an app, and the actions it offers. Does not change once made.
    open class UNNotificationCategory: NSObject, NSCopying, @unchecked Sendable {
        /// The category's identifier.
        public let identifier: String
        /// The actions, in the order in which they are shown.
        public let actions: [UNNotificationAction]
        /// Identifiers of the intents that belong to it.
        public let intentIdentifiers: [String]
        /// The text instead of the body where previews are hidden; empty for the system's own text.
        public let hiddenPreviewsBodyPlaceholder: String
        /// Format of the summary of a group; empty for the system's own.
        public let categorySummaryFormat: String
        /// How the notifications are treated.
        public let options: UNNotificationCategoryOptions

        /// Makes a category.
        public convenience init(
            identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
            options: UNNotificationCategoryOptions = []
        ) {
            self.init(
                identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
                hiddenPreviewsBodyPlaceholder: nil, categorySummaryFormat: nil, options: options)
        }

        /// Makes a category with a text for hidden previews.
        public convenience init(
            identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
            hiddenPreviewsBodyPlaceholder: String, options: UNNotificationCategoryOptions = []
        ) {
            self.init(
                identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
                hiddenPreviewsBodyPlaceholder: hiddenPreviewsBodyPlaceholder, categorySummaryFormat: nil,
                options: options)
        }

        /// Makes a category with a text for hidden previews and a format for summaries.
        public init(
            identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
            hiddenPreviewsBodyPlaceholder: String?, categorySummaryFormat: String?,
            options: UNNotificationCategoryOptions = []
        ) {
            self.identifier = identifier
            self.actions = actions
            self.intentIdentifiers = intentIdentifiers
            self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder ?? ""
            self.categorySummaryFormat = categorySummaryFormat ?? ""
            self.options = options
            super.init()
        }

        open func copy(with zone: NSZone? = nil) -> Any { self }

        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? UNNotificationCategory else { return false }
            return other.identifier == identifier && other.actions == actions
                && other.intentIdentifiers == intentIdentifiers && other.options == options
                && other.hiddenPreviewsBodyPlaceholder == hiddenPreviewsBodyPlaceholder
                && other.categorySummaryFormat == categorySummaryFormat
        }

        open override var hash: Int { identifier.hashValue }

        open override var description: String { describe(self, ["identifier: \(identifier)", "actions: \(actions)"]) }
    }
#endif
