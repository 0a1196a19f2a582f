import DeviceScreens
import Foundation
import PayloadJSON
import PushGherkinRunner
import PushModel
import PushPipeline
import PushScenarios
import TestSupport
import Testing

/// The examples of `Documentation/guides/scenarios-library.md`. The page shows exactly the text between each line
/// `// page` and the next line `// end`.
struct LibraryPageTests {
    @Test func `a feature file is parsed and run`() throws {
        // page
        let text = """
            Feature: Dinner
              Scenario: A call to dinner is shown
                When a push '{"aps":{"alert":"Dinner is ready"}}' arrives
                Then the screen of "default" shows 1 notification
              Scenario: A call to nowhere
                When a push '{"aps":{}}' arrives
                Then the outcome is "delivered"
            """
        let suite = ScenarioSuite([try FeatureFile(text, name: "dinner.feature")], steps: try .pushes())
        var failures: [String] = []
        let summary = try suite.run { result in
            guard let failure = result.failure else { return }
            failures.append("\(result.file):\(failure.line): \(failure.message)")
        }
        // end
        #expect(summary.text == "2 scenarios (1 passed, 1 failed), 4 steps (3 passed, 1 failed)")
        #expect(failures == ["dinner.feature:7: record 1 is silent, not delivered"])
    }

    // page
    @Test func `the scenarios hold`() throws {
        let files = try FeatureFile.read(["Samples/Scenarios/taps.feature"].map(inPackage))
        try ScenarioSuite(files, steps: try .pushes()).run { result in
            let message = result.failure?.message ?? ""
            #expect(!result.status.isFailure, "\(result.file):\(result.line): \(message)")
        }
    }
    // end

    @Test func `scenarios are chosen`() throws {
        let text =
            "Feature:\n@a\nScenario: fails\n* a push '{}' arrives\n* the outcome is \"held\"\n@b\nScenario: other\n"
        let files = [try FeatureFile(text, name: "f.feature")]
        // page
        let tags = try TagExpression("@a and not @slow")
        var suite = ScenarioSuite(files, steps: try .pushes(), selection: ScenarioSelection(tags: tags))
        suite.stopsAtFirstFailure = true
        let summary = try suite.run()
        // end
        #expect(summary.scenarios == [.failed: 1])
    }

    @Test func `your own steps work next to the built-in ones`() throws {
        let text = """
            Feature: f
              Scenario: s
                Given pushes that name no device go to "anna"
                And titles that are cut after the first word
                When a push '{"aps":{"alert":{"title":"Lunch today"}}}' arrives
                Then no title on "anna" has more than 5 characters
            """
        let files = [try FeatureFile(text, name: "f.feature")]
        // page
        struct FirstWord: RecordStage {
            func process(_ message: inout PushMessage, context: StageContext) {
                guard let title = message.content.title?.string, let word = title.split(separator: " ").first else {
                    return
                }
                try? context.replace("/aps/alert/title", with: JSONTree(String(word)), in: &message)
            }
        }

        var steps = try StepLibrary.pushes()
        try steps.add(
            .given, "titles that are cut after the first word",
            summary: "As the app's extension does.", example: "Given titles that are cut after the first word"
        ) { world, _ in
            world.configuration.recordStages.insert(FirstWord(), at: 0)
        }
        try steps.add(
            .then, "no title on {string} has more than {int} character(s)",
            summary: "Of all notifications on a device.",
            example: "Then no title on \"anna\" has more than 5 characters"
        ) { world, step in
            let limit = try step.int(1)
            for notification in try world.screen(of: try step.text(0)) {
                guard let title = notification.content.title, title.count > limit else { continue }
                throw StepFailure("\"\(title)\" has \(title.count) characters")
            }
        }
        let suite = ScenarioSuite(files, steps: steps)
        // end
        let summary = try suite.run { #expect($0.failure?.message == nil) }
        #expect(summary.text == "1 scenario (1 passed), 4 steps (4 passed)")
    }

    @Test func `results become a report`() throws {
        let suite = ScenarioSuite(
            [try FeatureFile("Feature: f\nScenario: s\n* a push '{}' arrives\n", name: "f.feature")],
            steps: try .pushes())
        // page
        var report = ScenarioReport(.tap)
        var text = ""
        try suite.run { report.add($0, to: &text) }
        report.finish(to: &text)
        // end
        #expect(text == "TAP version 13\nok 1 - f › s\n1..1\n")
    }

    // MARK: - The page

    @Test func `the page shows these examples`() throws {
        let shown = try packageFile("Documentation/guides/scenarios-library.md")
            .components(separatedBy: "\n```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
            // The manifest of a package.
            .filter { !$0.contains(".package(") }
        #expect(!shown.isEmpty)
        #expect(shown == (try examples()))
    }

    private func examples() throws -> [String] {
        var examples: [String] = []
        var lines: [String]?
        for line in try String(contentsOfFile: #filePath, encoding: .utf8).components(separatedBy: "\n") {
            switch line.trimmingCharacters(in: .whitespaces) {
            case "// page": lines = []
            case "// end":
                let indent = lines?.first?.prefix { $0 == " " }.count ?? 0
                examples.append((lines ?? []).map { String($0.dropFirst(indent)) }.joined(separator: "\n"))
                lines = nil
            default: lines?.append(line)
            }
        }
        return examples
    }
}

/// A path in the package, wherever the tests run.
private func inPackage(_ path: String) -> String { packageFolder.appendingPathComponent(path).path }
