import PayloadJSON

/// The visible content of a notification.
public struct ShownContent: Sendable, Equatable {
    /// The title, or the key that stands for it.
    public var title: String?
    /// The subtitle, or the key that stands for it.
    public var subtitle: String?
    /// The body, or the key that stands for it.
    public var body: String?
    /// `thread-id`: notifications of one thread are grouped.
    public var thread: String?
    /// The number for the app's badge; nil leaves the badge unchanged.
    public var badge: Int?

    /// Creates content.
    package init(
        title: String? = nil, subtitle: String? = nil, body: String? = nil, thread: String? = nil, badge: Int? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.thread = thread
        self.badge = badge
    }

    /// Copies the content that a message shows.
    package init(_ content: NotificationContent) {
        self.init(
            title: content.title?.string, subtitle: content.subtitle?.string, body: content.body?.string,
            thread: content.thread?.string, badge: content.badge)
    }
}
