import Foundation
import TestSupport
import Testing

/// `pushpipe test`: arguments, streams and exit statuses, and the samples as a whole. What scenarios do is tested in `PushScenariosTests`.
struct ScenarioTests {
    /// One that passes, and one that fails.
    private static let feature = """
        Feature: f
          @a
          Scenario: passes
            When a push '{"aps":{"alert":"A"}}' arrives
            Then the outcome is "delivered"
          @b
          Scenario: fails
            When a push '{"aps":{"alert":"A"}}' arrives
            Then the outcome is "silent"
        """

    private func folder(_ text: String = feature) throws -> Folder {
        let folder = try Folder()
        try folder.write(text + "\n", to: "kinds.feature")
        return folder
    }

    // MARK: - Whole stories

    @Test func `the samples pass`() throws {
        let output = try Folder().pushpipe("test", Place.samples.appendingPathComponent("Scenarios").path)
        #expect(output.status == 0, "\(output.text)")
        #expect(output.stderr.isEmpty)
        #expect(output.text.contains(/\d+ scenarios \(\d+ passed\)/))
    }

    @Test(arguments: [
        ([], ["kinds.feature", "  ✓ f › passes", "  ✗ f › fails"]), (["--format", "text"], ["kinds.feature"]),
        (["--format", "tap"], ["TAP version 13", "ok 1 - f › passes", "not ok 2 - f › fails"]),
        (["--format", "junit"], [#"<?xml version="1.0" encoding="UTF-8"?>"#]),
    ])
    func `a report goes to standard output, and a failed scenario is status 1`(
        options: [String], start: [String]
    ) throws {
        let output = try folder().pushpipe(arguments: ["test"] + options + ["kinds.feature"])
        #expect(output.lines.starts(with: start), "\(output.text)")
        #expect(output.stderr.isEmpty)
        #expect(output.status == 1)
    }

    @Test func `the steps are listed for people and for programs`() throws {
        let step = try #require(try Folder().pushpipe("test", "--list-steps", "--format", "ndjson").json().first)
        let pattern = "pushes that name no device go to {string}"
        #expect(step["keyword"]?.string == "Given" && step["pattern"]?.string == pattern)
        #expect(step["example"]?.string == #"Given pushes that name no device go to "anna""#)
        #expect(try Folder().pushpipe("test", "--list-steps").lines.first == "Given \(pattern)")
    }

    @Test func `quietly, a report has the scenarios that did not pass alone`() throws {
        let folder = try Folder()
        try folder.write(
            "Feature: f\nScenario: good\n* a push '{}' arrives\nScenario: bad\n* the outcome is \"rejected\"\n",
            to: "f.feature")
        try folder.write("Feature: g\nScenario: good\n* a push '{}' arrives\n", to: "g.feature")
        let output = try folder.pushpipe("test", "-q", "f.feature", "g.feature")
        #expect(output.status == 1 && output.lines.prefix(2) == ["f.feature", "  ✗ f › bad"], "\(output.text)")
        #expect(!output.text.contains("good") && !output.text.contains("g.feature"))
        let good = try folder.pushpipe("test", "--quiet", "g.feature")
        #expect(good.status == 0 && good.text.isEmpty && good.stderr.isEmpty)
    }

    @Test func `standard input is read without a file name`() throws {
        let output = try Folder().pushpipe(
            "test", "--format", "tap", stdin: "Feature: f\nScenario: s\n* a push '{}' arrives\n")
        #expect(output.text == "TAP version 13\nok 1 - f › s\n1..1\n")
        #expect(
            try Folder().pushpipe("test", "-", stdin: "x").stderr.hasPrefix("pushpipe: <stdin>:1:1: not a feature file")
        )
    }

    // MARK: - Arguments

    @Test(arguments: [
        (["--tags", "not @b"], "1 scenario (1 passed), 2 steps (2 passed)", 0),
        (["--name", "pass", "--name", "none"], "1 scenario (1 passed), 2 steps (2 passed)", 0),
        (["--name", "s", "--tags", "@b"], "1 scenario (1 failed), 2 steps (1 passed, 1 failed)", 1),
        (["--dry-run"], "2 scenarios (2 skipped), 4 steps (4 skipped)", 0),
    ])
    func `options select what runs and how`(options: [String], numbers: String, status: Int32) throws {
        let output = try folder().pushpipe(arguments: ["test"] + options + ["kinds.feature"])
        #expect(output.text.hasSuffix("\n\(numbers)\n"), "\(output.text)")
        #expect(output.status == status)
    }

    @Test func `with --fail-fast nothing runs after the first failure`() throws {
        let output = try folder().pushpipe("test", "--fail-fast", "kinds.feature", "-")
        #expect(output.text.hasSuffix("2 scenarios (1 passed, 1 failed), 4 steps (3 passed, 1 failed)\n"))
        #expect(output.status == 1)
    }

    @Test(arguments: [
        ["--tags", "@a and"], ["--tags", "@a @b"], ["--format", "ndjson"], ["--list-steps", "--dry-run"], ["-", "-"],
        ["--list-steps", "--format", "tap"], ["missing.feature"], ["."],
    ])
    func `invalid usage and unreadable files are status 2`(arguments: [String]) throws {
        let output = try Folder().pushpipe(arguments: ["test"] + arguments)
        #expect(output.status == 2)
        #expect(output.text.isEmpty)
        #expect(!output.stderr.isEmpty)
    }

    @Test func `a Gherkin syntax error is reported by line and column, and nothing runs`() throws {
        let folder = try folder()
        try folder.write("{\"aps\":{}}\n", to: "payload.feature")
        try folder.write("Feature: f\nScenario: s\n  Given x\n  words\n  @a b\n", to: "bad.feature")
        let output = try folder.pushpipe("test", "kinds.feature", "payload.feature", "bad.feature")
        #expect(output.text.isEmpty)
        #expect(
            output.stderr == """
                pushpipe: payload.feature:1:1: not a feature file, which begins with "Feature:", or with "# language: …" if it \
                is not in English
                pushpipe: bad.feature:4:3: expected: #EOF, #TableRow, #DocStringSeparator, #StepLine, #TagLine, #ExamplesLine, \
                #ScenarioLine, #RuleLine, #Comment, #Empty, got 'words'
                pushpipe: bad.feature:5:3: A tag may not contain whitespace
                pushpipe: bad.feature:5:3: expected: #EOF, #TableRow, #DocStringSeparator, #StepLine, #TagLine, #ExamplesLine, \
                #ScenarioLine, #RuleLine, #Comment, #Empty, got '@a b'

                """)
        #expect(output.status == 2)
    }

