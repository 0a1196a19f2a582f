import Foundation
import PushLintConfiguration
import PushModel
import TestSupport
import Testing

@testable import PushLint
@testable import PushLintFiles

/// Which rules are on: `select`, `ignore`, `extend`, settings for some files, and configurations that extend the one above.
struct RuleSelectionTests {
    /// An error, a warning and an info.
    private static let mixed =
        #"{"aps":{"badge":2,"mutable_content":1,"category":"C"},"gcm.message_id":null}"#

    private func rules(
        _ folder: LintFolder, _ name: String = "in.json", _ change: (inout RuleChoice) -> Void = { _ in }
    ) throws -> [String] {
        try folder.run(name) { job in
            job.format = .ndjson
            change(&job.options.rules)
        }.findings().map(\.rule)
    }

    private func patterns(_ names: String...) throws -> Set<RulePattern> {
        Set(try names.map { try RulePattern($0) })
    }

    /// All that can be found in `in.json`.
    private func everything(_ folder: LintFolder) throws -> [String] {
        try rules(folder) { $0.enabled = [.everything] }
    }

    @Test func `select replaces the rules that are on, and shows them whatever their severity`() throws {
        let folder = try LintFolder(["in.json": Self.mixed])
        let all = try everything(folder)
        #expect(Set(all.compactMap { Rule.named($0)?.severity }).count == 3, "\(all)")
        let aps = try patterns("aps")
        #expect(try rules(folder) { $0.selected = aps } == all.filter { $0.hasPrefix("aps.") })
        #expect(try rules(folder) { $0.selected = [.everything] } == all)
        #expect(try rules(folder) { $0.selected = [] } == [])
    }

    // Ruff's documentation, "Rule selection": the more specific selector wins, and ignore wins at equal length.
    @Test func `what is more specific wins, and of equals ignore wins over select`() throws {
        let folder = try LintFolder(["in.json": Self.mixed])
        let all = try everything(folder)
        let (aps, rule) = (try patterns("aps"), try patterns("aps.misspelled-key"))
        let found = try rules(folder) { ($0.selected, $0.disabled) = (aps, rule) }
        #expect(found == all.filter { $0.hasPrefix("aps.") && $0 != "aps.misspelled-key" })
        #expect(try rules(folder) { ($0.selected, $0.disabled) = (rule, aps) } == ["aps.misspelled-key"])
        #expect(try rules(folder) { ($0.selected, $0.disabled) = (rule, rule) } == [])
        #expect(try rules(folder) { ($0.selected, $0.enabled) = ([], rule) } == ["aps.misspelled-key"])
        #expect(try rules(folder) { ($0.disabled, $0.selected) = ([.everything], rule) } == ["aps.misspelled-key"])
    }

    // Documentation/reference/configuration.md: `extend` shows a rule whatever its severity, so another severity hides nothing.
    @Test(arguments: [
        "  rules: {aps.category-without-alert: info}\n", "  rules: {aps: info}\n",
        "  per-file: {'*.json': {rules: {aps.category-without-alert: info}}}\n",
        "  per-file: {'*.json': {rules: {aps: info}}}\n", "  per-file: {'*.json': {severity: error}}\n",
    ])
    func `a severity hides nothing that is enabled`(settings: String) throws {
        let folder = try LintFolder(["in.json": Payload.category])
        for names in ["aps", "aps.category-without-alert", "ALL"] {
            try folder.write("lint:\n  extend: \(names)\n\(settings)", to: ".pushpipe.yml")
            #expect(try rules(folder).contains("aps.category-without-alert"), "\(names)")
        }
        try folder.write(
            "lint:\n  extend: aps\n  per-file: {'*.json': aps.category-without-alert}\n", to: ".pushpipe.yml")
        #expect(try !rules(folder).contains("aps.category-without-alert"))
        // A severity still brings back what is left out.
        try folder.write(
            "lint:\n  ignore: aps\n  rules: {aps.category-without-alert: warning}\n", to: ".pushpipe.yml")
        #expect(try rules(folder) == ["aps.category-without-alert"])
    }

