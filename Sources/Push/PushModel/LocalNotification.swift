/// A notification that an app posts by itself: a push may be why, and no push shows it.
package struct LocalNotification: Sendable, Equatable {
    package var title: String?
    package var body: String?
    /// The identifier that the app chose: the tag on Android and in a browser, the identifier of the request on an Apple device.
    package var tag: String?
    /// The notification channel, on Android.
    package var channel: String?

    package init(title: String? = nil, body: String? = nil, tag: String? = nil, channel: String? = nil) {
        self.title = title
        self.body = body
        self.tag = tag
        self.channel = channel
    }

    /// True if there is something to show.
    package var hasText: Bool { [title, body].contains { $0.map { !$0.isEmpty } ?? false } }

    /// The identifier of one whose app chose none: `post-7`, or `post-7.2` for the target with index 2. It differs from that of the push, which
    /// may be on the screen as well.
    package static func identifier(seq: UInt64, target: Int?) -> String {
        prefix + String(seq) + (target.map { ".\($0)" } ?? "")
    }

    /// The beginning of such an identifier.
    package static let prefix = "post-"

    /// The member of the payload of such a notification that tells it from a push.
    package static let mark: StaticString = "posted"
}
