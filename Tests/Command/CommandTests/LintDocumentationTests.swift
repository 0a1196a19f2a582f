import Foundation
import TestSupport
import Testing

/// The commands and files to copy from `Documentation/guides/lint.md` work.
struct LintDocumentationTests {
    /// The contents of all blocks of a language, in order.
    private func blocks(_ language: String, of name: String = "lint.md") throws -> [String] {
        let page = try String(
            contentsOf: Place.package.appendingPathComponent("Documentation/guides/\(name)"), encoding: .utf8)
        return page.components(separatedBy: "\n```\(language)\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first.map { $0 + "\n" } }
    }

    private func folder() throws -> Folder {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.path("payloads"), withIntermediateDirectories: false)
        try folder.write(LintCommandTests.misspelled, to: "payloads/a.json")
        try folder.write(LintCommandTests.misspelled, to: "payload.json")
        return folder
    }

    @Test func `the commands at the top of the page are valid`() throws {
        let folder = try folder()
        let commands = try #require(try blocks("sh").first).split(separator: "\n")
        #expect(commands.count == 5)
        for command in commands { #expect(try folder.shell(String(command)).status <= 1, "\(command)") }
    }

    @Test func `the commands for GitHub Actions fail on an error and write the file to upload`() throws {
        let folder = try folder()
        let commands = try blocks("yaml").joined().split(separator: "\n")
            .filter { $0.contains("- run: ") }.map { $0.components(separatedBy: "- run: ")[1] }
        #expect(commands.count == 2)
        for command in commands { #expect(try folder.shell(command).status == 1, "\(command)") }
        #expect(try folder.read("pushpipe.sarif").contains(#""ruleId" : "aps.misspelled-key""#))
    }

    @Test func `the configuration is accepted`() throws {
        let folder = try folder()
        let text = try #require(try blocks("yaml").first { $0.hasPrefix("lint:") })
        try folder.write(text, to: ".pushpipe.yml")
        try folder.write("{}", to: "order.schema.json")
        let output = try folder.pushpipe("lint", "--format", "ndjson", "payloads")
        #expect(output.status == 0, "\(output.stderr)")
        #expect(try output.values("severity") == [.string("warning")])
    }

    @Test func `the configuration of schemas is accepted, and applies`() throws {
        let folder = try folder()
        try folder.write(try #require(try blocks("yaml", of: "schemas.md").first), to: ".pushpipe.yml")
        for name in ["push", "order", "android"] { try folder.write("{}", to: "\(name).schema.json") }
        try folder.write(#"{"required":["story"]}"#, to: "news.schema.json")
        let headers = #""apns-topic":"org.example.news","apns-push-type":"background","apns-priority":"5""#
        try folder.write(#"{"headers":{\#(headers)},"payload":{"aps":{"content-available":1}}}"#, to: "push.json")
        let output = try folder.pushpipe("lint", "--format", "ndjson", "push.json")
        #expect(output.status == 1, "\(output.stderr)")
        #expect(try output.values("rule") == [.string("schema.mismatch")])
    }

    @Test func `the sessions print what the page says`() throws {
        let folder = try folder()
        let sessions = try blocks("console")
        #expect(sessions.count >= 2)
        for session in sessions {
            let command = try #require(session.split(separator: "\n").first).dropFirst(2)
            let output = try folder.shell(String(command))
            // The last line feed of a block belongs to the fence.
            let printed = "$ \(command)\n\(output.text)".split(separator: "\n")
            #expect(printed == session.split(separator: "\n"), "\(output.stderr)")
        }
    }

    @Test func `the file next to a payload is accepted`() throws {
        let folder = try folder()
        let text = try #require(try blocks("yaml").first { $0.hasPrefix("ignore:") })
        try folder.write(text, to: "payload.json.pushpipe.yml")
        let output = try folder.pushpipe("lint", "--ignore", "config", "payload.json")
        #expect(output.status == 1, "\(output.stderr)")
        #expect(output.stderr.hasPrefix("1 error in 1 file"))
    }

    @Test func `the Git hook rejects a broken payload and reads the index`() throws {
        let folder = try folder()
        #expect(
            try folder.shell("git init -q . && git config user.name A && git config user.email a@example.org").status
                == 0)
        try folder.write(try #require(try blocks("sh").last), to: ".git/hooks/pre-commit")
        let commit = "chmod +x .git/hooks/pre-commit; git add payloads && git commit -qm 'Add a payload'"
        let refused = try folder.shell(commit)
        #expect(refused.status != 0)
        #expect(refused.text.contains("aps.misspelled-key") || refused.stderr.contains("aps.misspelled-key"))
        #expect(try folder.shell("pushpipe lint -q --fix payloads && git commit -qm 'Not added'").status != 0)
        #expect(try folder.shell(commit).status == 0)
    }
}