    @Test func `the command line's selection counts more than the configuration's`() throws {
        let folder = try LintFolder([
            "in.json": Self.mixed, ".pushpipe.yml": "lint:\n  extend: [payload]\n  ignore: ALL\n",
        ])
        #expect(try rules(folder) == ["payload.null-value"])
        let rule = try patterns("aps.misspelled-key")
        #expect(try rules(folder) { $0.selected = rule } == ["aps.misspelled-key"])
        #expect(try rules(folder) { $0.enabled = rule } == ["aps.misspelled-key", "payload.null-value"])
    }

    @Test func `a selection in the configuration keeps severities`() throws {
        let folder = try LintFolder([
            "in.json": Payload.misspelled,
            ".pushpipe.yml": "lint:\n  select: aps\n  rules:\n    aps.misspelled-key: info\n    gcm: error\n",
        ])
        let found = try folder.run("in.json") { $0.format = .ndjson }.findings().map { "\($0.rule) \($0.severity)" }
        #expect(found == ["aps.misspelled-key info"])
    }

    @Test func `settings for some files apply to those, and the last one counts most`() throws {
        let configuration = """
            lint:
              per-file:
                "*.json": aps.misspelled-key
                old/: {ignore: [ALL]}
                "old/**/new-*":
                  select: [aps]
                  rules: {aps: warning}
                "!*.json": {severity: info}
            """
        let folder = try LintFolder([
            ".pushpipe.yml": configuration, "a.json": Payload.misspelled, "b.apns": Payload.category,
            "c.json": Payload.category, "old/d.apns": Payload.misspelled, "old/x/new-e.json": Payload.misspelled,
        ])
        let output = try folder.run(".") { $0.format = .ndjson }
        let found = try output.findings().map { "\($0.file) \($0.rule) \($0.severity)" }
        #expect(found == ["b.apns aps.category-without-alert info", "old/x/new-e.json aps.misspelled-key warning"])
        #expect(try rules(folder, "a.json") == [])
    }

    @Test func `a configuration extends the one above if it says so`() throws {
        let above = """
            lint:
              budget: 10
              exclude: [b/skipped.json]
              ignore: [aps.misspelled-key]
              per-file: {"b/c/*": {severity: info}}
            """
        let folder = try LintFolder([
            ".pushpipe.yml": above, "b/.pushpipe.yml": "lint: {}\n", "b/in.json": Payload.misspelled,
            "b/c/.pushpipe.yml": "extends: parent\nlint:\n  severity: error\n", "b/c/in.json": Payload.misspelled,
        ])
        // The nearest one extends the next one, which extends nothing.
        #expect(try rules(folder, "b/c/in.json") == ["aps.misspelled-key"])
        try folder.write("extends: parent\n", to: "b/.pushpipe.yml")
        #expect(try rules(folder, "b/c/in.json") == ["apns.payload-too-large"])
        try folder.write(Payload.misspelled, to: "b/skipped.json")
        #expect(try folder.run("b/skipped.json").notes.contains("the configuration excludes the file"))
        // What is nearer counts more.
        try folder.write(
            "extends: parent\nlint:\n  extend: aps.misspelled-key\n  budget: apns\n", to: "b/c/.pushpipe.yml")
        #expect(try rules(folder, "b/c/in.json") == ["aps.misspelled-key"])
    }

    // MARK: - Names

    @Test func `.pushpipe.yaml is read too, but not both`() throws {
        let folder = try LintFolder([
            "in.json": Payload.misspelled, ".pushpipe.yaml": "lint: {ignore: [aps]}\n",
        ])
        #expect(try rules(folder) == [])
        try folder.write("lint: {}\n", to: ".pushpipe.yml")
        let error = try #require(throws: ConfigurationError.self) { try rules(folder) }
        #expect(error.path == folder.path(".pushpipe.yml"))
        #expect(
            error.message
                == "\(folder.path(".pushpipe.yaml")) is a configuration of the same directory; keep one of them")
    }

    @Test func `a configuration that is a pipe is an error, and is not opened`() throws {
        let folder = try LintFolder(["in.json": Payload.misspelled])
        #expect(mkfifo(folder.path(".pushpipe.yml"), 0o600) == 0)
        #expect(try #require(throws: ConfigurationError.self) { try rules(folder) }.message == "not a regular file")
    }
}
