/// The kind of a notification, which a user can switch on and off: `mention`, `breaking-news`. Any text is valid.
public struct NotificationType: Hashable, Comparable, Sendable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    /// The name in options and files. Never empty in a table.
    public let name: String

    /// A type with this name.
    public init(_ name: String) { self.name = name }

    /// A type from a literal.
    public init(stringLiteral name: String) { self.name = name }

    /// The MediaWiki option that stores whether pushes of this type are wanted. Source: Echo's extension.json;
    /// `echo-subscriptions-push-<category>`.
    public var option: String { Self.optionPrefix + name }

    /// The prefix of all these options.
    public static let optionPrefix = "echo-subscriptions-push-"

    /// The type that an option controls; nil for any other option.
    public init?(option: some StringProtocol) {
        guard option.hasPrefix(Self.optionPrefix), option.utf8.count > Self.optionPrefix.utf8.count else { return nil }
        name = String(option.dropFirst(Self.optionPrefix.count))
    }

    /// The name.
    public var description: String { name }

    /// Compares the bytes of the names, so that the order is the same on every machine.
    public static func < (left: Self, right: Self) -> Bool {
        left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}

/// The types with a switch on the app's settings screen, in the order of the screen.
public struct NotificationTypeTable: Sendable {
    /// One row per switch.
    public struct Row: Sendable, Equatable {
        /// The type that the switch controls.
        public let type: NotificationType
        /// The label of the switch.
        public let title: String
        /// Whether Echo enables pushes of this type by default. Nil when Echo does not define it, because another
        /// extension adds the type.
        public let echoDefault: Bool?

        /// A switch. Its title defaults to the name of the type.
        public init(_ name: String, title: String? = nil, echoDefault: Bool? = nil) {
            type = NotificationType(name)
            self.title = title ?? name
            self.echoDefault = echoDefault
        }
    }

    /// The rows in the order of the screen.
    public let rows: [Row]
    /// The types of all rows.
    public let types: Set<NotificationType>

    /// A screen. Of several rows with the same type the first one is used.
    public init(_ rows: [Row]) {
        var types: Set<NotificationType> = []
        self.rows = rows.filter { types.insert($0.type).inserted }
        self.types = types
    }

    /// The settings screen of Wikipedia's app. Which types are Echo's own, and their defaults: Echo's extension.json.
    /// The titles are ours.
    public static let wikimedia = NotificationTypeTable([
        Row("edit-user-talk", title: "Talk page messages", echoDefault: true),
        Row("edit-thank", title: "Thanks"),
        Row("dt-subscription", title: "Talk page subscriptions"),
        Row("cx", title: "Translations"),
        Row("mention", title: "Mentions", echoDefault: true),
        Row("mention-failure", title: "Failed mentions", echoDefault: false),
        Row("mention-success", title: "Successful mentions", echoDefault: false),
        Row("article-linked", title: "Links to your pages", echoDefault: false),
        Row("wikibase-action", title: "Connections with Wikidata"),
        Row("login-fail", title: "Failed logins"),
        Row("login-success", title: "Logins from new devices"),
        Row("page-review", title: "Page reviews"),
        Row("user-rights", title: "Changes of user rights", echoDefault: true),
        Row("reverted", title: "Reverted edits", echoDefault: true),
        Row("emailuser", title: "Emails from other users", echoDefault: true),
        Row("thank-you-edit", title: "Edit milestones", echoDefault: true),
    ])
}
