import Foundation
import PushModel
import Testing

@testable import PushLint

/// Every file in `Corpus`: a record, and its errors according to the vendors' documents.
struct CorpusTests {
    @Test(arguments: LintCase.all) func `a case has the findings that the vendors' documents imply`(
        _ lintCase: LintCase
    ) {
        #expect(lintCase.faults.isEmpty, "\(lintCase.name): \(lintCase.faults.joined(separator: "; "))")
        let found = LintCase.Finding.all(in: lintCase.record)
        let missing = lintCase.findings.filter { !found.contains($0) }
        let surplus = found.filter { !lintCase.findings.contains($0) }
        #expect(
            found == lintCase.findings.sorted(),
            "\(lintCase.name): missing [\(Self.list(missing))], not expected [\(Self.list(surplus))]")
    }

    @Test func `the corpus exists`() {
        #expect(LintCase.all.count >= 120)
    }

    @Test func `at least fifty cases are payloads without a finding`() {
        #expect(LintCase.all.count { $0.findings.isEmpty } >= 50)
    }

    /// There is no file with a message over 256 KiB; the rule's own example covers it.
    private static let tooLarge = "sns.too-large"

    @Test func `every rule except two occurs in the corpus`() {
        let found = Set(LintCase.all.flatMap { $0.findings.map(\.rule) })
        let expected = Set(Rule.all.filter { $0.scope == .lint }.map(\.id.text)).subtracting([
            LintCase.unlisted, Self.tooLarge,
        ])
        #expect(expected.subtracting(found).isEmpty)
    }

    @Test func `findings of the corpus name rules of the catalog with their severity`() {
        for lintCase in LintCase.all {
            for finding in lintCase.findings {
                let rule = Rule.named(finding.rule)
                #expect(rule?.severity.rawValue == finding.severity, "\(lintCase.name): \(finding)")
            }
        }
    }

    private static func list(_ findings: [LintCase.Finding]) -> String {
        findings.map(\.description).joined(separator: ", ")
    }
}

/// One file of the corpus: a comment, the record as it stands in a file, and its findings.
struct LintCase: Sendable, CustomTestStringConvertible {
    /// One line under `--- findings`.
    struct Finding: Sendable, Hashable, Comparable, CustomStringConvertible {
        var rule: String
        var severity: String
        var pointer: String
        var line: Int
        var column: Int

        var description: String {
            "\(rule) \(severity) \(pointer.isEmpty ? "\"\"" : pointer) \(line):\(column)"
        }

        static func < (left: Self, right: Self) -> Bool {
            (left.line, left.column, left.rule, left.pointer) < (right.line, right.column, right.rule, right.pointer)
        }
    }

    /// Every request of the legacy protocol breaks it, so no case lists it.
    static let unlisted = "gcm.switched-off"

    /// Folder and file.
    var name: String
    var record: String
    var findings: [Finding]
    /// Errors in the file itself.
    var faults: [String]

    var testDescription: String { name }

    /// Every case, sorted by name. Empty when the folder is missing; a test counts the cases, so this cannot pass
    /// unseen.
    static let all: [LintCase] = {
        let directory = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(component: "Corpus", directoryHint: .isDirectory)
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: directory.path) else { return [] }
        return names.filter { $0.hasSuffix(".case") }.sorted().compactMap { name in
            guard let data = try? Data(contentsOf: directory.appending(path: name)) else { return nil }
            return LintCase(name: name, text: String(decoding: data, as: UTF8.self))
        }
    }()

    init(name: String, text: String) {
        self.name = name
        record = ""
        findings = []
        faults = []
        guard let start = text.firstRange(of: "\n--- record\n"), let end = text.firstRange(of: "\n--- findings\n")
        else {
            faults.append("no record or no findings")
            return
        }
        if !text[..<start.lowerBound].split(separator: "\n").allSatisfy({ $0.hasPrefix("# ") }) {
            faults.append("something else than a comment before the record")
        }
        record = String(text[start.upperBound..<end.lowerBound])
        for line in text[end.upperBound...].split(separator: "\n") {
            guard let finding = Finding(line) else {
                faults.append("no finding: \(line)")
                continue
            }
            findings.append(finding)
        }
        if !zip(findings, findings.dropFirst()).allSatisfy({ ($0.line, $0.column) <= ($1.line, $1.column) }) {
            faults.append("the findings are not in order of place")
        }
    }
}

extension LintCase.Finding {
    /// The linter's findings, sorted by position.
    static func all(in record: String) -> [Self] {
        Linter().lint(record).filter { $0.rule.id.text != LintCase.unlisted }
            .map { diagnostic in
                let before = String(decoding: record.utf8.prefix(diagnostic.range.lowerBound), as: UTF8.self)
                let lines = before.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
                return Self(
                    rule: diagnostic.rule.id.text, severity: diagnostic.rule.severity.rawValue,
                    // A case is text, so it has no NUL.
                    pointer: diagnostic.pointer.replacing("\0", with: "\\u0000"),
                    line: lines.count, column: (lines.last?.count ?? 0) + 1)
            }
            .sorted()
    }

    /// Reads `rule severity pointer line:column`. A pointer may contain spaces.
    init?(_ line: Substring) {
        guard let match = line.wholeMatch(of: /(\S+) (error|warning|info) (.+) (\d+):(\d+)/),
            let number = Int(match.4), let column = Int(match.5)
        else { return nil }
        rule = String(match.1)
        severity = String(match.2)
        pointer = match.3 == "\"\"" ? "" : String(match.3)
        self.line = number
        self.column = column
    }
}
