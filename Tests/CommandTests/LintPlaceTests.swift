import Foundation
import Testing

/// Where `pushpipe lint` finds records, and where it says that findings are.
struct LintPlaceTests {
    /// Line, column, end column and offset of each finding of one rule.
    private func places(_ text: some Collection<UInt8>, rule: String, _ options: [String] = []) throws -> [[Int]] {
        let folder = try Folder()
        try folder.write(text, to: "in")
        let output = try folder.pushpipe(arguments: ["lint", "--format", "json"] + options + ["in"])
        return try output.json().filter { $0["rule"] == .string(rule) }.map { finding in
            ["line", "column", "endColumn", "offset"].map { key in
                if case .number(let number)? = finding[key] { Int(number) } else { -1 }
            }
        }
    }

    private func places(_ text: String, rule: String = "aps.misspelled-key") throws -> [[Int]] {
        try places(Array(text.utf8), rule: rule)
    }

    private let wrong = #"{"aps":{"alert":"Hi","mutable_content":1}}"#

    @Test func `lines count on from record to record, CRLF and blank lines among them`() throws {
        #expect(try places("\(wrong)\r\n\r\n\(wrong)\r\n") == [[1, 22, 39, 21], [3, 22, 39, 67]])
    }

    @Test func `a byte-order mark takes three bytes and no column`() throws {
        #expect(try places("\u{FEFF}\(wrong)\n") == [[1, 22, 39, 24]])
    }

    @Test func `columns are Unicode scalars`() throws {
        #expect(try places(#"{"aps":{"alert":"Größe 日本 👍🏽","mutable_content":1}}"#) == [[1, 31, 48, 42]])
    }

    @Test func `a byte that is not UTF-8 is a column`() throws {
        let text = Array(#"{"aps":{"alert":"é"#.utf8) + [0xFF] + Array(#""}}"#.utf8)
        #expect(try places(text, rule: "json.invalid-utf8") == [[1, 19, 20, 19]])
    }

    @Test func `a place in the JSON that a string holds is one of the file`() throws {
        #expect(
            try places(#"{"payload":"{\"aps\":{\"alert\":\"Hi\",\"mutable_content\":1}}"}"#) == [[1, 40, 59, 39]])
    }

    @Test func `several values on one line are records of their own`() throws {
        #expect(try places(wrong + wrong) == [[1, 22, 39, 21], [1, 64, 81, 63]])
    }

    @Test func `sequences and NUL separators are read as they are asked for`() throws {
        let sequence = try places(
            Array("\u{1E}\(wrong)\n\u{1E}\(wrong)\n".utf8), rule: "aps.misspelled-key", ["--framing", "seq"])
        #expect(sequence.map { $0[0] } == [1, 2])
        let separated = try places(
            Array("\(wrong)\0\(wrong)\0".utf8), rule: "aps.misspelled-key", ["--framing", "nul"])
        #expect(separated.map { $0[3] } == [21, 64])
    }

    @Test func `a record over the limit is a finding`() throws {
        let limited = try places(Array("{}\n\(wrong)\n".utf8), rule: "record.too-long", ["--max-record", "20"])
        #expect(limited == [[2, 1, 2, 3]])
    }

    // MARK: - Broken records

    /// How many records have findings.
    private func records(_ text: String) throws -> Set<JSONValue> {
        let numbers = try Folder().pushpipe("lint", "--format", "json", stdin: text).values("record")
        return Set(numbers.compactMap { $0 })
    }

    @Test(arguments: [
        "{ 'aps': {\n  \"alert\": \"x\"\n}\n}\n",
        "{\n  \"aps\": {\n    'alert': \"x\",\n  }\n}\n",
        "{\n  \"aps\": {\n    \"alert\": \"x\"\n  }}\n}\n",
        "{\n  \"aps\": {\n    \"alert\": \"x\n  }\n",
        "// A comment.\n{\n  \"aps\": {\n    \"alert\": \"x\"\n  }\n}\n",
        "/* A comment\n   of two lines */\n{\n  \"aps\": {\n    \"alert\": \"x\"\n  }\n}\n",
        "{ aps:\n{\n\"alert\": \"x\"\n}\n}\n",
    ])
    func `a broken value over several lines is one record`(text: String) throws {
        #expect(try records(text) == [.number(1)])
    }

    @Test func `broken lines are records of their own`() throws {
        #expect(try records("{'aps':{}}\n{'aps':{}}\n{\"aps\":\n") == [.number(1), .number(2), .number(3)])
        #expect(try records("\(LintOutputTests.good)\nrubbish\n\(LintOutputTests.good)\n") == [.number(2)])
    }
}

extension JSONValue: Hashable {
    func hash(into hasher: inout Hasher) { hasher.combine("\(self)") }
}
