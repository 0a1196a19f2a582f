import Foundation
import TestSupport
import Testing

/// The command that is built without the tools.
struct CoreTests {
    private let folder: Folder
    init() throws { folder = try Folder() }

    private func core(_ arguments: [String]) throws -> Output {
        let path = try Place.executable().deletingLastPathComponent().appendingPathComponent("pushpipe-core").path
        return try folder.run(path, arguments)
    }

    @Test(arguments: [
        ["serve"], ["view", "phone.db"], ["preferences", "show"], ["schema", "--help"], ["lsp"], ["help", "test"],
        ["snapshot"], ["extension", "build"], ["mcp"], ["partition", "--parts", "2"], ["merge"],
    ])
    func `asked for a tool, it says how to get a command that has it`(arguments: [String]) throws {
        let name = try #require(arguments.first { $0 != "help" })
        let output = try core(arguments)
        #expect(output.stderr == "pushpipe: '\(name)' needs the whole command: make build\n")
        #expect(output.status == 2 && output.stdout.isEmpty)
    }

    /// The commands in a help, in their order.
    private func commands(_ help: String) -> [String] {
        help.matches(of: #/\n  ([a-z]+)  /#).map { String($0.output.1) }
    }

    @Test func `its help lists the commands that it has`() throws {
        let own = ["run", "trace", "store", "lint", "explain", "config", "bench", "generate"]
        #expect(commands(try core(["--help"]).text) == own)
        let whole = commands(try folder.pushpipe("--help").text)
        #expect(whole.filter(own.contains) == own && whole.count == 19)
        #expect(try core(["nosuch"]).stderr.contains("the commands are \(own.joined(separator: ", "))"))
    }

    @Test func `its version says what it is`() throws {
        let version = try #require(folder.pushpipe("--version").text.split(separator: "\n").first)
        #expect(try core(["--version"]).text.split(separator: "\n").first == "\(version) (core)")
    }

    @Test func `it says that it checks no JSON Schema`() throws {
        try folder.write("{}", to: "s.json")
        try folder.write(#"{"aps":{"alert":"Hi"}}"#, to: "a.json")
        let reason = "JSON Schema needs the whole command: make build"
        try core(["lint", "--schema", "s.json", "a.json"]).expectTrouble("s.json: \(reason)")
        try folder.write("lint:\n  schemas: s.json\n", to: ".pushpipe.yml")
        for command in ["lint", "run --rules"] {
            let output = try core(command.split(separator: " ").map(String.init) + ["a.json"])
            output.expectTrouble(".pushpipe.yml:2:12: cannot read the schema", reason)
            #expect(
                try folder.pushpipe(arguments: command.split(separator: " ").map(String.init) + ["a.json"]).status == 0)
        }
    }

    @Test func `its commands are those of the whole command`() throws {
        #expect(try core(["run", "--help"]).stdout == folder.pushpipe("run", "--help").stdout)
        try folder.write(#"{"aps":{"alert":{"loc-key":"Hi"},"mutable-content":1}}"#, to: "a.json")
        try folder.write(#""Hi" = "Hello";"#, to: "a.strings")
        let words = [
            "run", "-q", "--clock", "0", "--screen", "--extension",
            "builtin:localize=\(folder.url.appendingPathComponent("a.strings").path)",
            "a.json",
        ]
        let whole = try folder.pushpipe(arguments: words)
        #expect(whole.status == 0 && whole.text.contains("delivered") && whole.text.contains("Hello"), "\(whole)")
        #expect(try core(words).stdout == whole.stdout)
    }
}
