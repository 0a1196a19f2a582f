import Foundation
import Testing

/// Reports of texts that nobody expects in a step.
struct ScenarioReportTests {
    private func run(_ steps: String, _ options: String...) throws -> Output {
        try Folder().pushpipe(arguments: ["test"] + options, stdin: Array("Feature: f\nScenario: s\n\(steps)\n".utf8))
    }

    @Test func `a step of megabytes is cut short in every report`() throws {
        for format in ["text", "tap", "junit"] {
            for word in ["x", "e\u{301}\u{302}", "<&\u{1}"] {
                let long = String(repeating: word, count: 1_000_000)
                let output = try run("* \(long)\n* a push '\(long)' arrives", "--format", format)
                #expect(output.text.contains("…"))
                #expect(output.stdout.count < 20_000, "\(output.stdout.count)")
                #expect(output.status == 1)
            }
        }
    }

    @Test func `a step that is as long as a report quotes is quoted whole`() throws {
        let keyword = "Given "
        let whole = String(repeating: "x", count: 300 - keyword.count)
        #expect(try run(keyword + whole).text.contains(": \(keyword)\(whole)\n"))
        #expect(try run(keyword + whole + "y").text.contains(": \(keyword)\(whole)…\n"))
    }

    @Test func `what YAML cannot hold is escaped in the TAP report`() throws {
        let codes: [UInt32] = [0x7F, 0x80, 0x85, 0xFFFE, 0x1FFFF, 0xFDD0, 0x2028, 0xFEFF, 0xE9, 0x1F600, 0x5C]
        let text = String(String.UnicodeScalarView(codes.compactMap(Unicode.Scalar.init)))
        let output = try run("* \(text)", "--format", "tap")
        #expect(
            output.text.contains(
                "  step: \"* \\x7f\\x80\\x85\\ufffe\\U0001ffff\\ufdd0\\u2028\\ufeffé😀\\\\\"\n"), "\(output.text)")
    }
}
