#if os(Linux)
    import Foundation
    import UserNotifications

    /// A predicate's format is refused or read, and holds for an object or not, but never ends the process.
    enum PredicateCheck {
        /// Short texts, so that no regular expression takes long.
        private static var object: [String: Any] {
            [
                "a": 1, "b": "text", "c": ["x", "y"], "d": ["e": ["f": 2.5]], "n": NSNull(),
                "u": Date(timeIntervalSince1970: 0),
                "l": [["p": 1], ["p": 2]],
            ]
        }

        @Sendable static func make() -> FuzzTarget.Check {
            { bytes in
                let format = String(decoding: bytes, as: UTF8.self)
                // Backtracking in a regular expression is ICU's affair.
                guard format.utf8.count < 4096, format.range(of: "MATCHES", options: .caseInsensitive) == nil else {
                    return nil
                }
                let arguments: [Any] = ["a", 1, "b", ["x"]]
                func outcome(_ format: String) -> Bool? {
                    try? PredicateFormat.holds(format, arguments, for: Self.object)
                }
                let holds = outcome(format)
                if format.lowercased().contains("now") { return nil }
                guard outcome(format) == holds else {
                    return "a predicate holds and does not: \(readable(format.utf8))"
                }
                if let holds, let opposite = outcome("NOT (\(format))"), opposite == holds {
                    return "a predicate holds like its opposite: \(readable(format.utf8))"
                }
                return nil
            }
        }
    }
#endif
