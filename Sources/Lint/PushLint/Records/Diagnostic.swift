public import PayloadJSON
public import PushModel

/// A finding of the linter, with its place and its fix.
///
/// It is printed on one line: `error aps.misspelled-key at /aps/mutable_content: …`.
public struct Diagnostic: Sendable, Equatable {
    /// The rule that is broken.
    public var rule: Rule
    /// The rule's severity, unless a configuration sets another one.
    public var severity: Finding.Severity
    /// One line in plain words about this place.
    public var message: String
    /// JSON Pointer (RFC 6901) into the record. It continues into JSON inside a string.
    public var pointer: String
    /// Number of the record in its text, from 1.
    public var record = 1
    /// The bytes that the message is about: of the record from a ``Linter``, of the text from a ``TextLinter``.
    public var range: Range<Int>
    /// Edits of the same bytes that fix it; empty if there is no safe fix.
    public var edits: [TextEdit]

    init(rule: Rule, message: String, pointer: String, range: Range<Int>, edits: [TextEdit] = []) {
        self.rule = rule
        severity = rule.severity
        self.message = message
        self.pointer = pointer
        self.range = range
        self.edits = edits
    }
}

extension Diagnostic: CustomStringConvertible {
    /// Severity, rule, place and message on one line. A text's first record is not named.
    public var description: String {
        let number = record == 1 ? "" : " in record \(record)"
        return "\(severity) \(rule.id)\(number)\(pointer.isEmpty ? "" : " at \(pointer)"): \(message)"
    }
}

extension Diagnostic {
    /// The finding in the form that `pushpipe run` reports.
    package var finding: Finding {
        Finding(rule: rule.id.text, severity: severity, pointer: pointer, message: message)
    }

    /// The same diagnostic in a text with `offset` more bytes before it.
    func moved(by offset: Int) -> Diagnostic {
        var moved = self
        moved.range = range.moved(by: offset)
        moved.edits = edits.map { TextEdit(range: $0.range.moved(by: offset), replacement: $0.replacement) }
        return moved
    }
}

extension Range<Int> {
    /// The same range in a text with `offset` more bytes before it.
    func moved(by offset: Int) -> Range<Int> { lowerBound + offset..<upperBound + offset }
}
