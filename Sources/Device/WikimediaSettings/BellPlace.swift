/// Where Wikipedia's app for iOS has the bell, which opens its list of notifications. With a mark for what is unread, and
/// without, there are four states.
///
/// Sources: Wikimedia's Phabricator, T287628: "Explore feed with unread messages", "with NO unread messages", "Explore feed
/// off with unread messages", "off with NO unread messages"; wikimedia/wikipedia-ios, pull request 4109: without the feed the
/// settings are a tab, which has the bell of a user who is logged in.
package enum BellPlace: String, Sendable {
    case feed, settings

    /// Nil while nobody is logged in: then there is no bell.
    package init?(showsFeed: Bool, isLoggedIn: Bool) {
        guard isLoggedIn else { return nil }
        self = showsFeed ? .feed : .settings
    }
}
