public import PushDecoding
import PushModel

/// Finds what is wrong, doubtful or without effect in records.
///
///     let linter = Linter()
///     for diagnostic in linter.lint(#"{"aps":{"alert":"Hi","mutable_content":1}}"#) {
///         print(diagnostic)
///     }
///
/// It accepts any bytes, and always answers with a list of diagnostics. Tasks may share a linter, because each call makes scratch memory of
/// its own; a ``TextLinter`` makes it once for all records of a text.
public struct Linter: Sendable {
    /// The most diagnostics that are kept per record.
    public static let maximumDiagnostics = Finding.maximumPerRecord

    private let options: DecodingOptions

    /// - Parameter options: how records are read.
    public init(_ options: DecodingOptions = DecodingOptions()) { self.options = options }

    /// Checks a record, and returns what is wrong with it in the order of its bytes.
    public func lint(_ record: String) -> [Diagnostic] { lint(record.utf8) }

    /// Checks a record, and returns what is wrong with it in the order of its bytes.
    ///
    /// - Parameter record: one JSON text, valid or not, without its separator.
    public func lint(_ record: some Collection<UInt8>) -> [Diagnostic] {
        // SOUND: the bytes live until the closure returns.
        unsafe Array(record).withUnsafeBytes { unsafe RecordLinter(options).lint($0) }
    }

    /// A report for each message of a record; none if the record is malformed.
    public func budgets(of record: String) -> [BudgetReport] { budgets(of: record.utf8) }

    /// A report for each message of a record; none if the record is malformed.
    public func budgets(of record: some Collection<UInt8>) -> [BudgetReport] {
        // SOUND: the bytes live until the closure returns.
        unsafe Array(record).withUnsafeBytes { unsafe RecordLinter(options).budgets(of: $0) }
    }
}
