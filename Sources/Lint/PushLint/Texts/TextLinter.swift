public import PushDecoding
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
    package func budgets(of text: [UInt8]) -> [BudgetReport] { profile.makeWorker().budgets(of: text) }
}
