import PushFraming
import PushJSON
import Testing

@testable import PushLint

/// Where the linter finds records in a text, and the positions of its findings.
struct PlaceTests {
    /// Line, column, end column and offset of each finding of one rule.
    private func places(_ text: [UInt8], rule: String, _ linter: TextLinter = TextLinter()) -> [[Int]] {
        let file = LintedFile(name: "in", bytes: text, diagnostics: linter.lint(text).diagnostics)
        return file.diagnostics.filter { $0.rule.id.text == rule }.map { finding in
            let start = file.positions[finding.range.lowerBound]
            let end = file.positions[finding.range.upperBound]
            return [start.line, start.column, end.column, finding.range.lowerBound]
        }
    }

    private func places(_ text: String, rule: String = "aps.misspelled-key") -> [[Int]] {
        places(Array(text.utf8), rule: rule)
    }

    private let wrong = Payload.misspelled

    @Test func `line numbers continue across records, including CRLF and blank lines`() {
        #expect(places("\(wrong)\r\n\r\n\(wrong)\r\n") == [[1, 22, 39, 21], [3, 22, 39, 67]])
    }

    @Test func `a byte-order mark counts as three bytes and no column`() {
        #expect(places("\u{FEFF}\(wrong)\n") == [[1, 22, 39, 24]])
    }

    @Test func `columns are Unicode scalars`() {
        #expect(places(#"{"aps":{"alert":"Größe 日本 👍🏽","mutable_content":1}}"#) == [[1, 31, 48, 42]])
    }

    @Test func `a byte that is not UTF-8 counts as a column`() {
        let text = Array(#"{"aps":{"alert":"é"#.utf8) + [0xFF] + Array(#""}}"#.utf8)
        #expect(places(text, rule: "json.invalid-utf8") == [[1, 19, 20, 19]])
    }

    @Test func `a position in JSON inside a string is mapped to the file`() {
        #expect(places(#"{"payload":"{\"aps\":{\"alert\":\"Hi\",\"mutable_content\":1}}"}"#) == [[1, 40, 59, 39]])
    }

    @Test func `several values on one line are separate records`() {
        #expect(places(wrong + wrong) == [[1, 22, 39, 21], [1, 64, 81, 63]])
    }

    @Test func `sequences and NUL separators are read on request`() {
        let sequence = places(
            Array("\u{1E}\(wrong)\n\u{1E}\(wrong)\n".utf8), rule: "aps.misspelled-key", TextLinter(framing: .seq))
        #expect(sequence.map { $0[0] } == [1, 2])
        let separated = places(
            Array("\(wrong)\0\(wrong)\0".utf8), rule: "aps.misspelled-key", TextLinter(framing: .nul))
        #expect(separated.map { $0[3] } == [21, 64])
    }

    @Test func `a record over the limit is a finding`() {
        let limited = places(
            Array("{}\n\(wrong)\n".utf8), rule: "record.too-long", TextLinter(maximumRecordBytes: 20))
        #expect(limited == [[2, 1, 2, 3]])
    }

    // MARK: - Broken records

    /// How many records have findings.
    private func records(_ text: String) -> Set<Int> { Set(TextLinter().lint(text).diagnostics.map(\.record)) }

    @Test(arguments: [
        "{ 'aps': {\n  \"alert\": \"x\"\n}\n}\n",
        "{\n  \"aps\": {\n    'alert': \"x\",\n  }\n}\n",
        "{\n  \"aps\": {\n    \"alert\": \"x\"\n  }}\n}\n",
        "{\n  \"aps\": {\n    \"alert\": \"x\n  }\n",
        "// A comment.\n{\n  \"aps\": {\n    \"alert\": \"x\"\n  }\n}\n",
        "/* A comment\n   of two lines */\n{\n  \"aps\": {\n    \"alert\": \"x\"\n  }\n}\n",
        "{ aps:\n{\n\"alert\": \"x\"\n}\n}\n",
    ])
    func `a broken value over several lines is one record`(text: String) {
        #expect(records(text) == [1])
    }

    @Test func `broken lines are separate records`() {
        #expect(records("{'aps':{}}\n{'aps':{}}\n{\"aps\":\n") == [1, 2, 3])
        #expect(records("\(Payload.good)\nrubbish\n\(Payload.good)\n") == [2])
    }
}
