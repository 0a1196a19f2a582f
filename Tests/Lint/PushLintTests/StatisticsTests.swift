import PushModel
import TestSupport
import Testing

@testable import PushLint
@testable import PushLintFiles

/// How often each rule is broken.
struct StatisticsTests {
    @Test(arguments: [1, 3])
    func `rules are counted, the most frequent first`(jobs: Int) throws {
        let folder = try LintFolder([
            "a.ndjson": String(repeating: Payload.misspelled + "\n", count: 12) + Payload.good + "\n",
            "b.json": Payload.silent,
        ])
        let output = try folder.run("a.ndjson", "b.json") {
            $0.countsRules = true
            $0.jobs = jobs
        }
        // The column of rules is as wide as the longest.
        let words = output.lines.first?.split(separator: " ").map(String.init) ?? []
        #expect(words.prefix(3) == ["12", "aps.misspelled-key", "[*]"])
        #expect(output.lines.first?.hasSuffix(" [*] a misspelled aps key") == true)
        #expect(output.lines.dropFirst().allSatisfy { $0.hasPrefix(" 1  ") })
        #expect(output.outcome.errors == 12)
    }

    @Test func `as NDJSON, a rule is a line`() throws {
        let folder = try LintFolder(["in.json": Payload.misspelled])
        let output = try folder.run("in.json") {
            $0.countsRules = true
            $0.format = .ndjson
        }
        #expect(
            output.lines.first?.hasPrefix(
                #"{"rule":"aps.misspelled-key","severity":"error","count":1,"fixable":1,"title":"#) == true)
        #expect(try folder.run("in.json") { ($0.countsRules, $0.options.severity) = (true, .error) }.lines.count == 1)
    }

    @Test func `without findings nothing is written`() throws {
        let folder = try LintFolder(["in.json": Payload.good])
        #expect(try folder.run("in.json") { $0.countsRules = true }.results.isEmpty)
    }
}
