#if os(Linux)
    public import Foundation

    /// How an action behaves.
    public struct UNNotificationActionOptions: OptionSet, Sendable {
        /// The raw bits.
        public let rawValue: UInt

        /// Creates a set from raw bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The device has to be unlocked first.
        public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1 << 0)
        /// Shown as a destructive action.
        public static let destructive = UNNotificationActionOptions(rawValue: 1 << 1)
        /// Brings the app to the foreground.
        public static let foreground = UNNotificationActionOptions(rawValue: 1 << 2)
    }

    /// Picture of an action. Does not change once made.
    open class UNNotificationActionIcon: NSObject, NSCopying, @unchecked Sendable {
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

        open func copy(with zone: NSZone? = nil) -> Any { self }

        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? UNNotificationActionIcon else { return false }
            return other.name == name && other.isSystem == isSystem
        }

        open override var hash: Int { name.hashValue }

        open override var description: String {
            describe(self, ["\(isSystem ? "systemImageName" : "templateImageName"): \(name)"])
        }
    }

    /// A button below a notification. Does not change once made.
    open class UNNotificationAction: NSObject, NSCopying, @unchecked Sendable {
        /// The action's identifier.
        public let identifier: String
        /// The title of the button.
        public let title: String
        /// How it behaves.
        public let options: UNNotificationActionOptions
        /// Picture on the button.
        public let icon: UNNotificationActionIcon?

        /// Makes an action.
        public convenience init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
            self.init(identifier: identifier, title: title, options: options, icon: nil)
        }

        /// Makes an action with a picture.
        public init(
            identifier: String, title: String, options: UNNotificationActionOptions = [],
            icon: UNNotificationActionIcon?
        ) {
            self.identifier = identifier
            self.title = title
            self.options = options
            self.icon = icon
            super.init()
        }

        open func copy(with zone: NSZone? = nil) -> Any { self }

        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? UNNotificationAction, type(of: other) == type(of: self) else { return false }
            return other.identifier == identifier && other.title == title && other.options == options
                && other.icon == icon
        }

        open override var hash: Int { identifier.hashValue }

        open override var description: String { describe(self, ["identifier: \(identifier)", "title: \(title)"]) }
    }

    /// A button that asks for text.
    open class UNTextInputNotificationAction: UNNotificationAction, @unchecked Sendable {
        /// The title of the button that sends the text.
        public let textInputButtonTitle: String
        /// The placeholder of the text field.
        public let textInputPlaceholder: String

        /// Makes an action.
        public convenience init(
            identifier: String, title: String, options: UNNotificationActionOptions = [], textInputButtonTitle: String,
            textInputPlaceholder: String
        ) {
            self.init(
                identifier: identifier, title: title, options: options, icon: nil,
                textInputButtonTitle: textInputButtonTitle, textInputPlaceholder: textInputPlaceholder)
        }

        /// Makes an action with a picture.
        public init(
            identifier: String, title: String, options: UNNotificationActionOptions = [],
            icon: UNNotificationActionIcon?,
            textInputButtonTitle: String, textInputPlaceholder: String
        ) {
            self.textInputButtonTitle = textInputButtonTitle
            self.textInputPlaceholder = textInputPlaceholder
            super.init(identifier: identifier, title: title, options: options, icon: icon)
        }

        open override func isEqual(_ object: Any?) -> Bool {
            guard super.isEqual(object), let other = object as? UNTextInputNotificationAction else { return false }
            return other.textInputButtonTitle == textInputButtonTitle
                && other.textInputPlaceholder == textInputPlaceholder
        }
    }
#endif
