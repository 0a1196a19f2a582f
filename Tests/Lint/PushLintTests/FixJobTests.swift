import Foundation
import TestSupport
import Testing

@testable import PushLint
@testable import PushLintFiles

/// What a job that fixes files writes and what it leaves unchanged.
struct FixJobTests {
    private let wrong = Payload.misspelled
    private let right = Payload.fixed

    @Test func `all other bytes and the file mode are unchanged`() throws {
        let text = "\t\(wrong) \r\n\r\n  {\"aps\" : {\"alert\":\"\\u0048i\"}}\r\n\(wrong)"
        let folder = try LintFolder(["in.ndjson": text])
        #expect(chmod(folder.path("in.ndjson"), 0o640) == 0)
        let output = try folder.run("in.ndjson") { $0.fixing = .write }
        #expect(output.outcome == LintJob.Outcome())
        #expect(output.results.isEmpty)
        #expect(output.notes == "2 findings fixed in 1 file; nothing left in 1 file\n")
        #expect(try Data(folder.read("in.ndjson").utf8) == Data(text.replacing(wrong, with: right).utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path("in.ndjson"))[.posixPermissions]
        #expect(mode as? Int == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["in.ndjson"])
    }

    @Test func `a byte-order mark is reported, and stays`() throws {
        let text = "\u{FEFF}" + right + "\n"
        let folder = try LintFolder(["in.json": text])
        #expect(try folder.run("in.json") { $0.format = .ndjson }.findings().map(\.rule) == ["json.byte-order-mark"])
        _ = try folder.run("in.json") { $0.fixing = .write }
        #expect(try Data(folder.read("in.json").utf8) == Data(text.utf8))
    }

    @Test func `a link stays a link, and its target is fixed`() throws {
        let folder = try LintFolder(["in.json": wrong])
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.json"), withDestinationPath: "in.json")
        #expect(try folder.run("link.json") { $0.fixing = .write }.outcome == LintJob.Outcome())
        #expect(try folder.read("in.json") == right)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link.json")) == "in.json")
    }

    @Test func `fixed standard input goes to the results, and findings go to the notes`() throws {
        let text = "\(wrong)\n{\"aps\":{\"thread-id\":\"t\"}}\n"
        var job = LintJob([nil])
        job.configuration = .none
        job.fixing = .write
        let output = try job.run(CollectedStreams(input: text))
        #expect(output.outcome.errors == 0)
        #expect(output.results == "\(right)\n{\"aps\":{\"thread-id\":\"t\"}}\n")
        #expect(output.notes.contains("<stdin>:2:"))
    }

    @Test func `a dry run shows every change and writes nothing`() throws {
        let line = #"{"aps":{"alert":"Fine"}}"#
        let lines = Array(repeating: line, count: 20)
        let texts = [
            "one.json": wrong,
            "crlf.ndjson": [wrong, line, wrong].joined(separator: "\r\n") + "\r\n",
            "far apart.ndjson": ([wrong] + lines + [wrong] + lines + [wrong]).joined(separator: "\n") + "\n",
            "pretty.json": "{\n  \"aps\": {\n    \"alert\": \"Hi\",\n    \"mutable_content\": 1\n  }\n}",
        ]
        let folder = try LintFolder(texts)
        let output = try folder.run(".") { $0.fixing = .show }
        #expect(output.outcome == LintJob.Outcome())
        for (name, text) in texts { #expect(try folder.read(name) == text) }
        #expect(output.lines.count { $0.hasPrefix("@@ ") } == 6)
        #expect(output.notes == "7 findings would be fixed in 4 files; nothing left in 4 files\n")
    }
}
