/// What a notification is about, as far as a person may want to hear of it or not: `mention`, `breaking-news`. Any text is one.
public struct NotificationType: Hashable, Comparable, Sendable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    /// As in options and files. Never empty in a table.
    public let name: String

    /// A type of this name.
    public init(_ name: String) { self.name = name }

    /// A type that stands in code.
    public init(stringLiteral name: String) { self.name = name }

    /// The option of MediaWiki that keeps whether pushes of this type are wanted.
    /// Source: Echo's extension.json; `echo-subscriptions-push-<category>`.
    public var option: String { Self.optionPrefix + name }

    /// What the names of all these options begin with.
    public static let optionPrefix = "echo-subscriptions-push-"

    /// The type that an option is about; nil for an option about something else.
    public init?(option: some StringProtocol) {
        guard option.hasPrefix(Self.optionPrefix), option.utf8.count > Self.optionPrefix.utf8.count else { return nil }
        name = String(option.dropFirst(Self.optionPrefix.count))
    }

    /// The name.
    public var description: String { name }

    /// By the bytes of the names, so that an order does not depend on the machine.
    public static func < (left: Self, right: Self) -> Bool {
        left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}

/// The types that an app's settings screen has a switch for, in the order of the screen.
public struct NotificationTypeTable: Sendable {
    /// One row a switch.
    public struct Row: Sendable, Equatable {
        /// What the switch is about.
        public let type: NotificationType
        /// What stands beside the switch.
        public let title: String
        /// Whether Echo wants pushes of this type unless told otherwise. Nil where Echo itself does not say, because another extension
        /// brings the type.
        public let echoDefault: Bool?

        /// A switch. Without a title it is called as its type is.
        public init(_ name: String, title: String? = nil, echoDefault: Bool? = nil) {
            type = NotificationType(name)
            self.title = title ?? name
            self.echoDefault = echoDefault
        }
    }

    /// In the order of the screen.
    public let rows: [Row]
    /// The types of all rows.
    public let types: Set<NotificationType>

    /// A screen. Of several rows with the same type the first one counts.
    public init(_ rows: [Row]) {
        var types: Set<NotificationType> = []
        self.rows = rows.filter { types.insert($0.type).inserted }
        self.types = types
    }

    /// The settings screen of Wikipedia's app. Which types are Echo's own, and their defaults: Echo's extension.json. The titles are ours.
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
