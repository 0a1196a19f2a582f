public import PayloadJSON

/// Something about a record that its reader should know, tied to a rule and a place.
public struct Finding: Sendable, Equatable {
    /// How much a finding matters.
    public enum Severity: String, Sendable, CaseIterable, Comparable {
        case info, warning, error

        /// Orders by weight, `info` first.
        public static func < (left: Severity, right: Severity) -> Bool {
            left.rank < right.rank
        }

        private var rank: Int { self == .error ? 2 : self == .warning ? 1 : 0 }
    }

    /// Dotted kebab-case, such as `json.duplicate-key`.
    public var rule: String
    /// How much it matters.
    public var severity: Severity
    /// JSON Pointer (RFC 6901) into the record. It goes on into JSON that stands inside a string.
    public var pointer: String
    /// One line in plain words.
    public var message: String

    /// Makes a finding.
    public init(rule: String, severity: Severity, pointer: String, message: String) {
        self.rule = rule
        self.severity = severity
        self.pointer = pointer
        self.message = message
    }

    /// Most findings that are kept a record.
    public static let maximumPerRecord = 64
}

/// Why there is no message in a record.
public struct DecodeFailure: Error, Sendable, Equatable {
    /// One of the rules in `Documentation/reference/report.md`.
    public var rule: String
    /// One line in plain words.
    public var message: String
    /// Bytes from the record's first byte.
    public var offset: Int
    /// Of `offset`, set when the record is at hand.
    public var position = TextPosition(line: 1, column: 1)

    /// Makes a decodeFailure; its position is set where the record is at hand.
    public init(rule: String, message: String, offset: Int = 0) {
        self.rule = rule
        self.message = message
        self.offset = offset
    }
}

extension String {
    /// The text with a space for each line break: a message may name what it is about, and a name may hold anything.
    package var onOneLine: String {
        // Line breaks are control characters, or begin with one of these bytes: U+0085, U+2028 and U+2029.
        guard utf8.contains(where: { $0 < 0x20 || $0 == 0xC2 || $0 == 0xE2 }), contains(where: \.isNewline) else {
            return self
        }
        return String(map { $0.isNewline ? " " : $0 })
    }
}
