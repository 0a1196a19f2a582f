import Foundation
import Testing

/// `pushpipe lint --budget-report`, and the linter's rules within `pushpipe run`.
struct BudgetReportTests {
    @Test func `a report shows what is left, a bar for each member, and what could be saved`() throws {
        let text = #"{"aps":{"alert":{"body":"Caf\u00e9"}}, "id":7}"#
        let output = try Folder().pushpipe("lint", "--budget-report", stdin: text)
        #expect(output.status == 0)
        let bytes = text.utf8.count
        #expect(output.lines.first == "<stdin>:1: apns, \(bytes) of 4096 bytes, \(4096 - bytes) left")
        let names = output.lines.dropFirst().prefix(5).compactMap { $0.split(separator: " ").last }
        #expect(names == ["aps", "alert", "body", "id", "space)"])
        #expect(output.text.contains("█"))
        #expect(output.text.contains("on one line 1 byte fewer"))
        #expect(output.text.contains("with UTF-8 in place of escapes 4 bytes fewer"))
    }

    @Test func `a message over its limit makes the status 1`() throws {
        let text = #"{"aps":{"alert":"\#(String(repeating: "x", count: 300))"}}"#
        let output = try Folder().pushpipe("lint", "--budget-report", "--budget", "256", stdin: text)
        #expect(output.status == 1)
        #expect(output.lines.first?.hasSuffix("\(text.utf8.count - 256) too many") == true)
    }

    @Test func `as JSON a message is a line, with its place in the file`() throws {
        let folder = try Folder()
        try folder.write("\n{\"aps\":{\"alert\":\"Hi\"}}\n{\"to\":\"a1\",\"data\":{\"n\":\"1\"}}\n", to: "in.ndjson")
        let lines = try folder.pushpipe("lint", "--budget-report", "--format", "json", "in.ndjson").json()
        #expect(lines.map { $0["line"] } == [.number(2), .number(3)])
        #expect(lines.map { $0["bytes"] } == [.number(22), .number(2)])
        #expect(lines.first?["members"]?.elements.map { $0["pointer"] } == [.string("/aps"), .string("/aps/alert")])
    }

    @Test func `what cannot be measured is told, and the rest is measured`() throws {
        let output = try Folder().pushpipe(
            "lint", "--budget-report", stdin: "{\"aps\":\n{\"aps\":{\"alert\":\"Hi\"}}\n")
        #expect(output.stderr.contains("no message to measure"))
    }

    @Test func `it goes with neither --fix nor another form`() throws {
        #expect(try Folder().pushpipe("lint", "--budget-report", "--format", "sarif", stdin: "{}").status == 2)
        #expect(try Folder().pushpipe("lint", "--budget-report", "--fix", "-", stdin: "{}").status == 2)
    }

    @Test func `run --rules adds what the linter finds to the reports, and --fail-on sees it`() throws {
        let text = LintCommandTests.misspelled
        let output = try Folder().pushpipe("run", "-q", "--rules", "--fail-on", "error", stdin: text)
        #expect(output.status == 1)
        let finding = try #require(try output.json().first?["findings"]?.elements.first)
        #expect(finding["rule"] == .string("aps.misspelled-key"))
        #expect(finding["pointer"] == .string("/aps/mutable_content"))
        #expect(try Folder().pushpipe("run", "-q", "--fail-on", "error", stdin: text).status == 0)
    }
}
