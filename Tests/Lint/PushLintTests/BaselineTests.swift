import PushFiles
import PushJSON
import PushLintConfiguration
import Testing

@testable import PushLint
@testable import PushLintFiles

/// Configurations with a line for each of many files, as `--add-ignores` writes them.
struct BaselineTests {
    private func files(_ count: Int) -> [(pattern: String, rules: [String])] {
        (0..<count).map { ("payloads/\($0).json", ["aps.misspelled-key", "gcm.color"]) }
    }

    /// How often a line is read when a rule is added for each of so many files.
    private func linesRead(_ count: Int, in text: String) throws -> Int {
        var edit = ConfigurationEdit(text, path: "")
        try edit.ignore(files(count))
        #expect(edit.text.utf8.split(separator: 0x0A).count >= count)
        return edit.linesRead
    }

    private func text(of count: Int, isList: Bool) -> String {
        "lint:\n  per-file:\n"
            + (0..<count).map { "    payloads/\($0).json:\(isList ? "\n      - fcm" : " fcm")\n" }.joined()
    }

    @Test func `twice as many files are twice the work`() throws {
        for (single, double) in [
            ("", ""), ("lint:\n  per-file:\n", "lint:\n  per-file:\n"),
            (text(of: 200, isList: false), text(of: 400, isList: false)),
            (text(of: 200, isList: true), text(of: 400, isList: true)),
        ] {
            let (less, more) = (try linesRead(200, in: single), try linesRead(400, in: double))
            #expect(more <= 2 * less + 10, "\(single.prefix(40)): \(less), then \(more)")
        }
    }

    @Test func `rules go to the lists that are there, and others to new lines`() throws {
        var edit = ConfigurationEdit(
            "lint:\n  per-file:\n    a/1: gcm\n    a/2:\n      - fcm\n  severity: info\n# The end.\n", path: "")
        try edit.ignore([("a/0", ["aps"]), ("a/1", ["aps"]), ("a/2", ["aps", "gcm"]), ("a/3", ["aps"])])
        #expect(
            edit.text == """
                lint:
                  per-file:
                    a/1: [gcm, aps]
                    a/2:
                      - fcm
                      - aps
                      - gcm
                    "a/0": [aps]
                    "a/3": [aps]
                  severity: info
                # The end.

                """)
    }

    @Test func `a name has nothing that a shell runs, and is found again`() throws {
        let name = "/a$(id>X)`id`\u{1}.json"
        var edit = ConfigurationEdit("", path: "")
        try edit.ignore([(name, ["aps"])])
        #expect(!edit.text.contains("$") && !edit.text.contains("`"))
        let configuration = try LintConfiguration(yaml: edit.text)
        #expect(configuration.perFile.map(\.files.text) == [name])
        try edit.ignore([(name, ["gcm"])])
        #expect(edit.text.contains("[aps, gcm]"), "\(edit.text)")
    }

    /// The short way for a pattern of one file and the way of all patterns.
    @Test(arguments: [
        "a/b.json", "/b.json", "./a/b", "a/\\[b\\].json", "a/\\b.json", "a/b", "/a", "a\\/b", "ä/é.json", "a/b/../c",
        "a//b",
    ])
    func `a pattern of one file matches what it would as a pattern`(text: String) throws {
        let pattern = try #require(FilePattern(text))
        #expect(pattern.isLiteral)
        var globs = GlobList()
        let isAdded = globs.add(text, .configuration)
        #expect(isAdded)
        for path in [
            "a/b.json", "b.json", "a/b", "a/b/c.json", "a", "a/c", "a/[b].json", "a/b.jsonx", "", "ä/é.json",
            "a/\\b.json", "c/a/b",
            "a/b/../c", "a//b", "a/",
        ] {
            let bytes = Array(path.utf8)[...]
            #expect(pattern.applies(to: bytes) == pattern.appliesAsGlob(to: bytes), "\(text) \(path)")
            #expect(pattern.names(bytes) == (globs.verdict(on: bytes) == true), "\(text) \(path)")
        }
    }

    @Test(arguments: [
        ("", "is empty"), ("!", "is empty"), ("/", "is empty"),
        ("[a", "has a bracket that is not closed, or a backslash at its end"),
        ("a\\", "has a bracket that is not closed, or a backslash at its end"),
        (String(repeating: "x", count: 4097), "is longer than 4096 bytes"),
    ])
    func `a pattern that is refused has the right reason`(text: String, reason: String) throws {
        var globs = GlobList()
        let isAdded = globs.add(text)
        #expect(!isAdded)
        #expect(GlobList.complaint(about: text) == reason)
        let escaped = text.replacing("\\", with: "\\\\")
        let error = try #require(throws: ConfigurationError.self) {
            try LintConfiguration(yaml: Array("lint:\n  exclude: [\"\(escaped)\"]\n".utf8))
        }
        #expect(error.message == "a pattern of exclude \(reason)")
        let isLongestAdded = globs.add(String(repeating: "x", count: 4096))
        #expect(isLongestAdded)
    }
}
