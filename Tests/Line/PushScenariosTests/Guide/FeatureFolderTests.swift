import Foundation
import PushScenarios
import Testing

struct FeatureFolderTests {
    static func suite() throws -> ScenarioSuite {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Features")
        let selection = ScenarioSelection(tags: try TagExpression("@app and not @slow"))
        return try ScenarioSuite(FeatureFile.read([folder.path]), steps: .pushes(), selection: selection)
    }

    @Test(arguments: try FeatureFolderTests.suite().scenarios)
    func `the app does what the files say`(_ scenario: Scenario) async throws { try await scenario.run() }
}
