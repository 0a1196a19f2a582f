import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// `pushpipe test`: files in, reports and an exit status out.
struct ScenarioTests {
    /// One scenario of each kind.
    private static let feature = """
        Feature: Kinds <&>
          Scenario: passes
            When a push '{"aps":{"alert":"A"}}' arrives
            Then the outcome is "delivered"
          Scenario: fails # here
            When a push '{"aps":{"alert":"A"}}' arrives
            Then the outcome is "silent"
            And the screen of "default" is empty
          Scenario: has a step that there is not
            When a push '{"aps":{"alert":"A"}}' arrives
            Then the outcome was "delivered"
          Scenario: has no steps
        """

    private func folder(_ text: String = feature, name: String = "kinds.feature") throws -> Folder {
        let folder = try Folder()
        try folder.write(text + "\n", to: name)
        return folder
    }

    // MARK: - Reports

    @Test func `the report for people tells of each scenario, and of steps that do not hold`() throws {
        let output = try folder().pushpipe("test", "kinds.feature")
        #expect(
            output.text == """
                kinds.feature
                  ✓ Kinds <&> › passes
                  ✗ Kinds <&> › fails # here
                      kinds.feature:7:5: Then the outcome is "silent"
                        record 1 is delivered, not silent
                  ✗ Kinds <&> › has a step that there is not  undefined
                      kinds.feature:11:5: Then the outcome was "delivered"
                        there is no such step; it was read as: the outcome was {string}
                          did you mean: the outcome is {string}
                  ? Kinds <&> › has no steps  has no steps

                4 scenarios (1 passed, 1 pending, 1 undefined, 1 failed), 7 steps (4 passed, 1 skipped, 1 undefined, 1 failed)

                """)
        #expect(output.stderr.isEmpty)
        #expect(output.status == 1)
    }

    @Test func `the TAP report has a line a scenario, the plan at the end, and a block a failure`() throws {
        let output = try folder().pushpipe("test", "--format", "tap", "kinds.feature")
        #expect(
            output.text == ##"""
                TAP version 13
                ok 1 - Kinds <&> › passes
                not ok 2 - Kinds <&> › fails \# here
                  ---
                  message: "record 1 is delivered, not silent"
                  severity: "failed"
                  step: "Then the outcome is \"silent\""
                  at:
                    file: "kinds.feature"
                    line: 7
                    column: 5
                  ...
                not ok 3 - Kinds <&> › has a step that there is not
                  ---
                  message: "there is no such step; it was read as: the outcome was {string}\n  did you mean: the outcome is {string}"
                  severity: "undefined"
                  step: "Then the outcome was \"delivered\""
                  at:
                    file: "kinds.feature"
                    line: 11
                    column: 5
                  ...
                not ok 4 - Kinds <&> › has no steps # TODO no steps
                1..4

                """##)
        #expect(output.status == 1)
    }

    @Test func `the JUnit report is XML with a suite a file and a case a scenario`() throws {
        let folder = try folder()
        try folder.write(
            "Feature: Control\u{1} characters\nScenario Outline: same\n* <n>\nExamples:\n|n|\n|1|\n|2|\n",
            to: "b.feature")
        let output = try folder.pushpipe("test", "--format", "junit", "kinds.feature", "b.feature")
        let document = try XMLDocument(data: output.stdout)
        let root = try #require(document.rootElement())
        func attribute(_ element: XMLElement, _ name: String) -> String? {
            element.attribute(forName: name)?.stringValue
        }
        #expect(attribute(root, "tests") == "6")
        #expect(attribute(root, "failures") == "4")
        #expect(attribute(root, "skipped") == "1")
        let suites = root.elements(forName: "testsuite")
        #expect(suites.map { attribute($0, "name") } == ["Kinds <&>", "Control\u{FFFD} characters"])
        #expect(suites.map { attribute($0, "file") } == ["kinds.feature", "b.feature"])
        let cases = suites.flatMap { $0.elements(forName: "testcase") }
        #expect(
            cases.map { attribute($0, "name") } == [
                "passes", "fails # here", "has a step that there is not", "has no steps", "same (line 6)",
                "same (line 7)",
            ])
        #expect(cases.allSatisfy { Double(attribute($0, "time") ?? "") != nil })
        let failures = cases.map { $0.elements(forName: "failure").first.flatMap { attribute($0, "type") } }
        #expect(failures == [nil, "failed", "undefined", nil, "undefined", "undefined"])
        #expect(cases[3].elements(forName: "skipped").count == 1)
        #expect(
            cases[1].elements(forName: "system-out").first?.stringValue == """
                passed: When a push '{"aps":{"alert":"A"}}' arrives
                failed: Then the outcome is "silent"
                skipped: And the screen of "default" is empty

                """)
        #expect(output.status == 1)
    }

    @Test func `two runs write the same`() throws {
        let folder = try folder()
        for format in ["text", "tap"] {
            let runs = try (0..<2).map { _ in try folder.pushpipe("test", "--format", format, "kinds.feature").stdout }
            #expect(runs[0] == runs[1])
        }
    }

    // MARK: - Dry runs, and what is not Gherkin

    @Test func `a dry run passes when there are all steps, and runs none`() throws {
        let text = "Feature: f\nScenario: s\nThen the outcome is \"silent\"\n"
        let output = try folder(text).pushpipe("test", "--dry-run", "--format", "tap", "kinds.feature")
        #expect(output.text == "TAP version 13\nok 1 - f › s # SKIP dry run\n1..1\n")
        #expect(output.status == 0)
    }

    @Test func `a dry run fails on a step that there is not, and suggests what was meant`() throws {
        let output = try folder().pushpipe("test", "--dry-run", "kinds.feature")
        #expect(output.text.contains("did you mean: the outcome is {string}"))
        #expect(output.text.contains("4 scenarios (2 skipped, 1 pending, 1 undefined)"))
        #expect(output.status == 1)
    }

    @Test(arguments: [[], ["--dry-run"]])
    func `what is not Gherkin is told with line and column, and nothing is run`(options: [String]) throws {
        let folder = try folder()
        try folder.write("{\"aps\":{}}\n", to: "payload.feature")
        try folder.write("Feature: f\nScenario: s\n  Given x\n  words\n  @a b\n", to: "bad.feature")
        let output = try folder.pushpipe(
            arguments: ["test"] + options + ["kinds.feature", "payload.feature", "bad.feature"])
        #expect(output.text.isEmpty)
        #expect(
            output.stderr == """
                payload.feature:1:1: expected: #EOF, #Language, #TagLine, #FeatureLine, #Comment, #Empty, got '{"aps":{}}'
                bad.feature:4:3: expected: #EOF, #TableRow, #DocStringSeparator, #StepLine, #TagLine, #ExamplesLine, \
                #ScenarioLine, #RuleLine, #Comment, #Empty, got 'words'
                bad.feature:5:3: A tag may not contain whitespace
                bad.feature:5:3: expected: #EOF, #TableRow, #DocStringSeparator, #StepLine, #TagLine, #ExamplesLine, \
                #ScenarioLine, #RuleLine, #Comment, #Empty, got '@a b'

                """)
        #expect(output.status == 2)
    }

    // MARK: - What is run

    private static let three = "Feature:\n@a\nScenario: 1\n@b\nScenario: 2\nScenario: 3"

    /// Of `not ok 1 - NAME # TODO no steps`.
    private static func names(_ output: Output) -> [String] {
        output.lines.filter { $0.hasPrefix("not ok") }.map { line in
            String(line.split(separator: " ", maxSplits: 4).last?.prefix { $0 != " " } ?? "")
        }
    }

    @Test func `files below a directory are found in order, and a file that is named twice is run once`() throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.path("d/sub"), withIntermediateDirectories: true)
        for name in ["d/b.feature", "d/a.feature", "d/sub/c.feature", "d/.hidden.feature", "d/notes.txt"] {
            try folder.write("Feature: \(name)\nScenario: s\n", to: name)
        }
        let output = try folder.pushpipe("test", "--format", "tap", "d/sub/c.feature", "d")
        #expect(
            output.lines.dropFirst().dropLast() == [
                "not ok 1 - d/sub/c.feature › s # TODO no steps", "not ok 2 - d/a.feature › s # TODO no steps",
                "not ok 3 - d/b.feature › s # TODO no steps",
            ])
        #expect(output.status == 0)
    }

    @Test func `standard input is read when no file is named`() throws {
        let output = try Folder().pushpipe(
            "test", "--format", "tap", stdin: "Feature: f\nScenario: s\n* a push '{}' arrives\n")
        #expect(output.text == "TAP version 13\nok 1 - f › s\n1..1\n")
        #expect(try Folder().pushpipe("test", "-", stdin: "x").stderr.hasPrefix("<stdin>:1:1: expected: "))
    }

    @Test(arguments: [
        (["--tags", "@a"], ["1"]), (["--tags", "not @a"], ["2", "3"]), (["--tags", "@a or @b"], ["1", "2"]),
        (["--name", "3"], ["3"]),
        (["--name", "1", "--name", "2", "--tags", "@b"], ["2"]), ([], ["1", "2", "3"]),
    ])
    func `scenarios are chosen by tags and names`(options: [String], names: [String]) throws {
        let folder = try folder(Self.three)
        let output = try folder.pushpipe(arguments: ["test", "--format", "tap"] + options + ["kinds.feature"])
        #expect(Self.names(output) == names)
    }

    @Test func `scenarios are chosen by lines`() throws {
        let folder = try folder(Self.three)
        #expect(Self.names(try folder.pushpipe("test", "--format", "tap", "kinds.feature:2:6")) == ["1", "3"])
        try folder.write("Feature:\nScenario: 4\nScenario: 5\n", to: "a:1")
        #expect(Self.names(try folder.pushpipe("test", "--format", "tap", "a:1:3")) == ["5"])
        #expect(try folder.pushpipe("test", "none.feature:2").stderr == "none.feature:2: No such file or directory\n")
    }

    @Test func `with --fail-fast nothing is run behind the first failure`() throws {
        let output = try folder().pushpipe("test", "--fail-fast", "kinds.feature")
        #expect(output.text.hasSuffix("2 scenarios (1 passed, 1 failed), 5 steps (3 passed, 1 skipped, 1 failed)\n"))
        #expect(output.status == 1)
    }

    @Test(arguments: [
        ["--tags", "@a and"], ["--tags", "@a @b"], ["--format", "markdown"], ["--list-steps", "--dry-run"], ["-", "-"],
        ["--list-steps", "--format", "tap"], ["missing.feature"], ["."],
    ])
    func `wrong usage, and files that cannot be read, end with 2`(arguments: [String]) throws {
        let output = try Folder().pushpipe(arguments: ["test"] + arguments)
        #expect(output.status == 2)
        #expect(output.text.isEmpty)
        #expect(!output.stderr.isEmpty)
    }

    // MARK: - Steps

    @Test func `the page of steps is what --list-steps prints`() throws {
        let page = try String(
            contentsOf: Place.package.appendingPathComponent("Documentation/reference/steps.md"), encoding: .utf8)
        #expect(try Folder().pushpipe("test", "--list-steps", "--format", "markdown").text == page)
    }

    @Test func `each step's example is a step, and each has one`() throws {
        let page = try Folder().pushpipe("test", "--list-steps", "--format", "markdown").text
        let examples = page.components(separatedBy: "\n```gherkin\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
        #expect(examples.count == page.components(separatedBy: "\n### ").count - 1)
        let text = "Feature: f\nScenario: s\n" + examples.joined(separator: "\n") + "\n"
        let output = try Folder().pushpipe("test", "--dry-run", stdin: text)
        #expect(output.status == 0, "\(output.text)")
        #expect(output.text.hasSuffix("1 scenario (1 skipped), \(examples.count) steps (\(examples.count) skipped)\n"))
    }

    @Test func `the example of the documentation goes as it is shown`() throws {
        let path = Place.package.appendingPathComponent("Documentation/guides/scenarios.md")
        let page = try String(contentsOf: path, encoding: .utf8)
        func block(_ start: String) throws -> String {
            let rest = try #require(page.components(separatedBy: start).dropFirst().first)
            return try #require(rest.components(separatedBy: "\n```\n").first) + "\n"
        }
        let output = try folder(try block("\n```gherkin\n"), name: "dinner.feature").pushpipe("test", "dinner.feature")
        #expect(output.text == (try block("\n```console\n$ pushpipe test dinner.feature\n")))
    }

    @Test func `the samples pass`() throws {
        let output = try Folder().pushpipe("test", Place.samples.appendingPathComponent("Scenarios").path)
        #expect(output.status == 0, "\(output.text)")
        #expect(output.text.contains("146 scenarios (146 passed)"))
    }

    /// Each step of the vocabulary, where it does not hold.
    @Test(arguments: [
        ("Then the outcome is \"delivered\"", "no push has arrived yet"),
        ("When the following push arrives:\n\"\"\"\n\"\"\"", "there is no record in the text below the step"),
        ("Then the outcome of record 2 is \"silent\"", "there is no record 2; records so far: 0"),
        ("\(push)\nThen the outcome is \"gone\"", "there is no outcome \"gone\"; the outcomes are delivered, "),
        ("\(push)\nThen every outcome is \"silent\"", "record 1 is delivered, not silent"),
        ("\(push)\nThen the provider answers 400", "the status of record 1 is 200, not 400"),
        ("\(push)\nThen the provider answers 413 PayloadTooLarge", "record 1 is delivered, not 413 PayloadTooLarge"),
        ("\(push)\nThen the notification replaces record 1", "record 1 replaces nothing; it is delivered"),
        (
            "When a push '{\"device\":\"anna\",\"payload\":{\"aps\":{\"alert\":\"A\"}}}' arrives\nThen the notification replaces nothing",
            "record 1 shows nothing; it is rejected (400 BadDeviceToken)"
        ),
        ("\(push)\nThen the identifier is \"a\"", "the identifier of record 1 is \"push-1\", not \"a\""),
        (
            "\(push)\nThen the provider is told to go on with \"b\"", "the answer to record 1 names no other token"
        ),
        ("\(push)\nThen the screen of \"anna\" shows 1 notification", "the screen of \"anna\" shows 0, not 1"),
        ("\(push)\nThen the screen of \"default\" is empty", "the screen of \"default\" shows 1"),
        ("\(push)\nThen the screen of \"default\" shows:\n|body|\n|B|", "the screen has other rows:"),
        (
            "\(push)\nThen the screen of \"default\" shows:\n|colour|\n|B|",
            "there is no column \"colour\"; the columns are app, "
        ),
        ("\(push)\nThen the screen of \"default\" shows:\n|\n|", "the table's first row names no column"),
        ("Then the journal of \"default\" is:\n|event|\n|removed|", "the journal has nothing:"),
        ("When a push '{' arrives\nThen the outcome is \"delivered\"", "record 1 is malformed (json.syntax: "),
    ])
    func `a step that does not hold says what there is`(steps: String, message: String) throws {
        let output = try Folder().pushpipe("test", stdin: "Feature: f\nScenario: s\n\(steps)\n")
        #expect(output.lines.dropFirst(3).first?.hasPrefix("        \(message)") == true, "\(output.text)")
        #expect(output.status == 1)
    }

    private static let push = "When a push '{\"aps\":{\"alert\":\"A\"}}' arrives"
}
