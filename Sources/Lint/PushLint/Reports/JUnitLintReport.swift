import PayloadJSON
import PushModel
import PushText

/// JUnit's XML, which CI servers show as tests: one suite per file, one case per finding. A case fails if the finding makes the command
/// fail. Other findings are cases that pass and print something. A file without findings is one case that passes.
struct JUnitLintReport: LintReportForm {
    let isStrict: Bool

    /// The suites of the files that have ended.
    private var suites: [UInt8] = []
    /// The cases of the current file.
    private var cases: [UInt8] = []
    /// Numbers of cases of the current file, and of all files.
    private var count = (cases: 0, failures: 0)
    private var total = (cases: 0, failures: 0)

    init(isStrict: Bool) { self.isStrict = isStrict }

    var keepsNothing: Bool { false }

    mutating func add(_ file: LintedFile, to out: inout ByteBuffer) {
        count.cases += file.findings.count
        count.failures += file.findings.count { fails($0) }
        for finding in file.findings { cases += testCase(finding, in: file).utf8 }
    }

    mutating func endFile(named name: String, bytes: Int) {
        let name = XMLText.attribute(name)
        if count.cases == 0 {
            count.cases = 1
            cases += "    <testcase name=\"no findings\" classname=\"\(name)\"/>\n".utf8
        }
        suites +=
            "  <testsuite name=\"\(name)\" tests=\"\(count.cases)\" failures=\"\(count.failures)\" errors=\"0\" skipped=\"0\">\n"
            .utf8
        suites += cases
        suites += "  </testsuite>\n".utf8
        total = (total.cases + count.cases, total.failures + count.failures)
        count = (0, 0)
        cases.removeAll(keepingCapacity: true)
    }

    private func fails(_ finding: LintFinding) -> Bool {
        finding.severity == .error || (isStrict && finding.severity == .warning)
    }

    private func testCase(_ finding: LintFinding, in file: LintedFile) -> String {
        let position = file.positions[finding.range.lowerBound]
        let file = XMLText.attribute(file.name)
        let message = XMLText.attribute(finding.message)
        let place = "\(file):\(position.line):\(position.column): "
        let line = "\(place)\(finding.severity.rawValue): \(message)\n\(finding.rule.page)"
        var text = "    <testcase name=\"\(finding.rule.id) at \(position.line):\(position.column)\""
        text += " classname=\"\(file)\" file=\"\(file)\" line=\"\(position.line)\">\n"
        if fails(finding) {
            text += "      <failure type=\"\(finding.rule.id)\" message=\"\(message)\">"
            text += "\(line)</failure>\n"
        } else {
            text += "      <system-out>\(line)</system-out>\n"
        }
        return text + "    </testcase>\n"
    }

    func finish(unreadable: [String], to write: Writer) rethrows {
        try write { out in
            out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
            out.appendText("<testsuites name=\"pushpipe lint\" tests=\"\(total.cases + unreadable.count)\"")
            out.appendText(" failures=\"\(total.failures)\" errors=\"\(unreadable.count)\">\n")
            for byte in suites { out.append(byte) }
            for line in unreadable {
                let text = XMLText.attribute(line)
                out.appendText("  <testsuite name=\"\(text)\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n")
                out.appendText(
                    "    <testcase name=\"readable\" classname=\"\(text)\">\n      <error message=\"\(text)\"/>\n")
                out.append("    </testcase>\n  </testsuite>\n")
            }
            out.append("</testsuites>\n")
        }
    }
}