    // MARK: - Nothing to run

    @Test(arguments: [
        (["--tags", "@typo"], "none of the 2 scenarios in kinds.feature matches --tags \"@typo\""),
        (["--name", "zzz", "--dry-run"], "none of the 2 scenarios in kinds.feature matches --name \"zzz\""),
        (
            ["--tags", "@b", "--name", "passes", "--format", "junit"],
            "none of the 2 scenarios in kinds.feature matches --tags \"@b\", --name \"passes\""
        ),
    ])
    func `an empty selection is status 2 and is named`(options: [String], message: String) throws {
        let output = try folder().pushpipe(arguments: ["test"] + options + ["kinds.feature"])
        #expect(output.stderr == "pushpipe: nothing to run: \(message)\n")
        #expect(output.text.isEmpty)
        #expect(output.status == 2)
    }

    @Test func `a file without a scenario is status 2`() throws {
        let output = try folder("# nothing").pushpipe("test", "kinds.feature")
        #expect(output.stderr == "pushpipe: nothing to run: no scenario in kinds.feature\n")
        #expect(output.text.isEmpty)
        #expect(output.status == 2)
    }

    @Test func `a line after the end of a file, or of a rule without scenarios, is status 2`() throws {
        let folder = try folder(Self.feature + "\n  Rule: empty")
        let beyond = try folder.pushpipe("test", "kinds.feature:11")
        #expect(beyond.stderr == "pushpipe: kinds.feature:11: the file has 10 lines\n")
        let empty = try folder.pushpipe("test", "kinds.feature:10")
        #expect(empty.stderr.hasPrefix("pushpipe: nothing to run: no scenario in kinds.feature"))
        for output in [beyond, empty] {
            #expect(output.text.isEmpty)
            #expect(output.status == 2)
        }
    }

    @Test func `an old Cucumber tag expression is invalid usage, and the message gives the new form`() throws {
        let output = try folder().pushpipe("test", "--tags", "~@a", "kinds.feature")
        #expect(output.stderr.contains("--tags \"~@a\", column 1: "), "\(output.stderr)")
        #expect(output.stderr.contains("write not @a"), "\(output.stderr)")
        #expect(output.text.isEmpty)
        #expect(output.status == 2)
    }
}
