import Gherkin
import PayloadJSON
import Scenarios

/// The Test Anything Protocol, version 13, which all readers know; version 14 adds nothing that is written here, and Perl's Test::Harness
/// refuses it. The plan stands at the end, because scenarios are counted as they are run.
struct TAPScenarioReport: ScenarioReport {
    private static let version = "TAP version 13\n"
    private var count = 0

    mutating func add(_ result: ScenarioResult, of file: String, to out: inout ByteBuffer) {
        if count == 0 { out.appendText(Self.version) }
        count += 1
        let isOk = !result.status.isFailure && result.status != .pending
        out.appendText("\(isOk ? "ok" : "not ok") \(count) - \(Self.escaped(result.path + result.row))")
        switch result.status {
        case .skipped: out.append(" # SKIP dry run")
        case .pending: out.append(" # TODO no steps")
        case .passed, .undefined, .ambiguous, .failed: break
        }
        out.append("\n")
        guard let failure = result.failure else { return }
        out.append("  ---\n  message: ")
        out.appendText(YAMLText.quoted(failure.message))
        out.append("\n  severity: ")
        out.appendText(YAMLText.quoted(failure.status.rawValue))
        out.append("\n  step: ")
        out.appendText(YAMLText.quoted(failure.step.line))
        out.append("\n  at:\n    file: ")
        out.appendText(YAMLText.quoted(file))
        let location = failure.step.location
        out.appendText("\n    line: \(location.line)\n    column: \(location.column)\n  ...\n")
    }

    /// `#` begins a directive, unless there is a backslash before it; and no description may hold what ends its line.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "#", "\\": escaped += "\\\(scalar)"
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value): escaped += " "
            case "\u{2028}", "\u{2029}": escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    mutating func finish(_ summary: ScenarioSummary, to out: inout ByteBuffer) {
        if count == 0 { out.appendText(Self.version) }
        out.appendText("1..\(count)\n")
    }
}
