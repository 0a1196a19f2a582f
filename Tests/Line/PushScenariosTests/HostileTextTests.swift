import PushScenarios
import TestSupport
import Testing

/// Reports of texts that nobody expects in a step.
struct HostileTextTests {
    private func run(_ steps: String, _ format: ScenarioReport.Format = .text) throws -> ScenarioTrial {
        try ScenarioTrial(steps: steps, format)
    }

    @Test func `a step of megabytes is cut short in every report`() throws {
        for format in ScenarioReport.Format.allCases {
            for word in ["x", "e\u{301}\u{302}", "<&\u{1}"] {
                let long = String(repeating: word, count: Effort.rounds(1_000_000, fast: 100_000))
                let trial = try run("* \(long)\n* a push '\(long)' arrives", format)
                #expect(trial.text.contains("…"))
                #expect(trial.text.utf8.count < 20_000, "\(trial.text.utf8.count)")
                #expect(trial.summary.hasFailure)
            }
        }
    }

    @Test func `a step that is as long as a report quotes is quoted whole`() throws {
        let keyword = "Given "
        let whole = String(repeating: "x", count: 300 - keyword.count)
        #expect(try run(keyword + whole).text.contains(": \(keyword)\(whole)\n"))
        #expect(try run(keyword + whole + "y").text.contains(": \(keyword)\(whole)…\n"))
    }

    @Test(arguments: ScenarioReport.Format.allCases.filter { $0 != .text })
    func `no report for machines shows a text in another order`(format: ScenarioReport.Format) throws {
        for code in [0x061C, 0x200E, 0x200F, 0x202A, 0x202E, 0x2066, 0x2069] as [UInt32] {
            let control = try #require(Unicode.Scalar(code))
            let feature = "Feature: f\(control)\n Scenario: s\(control)t\n  Given nothing \(control) of this\n"
            let text = try ScenarioTrial(feature, named: "a\(control).feature", format).text
            #expect(text.contains("nothing"))
            #expect(!text.unicodeScalars.contains(control), "\(text)")
        }
    }

    @Test func `what YAML cannot hold is escaped in the TAP report`() throws {
        let codes: [UInt32] = [0x7F, 0x80, 0x85, 0xFFFE, 0x1FFFF, 0xFDD0, 0x2028, 0xFEFF, 0xE9, 0x1F600, 0x5C]
        let text = String(String.UnicodeScalarView(codes.compactMap(Unicode.Scalar.init)))
        let trial = try run("* \(text)", .tap)
        #expect(
            trial.text.contains(
                "  step: \"* \\x7f\\x80\\x85\\ufffe\\U0001ffff\\ufdd0\\u2028\\ufeffé😀\\\\\"\n"), "\(trial.text)")
    }
}
