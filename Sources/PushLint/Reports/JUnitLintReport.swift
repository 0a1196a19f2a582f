import PayloadJSON
import PushModel

/// JUnit's XML, which CI servers show as tests: one suite per file, one case per finding. A case fails if the finding makes the command
/// fail. Other findings are cases that pass and print something. A file without findings is one case that passes.
struct JUnitLintReport: LintReportForm {
    let isStrict: Bool

    private var suites = ""
    private var tests = 0
    private var failures = 0

    init(isStrict: Bool) { self.isStrict = isStrict }

    mutating func add(_ file: LintedFile, to out: inout ByteBuffer) {
        let failed = file.findings.count { fails($0) }
        let count = max(file.findings.count, 1)
        tests += count
        failures += failed
        let name = XMLText.attribute(file.name)
        suites +=
            "  <testsuite name=\"\(name)\" tests=\"\(count)\" failures=\"\(failed)\" errors=\"0\" skipped=\"0\">\n"
        if file.findings.isEmpty { suites += "    <testcase name=\"no findings\" classname=\"\(name)\"/>\n" }
        for finding in file.findings { suites += testCase(finding, in: file) }
        suites += "  </testsuite>\n"
    }

    private func fails(_ finding: LintFinding) -> Bool {
        finding.severity == .error || (isStrict && finding.severity == .warning)
    }

    private func testCase(_ finding: LintFinding, in file: LintedFile) -> String {
        let position = file.positions[finding.range.lowerBound]
        let file = XMLText.attribute(file.name)
        let message = XMLText.attribute(finding.message)
        let place = "\(file):\(position.line):\(position.column): "
        var text = "    <testcase name=\"\(finding.rule.id) at \(position.line):\(position.column)\""
        text += " classname=\"\(file)\" file=\"\(file)\" line=\"\(position.line)\">\n"
        if fails(finding) {
            text += "      <failure type=\"\(finding.rule.id)\" message=\"\(message)\">"
            text += "\(place)\(finding.severity.rawValue): \(message)</failure>\n"
        } else {
            text += "      <system-out>\(place)\(finding.severity.rawValue): \(message)</system-out>\n"
        }
        return text + "    </testcase>\n"
    }

    mutating func finish(unreadable: [String], to out: inout ByteBuffer) {
        for line in unreadable {
            let text = XMLText.attribute(line)
            suites += "  <testsuite name=\"\(text)\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n"
            suites += "    <testcase name=\"readable\" classname=\"\(text)\">\n      <error message=\"\(text)\"/>\n"
            suites += "    </testcase>\n  </testsuite>\n"
        }
        out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        out.appendText(
            "<testsuites name=\"pushpipe lint\" tests=\"\(tests + unreadable.count)\" failures=\"\(failures)\"")
        out.appendText(" errors=\"\(unreadable.count)\">\n\(suites)</testsuites>\n")
    }
}
