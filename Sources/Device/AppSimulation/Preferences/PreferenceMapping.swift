package import PushJSON
package import PushModel

/// Maps a push to its notification type by the app's rules: the first matching rule wins.
package struct PreferenceMapping: Sendable, Equatable {
    /// Where a rule looks.
    package enum Place: Sendable, Equatable {
        /// `aps.category`.
        case category
        /// `aps.thread-id`.
        case threadID
        /// The collapse id; on Android the tag.
        case collapseID
        /// The topic, or whichever field names the app.
        case topic
        /// A JSON Pointer (RFC 6901) into the payload.
        case pointer(String)

        /// The places with names, and their pointers if they are in the payload.
        private static let named: [(name: String, place: Place)] = [
            ("category", .category), ("thread-id", .threadID), ("collapse-id", .collapseID), ("topic", .topic),
        ]

        /// The names, for messages.
        package static let names = named.map(\.name)

        /// Nil when the text is neither a name nor a pointer.
        package init?(_ text: String) {
            if let row = Self.named.first(where: { $0.name == text }) {
                self = row.place
            } else if text.hasPrefix("/"), JSONPointer.tokens(text) != nil {
                self = .pointer(text)
            } else {
                return nil
            }
        }

        /// The pointer into the payload; nil for places outside it.
        var pointer: String? {
            switch self {
            case .category: "/aps/category"
            case .threadID: "/aps/thread-id"
            case .pointer(let pointer): pointer
            case .collapseID, .topic: nil
            }
        }

        /// The value that a message has there; nil if it has none.
        ///
        /// - Parameter payload: its payload, if it is JSON.
        func value(of message: DecodedMessage, _ payload: JSONView?) -> String? {
            switch self {
            case .collapseID: message.identifier?.string
            case .topic: message.topic.string
            case .category, .threadID, .pointer:
                pointer.flatMap { payload?[pointer: $0] }.flatMap(PreferenceMapping.text)
            }
        }
    }

    /// `place + value → type`.
    package struct Rule: Sendable, Equatable {
        /// Where to look. Required.
        package var place: Place?
        /// The value to match, where `*` matches any run of characters. Nil matches anything that is not empty.
        package var pattern: String?
        /// The resulting type. Nil: the value is the name of the type.
        package var type: NotificationType?

        package init(at place: Place?, like pattern: String? = nil, type: NotificationType? = nil) {
            self.place = place
            self.pattern = pattern
            self.type = type
        }
    }

    /// The rules, in the order in which they are tried.
    package let rules: [Rule]
    /// True if a decision needs the payload.
    package let needsPayload: Bool

    package init(_ rules: [Rule]) {
        self.rules = rules
        needsPayload = rules.contains { $0.place?.pointer != nil }
    }

    /// The notification type of a message; nil when no rule matches.
    ///
    /// - Parameter payload: its payload, if it is JSON. O(rules × members on the path).
    package func type(of message: DecodedMessage, payload: JSONView?) -> NotificationType? {
        for rule in rules {
            guard let found = rule.place?.value(of: message, payload), !found.isEmpty else { continue }
            if let pattern = rule.pattern, !Wildcard.matches(found, pattern) { continue }
            return rule.type ?? NotificationType(found)
        }
        return nil
    }

    /// A string's contents; a number or a boolean as written.
    static func text(_ value: JSONView) -> String? {
        switch value.kind {
        case .string: value.string?.string
        case .number, .true, .false: value.text.string
        case .null, .key, .array, .object: nil
        }
    }
}

/// Patterns in which `*` matches any run of bytes, and every other byte itself.
enum Wildcard {
    /// O(text × pattern) at worst, without recursion: after a mismatch only the last `*` is extended by one byte.
    static func matches(_ text: String, _ pattern: String) -> Bool {
        let text = Array(text.utf8)
        let pattern = Array(pattern.utf8)
        var position = 0
        var index = 0
        var star: (index: Int, position: Int)?
        while position < text.count {
            if index < pattern.count, pattern[index] == UInt8(ascii: "*") {
                star = (index, position)
                index += 1
            } else if index < pattern.count, pattern[index] == text[position] {
                index += 1
                position += 1
            } else if let last = star {
                star = (last.index, last.position + 1)
                index = last.index + 1
                position = last.position + 1
            } else {
                return false
            }
        }
        return pattern[index...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
