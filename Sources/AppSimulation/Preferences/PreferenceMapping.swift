package import PayloadJSON
package import PushModel

/// Says what a push is about, by rules of the app: the first rule that fits decides.
public struct PreferenceMapping: Sendable, Equatable {
    /// Where a rule looks.
    public enum Place: Sendable, Equatable {
        /// `aps.category`.
        case category
        /// `aps.thread-id`.
        case threadID
        /// The collapse id, on Android the tag.
        case collapseID
        /// The topic, or whatever else names the app.
        case topic
        /// A JSON Pointer (RFC 6901) into the payload.
        case pointer(String)

        /// The places that have names, with their pointers where they are in the payload.
        private static let named: [(name: String, place: Place)] = [
            ("category", .category), ("thread-id", .threadID), ("collapse-id", .collapseID), ("topic", .topic),
        ]

        /// The names, for messages.
        public static let names = named.map(\.name)

        /// Nil for what is neither a name nor a pointer.
        public init?(_ text: String) {
            if let row = Self.named.first(where: { $0.name == text }) {
                self = row.place
            } else if text.hasPrefix("/"), JSONPointer.tokens(text) != nil {
                self = .pointer(text)
            } else {
                return nil
            }
        }

        /// Where in the payload; nil for what the request itself says.
        var pointer: String? {
            switch self {
            case .category: "/aps/category"
            case .threadID: "/aps/thread-id"
            case .pointer(let pointer): pointer
            case .collapseID, .topic: nil
            }
        }
    }

    /// `place + value → type`.
    public struct Rule: Sendable, Equatable {
        /// Where to look.
        public var place: Place
        /// What has to stand there, `*` standing for any run of characters. Nil: anything that is not empty.
        public var pattern: String?
        /// What the push is then about. Nil: what stands there is the type's name.
        public var type: NotificationType?

        /// Makes a rule.
        public init(at place: Place, like pattern: String? = nil, type: NotificationType? = nil) {
            self.place = place
            self.pattern = pattern
            self.type = type
        }
    }

    /// In the order in which they are tried.
    public let rules: [Rule]
    /// Whether a payload has to be at hand to decide.
    public let needsPayload: Bool

    /// Makes a mapping.
    public init(_ rules: [Rule]) {
        self.rules = rules
        needsPayload = rules.contains { $0.place.pointer != nil }
    }

    /// What a message is about; nil when no rule fits.
    ///
    /// - Parameter payload: its payload, when that is JSON. O(rules × members on the way).
    package func type(of message: PushMessage, payload: JSONView?) -> NotificationType? {
        for rule in rules {
            let found: String?
            switch rule.place {
            case .collapseID: found = message.identifier?.string
            case .topic: found = message.topic.string
            case .category, .threadID, .pointer:
                found = rule.place.pointer.flatMap { payload?[pointer: $0] }.flatMap(Self.text)
            }
            guard let found, !found.isEmpty else { continue }
            if let pattern = rule.pattern, !Wildcard.matches(found, pattern) { continue }
            return rule.type ?? NotificationType(found)
        }
        return nil
    }

    /// A string's contents; a number or a boolean as it is written.
    private static func text(_ value: JSONView) -> String? {
        switch value.kind {
        case .string: value.string?.string
        case .number, .true, .false: value.text.string
        case .null, .key, .array, .object: nil
        }
    }
}

/// Patterns in which `*` stands for any run of bytes, and everything else for itself.
enum Wildcard {
    /// O(text × pattern) at worst, without recursion: after a mismatch only the last `*` takes one byte more.
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
