import Foundation
import Testing

/// `.pushpipe.yml`, and the options that choose rules and files.
struct LintConfigurationTests {
    private static let misspelled = LintCommandTests.misspelled

    /// A folder with a payload, in which a key is misspelled, at `name`.
    private func folder(_ names: String..., configurations: [String: String]) throws -> Folder {
        let folder = try Folder()
        for name in names + configurations.keys {
            try FileManager.default.createDirectory(
                at: folder.url.appendingPathComponent(name).deletingLastPathComponent(),
                withIntermediateDirectories: true)
        }
        for name in names { try folder.write(Self.misspelled, to: name) }
        for (name, text) in configurations { try folder.write(text, to: name) }
        return folder
    }

    private func severities(_ folder: Folder, _ arguments: String...) throws -> [String] {
        let output = try folder.pushpipe(arguments: ["lint", "--format", "json"] + arguments)
        return try output.values("severity").map { $0?.string ?? "" }
    }

    @Test func `the nearest configuration above a file counts`() throws {
        let folder = try folder(
            "a.json", "b/c/d.json",
            configurations: [
                ".pushpipe.yml": "lint:\n  disable: [aps.misspelled-key]\n",
                "b/.pushpipe.yml": "lint:\n  rules:\n    aps: warning\n",
            ])
        #expect(try severities(folder, "a.json") == [])
        #expect(try severities(folder, "b/c/d.json") == ["warning"])
        #expect(try severities(folder, ".") == ["warning"])
        #expect(try severities(folder, "--no-config", ".") == ["error", "error"])
        #expect(try severities(folder, "--config", "b/.pushpipe.yml", ".") == ["warning", "warning"])
    }

    @Test func `for standard input the working directory counts`() throws {
        let folder = try folder(configurations: [".pushpipe.yml": "lint:\n  rules: {aps.misspelled-key: off}\n"])
        #expect(try folder.pushpipe("lint", stdin: Self.misspelled).status == 0)
    }

    @Test func `what is said about a rule overrules what is said about its group, and the command line the file`()
        throws
    {
        let folder = try folder(
            "a.json", configurations: [".pushpipe.yml": "lint:\n  disable: [aps]\n  enable: aps.misspelled-key\n"])
        #expect(try severities(folder, "a.json") == ["error"])
        #expect(try severities(folder, "a.json", "--disable", "aps.") == [])
        #expect(try severities(folder, "a.json", "--disable", "aps", "--enable", "aps.misspelled-key") == ["error"])
    }

    @Test func `an enabled rule is shown below the least severity`() throws {
        let folder = try Folder()
        try folder.write(LintCommandTests.category, to: "in.json")
        #expect(try severities(folder, "in.json") == [])
        #expect(try severities(folder, "in.json", "--enable", "aps.category-without-alert") == ["info"])
        #expect(try severities(folder, "in.json", "--severity", "info") == ["info"])
    }

    @Test func `severity and budget of the file are what the options do not say`() throws {
        let folder = try Folder()
        try folder.write(LintCommandTests.category, to: "in.json")
        try folder.write("lint:\n  severity: info\n  budget: 10\n", to: ".pushpipe.yml")
        #expect(try severities(folder, "in.json") == ["error", "info"])
        #expect(try severities(folder, "in.json", "--severity", "error") == ["error"])
        #expect(try severities(folder, "in.json", "--budget", "apns") == ["info"])
    }

    @Test func `of a directory payloads are linted, and neither hidden nor excluded ones`() throws {
        let folder = try folder(
            "p/a.json", "p/b.ndjson", "p/c.jsonl", "p/d.apns", "p/e.txt", "p/.f.json", "p/.g/h.json", "p/old/i.json",
            "p/q/old.json", "p/q/r/s.json", "p/q/t/u.json",
            configurations: [
                ".pushpipe.yml": "lint:\n  exclude:\n    - old/\n    - 'p/**/s.json'\n    - p/?/t/*.json\n"
            ])
        let output = try folder.pushpipe("lint", "--format", "json", "p")
        let files = try output.values("file").map { $0?.string ?? "" }
        #expect(files == ["p/a.json", "p/b.ndjson", "p/c.jsonl", "p/d.apns", "p/q/old.json"])
        let named = try folder.pushpipe("lint", "p/e.txt", "p/q/r/s.json")
        #expect(named.text.contains("p/e.txt:1:22: "))
        #expect(named.stderr.contains("1 file excluded by the configuration"))
    }

    @Test(arguments: [
        ("lint:\n  severty: info\n", ":2:3: ", "severity, disable, enable, rules, exclude, budget"),
        ("linter: {}\n", ":1:1: ", "lint"),
        ("lint:\n  severity: high\n", ":2:13: ", "error, warning, info"),
        ("lint:\n  rules:\n    aps.misspelled-key: no\n", ":3:25: ", "off"),
        ("lint:\n  rules:\n    aps.mispelled-key: off\n", ":3:5: ", "did you mean aps.misspelled-key?"),
        ("lint:\n  disable:\n    - json\n    - gmc\n", ":4:7: ", "did you mean gcm?"),
        ("lint:\n  disable: {json: 1}\n", ":2:12: ", "list"),
        ("lint:\n  budget: huge\n", ":2:11: ", "apns-voip"),
        ("lint:\n  severity: info\n  severity: error\n", ":2:3: ", "more than once"),
        ("lint: [\n", ":2:1: ", "expected"),
        ("- lint\n", ":1:1: ", "mapping"),
    ])
    func `a mistake in a configuration is told by line, with what is allowed`(
        text: String, place: String, hint: String
    ) throws {
        let folder = try folder("a.json", configurations: [".pushpipe.yml": text])
        let output = try folder.pushpipe("lint", "a.json")
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.hasPrefix("pushpipe: .pushpipe.yml\(place)"), "\(output.stderr)")
        #expect(output.stderr.contains(hint), "\(output.stderr)")
    }

    @Test(arguments: ["", "# Nothing yet.\n", "lint:\n", "lint: {}\n", "lint:\n  disable:\n"])
    func `an empty configuration changes nothing`(text: String) throws {
        let folder = try folder("a.json", configurations: [".pushpipe.yml": text])
        #expect(try severities(folder, "a.json") == ["error"])
    }

    @Test(arguments: [
        ["--disable", "aps.mispelled-key"], ["--enable", "misspelled-key"], ["--severity", "fatal"],
        ["--config", "missing.yml"], ["--config", "x", "--no-config"], ["--format", "xml"], ["--config", ""],
        ["--disable", ""], ["--disable", "aps.misspelled-key."],
    ])
    func `wrong options are status 2`(options: [String]) throws {
        let folder = try folder("a.json", configurations: [:])
        let output = try folder.pushpipe(arguments: ["lint", "a.json"] + options)
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(!output.stderr.isEmpty)
    }
}
