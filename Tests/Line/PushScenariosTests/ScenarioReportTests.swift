import Foundation
import PushScenarios
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Reports of a run, in each form.
struct ScenarioReportTests {
    /// One scenario of each kind.
    static let feature = """
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

    @Test func `the text report lists each scenario, and steps that do not hold`() throws {
        let trial = try ScenarioTrial(Self.feature, named: "kinds.feature")
        #expect(
            trial.text == """
                kinds.feature
                  ✓ Kinds <&> › passes
                  ✗ Kinds <&> › fails # here
                      kinds.feature:7:5: Then the outcome is "silent"
                        record 1 is delivered, not silent
                  ✗ Kinds <&> › has a step that there is not  undefined
                      kinds.feature:11:5: Then the outcome was "delivered"
                        no step matches; it was read as: the outcome was {string}
                          did you mean: the outcome is {string}
                  ? Kinds <&> › has no steps  has no steps

                4 scenarios (1 passed, 1 pending, 1 undefined, 1 failed), 7 steps (4 passed, 1 skipped, 1 undefined, 1 failed)

                """)
        #expect(trial.summary.hasFailure)
    }

    @Test func `the TAP report has a line a scenario, the plan at the end, and a block a failure`() throws {
        let trial = try ScenarioTrial(Self.feature, named: "kinds.feature", .tap)
        #expect(
            trial.text == ##"""
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
                  message: "no step matches; it was read as: the outcome was {string}\n  did you mean: the outcome is {string}"
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
        #expect(trial.summary.hasFailure)
    }

    @Test func `the JUnit report is XML with a suite a file and a case a scenario`() throws {
        let other = "Feature: Control\u{1} characters\nScenario Outline: same\n* <n>\nExamples:\n|n|\n|1|\n|2|\n"
        let trial = try ScenarioTrial(
            [FeatureFile(Self.feature, name: "kinds.feature"), FeatureFile(other, name: "b.feature")], .junit)
        let document = try XMLDocument(data: Data(trial.text.utf8))
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
        #expect(trial.summary.hasFailure)
    }

    @Test func `GitHub's commands annotate the steps that did not pass`() throws {
        let trial = try ScenarioTrial(Self.feature, named: "kinds.feature", .github)
        #expect(
            trial.text == #"""
                ::error file=kinds.feature,line=7,col=5,title=Kinds <&> › fails # here::Then the outcome is "silent"%0Arecord 1 is delivered, not silent
                ::error file=kinds.feature,line=11,col=5,title=Kinds <&> › has a step that there is not::Then the outcome was "delivered"%0Ano step matches; it was read as: the outcome was {string}%0A  did you mean: the outcome is {string}

                """#)
    }

    @Test func `Azure's commands have the step's place, too`() throws {
        let text = try ScenarioTrial(Self.feature, named: "kinds.feature", .azure).text
        #expect(
            text.hasPrefix(
                "##vso[task.logissue type=error;sourcepath=kinds.feature;linenumber=7;columnnumber=5;"
                    + "code=Kinds <&> › fails # here;]Then the outcome is"), "\(text)")
    }

    @Test func `two runs write the same`() throws {
        for format in [ScenarioReport.Format.text, .tap, .github] {
            let runs = try (0..<2).map { _ in try ScenarioTrial(Self.feature, format).text }
            #expect(runs[0] == runs[1])
        }
    }
}
