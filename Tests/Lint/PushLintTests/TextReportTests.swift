import PushModel
import PushText
import Testing

@testable import PushLint
@testable import PushLintFiles

/// The text report.
struct TextReportTests {
    @Test func `text shows position, line, mark and help`() throws {
        let lines = LintReport.text(.text, LintedFile("in.ndjson", Payload.good + "\n" + Payload.misspelled + "\n"))
            .lines
        try #require(lines.count == 4)
        #expect(lines[0].hasPrefix("in.ndjson:2:22: error: "))
        #expect(lines[0].hasSuffix(" [aps.misspelled-key]"))
        #expect(lines[1] == "  " + Payload.misspelled)
        #expect(lines[2] == "                       ^~~~~~~~~~~~~~~~~")
        #expect(lines[3].hasPrefix("  help: ") && lines[3].hasSuffix("; fixable"))
    }

    /// Source: actions/runner, `ActionCommand.cs`.
    @Test(arguments: ["::add-mask::x", "  ::stop-commands::x", "##[add-mask]x"])
    func `no line of a file is a command for the server that shows the report`(line: String) throws {
        let lines = LintReport.text(.text, LintedFile("in.json", "{\"aps\":{}}\n\(line)\n")).lines
        #expect(lines.count > 1)
        for line in lines {
            #expect(!line.contains("##[") && line.first { $0 != " " } != ":" || !line.contains("::"), "\(line)")
            #expect(!line.trimmingPrefix(while: \.isWhitespace).hasPrefix("::"), "\(line)")
        }
    }

    @Test func `data that is no text is not quoted`() throws {
        let lines = LintReport.text(.text, LintedFile("in.gz", "\u{1F}\u{8B}\u{8}\u{0}")).lines
        try #require(lines.count == 2)
        #expect(lines[0].hasSuffix(" [record.not-text]"))
        #expect(lines[1].hasPrefix("  help: "))
    }

    @Test func `the rule is a link where the terminal has links`() throws {
        let style = TextStyle(hasColors: false, hasLinks: true)
        var report = LintReport(.text, isStrict: false, style: style, width: 120)
        let text = report.add(LintedFile("in", Payload.misspelled))
        let page = try RuleID("aps.misspelled-key").rule.page
        #expect(text.contains("[\u{1B}]8;;\(page)\u{1B}\\aps.misspelled-key\u{1B}]8;;\u{1B}\\]\n"))
    }

    @Test func `a long line is shown around the position, in at most 120 columns`() throws {
        let filler = String(repeating: "x", count: 1500)
        let text = #"{"before":"\#(filler)","aps":{"alert":"Hi","mutable_content":1},"behind":"\#(filler)"}"#
        let lines = LintReport.text(.text, LintedFile("in", text)).lines
        try #require(lines.count >= 3)
        #expect(lines[1].count <= 120)
        #expect(lines[1].hasPrefix("  …") && lines[1].hasSuffix("…"))
        let mark = try #require(lines[2].firstIndex(of: "^"))
        let shown = lines[1].dropFirst(lines[2].distance(from: lines[2].startIndex, to: mark))
        #expect(shown.hasPrefix(#""mutable_content""#))
    }

    @Test func `tabs, wide and combining characters keep the mark below its position`() throws {
        let text = "{\"aps\":{\t\"alert\":\"日本 e\u{301} 👍\",\"mutable_content\":1}}"
        let lines = LintReport.text(.text, LintedFile("in", text)).lines
        try #require(lines.count == 4)
        #expect(lines[0].hasPrefix("in:1:28: "))
        // Eight columns, a tab, and then 19: two for each wide character, none for the accent.
        #expect(lines[2] == "          \t" + String(repeating: " ", count: 20) + "^~~~~~~~~~~~~~~~~")
    }

    @Test func `no input disturbs a terminal`() {
        let file = LintedFile("in", "{\"aps\":{\"alert\":\"\u{1B}[31m\u{202E}\"}}")
        #expect(file.diagnostics.contains { $0.severity == .error })
        let text = LintReport.text(.text, file)
        #expect(!text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
        #expect(text.contains("\u{241B}[31m"))
    }

    // MARK: - Summary

    private func summary(_ text: String) -> String {
        var summary = LintSummary(fixing: .none) { " [\($0)]" }
        summary.add(TextLinter().lint(text), fixed: 0)
        return summary.text
    }

    @Test func `the summary counts findings and fixable ones`() {
        #expect(summary(Payload.good + "\n" + Payload.misspelled + "\n") == "1 error in 1 file; 1 fixable [fix]\n")
    }

    @Test func `the summary counts hidden findings and says how to show them`() {
        let advice = "[\(Advice.showSeverity(.info))]"
        let expected = "1 file checked, no findings; 1 finding of severity info not shown \(advice)\n"
        #expect(summary(Payload.category) == expected)
    }
}
