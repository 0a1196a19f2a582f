public import PushModel

/// One replacement of bytes in a text. Edits of one text are sorted and do not overlap.
public struct TextEdit: Sendable, Equatable {
    /// Bytes that give way, possibly none.
    public var range: Range<Int>
    /// What comes in their place.
    public var replacement: [UInt8]

    /// Makes an edit.
    public init(range: Range<Int>, replacement: [UInt8]) {
        self.range = range
        self.replacement = replacement
    }

    /// Puts text in the place of a range.
    init(_ range: Range<Int>, _ replacement: String) {
        self.init(range: range, replacement: Array(replacement.utf8))
    }
}

/// What the linter found, and where.
public struct Diagnostic: Sendable {
    /// The rule that is broken.
    public var rule: Rule
    /// One line in plain words, about this very place.
    public var message: String
    /// JSON Pointer (RFC 6901) into the record. It goes on into JSON that stands inside a string.
    public var pointer: String
    /// Bytes of the record that the finding points at.
    public var range: Range<Int>
    /// What mends it; empty when nothing safe does.
    public var edits: [TextEdit]
}

extension Diagnostic {
    /// As `pushpipe run` reports it.
    public var finding: Finding {
        Finding(rule: rule.id, severity: rule.severity, pointer: pointer, message: message)
    }
}
