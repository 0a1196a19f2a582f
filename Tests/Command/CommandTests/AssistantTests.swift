import Foundation
import TestSupport
import Testing

/// `pushpipe mcp` on real streams, with real children. `PushAssistantTests` has what it answers; `Tests/Services/Clients/assistant.py` calls
/// every tool with the official SDK.
struct AssistantTests {
    private static let initialize =
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#

    /// Calls tools in a session, and returns their results.
    private func results(_ calls: String..., in folder: Folder, _ options: [String] = []) throws -> [[String: Any]] {
        let requests = calls.enumerated().map { number, params in
            #"{"jsonrpc":"2.0","id":\#(number + 1),"method":"tools/call","params":\#(params)}"#
        }
        let text = ([Self.initialize] + requests).map { $0 + "\n" }.joined()
        let output = try folder.pushpipe(arguments: ["mcp"] + options, stdin: Array(text.utf8))
        #expect(output.status == 0)
        #expect(output.stderr.isEmpty, "\(output.stderr)")
        return try output.lines.dropFirst().map { line in
            let answer = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            return try #require(answer["result"] as? [String: Any], "\(line)")
        }
    }

    private func text(_ result: [String: Any]) -> String {
        ((result["content"] as? [[String: Any]])?.first?["text"] as? String) ?? ""
    }

    @Test func `tools answer as the command does`() throws {
        let folder = try Folder()
        let found = try results(
            #"{"name":"lint_payload","arguments":{"payload":{"aps":{"alert":"Hi","mutable_content":1}}}}"#,
            #"{"name":"fix_payload","arguments":{"payload":"{\"aps\":{\"alert\":\"Hi\",\"mutable_content\":1}}"}}"#,
            #"{"name":"deliver","arguments":{"records":[{"aps":{"alert":"Dinner"}}]}}"#,
            #"{"name":"explain","arguments":{"word":"nix"}}"#, in: folder)
        #expect(found.count == 4)
        #expect(text(found[0]).contains(#""rule":"aps.misspelled-key""#))
        #expect(text(found[1]).contains(#"mutable-content"#))
        #expect(text(found[2]).contains(#""outcome":"delivered""#) && text(found[2]).contains(#""body":"Dinner""#))
        #expect(found[3]["isError"] as? Bool == true)
        #expect(text(found[3]).contains("nix"))
    }

    @Test func `a configuration leads to no schema elsewhere`() throws {
        let folder = try Folder()
        let other = try Folder()
        let path = try other.write(#"{"required":["secret-4711"]}"#, to: "s.json")
        try folder.write("lint:\n  schemas:\n    - \(path)\n", to: ".pushpipe.yml")
        let call = #"{"name":"lint_payload","arguments":{"payload":{"aps":{"alert":"Hi"}}}}"#
        let without = try results(call, in: folder)
        #expect(without.map { $0["isError"] as? Bool } == [true])
        #expect(!text(without[0]).contains("4711") && text(without[0]).contains("not below a folder"), "\(without)")
        #expect(text(try results(call, in: folder, ["--allow", other.url.path])[0]).contains("4711"))
        try folder.write(#"{"required":["secret-4712"]}"#, to: "own.json")
        try folder.write("lint:\n  schemas:\n    - own.json\n", to: ".pushpipe.yml")
        #expect(text(try results(call, in: folder)[0]).contains("4712"))
    }

    @Test func `files are read below the folder, and where --allow says`() throws {
        let folder = try Folder()
        let other = try Folder()
        try folder.write(#"{"aps":{"alert":"Hi"}}"#, to: "a.json")
        let path = try other.write(#"{"aps":{"alert":"Hi"}}"#, to: "b.json")
        let calls = [
            #"{"name":"lint_payload","arguments":{"path":"a.json"}}"#,
            #"{"name":"lint_payload","arguments":{"path":"\#(path)"}}"#,
        ]
        let without = try results(calls[0], calls[1], in: folder)
        #expect(without.map { $0["isError"] as? Bool } == [false, true])
        #expect(text(without[1]).contains("--allow"))
        let with = try results(calls[0], calls[1], in: folder, ["--allow", other.url.path])
        #expect(with.map { $0["isError"] as? Bool } == [false, false])
    }

    @Test func `a configuration that says where a log has its payloads is not for an assistant's`() throws {
        let folder = try Folder()
        try folder.write("input: {at: /log, skip-prefix: true}\n", to: ".pushpipe.yml")
        let found = try results(
            #"{"name":"deliver","arguments":{"records":"{\"aps\":{\"alert\":\"Hi\"}}"}}"#, in: folder)
        #expect(text(found[0]).contains(#""outcome":"delivered""#), "\(text(found[0]))")
    }

    @Test func `a gateway that does not start says why`() throws {
        let folder = try Folder()
        try folder.write("limits: {foo: 1}\n", to: ".pushpipe.yml")
        let found = try results(#"{"name":"list_messages","arguments":{}}"#, in: folder)
        #expect(text(found[0]).contains(".pushpipe.yml:1:10: limits has no key 'foo'"), "\(text(found[0]))")
    }

    @Test func `a scenario of an assistant starts no extension, and reads nothing elsewhere`() throws {
        let folder = try Folder()
        let found = try results(
            #"{"name":"run_scenario","arguments":{"feature":"Feature: a\n  Scenario: b\n    Given the extension \"/bin/true\"\n"}}"#,
            #"{"name":"run_scenario","arguments":{"feature":"Feature: a\n  Scenario: b\n    When the pushes in the file \"/etc/hosts\" arrive\n"}}"#,
            in: folder)
        #expect(text(found[0]).contains("none is started here"))
        #expect(text(found[1]).contains("/etc/hosts is not a file below"))
    }

    @Test func `a gateway starts with the first call that needs one, and ends with the session`() throws {
        let folder = try Folder()
        let found = try results(
            #"{"name":"list_messages","arguments":{}}"#, #"{"name":"list_messages","arguments":{}}"#, in: folder)
        let addresses = found.compactMap { ($0["structuredContent"] as? [String: Any])?["gateway"] as? String }
        let address = try #require(addresses.first)
        #expect(addresses == [address, address])
        #expect(address.hasPrefix("http://127.0.0.1:"))
        // curl's status for a connection that is refused.
        #expect(try folder.shell("curl -sS \(address)/healthz").status == 7)
    }

    @Test(arguments: [["--gateway", "http://example.org:80"], ["--access-key", "k"], ["--allow", "nowhere"]])
    func `options that cannot be are refused`(options: [String]) throws {
        let output = try Folder().pushpipe(arguments: ["mcp"] + options)
        #expect(output.status == 2)
        #expect(output.stderr.contains(options[0]))
    }

    /// The lines that an editor is given, as the guide has them.
    @Test func `the configurations of the guide start the server`() throws {
        let page = try String(
            contentsOf: Place.package.appendingPathComponent("Documentation/guides/assistant.md"), encoding: .utf8)
        let blocks = page.components(separatedBy: "\n```json\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
        #expect(blocks.count == 3)
        for block in blocks {
            let settings = try #require(try JSONSerialization.jsonObject(with: Data(block.utf8)) as? [String: Any])
            let servers = try #require(settings.values.first as? [String: [String: Any]])
            let server = try #require(servers["pushpipe"])
            #expect(server["command"] as? String == "pushpipe")
            let arguments = try #require(server["args"] as? [String])
            let output = try Folder().pushpipe(arguments: arguments, stdin: Array((Self.initialize + "\n").utf8))
            #expect(output.status == 0)
            #expect(output.text.contains(#""protocolVersion":"2025-11-25""#))
        }
    }
}
