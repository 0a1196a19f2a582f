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
