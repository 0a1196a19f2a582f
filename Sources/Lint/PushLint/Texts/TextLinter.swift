public import PushDecoding
public import PushModel
public import RecordFraming

/// Lints and fixes whole texts: files, or what was read from a stream.
///
/// It splits a text into records, lints each, applies the configuration, and reports places as bytes of the text. Tasks may share a linter.
public struct TextLinter: Sendable {
    /// 1 MiB.
    public static let defaultMaximumRecordBytes = 1 << 20

    private let profile: LintProfile

    /// - Parameters:
    ///   - configuration: which rules apply, and how severe they are.
    ///   - decoding: how records are read. Its budget takes precedence over the configuration's.
    ///   - framing: how records are told apart.
    ///   - maximumRecordBytes: a longer record is a diagnostic, and is not linted.
    public init(
        _ configuration: LintConfiguration = LintConfiguration(), decoding: DecodingOptions = DecodingOptions(),
        framing: Framing = .auto, maximumRecordBytes: Int = Self.defaultMaximumRecordBytes
    ) {
        self.init(
            configuration,
            LintOptions(decoding: decoding, framing: framing, maximumRecordBytes: maximumRecordBytes))
    }

    /// - Parameter options: take precedence over the configuration.
    package init(_ configuration: LintConfiguration, _ options: LintOptions) {
        profile = LintProfile([configuration], options)
    }

    /// Lints every record of a text.
    public func lint(_ text: String) -> LintResult { lint(text.utf8) }

    /// Lints every record of a text, which need not be UTF-8.
    public func lint(_ text: some Collection<UInt8>) -> LintResult { profile.makeWorker().lint(Array(text)) }

    /// Applies the edits of all diagnostics until nothing changes. Every other byte stays.
    ///
    /// An edit that would make its record worse is not applied.
    public func fix(_ text: String) -> FixResult { fix(text.utf8) }

    /// Applies the edits of all diagnostics until nothing changes. Every other byte stays.
    ///
    /// An edit that would make its record worse is not applied.
    public func fix(_ text: some Collection<UInt8>) -> FixResult { profile.makeWorker().fix(Array(text)) }

    /// The budgets of the records of a text. A malformed record has none.
    package func budgets(of text: [UInt8]) -> [BudgetReport] {
        let worker = profile.makeWorker()
        var cutter = TextCutter(worker.cutter, margin: 0)
        cutter.append(text[...])
        return cutter.cut(isEnd: true, isPaused: false).map { worker.budgets(of: $0).flatMap(\.reports) } ?? []
    }
}

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
