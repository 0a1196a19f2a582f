public import PayloadJSON
package import PushModel

/// A finding of the linter, with its place.
public struct Diagnostic: Sendable {
    /// The rule that is broken.
    public var rule: Rule
    /// One line in plain words about this place.
    public var message: String
    /// JSON Pointer (RFC 6901) into the record. It continues into JSON inside a string.
    public var pointer: String
    /// The bytes of the record that the message is about.
    public var range: Range<Int>
    /// Edits of the record that fix it; empty if there is no safe fix.
    public var edits: [TextEdit]
}

extension Diagnostic {
    /// The finding in the form that `pushpipe run` reports.
    package var finding: Finding {
        Finding(rule: rule.id, severity: rule.severity, pointer: pointer, message: message)
    }
}
