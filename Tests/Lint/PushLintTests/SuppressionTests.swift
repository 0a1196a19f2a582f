import Foundation
import PushDecoding
import PushLintConfiguration
import PushModel
import TestSupport
import Testing

@testable import PushLint
@testable import PushLintFiles

/// Rules that are ignored in one file: by a member of a sample, by a file next to it, and by a configuration that the linter writes.
struct SuppressionTests {
    private func found(
        _ folder: LintFolder, _ names: String..., change: (inout LintJob) -> Void = { _ in }
    ) throws -> [String] {
        var job = LintJob(names.map(folder.path))
        job.format = .ndjson
        change(&job)
        let output = try job.run(CollectedStreams())
        return try output.findings().map { finding in
            let file = finding.file.replacing(folder.path(".") + "/", with: "")
            return "\(file):\(finding.line):\(finding.column) \(finding.rule)"
        }
    }

    // MARK: - A member

    @Test(arguments: [
        (#"{"aps":{"alert":"Hi","mutable_content":1},"pushpipe-ignore":"aps.misspelled-key"}"#, []),
        (#"{"pushpipe-ignore":["aps"],"aps":{"alert":"Hi","mutable_content":1}}"#, []),
        (#"{"pushpipe-ignore":"ALL" , "aps":{"alert":"Hi","mutable_content":1}}"#, []),
        (#"{"pushpipe-ignore":[]}"#, ["record.unknown-shape 0"]),
        // What makes a record malformed stays.
        (#"{"pushpipe-ignore":"ALL"}"#, ["record.unknown-shape 0"]),
        (#"{"pushpipe-ignore":"record","payload":[{"aps":{"alert":"Hi"}}]}"#, ["record.payload-type 38"]),
        (#"{"pushpipe-ignore":"record.payload-type","payload":7}"#, ["record.payload-type 51"]),
        (
            #"{"x":1,"pushpipe-ignore":["gcm"],"aps":{"alert":"Hi","mutable_content":1}}"#,
            [
                "config.unused-suppression 26", "aps.misspelled-key 53",
            ]
        ),
        (#"{"pushpipe-ignore":7,"aps":{"alert":"Hi"}}"#, ["config.unused-suppression 19"]),
        (#"{"pushpipe-ignore":["aps.mispelled-key"],"aps":{"alert":"Hi"}}"#, ["config.unused-suppression 20"]),
        // It is the record's, not the payload's, and not that of a broken record.
        (#"{"payload":{"aps":{"alert":"Hi","mutable_content":1},"pushpipe-ignore":"aps"}}"#, ["aps.misspelled-key 32"]),
        (#"{"aps":{"alert":"Hi"},"pushpipe-ignore":"json",}"#, ["json.trailing-comma 46"]),
        (#"{"pushpipe-ignore":"aps","pushpipe-ignore":"gcm","aps":{"alert":"Hi"}}"#, ["config.unused-suppression 43"]),
    ])
    func `a sample says what to ignore in it`(record: String, expected: [String]) {
        let found = Linter().lint(record).filter { $0.rule.severity > .info }.map {
            "\($0.rule.id) \($0.range.lowerBound)"
        }
        #expect(found == expected, "\(record)")
    }

    @Test func `the member takes no bytes of a budget, and other findings keep their places`() throws {
        let payload = #"{"aps":{"alert":"Hi"}}"#
        let sample = #"{"aps":{"alert":"Hi"},"pushpipe-ignore":["gcm"]}"#
        #expect(Linter().budgets(of: sample).map(\.bytes) == Linter().budgets(of: payload).map(\.bytes))
        let before = #"{ "pushpipe-ignore" : "gcm" , "aps":{"alert":"Hi"}}"#
        #expect(Linter().budgets(of: before).map(\.bytes) == [payload.utf8.count + 1])
    }

    @Test func `fixes around the member leave it alone`() throws {
        for (sample, fixed) in [
            (
                #"{"pushpipe-ignore":"gcm","aps":{"alert":"Hi","mutable_content":1}}"#,
                #"{"pushpipe-ignore":"gcm","aps":{"alert":"Hi","mutable-content":1}}"#
            ),
            (#"{"Aps":{"alert":"Hi"},"pushpipe-ignore":"gcm"}"#, #"{"aps":{"alert":"Hi"},"pushpipe-ignore":"gcm"}"#),
        ] { #expect(TextLinter().fix(sample).text == fixed) }
    }

    @Test func `a record that is sent is warned about`() {
        let linter = RecordLinter(DecodingOptions(), isInPipeline: true)
        let record = Array(#"{"aps":{"alert":"Hi","mutable_content":1},"pushpipe-ignore":"aps"}"#.utf8)
        let found = record.withUnsafeBytes { linter.lint($0) }
        #expect(found.map(\.rule.id.text) == ["aps.misspelled-key", "config.sent-suppression"])
    }

    // MARK: - A file next to a sample

    @Test func `a file next to a sample says what to ignore in it, and what is ignored in vain is found there`() throws
    {
        let folder = try LintFolder([
            "a.json": Payload.misspelled, "b.json": Payload.misspelled,
            "a.json.pushpipe.yml": "# On purpose.\nignore:\n  - aps.misspelled-key\n  - {rule: gcm}\n  - alrt.x\n",
        ])
        let expected = [
            "a.json.pushpipe.yml:4:12 config.unused-suppression", "a.json.pushpipe.yml:5:5 config.unused-suppression",
        ]
        #expect(try found(folder, "a.json") == expected)
        #expect(try found(folder, ".") == expected + ["b.json:1:22 aps.misspelled-key"])
        #expect(try found(folder, "a.json") { $0.fixing = .show }.isEmpty)
        #expect(try found(folder, "a.json") { $0.configuration = .none } == ["a.json:1:22 aps.misspelled-key"])
        try folder.write("lint:\n  ignore: config\n", to: ".pushpipe.yml")
        #expect(try found(folder, "a.json") == [])
    }

    @Test func `records and paths can be named`() throws {
        let records = [Payload.misspelled, Payload.misspelled, #"{"aps":{"alert":"%@"},"x":{"aps":1}}"#]
        let folder = try LintFolder(["a.ndjson": records.joined(separator: "\n")])
        func ignoring(_ text: String) throws -> [String] {
            try folder.write("ignore: \(text)\n", to: "a.ndjson.pushpipe.yml")
            return try found(folder, "a.ndjson")
        }
        #expect(try ignoring("{rule: aps, record: 2}").map { $0.prefix(10) } == ["a.ndjson:1"])
        #expect(try ignoring("[{rule: aps, path: /aps/mutable_content}]") == [])
        #expect(try ignoring("[{rule: aps, path: /aps/other}]").count == 3)
        #expect(try ignoring("aps") == [])
    }

    @Test func `an info that is not shown counts as found`() throws {
        let folder = try LintFolder([
            "a.json": Payload.category, "a.json.pushpipe.yml": "ignore: aps.category-without-alert\n",
        ])
        #expect(try found(folder, "a.json") == [])
    }

    @Test(arguments: [
        ("lint: {}\n", "a file next to a payload has no key 'lint'; the key allowed is ignore"),
        ("ignore:\n  - {record: 1}\n", "an element of ignore needs a rule"),
        ("ignore: [{rule: aps, record: 0}]\n", "record is the number of a record, from 1"),
        ("ignore: [{rule: aps, path: aps}]\n", "path is a JSON Pointer such as /aps/alert"),
        (
            "ignore: [{rule: aps, line: 1}]\n",
            "an element of ignore has no key 'line'; the keys allowed are rule, record, path"
        ),
    ])
    func `a mistake in a file next to a sample is an error`(text: String, message: String) throws {
        let folder = try LintFolder(["a.json": Payload.good, "a.json.pushpipe.yml": text])
        #expect(try #require(throws: ConfigurationError.self) { try found(folder, "a.json") }.message == message)
    }

    @Test func `a pipe next to a sample is not opened`() throws {
        let folder = try LintFolder(["a.json": Payload.good])
        #expect(mkfifo(folder.path("a.json.pushpipe.yml"), 0o600) == 0)
        #expect(throws: ConfigurationError.self) { try found(folder, ".") }
    }

    @Test func `a setting for a folder is not missed in each of its files`() throws {
        let folder = try LintFolder([
            "payloads/legacy/a.json": Payload.misspelled, "payloads/b.json": Payload.good,
            ".pushpipe.yml": "lint:\n  per-file:\n    payloads/legacy: [gcm]\n    payloads/b.json: [gcm]\n",
        ])
        #expect(
            try found(folder, ".") == [
                ".pushpipe.yml:4:23 config.unused-suppression", "payloads/legacy/a.json:1:22 aps.misspelled-key",
            ])
    }

    // MARK: - Written by the linter

    private func addIgnores(
        _ folder: LintFolder, _ names: String..., change: (inout LintJob) -> Void = { _ in }
    ) throws -> JobOutput {
        let streams = CollectedStreams()
        var job = LintJob(names.map(folder.path))
        change(&job)
        let outcome = try job.addIgnores(
            to: streams, reader: LintConfiguration.init(yaml:path:directory:))
        let prefix = folder.path(".") + "/"
        return JobOutput(
            outcome: outcome, results: streams.results.replacing(prefix, with: ""),
            notes: streams.notes.replacing(prefix, with: ""))
    }

    @Test func `what is found is ignored in the nearest configuration, which stays as it was`() throws {
        let before = """
            # Ours.
            lint:
              severity: info # all
              per-file: # legacy
                "old/*": [gcm]
                b/c.json: gcm   # one

            # The end.
            """
        let folder = try LintFolder([
            "[a].json": Payload.misspelled, "b/c.json": Payload.category, "d.json": Payload.good,
            ".pushpipe.yml": before,
        ])
        let output = try addIgnores(folder, ".")
        #expect(output.results == "[a].json: aps.misspelled-key\nb/c.json: aps.category-without-alert\n")
        #expect(output.notes == "pushpipe: .pushpipe.yml ignores these rules in these 2 files now\n")
        let after = before.replacing("gcm   #", with: "[gcm, aps.category-without-alert]   #").replacing(
            "# one\n", with: "# one\n    \"/\\\\[a\\\\].json\": [aps.misspelled-key]\n")
        #expect(try folder.read(".pushpipe.yml") == after + "\n")
        #expect(try found(folder, ".") == [".pushpipe.yml:6:16 config.unused-suppression"])
        #expect(try addIgnores(folder, ".").notes == "no findings, so there is nothing to ignore\n")
    }

    @Test(arguments: [
        "", "# Nothing.\n", "lint:\n", "lint: {}\n", "extends: parent\nlint:\n    severity: info\n",
        "lint:\n  per-file: {}\n",
        "lint:\n  per-file:\n    'a.json': []\n", "lint:\n  per-file:\n    /a.json:\n    - gcm\n  severity: info\n",
        "lint:\n  per-file:\n    /a.json:\n      - gcm # one\n\n      - fcm\n",
        "lint:\n  per-file:\n    \"/a.json\": [gcm, fcm] # two\n",
        "lint:\r\n  severity: info\r\n",
    ])
    func `rules are added to any configuration that is written line by line`(text: String) throws {
        let folder = try LintFolder(["a.json": Payload.misspelled, ".pushpipe.yml": text])
        _ = try addIgnores(folder, "a.json")
        #expect(try found(folder, "a.json").allSatisfy { $0.hasPrefix(".pushpipe.yml:") })
        let old = text.split(whereSeparator: \.isNewline).filter { !$0.contains("a.json") && !$0.contains("{}") }
        let new = try folder.read(".pushpipe.yml")
        for line in old { #expect(new.contains(line), "\(line)") }
    }

    @Test(arguments: [
        "lint: {severity: info}\n", "{lint: {}}\n", "lint:\n  per-file: {x: [gcm]}\n",
        "lint:\n  per-file:\n    /a.json: {severity: info}\n",
        "lint:\n  per-file:\n    /a.json:\n      severity: info\n",
        "lint:\n  per-file:\n    /a.json: &a [gcm]\n",
    ])
    func `another configuration is left alone, with a reason`(text: String) throws {
        let folder = try LintFolder(["a.json": Payload.misspelled, ".pushpipe.yml": text])
        #expect(throws: ConfigurationError.self) { try addIgnores(folder, "a.json") }
        #expect(try folder.read(".pushpipe.yml") == text)
    }

    @Test func `what is ignored already is not written again`() throws {
        let folder = try LintFolder(["a.json": Payload.misspelled])
        for _ in 0..<2 { _ = try addIgnores(folder, "a.json") { $0.options.rules.selected = [.everything] } }
        #expect(try folder.read(".pushpipe.yml") == "lint:\n  per-file:\n    \"/a.json\": [aps.misspelled-key]\n")
    }

    @Test func `a comment with the same words stays as it is`() throws {
        let text = "lint:\n  per-file:\n    b/c.json: gcm  # gcm is legacy: gcm\n"
        let folder = try LintFolder(["b/c.json": Payload.misspelled, ".pushpipe.yml": text])
        _ = try addIgnores(folder, ".")
        let after = text.replacing(": gcm  #", with: ": [gcm, aps.misspelled-key]  #")
        #expect(try folder.read(".pushpipe.yml") == after)
    }

    @Test(arguments: [
        "lint:\r\n  severity: info\r\n", "lint: {}\r\n", "# Ours.\r\n", "lint:\r\n  per-file:\r\n    x.json: gcm\r\n",
        "lint:\r\n  per-file:\r\n    /a.json:\r\n    - gcm\r\n", "lint:\r\n  per-file:\r\n    /a.json: [gcm] # one\r\n",
    ])
    func `new lines end as the first one does`(text: String) throws {
        let folder = try LintFolder(["a.json": Payload.misspelled, ".pushpipe.yml": text])
        _ = try addIgnores(folder, "a.json")
        let new = try folder.read(".pushpipe.yml")
        #expect(new.utf8.split(separator: 0x0A).allSatisfy { $0.last == 0x0D })
        #expect(new.contains("aps.misspelled-key"))
    }

    @Test(arguments: [
        ("lint: {severity: info}\n", 1, "write it as a mapping over several lines"),
        (
            "lint:\n  per-file:\n    /a.json: {severity: info}\n", 3,
            "write a list of rules, or add them below ignore"
        ),
    ])
    func `an error says what to write instead`(text: String, line: Int, advice: String) throws {
        let folder = try LintFolder(["a.json": Payload.misspelled, ".pushpipe.yml": text])
        let error = try #require(throws: ConfigurationError.self) { try addIgnores(folder, "a.json") }
        #expect(error.place?.line == line)
        #expect(error.message == "cannot add to this line; \(advice)")
    }

    @Test func `a configuration that could not be read any more is not written`() throws {
        let text = "#" + String(repeating: "x", count: (1 << 20) - 10) + "\n"
        let folder = try LintFolder(["a.json": Payload.misspelled, ".pushpipe.yml": text])
        let error = try #require(throws: ConfigurationError.self) { try addIgnores(folder, "a.json") }
        #expect(error.message.contains("larger than 1 MiB"))
        #expect(try folder.read(".pushpipe.yml") == text)
    }

    @Test func `a file outside the configuration's directory is an error`() throws {
        let folder = try LintFolder(["payloads/a.json": Payload.misspelled, "ci/lint.yml": "lint:\n"])
        let error = try #require(throws: ConfigurationError.self) {
            try addIgnores(folder, "payloads") { $0.configuration = .file(folder.path("ci/lint.yml")) }
        }
        #expect(error.path == folder.path("ci/lint.yml"))
        #expect(error.message.hasSuffix("a.json is not below the directory of this file, so no pattern can name it"))
        #expect(try folder.read("ci/lint.yml") == "lint:\n")
    }

    @Test func `an empty file is nothing to check, and other files are listed if asked for`() throws {
        let folder = try LintFolder(["a.json": " \n", "b/package.json": #"{"name":"shop"}"#])
        let output = try addIgnores(folder, "a.json", "b") { $0.isVerbose = true }
        #expect(output.outcome.isEmpty)
        #expect(output.notes.hasPrefix("pushpipe: b/package.json: not a payload\npushpipe: nothing to check: "))
    }

    @Test func `without a configuration one is created, which others can read`() throws {
        let folder = try LintFolder(["a.json": Payload.misspelled])
        _ = try addIgnores(folder, "a.json")
        #expect(try folder.read(".pushpipe.yml") == "lint:\n  per-file:\n    \"/a.json\": [aps.misspelled-key]\n")
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path(".pushpipe.yml"))[.posixPermissions]
        #expect(mode as? Int == 0o644)
        #expect(try found(folder, ".") == [])
        // The finding is gone, and its suppression is left.
        try folder.write(Payload.good, to: "a.json")
        #expect(try found(folder, ".") == [".pushpipe.yml:3:17 config.unused-suppression"])
    }
}
