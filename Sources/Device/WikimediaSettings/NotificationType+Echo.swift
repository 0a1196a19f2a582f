package import AppSimulation

extension NotificationType {
    /// The MediaWiki option that stores whether pushes of this type are on. Source: Echo's extension.json;
    /// `echo-subscriptions-push-<category>`.
    package var option: String { Self.optionPrefix + name }

    static let optionPrefix = "echo-subscriptions-push-"

    /// The type that an option controls; nil for any other option.
    package init?(option: some StringProtocol) {
        guard option.hasPrefix(Self.optionPrefix), option.utf8.count > Self.optionPrefix.utf8.count else { return nil }
        self.init(String(option.dropFirst(Self.optionPrefix.count)))
    }
}

extension NotificationTypeTable {
    /// The settings screen of Wikipedia's app. Source of Echo's own types and defaults: Echo's extension.json. Types of other extensions have
    /// no default here. The titles are ours.
    package static let wikimedia = NotificationTypeTable([
        Row("edit-user-talk", title: "Talk page messages", isOnByDefault: true),
        Row("edit-thank", title: "Thanks"),
        Row("dt-subscription", title: "Talk page subscriptions"),
        Row("cx", title: "Translations"),
        Row("mention", title: "Mentions", isOnByDefault: true),
        Row("mention-failure", title: "Failed mentions", isOnByDefault: false),
        Row("mention-success", title: "Successful mentions", isOnByDefault: false),
        Row("article-linked", title: "Links to your pages", isOnByDefault: false),
        Row("wikibase-action", title: "Connections with Wikidata"),
        Row("login-fail", title: "Failed logins"),
        Row("login-success", title: "Logins from new devices"),
        Row("page-review", title: "Page reviews"),
        Row("user-rights", title: "Changes of user rights", isOnByDefault: true),
        Row("reverted", title: "Reverted edits", isOnByDefault: true),
        Row("emailuser", title: "Emails from other users", isOnByDefault: true),
        Row("thank-you-edit", title: "Edit milestones", isOnByDefault: true),
    ])
}
