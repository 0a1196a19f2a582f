import Foundation
import Testing

/// `pushpipe lint --fix`: what it writes, and what it leaves alone.
struct LintFixTests {
    private let wrong = #"{"aps":{"alert":"Hi","mutable_content":1}}"#
    private let right = #"{"aps":{"alert":"Hi","mutable-content":1}}"#

    @Test func `every other byte stays, and so does the mode`() throws {
        let folder = try Folder()
        let text = "\u{FEFF}\t\(wrong) \r\n\r\n  {\"aps\" : {\"alert\":\"\\u0048i\"}}\r\n\(wrong)"
        try folder.write(text, to: "in.ndjson")
        #expect(chmod(folder.path("in.ndjson"), 0o640) == 0)
        let output = try folder.pushpipe("lint", "--fix", "in.ndjson")
        #expect(output.status == 0)
        #expect(output.text.isEmpty)
        #expect(output.stderr == "2 findings mended in 1 file; nothing left in 1 file\n")
        #expect(try Data(folder.read("in.ndjson").utf8) == Data(text.replacing(wrong, with: right).utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path("in.ndjson"))[.posixPermissions]
        #expect(mode as? Int == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["in.ndjson"])
    }

    @Test func `a link stays a link, and what it leads to is mended`() throws {
        let folder = try Folder()
        try folder.write(wrong, to: "in.json")
        #expect(try folder.shell("ln -s in.json link.json; pushpipe lint --fix link.json").status == 0)
        #expect(try folder.read("in.json") == right)
        #expect(try folder.shell("test -L link.json").status == 0)
    }

    @Test func `what is left decides the status`() throws {
        let folder = try Folder()
        try folder.write(#"{"aps":{"alert":"Hi","mutable_content":1},"mutable-content":1}"#, to: "in.json")
        let output = try folder.pushpipe("lint", "--fix", "--format", "json", "in.json")
        #expect(output.status == 1)
        #expect(try output.values("rule") == [.string("payload.aps-key-outside")])
    }

    @Test func `a rule that is left out is not mended`() throws {
        let folder = try Folder()
        try folder.write(wrong, to: "in.json")
        #expect(try folder.pushpipe("lint", "--fix", "--disable", "aps", "in.json").status == 0)
        #expect(try folder.read("in.json") == wrong)
    }

    @Test func `mended text of standard input goes to standard output, and findings elsewhere`() throws {
        let text = "\(wrong)\n{\"aps\":{\"thread-id\":\"t\"}}\n"
        let output = try Folder().pushpipe("lint", "--fix", "-", stdin: text)
        #expect(output.status == 0)
        #expect(output.text == "\(right)\n{\"aps\":{\"thread-id\":\"t\"}}\n")
        #expect(output.stderr.contains("<stdin>:2:"))
    }

    @Test(arguments: [["--fix"], ["--fix", "-", "in.json"], ["--dry-run", "in.json"]])
    func `it says what it needs`(options: [String]) throws {
        let folder = try Folder()
        try folder.write(wrong, to: "in.json")
        let output = try folder.pushpipe(arguments: ["lint"] + options)
        #expect(output.status == 2)
        #expect(try folder.read("in.json") == wrong)
    }

    @Test func `mended text is not mended again`() throws {
        let folder = try Folder()
        try folder.write(wrong, to: "in.json")
        #expect(try folder.pushpipe("lint", "--fix", "in.json").status == 0)
        #expect(try folder.pushpipe("lint", "--fix", "in.json").stderr == "nothing left in 1 file\n")
    }

    @Test func `generated traffic is never made worse`() throws {
        let folder = try Folder()
        #expect(try folder.shell("pushpipe generate --count 300 --malformed-rate 0.3 > in.ndjson").status == 0)
        let before = try folder.pushpipe("lint", "--severity", "info", "--format", "json", "in.ndjson")
        let after = try folder.pushpipe("lint", "--fix", "--severity", "info", "--format", "json", "in.ndjson")
        func errors(_ output: Output) throws -> Int {
            try output.values("severity").count { $0 == .string("error") }
        }
        #expect(try errors(after) <= errors(before))
        #expect(try folder.read("in.ndjson").split(separator: "\n").count == 300)
    }

    // MARK: - Differences

    @Test func `a dry run prints a difference that can be applied, and writes nothing`() throws {
        let folder = try Folder()
        let line = #"{"aps":{"alert":"Fine"}}"#
        let lines = Array(repeating: line, count: 20)
        let texts = [
            "one.json": wrong,
            "crlf.ndjson": [wrong, line, wrong].joined(separator: "\r\n") + "\r\n",
            "far apart.ndjson": ([wrong] + lines + [wrong] + lines + [wrong]).joined(separator: "\n") + "\n",
            "pretty.json": "{\n  \"aps\": {\n    \"alert\": \"Hi\",\n    \"mutable_content\": 1\n  }\n}",
        ]
        for (name, text) in texts { try folder.write(text, to: name) }
        let output = try folder.pushpipe("lint", "--fix", "--dry-run", ".")
        #expect(output.status == 0)
        for (name, text) in texts { #expect(try folder.read(name) == text) }
        #expect(output.lines.count { $0.hasPrefix("@@ ") } == 6)
        try folder.write(Array(output.stdout), to: "diff")
        #expect(try folder.shell("patch --binary -p0 < diff").status == 0)
        for (name, text) in texts {
            let mended = text.replacing("mutable_content", with: "mutable-content")
            #expect(try folder.read(name) == mended, "\(name)")
        }
    }
}
