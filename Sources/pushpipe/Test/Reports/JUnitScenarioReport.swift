import Gherkin
import PayloadJSON
import Scenarios

/// JUnit's XML, which CI servers show as tests: a suite a file, a case a scenario. What is undefined or ambiguous fails; a dry run's scenarios
/// and those without steps are skipped. It is written at the end: the numbers stand before the cases.
struct JUnitScenarioReport: ScenarioReport {
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

    mutating func add(_ result: ScenarioResult, of file: String, to out: inout ByteBuffer) {
        if suites.last?.file != file { suites.append(Suite(file: file, name: result.pickle.feature)) }
        guard var suite = suites.popLast() else { return }
        suite.tests += 1
        suite.seconds += result.seconds
        if result.status.isFailure { suite.failures += 1 }
        if result.status == .skipped || result.status == .pending { suite.skipped += 1 }
        suite.cases += Self.testCase(result, of: file)
        suites.append(suite)
    }

    private static func testCase(_ result: ScenarioResult, of file: String) -> String {
        let pickle = result.pickle
        let rule = pickle.rule.map { $0.isEmpty ? "" : "\($0) › " } ?? ""
        var text = "    <testcase name=\"\(XMLText.attribute(rule + pickle.name + result.row))\""
        text += " classname=\"\(XMLText.attribute(pickle.feature))\" file=\"\(XMLText.attribute(file))\""
        text += " line=\"\(pickle.location.line)\" time=\"\(seconds(result.seconds))\">\n"
        if let failure = result.failure {
            let place = "\(file):\(failure.step.location.line):\(failure.step.location.column)"
            let summary = failure.message.split(separator: "\n").first.map(String.init) ?? ""
            text += "      <failure type=\"\(failure.status.rawValue)\" message=\"\(XMLText.attribute(summary))\">"
            text += XMLText.attribute("\(place): \(failure.step.line)\n\(failure.message)") + "</failure>\n"
        } else if result.status == .skipped {
            text += "      <skipped message=\"dry run\"/>\n"
        } else if result.status == .pending {
            text += "      <skipped message=\"no steps\"/>\n"
        }
        let steps = result.steps.map { "\($0.status.rawValue): \($0.step.line)\n" }.joined()
        if !steps.isEmpty { text += "      <system-out>\(XMLText.attribute(steps))</system-out>\n" }
        return text + "    </testcase>\n"
    }

    mutating func finish(_ summary: ScenarioSummary, to out: inout ByteBuffer) {
        let tests = suites.reduce(0) { $0 + $1.tests }
        let failures = suites.reduce(0) { $0 + $1.failures }
        let skipped = suites.reduce(0) { $0 + $1.skipped }
        let time = Self.seconds(suites.reduce(0) { $0 + $1.seconds })
        out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        out.appendText("<testsuites name=\"pushpipe test\" tests=\"\(tests)\" failures=\"\(failures)\" errors=\"0\"")
        out.appendText(" skipped=\"\(skipped)\" time=\"\(time)\">\n")
        for suite in suites {
            out.appendText(
                "  <testsuite name=\"\(XMLText.attribute(suite.name))\" file=\"\(XMLText.attribute(suite.file))\"")
            out.appendText(" tests=\"\(suite.tests)\" failures=\"\(suite.failures)\" errors=\"0\"")
            out.appendText(" skipped=\"\(suite.skipped)\" time=\"\(Self.seconds(suite.seconds))\">\n")
            out.appendText("\(suite.cases)  </testsuite>\n")
        }
        out.append("</testsuites>\n")
    }

    /// To microseconds, which is more than what scenarios take.
    private static func seconds(_ seconds: Double) -> String {
        let microseconds = UInt64(max(seconds, 0) * 1_000_000)
        return "\(microseconds / 1_000_000).\(String(microseconds % 1_000_000 + 1_000_000).dropFirst())"
    }
}
