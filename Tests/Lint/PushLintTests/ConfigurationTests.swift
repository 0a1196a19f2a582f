import PushDecoding
import PushLintConfiguration
import PushModel
import PushSystem
import TestSupport
import Testing

@testable import PushLint
@testable import PushLintFiles

/// `.pushpipe.yml`, and the options that select rules and files.
struct ConfigurationTests {
    private func severities(
        _ folder: LintFolder, _ name: String, _ change: (inout LintJob) -> Void = { _ in }
    ) throws -> [String] {
        try folder.run(name) { job in
            job.format = .ndjson
            change(&job)
        }.findings().map(\.severity)
    }

    private func pattern(_ text: String) throws -> RulePattern { try RulePattern(text) }

    @Test func `the nearest configuration above a file applies`() throws {
        let folder = try LintFolder([
            "a.json": Payload.misspelled, "b/c/d.json": Payload.misspelled,
            ".pushpipe.yml": "lint:\n  ignore: [aps.misspelled-key]\n",
            "b/.pushpipe.yml": "lint:\n  rules:\n    aps: warning\n",
        ])
        #expect(try severities(folder, "a.json") == [])
        #expect(try severities(folder, "b/c/d.json") == ["warning"])
        #expect(try severities(folder, ".") == ["warning"])
        #expect(try severities(folder, ".") { $0.configuration = .none } == ["error", "error"])
        let named = ConfigurationFinder.Source.file(folder.path("b/.pushpipe.yml"))
        #expect(try severities(folder, ".") { $0.configuration = named } == ["warning", "warning"])
    }

