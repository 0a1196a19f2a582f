package import PayloadJSON

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

/// The texts of an alert, in the order in which a reader misses them least.
public enum AlertText: String, Sendable, CaseIterable {
    /// The text below the titles.
    case body
    /// The second line. Android has none.
    case subtitle
    /// The first line.
    case title

    /// Its member name in an alert or notification.
    package var key: StaticString {
        switch self {
        case .body: "body"
        case .subtitle: "subtitle"
        case .title: "title"
        }
    }
}

extension NotificationContent {
    /// Applies the changes of a service extension: a JSON object with the names of Apple's properties as members
    /// (`Documentation/reference/extension-protocol.md`). The texts are valid as long as those of the object.
    package mutating func apply(_ changes: JSONView) {
        func text(_ member: JSONView?, or old: JSONString?) -> JSONString? {
            guard let string = member?.string else { return old }
            return string.count == 0 ? nil : string
        }
        title = text(changes["title"], or: title)
        subtitle = text(changes["subtitle"], or: subtitle)
        body = text(changes["body"], or: body)
        thread = text(changes["threadIdentifier"], or: thread)
        if let number = changes["badge"] {
            badge = number.int64.flatMap { Int(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil }
        }
        if let category = changes["categoryIdentifier"], category.isString { tapOptions = .action(category.text) }
        hasAlert = title != nil || subtitle != nil || body != nil
    }
}
