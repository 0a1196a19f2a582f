import PayloadJSON
import PushModel
import PushText

/// JUnit's XML: one suite per file, one case per finding. A case fails if the finding makes the command fail. Other findings are cases that
/// pass and print something. A file without findings is one case that passes.
struct JUnitLintReport: LintReportForm {
    let isStrict: Bool
    private var document = JUnitDocument("pushpipe lint", suites: [.skipped])

    init(isStrict: Bool) { self.isStrict = isStrict }

    var keepsNothing: Bool { false }

    mutating func add(_ file: LintedFile, to out: inout ByteBuffer) {
        for finding in file.diagnostics { add(finding, in: file) }
    }

    mutating func endFile(named name: String, bytes: Int) {
        if document.isSuiteEmpty { document.addCase(["name": "no findings", "classname": name]) }
        document.endSuite(["name": name])
    }

    private mutating func add(_ finding: Diagnostic, in file: LintedFile) {
        let (line, column) = file.position(of: finding)
        let lines = [
            "\(file.name):\(line):\(column): \(finding.severity.rawValue): \(finding.message)", finding.rule.page,
        ]
        let fails = finding.severity == .error || (isStrict && finding.severity == .warning)
        document.addCase(
            [
                "name": "\(finding.rule.id.text) at \(line):\(column)", "classname": file.name, "file": file.name,
                "line": "\(line)",
            ],
            [fails ? .failure(type: finding.rule.id.text, message: finding.message, lines) : .output(lines)])
    }

    func finish(unreadable: [String], to write: Writer) rethrows {
        var document = document
        for line in unreadable {
            document.addCase(["name": "readable", "classname": line], [.error(line)])
            document.endSuite(["name": line])
        }
        try document.write { text in try write { $0.appendText(text) } }
    }
}
