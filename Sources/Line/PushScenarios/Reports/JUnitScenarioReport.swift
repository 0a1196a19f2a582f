import PushGherkinRunner
import PushLint
import PushText

/// JUnit's XML, which CI servers show as tests: one suite per file, one case per scenario. Undefined and ambiguous
/// scenarios count as failures, those of a dry run and those without steps as skipped. Everything is written at the
/// end, because the totals precede the cases.
struct JUnitScenarioReport: ScenarioReportWriter {
    private struct Suite {
        let file: String
        let name: String
        var cases = ""
        var tests = 0
        var failures = 0
        var skipped = 0
        var seconds = 0.0
    }

    private var suites: [Suite] = []

    mutating func add(_ result: ScenarioResult, to out: inout some TextOutputStream) {
        if suites.last?.file != result.file { suites.append(Suite(file: result.file, name: result.feature)) }
        guard var suite = suites.popLast() else { return }
        suite.tests += 1
        suite.seconds += result.seconds
        if result.status.isFailure { suite.failures += 1 }
        if result.status == .skipped || result.status == .pending { suite.skipped += 1 }
        suite.cases += Self.testCase(result)
        suites.append(suite)
    }

    private static func testCase(_ result: ScenarioResult) -> String {
        let rule = result.rule.map { $0.isEmpty ? "" : "\($0) › " } ?? ""
        var text = "    <testcase name=\"\(XMLText.attribute(rule + result.name + result.row))\""
        text += " classname=\"\(XMLText.attribute(result.feature))\" file=\"\(XMLText.attribute(result.file))\""
        text += " line=\"\(result.line)\" time=\"\(seconds(result.seconds))\">\n"
        if let failure = result.failure {
            let summary = failure.message.split(separator: "\n").first.map(String.init) ?? ""
            text += "      <failure type=\"\(failure.status.rawValue)\" message=\"\(XMLText.attribute(summary))\">"
            text +=
                XMLText.attribute("\(failure.place(in: result.file)): \(failure.quote)\n\(failure.message)")
                + "</failure>\n"
        } else if result.status == .skipped {
            text += "      <skipped message=\"dry run\"/>\n"
        } else if result.status == .pending {
            text += "      <skipped message=\"no steps\"/>\n"
        }
        let steps = result.steps.map { "\($0.status.rawValue): \($0.quote)\n" }.joined()
        if !steps.isEmpty { text += "      <system-out>\(XMLText.attribute(steps))</system-out>\n" }
        return text + "    </testcase>\n"
    }

    mutating func finish(_ summary: ScenarioSummary, to out: inout some TextOutputStream) {
        let tests = suites.reduce(0) { $0 + $1.tests }
        let failures = suites.reduce(0) { $0 + $1.failures }
        let skipped = suites.reduce(0) { $0 + $1.skipped }
        let time = Self.seconds(suites.reduce(0) { $0 + $1.seconds })
        out.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        out.write("<testsuites name=\"pushpipe test\" tests=\"\(tests)\" failures=\"\(failures)\" errors=\"0\"")
        out.write(" skipped=\"\(skipped)\" time=\"\(time)\">\n")
        for suite in suites {
            out.write(
                "  <testsuite name=\"\(XMLText.attribute(suite.name))\" file=\"\(XMLText.attribute(suite.file))\"")
            out.write(" tests=\"\(suite.tests)\" failures=\"\(suite.failures)\" errors=\"0\"")
            out.write(" skipped=\"\(suite.skipped)\" time=\"\(Self.seconds(suite.seconds))\">\n")
            out.write("\(suite.cases)  </testsuite>\n")
        }
        out.write("</testsuites>\n")
    }

    /// With six decimals: most scenarios take less than a millisecond.
    private static func seconds(_ seconds: Double) -> String {
        let microseconds = UInt64(max(seconds, 0) * 1_000_000)
        return "\(microseconds / 1_000_000).\(String(microseconds % 1_000_000 + 1_000_000).dropFirst())"
    }
}
