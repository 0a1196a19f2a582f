import PushLint
import PushText

/// JUnit's XML, which CI servers show as tests: a case per input. Everything is written at the end, because the totals
/// precede the cases.
struct JUnitSnapshotReport {
    private var cases = ""
    private var tests = 0
    private var failures = 0
    private var errors = 0

    mutating func add(_ result: SnapshotResult) {
        tests += 1
        cases += "    <testcase name=\"\(XMLText.attribute(result.input))\" classname=\"pushpipe snapshot\">"
        let message = result.message ?? result.status.rawValue
        let details = ([message] + result.text + SnapshotChangeText.plainLines(of: result.changes)).joined(
            separator: "\n")
        if result.status.isDifference {
            failures += 1
            cases += "<failure type=\"\(result.status.rawValue)\" message=\"\(XMLText.attribute(message))\">"
            cases += "\(XMLText.attribute(details))</failure>"
        } else if result.status == .unreadable {
            errors += 1
            cases += "<error message=\"\(XMLText.attribute(message))\"/>"
        }
        cases += "</testcase>\n"
    }

    var text: String {
        let counts = "tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\""
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pushpipe snapshot\" \(counts)>\n"
            + "  <testsuite name=\"pushpipe snapshot\" \(counts)>\n\(cases)  </testsuite>\n</testsuites>\n"
    }
}
