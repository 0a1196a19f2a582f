import PushJSON
import PushModel
import PushText
import Testing

@testable import PushLint
@testable import PushLintFiles

struct BudgetReportTests {
    private func budgets(_ record: String) -> [BudgetReport] { Linter().budgets(of: record) }

    @Test func `an APNs payload counts every byte, and its members and the rest add up`() throws {
        let payload = #"{ "aps": {"alert":{"body":"H\u00fc"},"badge":1},"id":7}"#
        let report = try #require(budgets(payload).first)
        #expect(report.bytes == payload.utf8.count)
        #expect(report.limit == 4096)
        #expect(report.left == 4096 - payload.utf8.count)
        #expect(report.entries.map(\.pointer) == ["/aps", "/aps/alert", "/aps/alert/body", "/aps/badge", "/id"])
        #expect(report.entries[2].bytes == #""body":"H\u00fc""#.utf8.count)
        let outermost = report.entries.filter { $0.depth == 0 }.reduce(0) { $0 + $1.bytes }
        #expect(outermost + report.punctuation == report.bytes)
        #expect(report.whitespace == 2)
        #expect(report.escapes == 4)  // Six bytes for two.
    }

    @Test func `a payload in a string is measured in its sent form`() throws {
        let report = try #require(budgets(#"{"payload":"{\"aps\":{\"alert\":\"Hi\"}}"}"#).first)
        #expect(report.bytes == #"{"aps":{"alert":"Hi"}}"#.utf8.count)
        #expect(report.entries.map(\.name) == ["aps", "alert"])
    }

    @Test func `a message for Android counts keys and values of notification and data`() throws {
        let report = try #require(
            budgets(#"{"message":{"token":"abc","notification":{"title":"Hi"},"data":{"n":"12"}}}"#).first)
        #expect(report.bytes == "titleHi".utf8.count + "n12".utf8.count)
        #expect(report.entries.map(\.pointer) == ["/notification", "/notification/title", "/data", "/data/n"])
        #expect(report.punctuation == 0)
    }

    @Test(arguments: [40, 52, 64, 100]) func `bars and names stay within the terminal`(columns: Int) throws {
        let name = String(repeating: "name", count: 30)
        let report = try #require(budgets(#"{ "aps":{"alert":{"title":"H\u00fc"}},"\#(name)":{"inner":7}}"#).first)
        var text = ByteBuffer()
        BudgetText(style: TextStyle(hasColors: false, columns: columns)).append(
            report, file: "a.json", line: 1, to: &text)
        let lines = String(decoding: text.bytes, as: UTF8.self).lines
        for line in lines { #expect(TerminalText.width(line) <= columns, "\(line)") }
        #expect(lines.contains { $0.hasSuffix("  aps") })
        #expect(lines.contains { $0.contains("namename") })
    }

    @Test func `at most 256 members are listed`() {
        for (count, listed) in [(255, 256), (256, 256)] {
            let keys = (0..<count).map { #""k\#($0)":1"# }.joined(separator: ",")
            #expect(budgets(#"{"aps":{},\#(keys)}"#).first?.entries.count == listed)
        }
    }

    @Test func `each target has a report, and a malformed record has none`() {
        #expect(budgets(#"{"registration_ids":["a1","b2"],"data":{"n":"1"}}"#).map(\.target) == [0, 1])
        #expect(budgets("{").isEmpty)
    }
}
