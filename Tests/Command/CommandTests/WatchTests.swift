import Foundation
import TestSupport
import Testing

/// `pushpipe lint --watch`.
struct WatchTests {
    private static let broken = #"{"aps":{"alert":"Hi",}}"#

    /// Reads lines of the JSON report until one is about this rule in this file. A change may be reported in several steps.
    private func wait(for rule: String, in file: String, _ run: LiveRun) throws {
        while let line = try run.lines(1).first {
            let value = try JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))
            if value["rule"]?.string == rule, value["file"]?.string == file { return }
        }
        Issue.record("the command has ended")
    }

    private func replace(_ name: String, with text: String, in folder: Folder) throws {
        try folder.write(text, to: "\(name)~")
        guard rename(folder.path("\(name)~"), folder.path(name)) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    @Test func `files that change, appear, are renamed and vanish are linted again until Ctrl-C`() throws {
        let folder = try Folder()
        try folder.write(LintCommandTests.misspelled, to: "a.json")
        let run = try LiveRun(["--format", "ndjson"], command: ["lint", "--watch"], in: folder)
        try wait(for: "aps.misspelled-key", in: "a.json", run)
        try folder.write(Self.broken, to: "a.json")
        try wait(for: "json.trailing-comma", in: "a.json", run)
        // As editors save.
        try replace("a.json", with: LintCommandTests.misspelled, in: folder)
        try wait(for: "aps.misspelled-key", in: "a.json", run)
        try FileManager.default.removeItem(atPath: folder.path("a.json"))
        try FileManager.default.createDirectory(atPath: folder.path("new"), withIntermediateDirectories: false)
        try folder.write(Self.broken, to: "b.json")
        try wait(for: "json.trailing-comma", in: "b.json", run)
        // A directory that was not there at the beginning.
        try folder.write(LintCommandTests.misspelled, to: "new/c.ndjson")
        try wait(for: "aps.misspelled-key", in: "new/c.ndjson", run)
        try folder.write("lint:\n  ignore: [aps]\n  rules:\n    json.trailing-comma: warning\n", to: ".pushpipe.yml")
        try wait(for: "json.trailing-comma", in: "b.json", run)
        run.signal(SIGINT)
        let output = try run.finish()
        #expect(output.status == 130)
        #expect(output.stderr.contains("pushpipe: waiting for changes; Ctrl-C ends this\n"))
        #expect(!output.stderr.contains("\u{1B}"))
    }

    @Test func `a file that was named is watched, whatever replaces it`() throws {
        let folder = try Folder()
        try folder.write(LintCommandTests.misspelled, to: "push.txt")
        let run = try LiveRun(["--format", "ndjson", "push.txt"], command: ["lint", "--watch"], in: folder)
        try wait(for: "aps.misspelled-key", in: "push.txt", run)
        try replace("push.txt", with: Self.broken, in: folder)
        try wait(for: "json.trailing-comma", in: "push.txt", run)
        run.signal(SIGTERM)
        let output = try run.finish()
        #expect(output.status == 143)
    }

    @Test(arguments: [
        ["--format", "sarif"], ["--format", "junit"], ["--fix", "a.json"], ["--show", "budgets"],
        ["--set", "report.pager"], ["-"],
    ])
    func `what cannot be repeated is refused`(arguments: [String]) throws {
        let output = try Folder().pushpipe(arguments: ["lint", "--watch"] + arguments)
        #expect(output.status == 2)
        #expect(output.stderr.contains("--watch"))
    }
}

/// `pushpipe lsp` on real streams. `PushLanguageServerTests` has what it answers.
struct LanguageServerCommandTests {
    private func framed(_ contents: String...) -> String {
        contents.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }.joined()
    }

    private static let initialize = #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#

    @Test func `a session from initialize to exit ends with status 0`() throws {
        let output = try Folder().pushpipe(
            "lsp", "--stdio",
            stdin: framed(
                Self.initialize, #"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#,
                #"{"jsonrpc":"2.0","method":"exit"}"#,
                #"{"jsonrpc":"2.0","id":3,"method":"shutdown"}"#))
        #expect(output.status == 0)
        #expect(output.text.hasPrefix("Content-Length: "))
        #expect(output.text.hasSuffix("\r\n\r\n" + #"{"jsonrpc":"2.0","id":2,"result":null}"#))
        #expect(output.stderr.isEmpty)
    }

    @Test func `a stream that ends without shutdown is status 1`() throws {
        let output = try Folder().pushpipe("lsp", stdin: framed(Self.initialize) + "Content-Length: 9\r\n\r\n{")
        #expect(output.status == 1)
        #expect(output.stderr.isEmpty)
    }

    @Test func `diagnostics are those of lint, with the configuration beside the file`() throws {
        let folder = try Folder()
        try folder.write("lint:\n  rules:\n    aps.misspelled-key: warning\n", to: ".pushpipe.yml")
        try folder.write(LintCommandTests.misspelled, to: "a.apns")
        let text = String(decoding: try JSONEncoder().encode(LintCommandTests.misspelled), as: UTF8.self)
        let uri = folder.url.appendingPathComponent("a.apns").absoluteString
        let output = try folder.pushpipe(
            "lsp",
            stdin: framed(
                Self.initialize,
                #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"\#(uri)","text":\#(text)}}}"#,
                #"{"jsonrpc":"2.0","id":2,"method":"textDocument/diagnostic","params":{"textDocument":{"uri":"\#(uri)"}}}"#,
                #"{"jsonrpc":"2.0","id":3,"method":"shutdown"}"#))
        #expect(output.status == 0)
        #expect(output.text.contains(#""severity":2,"code":"aps.misspelled-key""#))
    }
}
