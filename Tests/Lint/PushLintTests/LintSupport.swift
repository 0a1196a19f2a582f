import Foundation
import PushModel

@testable import PushLint

/// Payloads that several tests lint.
enum Payload {
    /// An error that can be fixed, at byte 21.
    static let misspelled = #"{"aps":{"alert":"Hi","mutable_content":1}}"#
    /// `misspelled` after fixing.
    static let fixed = #"{"aps":{"alert":"Hi","mutable-content":1}}"#
    static let good = #"{"aps":{"alert":"Hi"}}"#
    /// A warning.
    static let silent = #"{"aps":{"thread-id":"t"}}"#
    /// An info.
    static let category = #"{"aps":{"badge":2,"category":"COUNT"}}"#
}

/// One line of the JSON report, with exactly these members.
struct FindingLine: Decodable, Equatable {
    var file: String
    var line: Int
    var column: Int
    var endLine: Int
    var endColumn: Int
    var offset: Int
    var length: Int
    var rule: String
    var severity: String
    var message: String
    var pointer: String
    var record: Int
    var fixable: Bool
    var page: String
}

extension LintedFile {
    /// Lints a text.
    init(_ name: String, _ text: String, severity: Finding.Severity? = nil) {
        var configuration = LintConfiguration()
        configuration.severity = severity
        let bytes = Array(text.utf8)
        self.init(name: name, bytes: bytes, diagnostics: TextLinter(configuration).lint(bytes).diagnostics)
    }
}

extension LintReport {
    /// The whole report.
    static func text(
        _ format: Format, _ files: LintedFile..., unreadable: [String] = [], isStrict: Bool = false
    ) -> String {
        var report = LintReport(format, isStrict: isStrict)
        return files.map { report.add($0) }.joined() + report.finish(unreadable: unreadable)
    }
}

extension String {
    var lines: [String] { split(separator: "\n").map(String.init) }
}
