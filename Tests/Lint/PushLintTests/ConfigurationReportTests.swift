import Foundation
import PushJSON
import PushJSONSchema
import PushLintConfiguration
import PushLintYAML
import TestSupport
import Testing

@testable import PushLint
@testable import PushLintFiles

/// What `pushpipe config` prints: what applies to a file and why, and what a configuration may contain.
struct ConfigurationReportTests {
    private func report(_ folder: LintFolder, _ name: String) throws -> String {
        let finder = ConfigurationFinder(
            .nearest, LintOptions(), reader: LintConfiguration.init(yaml:path:directory:))
        return try ConfigurationReport.text(for: folder.path(name), finder).replacing(folder.path(".") + "/", with: "")
    }

    @Test func `each setting comes with the line that says so`() throws {
        let above = """
            # Ours.
            lint:
              severity: info
              rules: {aps.nothing-visible: off}
              per-file:
                "*.apns": [gcm]
                b/: {select: [aps, alert]}
              exclude:
                - old/
            """
        let folder = try LintFolder([
            ".pushpipe.yml": above, "b/.pushpipe.yaml": "extends: parent\nlint:\n  ignore: [aps.misspelled-key]\n",
            "b/a.json.pushpipe.yml": "ignore:\n  - {rule: alert, record: 2, path: /aps/a~1b~0c}\n",
            "c/.pushpipe.yml": "lint: {}\n",
        ])
        #expect(
            try report(folder, "b/a.json") == """
                b/a.json
                  .pushpipe.yml:3          severity: info
                  .pushpipe.yml:4          rules: {aps.nothing-visible: off}
                  .pushpipe.yml:9          exclude: [old/]
                  .pushpipe.yml:7          per-file b/: {select: [aps, alert]}
                  b/.pushpipe.yaml:1       extends: parent
                  b/.pushpipe.yaml:3       ignore: [aps.misspelled-key]
                  b/a.json.pushpipe.yml:2  ignore: alert in record 2 at /aps/a~1b~0c

                """)
        #expect(try report(folder, "c/d.apns") == "c/d.apns\n  c/.pushpipe.yml  says nothing\n")
        #expect(try report(folder, "old/e.json").contains("exclude: [old/]  (leaves this file out)\n"))
        #expect(
            try report(try LintFolder(), "a.json")
                == "a.json: the defaults apply; there is no .pushpipe.yml in its folder or above\n")
    }

    @Test func `a setting for single files that stands first is shown last, because it counts more`() throws {
        let folder = try LintFolder([
            ".pushpipe.yml": "lint:\n  per-file: {a.json: {severity: info}}\n  severity: error\n"
        ])
        let lines = try report(folder, "a.json").split(separator: "\n")
        #expect(lines.last == "  .pushpipe.yml:2  per-file a.json: {severity: info}")
    }

    @Test func `a long setting is cut off`() throws {
        let names = (0..<2000).map { "ä\($0)" }.joined(separator: ", ")
        let configuration = try LintConfiguration(yaml: Array("lint: {exclude: [\(names)]}\n".utf8))
        let value = try #require(configuration.lines.first?.value)
        #expect(value.hasPrefix("[ä0, ä1, ") && value.hasSuffix("…") && !value.contains("\u{FFFD}"))
        #expect((4000...4099).contains(value.utf8.count))
    }

    // MARK: - The schema

    private func problems(_ text: String) throws -> [String] {
        let document = try #require(
            SchemaDocument(Array(LintConfiguration.schema(adding: "").utf8), name: "schema", path: "/schema.json"))
        var validator = SchemaValidator(try #require(Schema(document)))
        var scanner = JSONScanner()
        var tape = JSONTape()
        return Array(text.utf8).withUnsafeBytes { bytes in
            guard scanner.scan(bytes, into: &tape) == nil, let root = tape.root(of: bytes) else { return ["not JSON"] }
            return validator.validate(root).map { $0.message(validator.schema) }
        }
    }

    private func isAccepted(_ text: String) -> Bool { (try? LintConfiguration(yaml: Array(text.utf8))) != nil }

    @Test(arguments: [
        #"{"extends":null,"ignore":null,"lint":{"severity":null,"budget":null,"rules":{"aps":null},"per-file":{"a":null,"b":{"select":null}}}}"#,
        #"{"ignore":{"rule":"aps","record":null,"path":null}}"#,
        "{}", "null", #"{"lint":{}}"#, #"{"lint":null}"#, #"{"extends":"parent","lint":{"severity":"info"}}"#,
        #"{"lint":{"ignore":["gcm","json.comment"],"extend":"aps","select":["ALL"]}}"#,
        #"{"lint":{"ignore":null,"extend":[]}}"#,
        #"{"lint":{"rules":{"aps":"warning","aps.misspelled-key":"off","gcm":false}}}"#,
        #"{"lint":{"exclude":["old/","a*"],"files":"*.push","budget":"apns-voip"}}"#, #"{"lint":{"budget":4096}}"#,
        #"{"lint":{"per-file":{"a/b.json":"gcm","*.apns":["aps","ALL"],"c/**":{"severity":"error","rules":{"gcm":"info"}}}}}"#,
        #"{"ignore":["aps",{"rule":"gcm","record":3,"path":"/aps/alert"}]}"#, #"{"ignore":"ALL"}"#,
    ])
    func `the schema and the reader accept a configuration`(text: String) throws {
        #expect(try problems(text) == [])
        #expect(isAccepted(text))
    }

    @Test(arguments: [
        #"{"lnt":{}}"#, #"{"lint":{"severty":"info"}}"#, #"{"lint":{"severity":"high"}}"#,
        #"{"lint":{"ignore":["gmc"]}}"#,
        #"{"lint":{"rules":{"aps.mispelled-key":"off"}}}"#, #"{"lint":{"rules":{"aps":"no"}}}"#,
        #"{"lint":{"per-file":{"a":{"exclude":[]}}}}"#,
        #"{"lint":{"per-file":{"a":["gmc"]}}}"#, #"{"lint":{"exclude":[""]}}"#, #"{"extends":"../other.yml"}"#,
        #"{"lint":{"schemas":[{}]}}"#,
        #"{"lint":{"schemas":[{"file":"a","push-type":"x"}]}}"#, #"{"ignore":[{"record":1}]}"#,
        #"{"ignore":[{"rule":"aps","record":0}]}"#, "[]",
    ])
    func `the schema and the reader refuse a mistake`(text: String) throws {
        #expect(try problems(text) != [])
        #expect(!isAccepted(text))
    }

    @Test func `the schema lists every key that the reader knows`() {
        for key in [
            "severity", "select", "ignore", "extend", "rules", "per-file", "exclude", "files",
            "budget", "schemas",
        ] {
            #expect(LintConfiguration.schema(adding: "").contains("\"\(key)\":"))
        }
    }
}
