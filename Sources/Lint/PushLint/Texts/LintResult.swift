public import PushModel

/// The diagnostics about a text, printed one a line.
public struct LintResult: Sendable, CustomStringConvertible {
    /// The diagnostics to show, in the order of the text.
    public internal(set) var diagnostics: [Diagnostic] = []
    /// Number of diagnostics below the least severity, by severity.
    public internal(set) var hidden: [Finding.Severity: Int] = [:]
    /// Records that are where options say (`RecordLocation`).
    package var located = 0
    /// Positions of the suppressions that left something out.
    package var used: Set<Int> = []
    var badness = Badness()
    /// The finding of a rule that is reported once in a text (`Rule.isOncePerText`), if there is one.
    package var once: OnceFinding?

    /// The diagnostics to show, one a line.
    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

/// The finding of a rule that is reported once in a text.
package struct OnceFinding: Sendable {
    package var severity: Finding.Severity
    /// False if it is only counted.
    package var isShown: Bool
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
