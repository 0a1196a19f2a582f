#if os(Linux)
    /// How the notifications of a category are treated.
    public struct UNNotificationCategoryOptions: OptionSet, Sendable {
        /// The raw bits.
        public let rawValue: UInt

        /// Creates a set from raw bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

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
    open class UNNotificationCategory: ImmutableObject, @unchecked Sendable {
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

        /// Makes a category, with a text for hidden previews and a format for summaries if there are any.
        public init(
            identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
            hiddenPreviewsBodyPlaceholder: String? = nil, categorySummaryFormat: String? = nil,
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

        @_spi(Overlay) open override var comparedValues: [AnyHashable?] {
            [
                identifier, actions, intentIdentifiers, hiddenPreviewsBodyPlaceholder, categorySummaryFormat,
                options.rawValue,
            ]
        }

        open override var description: String { describe(self, ["identifier: \(identifier)", "actions: \(actions)"]) }
    }

    /// How an action behaves.
    public struct UNNotificationActionOptions: OptionSet, Sendable {
        /// The raw bits.
        public let rawValue: UInt

        /// Creates a set from raw bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The device has to be unlocked first.
        public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1 << 0)
        /// Shown as a destructive action.
        public static let destructive = UNNotificationActionOptions(rawValue: 1 << 1)
        /// Brings the app to the foreground.
        public static let foreground = UNNotificationActionOptions(rawValue: 1 << 2)
    }

    /// Picture of an action. Does not change once made.
    open class UNNotificationActionIcon: ImmutableObject, @unchecked Sendable {
        /// Name of a picture of the app's, or of the system's.
        package let name: String
        /// True if the picture is the system's.
        package let isSystem: Bool

        /// Takes a picture of the app's.
        public init(templateImageName: String) {
            name = templateImageName
            isSystem = false
            super.init()
        }

        /// Takes a symbol of the system's.
        public init(systemImageName: String) {
            name = systemImageName
            isSystem = true
            super.init()
        }

        @_spi(Overlay) open override var comparedValues: [AnyHashable?] { [name, isSystem] }

        open override var description: String {
            describe(self, ["\(isSystem ? "systemImageName" : "templateImageName"): \(name)"])
        }
    }

    /// A button below a notification. Does not change once made.
    open class UNNotificationAction: ImmutableObject, @unchecked Sendable {
        /// The action's identifier.
        public let identifier: String
        /// The title of the button.
        public let title: String
        /// How it behaves.
        public let options: UNNotificationActionOptions
        /// Picture on the button.
        public let icon: UNNotificationActionIcon?

        /// Makes an action, with a picture if there is one.
        public init(
            identifier: String, title: String, options: UNNotificationActionOptions = [],
            icon: UNNotificationActionIcon? = nil
        ) {
            self.identifier = identifier
            self.title = title
            self.options = options
            self.icon = icon
            super.init()
        }

        @_spi(Overlay) open override var comparedValues: [AnyHashable?] { [identifier, title, options.rawValue, icon] }

        open override var description: String { describe(self, ["identifier: \(identifier)", "title: \(title)"]) }
    }

    /// A button that asks for text.
    open class UNTextInputNotificationAction: UNNotificationAction, @unchecked Sendable {
        /// The title of the button that sends the text.
        public let textInputButtonTitle: String
        /// The placeholder of the text field.
        public let textInputPlaceholder: String

        /// Makes an action, with a picture if there is one.
        public init(
            identifier: String, title: String, options: UNNotificationActionOptions = [],
            icon: UNNotificationActionIcon? = nil, textInputButtonTitle: String, textInputPlaceholder: String
        ) {
            self.textInputButtonTitle = textInputButtonTitle
            self.textInputPlaceholder = textInputPlaceholder
            super.init(identifier: identifier, title: title, options: options, icon: icon)
        }

        @_spi(Overlay) open override var comparedValues: [AnyHashable?] {
            super.comparedValues + [textInputButtonTitle, textInputPlaceholder]
        }
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The action of opening the app from a notification.
    public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The action of dismissing a notification; reported only if the category asks for it.
    public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

    /// A person's response to a notification. Immutable; only the host makes one.
    open class UNNotificationResponse: ImmutableObject, @unchecked Sendable {
        /// The notification.
        public let notification: UNNotification
        /// The action chosen.
        public let actionIdentifier: String

        package init(notification: UNNotification, actionIdentifier: String = UNNotificationDefaultActionIdentifier) {
            self.notification = notification
            self.actionIdentifier = actionIdentifier
            super.init()
        }

        @_spi(Overlay) open override var comparedValues: [AnyHashable?] { [notification, actionIdentifier] }

        open override var description: String {
            describe(self, ["actionIdentifier: \(actionIdentifier)", "notification: \(notification)"])
        }
    }

    /// A response with a text.
    open class UNTextInputNotificationResponse: UNNotificationResponse, @unchecked Sendable {
        /// The text that the person typed.
        public let userText: String

        package init(notification: UNNotification, actionIdentifier: String, userText: String) {
            self.userText = userText
            super.init(notification: notification, actionIdentifier: actionIdentifier)
        }

        @_spi(Overlay) open override var comparedValues: [AnyHashable?] { super.comparedValues + [userText] }
    }
#endif
