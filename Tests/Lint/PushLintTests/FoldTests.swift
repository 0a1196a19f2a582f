import PushDecoding
import PushModel
import PushText
import TestSupport
import Testing

@testable import PushLint
@testable import PushLintFiles

/// Findings of one rule that are counted after the first ones.
struct FoldTests {
    /// The rule of `Payload.silent`.
    private let rule = "aps.nothing-visible"

    private func lines(_ text: String, _ count: Int) -> String { String(repeating: text + "\n", count: count) }

    /// Number of findings that are shown.
    private func shown(_ output: JobOutput, _ severity: Finding.Severity = .warning) -> Int {
        output.lines.count { $0.contains(": \(severity.rawValue): ") }
    }

    @Test(arguments: [(10, nil), (11, "… and 1 more like these"), (500, "… and 490 more like these")])
    func `the first ten are shown, and the others counted`(count: Int, expected: String?) throws {
        let output = try LintFolder(["in.ndjson": lines(Payload.silent, count)]).run("in.ndjson")
        #expect(shown(output) == min(count, 10))
        #expect(output.lines.last { $0.hasPrefix("…") } == expected.map { "\($0) [\(rule)]" })
        #expect(output.outcome.warnings == count)
        #expect(output.notes.hasPrefix("\(count) warnings in 1 file"))
        #expect(output.notes.contains("\(count - 10) of them folded") == (count > 10))
    }

    @Test func `files are counted that have findings left out`() throws {
        let folder = try LintFolder([
            "a.ndjson": lines(Payload.silent, 4), "b.ndjson": lines(Payload.silent, 7),
            "c.ndjson": lines(Payload.good, 2), "d.ndjson": lines(Payload.silent, 3),
        ])
        let output = try folder.run(".")
        #expect(shown(output) == 10)
        // One of b and three of d.
        #expect(output.lines.last == "… and 4 more like these in 2 files [\(rule)]")
    }

    @Test func `what decides the exit status is shown`() throws {
        let folder = try LintFolder([
            "errors.ndjson": lines(Payload.misspelled, 30), "warnings.ndjson": lines(Payload.silent, 30),
        ])
        let output = try folder.run(".")
        #expect(shown(output, .error) == 30)
        #expect(shown(output) == 10)
        let strict = try folder.run(".") { $0.isStrict = true }
        #expect(shown(strict) == 30)
        #expect(!strict.results.contains("…"))
        #expect(!strict.notes.contains("folded"))
    }

    /// A configuration may make an error of a rule in some files: those are shown, and the others counted.
    @Test func `the severity of the finding counts, not that of the rule`() throws {
        let folder = try LintFolder([
            ".pushpipe.yml": "lint:\n  per-file:\n    \"b.ndjson\":\n      rules: {\(rule): error}\n",
            "a.ndjson": lines(Payload.silent, 12), "b.ndjson": lines(Payload.silent, 12),
        ])
        let output = try folder.run(".")
        #expect(shown(output) == 10)
        #expect(shown(output, .error) == 12)
        #expect(output.lines.last == "… and 2 more like these [\(rule)]")
    }

    @Test func `rules are folded one by one, the most frequent first`() throws {
        let folder = try LintFolder([
            "in.ndjson": lines(Payload.category, 13) + lines(Payload.silent, 15)
        ])
        let output = try folder.run("in.ndjson") { $0.options.severity = .info }
        #expect(shown(output) == 10)
        #expect(shown(output, .info) == 10)
        let folded = output.lines.filter { $0.hasPrefix("…") }
        #expect(folded.count == 2)
        #expect(folded.first == "… and 5 more like these [\(rule)]")
        #expect(folded.last?.hasPrefix("… and 3 more like these [") == true)
    }

    @Test func `all is shown when that is wanted`() throws {
        let output = try LintFolder(["in.ndjson": lines(Payload.silent, 30)]).run("in.ndjson") { $0.folds = false }
        #expect(shown(output) == 30)
        #expect(!output.results.contains("…"))
    }

    @Test(arguments: LintReport.Format.allCases.filter { $0 != .text })
    func `formats for programs have all findings`(format: LintReport.Format) throws {
        let folder = try LintFolder(["in.ndjson": lines(Payload.silent, 30)])
        let output = try folder.run("in.ndjson") { $0.format = format }
        let places = output.results.split(separator: rule, omittingEmptySubsequences: false).count - 1
        #expect(places >= 30, "\(places)")
        #expect(!output.results.contains("more like these"))
        #expect(!output.notes.contains("folded"))
    }

    @Test func `statistics count all`() throws {
        let folder = try LintFolder(["in.ndjson": lines(Payload.silent, 30)])
        let output = try folder.run("in.ndjson") { $0.countsRules = true }
        #expect(output.lines.count == 1)
        #expect(output.lines.first?.hasPrefix("30  \(rule)") == true)
    }

    /// Parts of 256 KiB, which several threads compose.
    @Test func `the text does not depend on the number of cores`() throws {
        let text = (1...30_000).map { $0 % 7000 == 0 ? Payload.misspelled : Payload.silent }.joined(separator: "\n")
        let folder = try LintFolder(["in.ndjson": text])
        let one = try folder.run("in.ndjson") { $0.jobs = 1 }
        let four = try folder.run("in.ndjson") { $0.jobs = 4 }
        #expect(one.results == four.results)
        #expect(one.notes == four.notes)
        #expect(shown(four, .error) == 4)
        #expect(four.lines.last == "… and 29986 more like these [\(rule)]")
    }

    @Test func `what --fix leaves is folded, too`() throws {
        let folder = try LintFolder(["in.ndjson": lines(Payload.silent, 30)])
        let output = try folder.run("in.ndjson") {
            $0.fixing = .write
            $0.options.decoding.advice = { " [\($0)]" }
        }
        #expect(shown(output) == 10)
        #expect(output.lines.last == "… and 20 more like these [\(rule)]")
        #expect(output.notes.contains("20 of them folded [unfold]"))
    }

    @Test func `a report of the library shows all`() {
        let text = LintReport.text(.text, LintedFile("in", lines(Payload.silent, 30)))
        #expect(text.lines.count { $0.contains(": warning: ") } == 30)
    }

    @Test func `the summary says how to learn more, unless the rules are links`() throws {
        let folder = try LintFolder(["in.json": Payload.silent, "good.json": Payload.good])
        #expect(try folder.run("in.json").notes.hasSuffix("; pushpipe explain RULE says more\n"))
        #expect(try !folder.run("good.json").notes.contains("explain"))
        let linked = try folder.run("in.json") { $0.results.style = .init(hasColors: false, hasLinks: true) }
        #expect(!linked.notes.contains("explain"))
        #expect(try !folder.run("in.json") { $0.format = .github }.notes.contains("explain"))
    }
}
