public import PayloadJSON
public import PushModel

/// A finding in a text, with the severity that the configuration gives it.
public struct LintFinding: Sendable {
    /// The rule that is broken.
    public var rule: Rule
    /// The rule's severity, unless the configuration sets another one.
    public var severity: Finding.Severity
    /// One line in plain words about this place.
    public var message: String
    /// JSON Pointer (RFC 6901) into the record. It continues into JSON inside a string.
    public var pointer: String
    /// Number of the record in its text, from 1.
    public var record: Int
    /// Bytes of the text.
    public var range: Range<Int>
    /// Edits of the text that fix it; empty if there is no safe fix.
    public var edits: [TextEdit]

    /// The same finding in a text with `offset` more bytes before it.
    func moved(by offset: Int) -> LintFinding {
        var moved = self
        moved.range = range.lowerBound + offset..<range.upperBound + offset
        moved.edits = edits.map {
            TextEdit(
                range: $0.range.lowerBound + offset..<$0.range.upperBound + offset, replacement: $0.replacement)
        }
        return moved
    }
}

/// A finding in a text.
public struct LintResult: Sendable {
    /// The findings to show, in the order of the text.
    public internal(set) var findings: [LintFinding] = []
    /// Number of findings below the least severity, by severity.
    public internal(set) var hidden: [Finding.Severity: Int] = [:]
    /// Records that are where options say (`RecordLocation`).
    var located = 0
    /// Positions of the suppressions that left something out.
    var used: Set<Int> = []
    var badness = Badness()
}

/// How bad a record or text is. A fix must not make it worse.
struct Badness: Comparable {
    /// Records that are not JSON.
    var malformed = 0
    var errors = 0
    var warnings = 0
    var infos = 0

    static func < (left: Badness, right: Badness) -> Bool {
        (left.malformed, left.errors, left.warnings, left.infos)
            < (right.malformed, right.errors, right.warnings, right.infos)
    }
}
