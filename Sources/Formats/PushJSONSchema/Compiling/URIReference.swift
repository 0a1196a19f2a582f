import PushSystem

/// A URI reference, taken apart and resolved by RFC 3986. It accepts every text.
struct URIReference: Equatable {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    init(_ text: String) {
        var rest = text[...]
        if let hash = rest.firstIndex(of: "#") {
            fragment = String(rest[rest.index(after: hash)...])
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(of: ":"), Self.isScheme(rest[..<colon]) {
            scheme = rest[..<colon].lowercased()
            rest = rest[rest.index(after: colon)...]
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        path = String(rest)
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isLetter else { return false }
        return text.utf8.allSatisfy { byte in
            byte.isLetter || byte.isDigit || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
        }
    }

    /// Resolves the reference against a base (section 5.2.2).
    func resolved(against base: URIReference) -> URIReference {
        var result = self
        if scheme == nil {
            result.scheme = base.scheme
            if authority == nil {
                result.authority = base.authority
                if path.isEmpty {
                    result.path = base.path
                    result.query = query ?? base.query
                    return result
                }
                if !path.hasPrefix("/") { result.path = base.merged(path) }
            }
        }
        result.path = Self.withoutDots(result.path)
        return result
    }

    /// A relative path after the folder of this one (section 5.2.3).
    private func merged(_ relative: String) -> String {
        if authority != nil, path.isEmpty { return "/" + relative }
        return (path.lastIndex(of: "/").map { path[...$0] } ?? "") + relative
    }

    /// Removes `.` and `..` from a path (section 5.2.4). A path without a slash, such as that of a URN, stays as it is.
    private static func withoutDots(_ path: String) -> String {
        guard path.contains("/") else { return path == "." || path == ".." ? "" : path }
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                if kept.count > 1 || kept.first.map({ !$0.isEmpty }) ?? false { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return kept.joined(separator: "/")
    }

    /// The URI without its fragment, in one spelling.
    var absolute: String {
        (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path + (query.map { "?" + $0 } ?? "")
    }

    /// The fragment with `%` sequences resolved; nil if one is malformed.
    var decodedFragment: String? { Self.percentDecoded(fragment ?? "") }

    /// The path with `%` sequences resolved; nil if one is malformed.
    var decodedPath: String? { Self.percentDecoded(path) }

    private static func percentDecoded(_ text: String) -> String? {
        PercentEncoding.decoded(text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The URI of a file.
    ///
    /// - Parameter path: absolute.
    static func file(_ path: String) -> String { "file://" + PercentEncoding.encoded(path, keeping: "/") }
}