    @Test func `a rule's setting overrides its group's, and options override the file`() throws {
        let folder = try LintFolder([
            "a.json": Payload.misspelled, ".pushpipe.yml": "lint:\n  ignore: [aps]\n  extend: aps.misspelled-key\n",
        ])
        let group = try pattern("aps.")
        let rule = try pattern("aps.misspelled-key")
        #expect(try severities(folder, "a.json") == ["error"])
        #expect(try severities(folder, "a.json") { $0.options.rules.disabled = [group] } == [])
        #expect(
            try severities(folder, "a.json") {
                $0.options.rules.disabled = [group]
                $0.options.rules.enabled = [rule]
            } == ["error"])
    }

    @Test func `an enabled rule is shown even below the minimum severity`() throws {
        let folder = try LintFolder(["in.json": Payload.category])
        let rule = try pattern("aps.category-without-alert")
        #expect(try severities(folder, "in.json") == [])
        #expect(try severities(folder, "in.json") { $0.options.rules.enabled = [rule] } == ["info"])
        #expect(try severities(folder, "in.json") { $0.options.severity = .info } == ["info"])
    }

    @Test func `severity and budget come from the file unless an option gives them`() throws {
        let folder = try LintFolder([
            "in.json": Payload.category, ".pushpipe.yml": "lint:\n  severity: info\n  budget: 10\n",
        ])
        #expect(try severities(folder, "in.json") == ["error", "info"])
        #expect(try severities(folder, "in.json") { $0.options.severity = .error } == ["error"])
        #expect(
            try severities(folder, "in.json") { $0.options.decoding.budget = Budget(parsing: "apns") } == ["info"])
    }

    @Test func `payloads in a directory are linted, except hidden and excluded ones`() throws {
        var files = [
            ".pushpipe.yml": "lint:\n  exclude:\n    - old/\n    - 'p/**/s.json'\n    - p/?/t/*.json\n"
        ]
        for name in [
            "p/a.json", "p/b.ndjson", "p/c.jsonl", "p/d.apns", "p/e.txt", "p/.f.json", "p/.g/h.json", "p/old/i.json",
            "p/q/old.json", "p/q/r/s.json", "p/q/t/u.json",
        ] { files[name] = Payload.misspelled }
        let folder = try LintFolder(files)
        let found = try folder.run("p") { $0.format = .ndjson }.findings().map(\.file)
        #expect(found == ["p/a.json", "p/b.ndjson", "p/c.jsonl", "p/d.apns", "p/q/old.json"])
        let named = try folder.run("p/e.txt", "p/q/r/s.json")
        #expect(named.results.contains("p/e.txt:1:22: "))
        #expect(named.notes.contains("1 file excluded by the configuration"))
    }

    @Test func `the file of the results is not a payload of the directory that it is in`() throws {
        let folder = try LintFolder(["p/a.json": Payload.misspelled, "p/out.json": Payload.misspelled])
        let output = try FileStatus(folder.path("p/out.json")).identity
        let found = try folder.run("p", into: output) { $0.format = .ndjson }.findings().map(\.file)
        #expect(found == ["p/a.json"])
        // Least of all is it fixed.
        _ = try folder.run("p", into: output) { $0.fixing = .write }
        #expect(try folder.read("p/out.json") == Payload.misspelled)
        #expect(try folder.read("p/a.json") != Payload.misspelled)
        let named = try folder.run("p/out.json", into: output) { $0.format = .ndjson }
        #expect(try named.findings().count == 1)
    }

    @Test(arguments: [
        (
            "lint:\n  severty: info\n", 2, 3,
            "severity, select, ignore, extend, rules, per-file, exclude, files, budget, schemas"
        ),
        ("linter: {}\n", 1, 1, "lint"),
        ("lint:\n  severity: high\n", 2, 13, "error, warning, info"),
        ("lint:\n  rules:\n    aps.misspelled-key: no\n", 3, 25, "off"),
        ("lint:\n  rules:\n    aps.mispelled-key: off\n", 3, 5, "did you mean aps.misspelled-key?"),
        ("lint:\n  ignore:\n    - json\n    - gmc\n", 4, 7, "did you mean gcm?"),
        ("lint:\n  ignore: {json: 1}\n", 2, 11, "list"),
        ("lint:\n  budget: huge\n", 2, 11, "apns-voip"),
        ("lint:\n  severity: info\n  severity: error\n", 2, 3, "more than once"),
        ("lint: [\n", 2, 1, "expected"),
        ("- lint\n", 1, 1, "mapping"),
        ("extends: ../other.yml\n", 1, 10, "extends is parent"),
        ("lint:\n  per-file:\n    '': [aps]\n", 3, 5, "empty"),
        ("lint:\n  per-file:\n    '*.json': {exclude: [a]}\n", 3, 16, "per-file has no key 'exclude'"),
        ("lint:\n  select: [all]\n", 2, 12, "there is no rule 'all'"),
    ])
    func `a mistake in a configuration is reported by line, with the allowed values`(
        text: String, line: Int, column: Int, hint: String
    ) throws {
        let folder = try LintFolder(["a.json": Payload.misspelled, ".pushpipe.yml": text])
        let error = try #require(throws: ConfigurationError.self) { try folder.run("a.json") }
        #expect(error.path == folder.path(".pushpipe.yml"))
        #expect(error.place == ConfigurationError.Place(line: line, column: column))
        #expect(error.message.contains(hint), "\(error)")
        #expect("\(error)" == "\(error.path):\(line):\(column): \(error.message)")
    }

    // Of this, 6 to the power of 5 times 900 KB would be 7 GB.
    @Test func `aliases of aliases in a list that is wrong are not written out`() throws {
        var elements = ["&a \"\(String(repeating: "x", count: 900_000))\""]
        for (name, old) in zip("bcdef", "abcde") {
            elements.append("&\(name) [\(Array(repeating: "*\(old)", count: 6).joined(separator: ", "))]")
        }
        for key in ["exclude", "ignore", "rules", "schemas"] {
            let yaml = "lint:\n  \(key): [\(elements.joined(separator: ", "))]\n"
            let error = try #require(throws: ConfigurationError.self) {
                try LintConfiguration(yaml: Array(yaml.utf8))
            }
            #expect(error.place?.line == 2)
        }
    }

    @Test(arguments: ["", "# Nothing yet.\n", "lint:\n", "lint: {}\n", "lint:\n  ignore:\n"])
    func `an empty configuration changes nothing`(text: String) throws {
        let folder = try LintFolder(["a.json": Payload.misspelled, ".pushpipe.yml": text])
        #expect(try severities(folder, "a.json") == ["error"])
    }

    // Documentation/reference/configuration.md: an empty value means the same as no key.
    @Test(arguments: [
        "severity", "select", "ignore", "extend", "rules", "per-file", "exclude", "files",
        "budget", "schemas",
    ])
    func `an empty value of a key is the same as no key`(key: String) throws {
        let isForFiles = !["per-file", "exclude", "files", "budget", "schemas"].contains(key)
        for empty in ["", " ~", " null"] {
            var texts = ["lint:\n  \(key):\(empty)\n"]
            if isForFiles { texts.append("lint:\n  per-file:\n    '*.json':\n      \(key):\(empty)\n") }
            for text in texts {
                let folder = try LintFolder(["a.json": Payload.misspelled, ".pushpipe.yml": text])
                #expect(try severities(folder, "a.json") == ["error"], "\(text)")
            }
        }
    }

    @Test(arguments: [
        "extends:\n", "lint:\n  rules: {aps.misspelled-key: }\n", "lint:\n  per-file: {'*.json': }\n",
        "lint:\n  schemas: {file: s.json, provider: , topic: , push-type: , pointer: }\n",
    ])
    func `an empty value further down is the same as no key`(text: String) throws {
        let folder = try LintFolder(["a.json": Payload.misspelled, "s.json": "{}", ".pushpipe.yml": text])
        #expect(try severities(folder, "a.json") == ["error"])
    }

    @Test func `an empty value in a file next to a payload is the same as no key`() throws {
        let folder = try LintFolder([
            "a.json": Payload.misspelled,
            "a.json.pushpipe.yml": "ignore:\n  rule: aps.misspelled-key\n  record:\n  path:\n",
        ])
        #expect(try severities(folder, "a.json") == [])
        try folder.write("ignore:\n", to: "a.json.pushpipe.yml")
        #expect(try severities(folder, "a.json") == ["error"])
    }

    @Test func `a missing configuration is an error`() throws {
        let folder = try LintFolder(["a.json": Payload.misspelled])
        let error = try #require(throws: ConfigurationError.self) {
            try folder.run("a.json") { $0.configuration = .file(folder.path("missing.yml")) }
        }
        #expect(error.place == nil)
        #expect(error.message == "No such file or directory")
    }
}
