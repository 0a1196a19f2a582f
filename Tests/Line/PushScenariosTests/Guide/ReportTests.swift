import PushScenarios
import Testing

struct ReportTests {
    @Test func `dinner becomes a report`() async throws {
        var suite = try DinnerTests.suite()
        suite.stopsAtFirstFailure = true
        var report = ScenarioReport(.tap)
        var text = ""
        let summary = try await suite.run { result in report.add(result, to: &text) }
        report.finish(to: &text)
        #expect(text.hasPrefix("TAP version 13\nok 1 - Dinner › A call to dinner is shown\n"))
        #expect(summary.text == "2 scenarios (2 passed), 4 steps (4 passed)")
    }
}
