import PushSystem

/// A path and its query, as a request has them.
struct APITarget: Equatable {
    /// Between the slashes, decoded: `["api", "v1", "messages"]`.
    var segments: [String]
    /// In their order, decoded.
    var parameters: [(name: String, value: String)]

    static func == (one: APITarget, other: APITarget) -> Bool {
        one.segments == other.segments && one.parameters.elementsEqual(other.parameters, by: ==)
    }

    /// Nil if an escape is broken.
    init?(_ text: String) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        segments = []
        parameters = []
        for segment in parts[0].split(separator: "/", omittingEmptySubsequences: true) {
            guard let segment = Self.decoded(segment, plusIsSpace: false) else { return nil }
            segments.append(segment)
        }
        guard parts.count > 1 else { return }
        for parameter in parts[1].split(separator: "&") {
            let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(pair[0], plusIsSpace: true),
                let value = Self.decoded(pair.count > 1 ? pair[1] : "", plusIsSpace: true)
            else { return nil }
            parameters.append((name, value))
        }
    }

    private static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
        PercentEncoding.decoded(text.utf8, plusIsSpace: plusIsSpace).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// A text as the value of a parameter or a segment of a path.
    static func encoded(_ text: String) -> String { PercentEncoding.encoded(text) }
}
