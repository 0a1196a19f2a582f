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
    /// no default here. Source of the titles: wikipedia-ios, `RemoteNotificationFilterType.title`, which has no title for `dt-subscription`, and two
    /// for `mention`, one for each place; these two are ours.
    package static let wikimedia = NotificationTypeTable([
        Row("edit-user-talk", title: "Talk page message", isOnByDefault: true),
        Row("edit-thank", title: "Thanks"),
        Row("dt-subscription", title: "Talk page subscription"),
        Row("cx", title: "Translation milestone"),
        Row("mention", title: "Mention", isOnByDefault: true),
        Row("mention-failure", title: "Sent mention failure", isOnByDefault: false),
        Row("mention-success", title: "Sent mention success", isOnByDefault: false),
        Row("article-linked", title: "Page link", isOnByDefault: false),
        Row("wikibase-action", title: "Connection with Wikidata"),
        Row("login-fail", title: "Login attempts"),
        Row("login-success", title: "Login success"),
        Row("page-review", title: "Page review"),
        Row("user-rights", title: "User rights change", isOnByDefault: true),
        Row("reverted", title: "Edit reverted", isOnByDefault: true),
        Row("emailuser", title: "Email from other user", isOnByDefault: true),
        Row("thank-you-edit", title: "Edit milestone", isOnByDefault: true),
    ])
}
