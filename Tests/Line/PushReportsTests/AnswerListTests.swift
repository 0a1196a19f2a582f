import Foundation
import PushModel
import PushReports
import TestSupport
import Testing

/// The page of all answers.
struct AnswerListTests {
    /// `make answers` writes it again.
    @Test func `the page is what the tables say`() throws {
        let page = packageFolder.appendingPathComponent("Documentation/reference/answers.md")
        #expect(try String(contentsOf: page, encoding: .utf8) == AnswerList.markdown)
    }

    @Test(arguments: Rejection.allCases) func `every rejection is on the page with its source`(_ rejection: Rejection) {
        let lines = AnswerList.markdown.split(separator: "\n")
        let row = rejection.row
        let line = lines.first { $0.hasPrefix("| `\(row.speaker)` | \(row.status) | `\(row.reason)` |") }
        #expect(line?.hasSuffix(" | \(rejection.source.certainty.rawValue) | \(rejection.source.text) |") ?? false)
    }

    @Test func `each row of a table has as many cells as its head`() {
        for table in AnswerList.markdown.split(separator: "\n\n") where table.hasPrefix("|") {
            let counts = Set(table.split(separator: "\n").map { line in line.count { $0 == "|" } })
            #expect(counts.count == 1, "\(table.prefix(80))")
        }
    }
}
