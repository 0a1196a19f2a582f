import PushGherkinRunner

/// The Test Anything Protocol, version 13, which every reader supports. Version 14 adds nothing that we need, and
/// Perl's Test::Harness rejects it. The plan comes last, because scenarios are counted as they run.
struct TAPScenarioReport: ScenarioReportWriter {
    private static let version = "TAP version 13\n"
    private var count = 0

    mutating func add(_ result: ScenarioResult, to out: inout some TextOutputStream) {
        if count == 0 { out.write(Self.version) }
        count += 1
        let isOk = !result.status.isFailure && result.status != .pending
        out.write("\(isOk ? "ok" : "not ok") \(count) - \(Self.escaped(result.path + result.row))")
        switch result.status {
        case .skipped: out.write(" # SKIP dry run")
        case .pending: out.write(" # TODO no steps")
        case .passed, .undefined, .ambiguous, .failed: break
        }
        out.write("\n")
        guard let failure = result.failure else { return }
        out.write("  ---\n  message: ")
        out.write(YAMLText.quoted(failure.message))
        out.write("\n  severity: ")
        out.write(YAMLText.quoted(failure.status.rawValue))
        out.write("\n  step: ")
        out.write(YAMLText.quoted(failure.quote))
        out.write("\n  at:\n    file: ")
        out.write(YAMLText.quoted(result.file))
        out.write("\n    line: \(failure.line)\n    column: \(failure.column)\n  ...\n")
    }

    /// An unescaped `#` begins a directive, and a description may not contain line ends.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "#", "\\": escaped += "\\\(scalar)"
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value): escaped += " "
            // Separators of lines, and bidirectional controls (UAX #9).
            case "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{061C}", "\u{200E}", "\u{200F}": escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    mutating func finish(_ summary: ScenarioSummary, to out: inout some TextOutputStream) {
        if count == 0 { out.write(Self.version) }
        out.write("1..\(count)\n")
    }
}
