import PayloadJSON
import PushModel
import PushSystem

/// GitLab's Code Quality report: one JSON array of findings.
///
/// A fingerprint has no line, so that GitLab takes a finding in a line that moved for the same. Findings that would share one are counted,
/// because GitLab shows only the first of them.
struct GitLabLintReport: LintReportForm {
    /// By fingerprint without a number.
    private var counts: [UInt64: Int] = [:]

    var keepsNothing: Bool { false }

    mutating func add(_ file: LintedFile, to out: inout ByteBuffer) {
        // GitLab compares paths with those of the repository, which have no dot at their beginning.
        let path = file.name.hasPrefix("./") ? String(file.name.dropFirst(2)) : file.name
        for finding in file.diagnostics {
            out.append(counts.isEmpty ? "[\n  {\"description\":" : ",\n  {\"description\":")
            out.appendJSONString(finding.message)
            out.appendMember("check_name", finding.rule.id.text)
            out.appendMember("fingerprint", fingerprint(of: finding, in: path))
            out.appendMember("severity", Self.severity(finding.severity))
            out.append(",\"location\":{\"path\":")
            out.appendJSONString(path)
            out.append(",\"lines\":{\"begin\":")
            out.append(Int64(file.position(of: finding).line))
            out.append("}}}")
        }
    }

    func finish(unreadable: [String], to write: Writer) rethrows {
        try write { $0.append(counts.isEmpty ? "[]\n" : "\n]\n") }
    }

    private mutating func fingerprint(of finding: Diagnostic, in path: String) -> String {
        var hash = FNV1a()
        for part in [path, finding.rule.id.text, finding.pointer, finding.message] { hash.addPart(part.utf8) }
        let number = counts[hash.value, default: 0]
        counts[hash.value] = number + 1
        if number > 0 { hash.addPart("\(number)".utf8) }
        return hash.hexadecimal
    }

    /// Of GitLab's five: `critical` and `blocker` are for what the linter cannot know.
    private static func severity(_ severity: Finding.Severity) -> String {
        switch severity {
        case .error: "major"
        case .warning: "minor"
        case .info: "info"
        }
    }
}
