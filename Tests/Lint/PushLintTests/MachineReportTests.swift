import Foundation
import PushModel
import Testing

@testable import PushLint

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The machine-readable reports: JSON, SARIF, JUnit, and those of code hosts.
struct MachineReportTests {
    // MARK: - JSON

    @Test func `JSON has one object per line, with the same keys in the same order`() throws {
        let text = LintReport.text(.ndjson, LintedFile("in.ndjson", Payload.good + "\n" + Payload.misspelled + "\n"))
        let line = try #require(text.lines.first)
        let finding = try JSONDecoder().decode(FindingLine.self, from: Data(line.utf8))
        #expect(
            text.hasPrefix(
                #"{"file":"in.ndjson","line":2,"column":22,"endLine":2,"endColumn":39,"offset":44,"length":17,"#
                    + #""rule":"aps.misspelled-key","severity":"error","message":"#))
        #expect(finding.pointer == "/aps/mutable_content")
        #expect(finding.record == 2)
        #expect(finding.fixable)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object.count == 14)
        #expect(try finding.page == RuleID("aps.misspelled-key").rule.page)
    }

    // MARK: - SARIF

    /// The parts of SARIF 2.1.0 that the schema requires, and those that GitHub requires in addition.
    private struct Log: Decodable {
        struct Text: Decodable { var text: String }
        struct Rule: Decodable {
            var id: String
            var shortDescription: Text
            var fullDescription: Text
            var help: Text
            var helpUri: String
        }
        struct Driver: Decodable {
            var name: String
            var rules: [Rule]
        }
        struct Tool: Decodable { var driver: Driver }
        struct Invocation: Decodable { var executionSuccessful: Bool }
        struct ArtifactLocation: Decodable {
            var uri: String
            var index: Int?
        }
        struct Artifact: Decodable { var location: ArtifactLocation }
        struct PhysicalLocation: Decodable {
            var artifactLocation: ArtifactLocation
            var region: [String: Int]
        }
        struct LogicalLocation: Decodable { var fullyQualifiedName: String }
        struct Location: Decodable {
            var physicalLocation: PhysicalLocation
            var logicalLocations: [LogicalLocation]
        }
        struct Replacement: Decodable {
            var deletedRegion: [String: Int]
            var insertedContent: Text
        }
        struct Change: Decodable { var replacements: [Replacement] }
        struct Fix: Decodable { var artifactChanges: [Change] }
        struct Result: Decodable {
            var ruleId: String
            var ruleIndex: Int
            var level: String
            var message: Text
            var locations: [Location]
            var fixes: [Fix]?
        }
        struct Run: Decodable {
            var columnKind: String
            var tool: Tool
            var invocations: [Invocation]
            var artifacts: [Artifact]
            var results: [Result]
        }

        var schema: String
        var version: String
        var runs: [Run]

        enum CodingKeys: String, CodingKey {
            case schema = "$schema"
            case version, runs
        }
    }

    @Test func `SARIF has the properties that the standard requires, and its references resolve`() throws {
        let text = LintReport.text(
            .sarif, LintedFile("a b.json", Payload.misspelled, severity: .info),
            LintedFile("b.ndjson", Payload.silent + "\n" + Payload.category, severity: .info),
            unreadable: ["no: No such file or directory"])
        let log = try JSONDecoder().decode(Log.self, from: Data(text.utf8))
        #expect(log.version == "2.1.0")
        #expect(log.schema.hasSuffix("sarif-schema-2.1.0.json"))
        let run = try #require(log.runs.first)
        #expect(run.columnKind == "unicodeCodePoints")
        #expect(run.tool.driver.name == "pushpipe")
        #expect(run.invocations.first?.executionSuccessful == false)
        for rule in run.tool.driver.rules {
            #expect(!rule.shortDescription.text.isEmpty)
            #expect(!rule.fullDescription.text.isEmpty)
            #expect(!rule.help.text.isEmpty)
            #expect(rule.helpUri == PushLint.Rule.named(rule.id)?.page)
        }
        #expect(run.artifacts.map(\.location.uri) == ["a%20b.json", "b.ndjson"])
        #expect(run.results.map(\.level) == ["error", "warning", "note"])
        for result in run.results {
            #expect(!result.message.text.isEmpty)
            #expect(run.tool.driver.rules[result.ruleIndex].id == result.ruleId)
            let place = try #require(result.locations.first).physicalLocation
            let file = try #require(place.artifactLocation.index)
            #expect(run.artifacts[file].location.uri == place.artifactLocation.uri)
        }
        let first = try #require(run.results.first)
        let region = [
            "startLine": 1, "startColumn": 22, "endLine": 1, "endColumn": 39, "byteOffset": 21, "byteLength": 17,
        ]
        let location = try #require(first.locations.first)
        #expect(location.physicalLocation.region == region)
        #expect(location.logicalLocations.first?.fullyQualifiedName == "/aps/mutable_content")
        let replacement = first.fixes?.first?.artifactChanges.first?.replacements.first
        #expect(replacement?.deletedRegion == region)
        #expect(replacement?.insertedContent.text == #""mutable-content""#)
    }

    // MARK: - GitHub

    @Test func `GitHub's commands are escaped`() {
        let text = LintReport.text(.github, LintedFile("a,b:100%.json", Payload.misspelled))
        #expect(
            text.hasPrefix(
                "::error file=a%2Cb%3A100%25.json,line=1,endLine=1,col=22,endColumn=39,title=aps.misspelled-key::unknown key"
            ))
        #expect(text.lines.count == 1)
        #expect(
            text.hasSuffix(
                "%0Ahttps://github.com/pushpipe/pushpipe/blob/main/Documentation/reference/rules/aps.misspelled-key.md\n"
            ))
    }

    @Test func `an info is a notice, and a warning is a warning`() {
        let file = LintedFile("in.ndjson", Payload.silent + "\n" + Payload.category, severity: .info)
        let commands = LintReport.text(.github, file).lines.map { $0.prefix { $0 != " " } }
        #expect(commands == ["::warning", "::notice"])
    }

    // MARK: - Azure Pipelines

    /// The escapes of "Logging commands" in the docs of Azure Pipelines.
    @Test func `Azure's commands are escaped`() {
        let text = LintReport.text(.azure, LintedFile("a;b]100%.json", Payload.misspelled))
        #expect(
            text.hasPrefix(
                "##vso[task.logissue type=error;sourcepath=a%3Bb%5D100%AZP25.json;linenumber=1;columnnumber=22;"
                    + "code=aps.misspelled-key;]unknown key"))
        #expect(text.lines.count == 1)
        #expect(text.contains("%0Ahttps://"))
    }

    @Test func `Azure knows errors and warnings only`() {
        let file = LintedFile("in.ndjson", Payload.silent + "\n" + Payload.category, severity: .info)
        let text = LintReport.text(.azure, file)
        #expect(text.lines.count == 2)
        #expect(text.lines.allSatisfy { $0.hasPrefix("##vso[task.logissue type=warning;") })
    }

    // MARK: - GitLab

    /// The members that GitLab requires of a report ("Code Quality report format").
    private struct Violation: Decodable {
        struct Location: Decodable {
            struct Lines: Decodable { var begin: Int }
            var path: String
            var lines: Lines
        }

        var description: String
        var checkName: String
        var fingerprint: String
        var severity: String
        var location: Location

        enum CodingKeys: String, CodingKey {
            case description, fingerprint, severity, location
            case checkName = "check_name"
        }
    }

    private func violations(_ files: LintedFile...) throws -> [Violation] {
        var report = LintReport(.gitlab)
        let text = files.map { report.add($0) }.joined() + report.finish()
        return try JSONDecoder().decode([Violation].self, from: Data(text.utf8))
    }

    @Test func `GitLab gets one array, with paths as the repository has them`() throws {
        let found = try violations(
            LintedFile("./a.ndjson", Payload.good + "\n" + Payload.misspelled, severity: .info),
            LintedFile("b.ndjson", Payload.silent + "\n" + Payload.category, severity: .info))
        #expect(found.map(\.location.path) == ["a.ndjson", "b.ndjson", "b.ndjson"])
        #expect(found.map(\.location.lines.begin) == [2, 1, 2])
        #expect(found.map(\.severity) == ["major", "minor", "info"])
        #expect(found.first?.checkName == "aps.misspelled-key")
        #expect(found.first?.description.hasPrefix("unknown key") == true)
        #expect(try violations().isEmpty)
    }

    @Test func `a fingerprint is unique, and stays where lines move`() throws {
        let twice = Payload.misspelled + "\n" + Payload.misspelled
        let found = try violations(LintedFile("a.ndjson", twice))
        #expect(Set(found.map(\.fingerprint)).count == 2)
        let moved = try violations(LintedFile("a.ndjson", Payload.good + "\n" + twice))
        #expect(moved.map(\.fingerprint) == found.map(\.fingerprint))
        #expect(moved.map(\.location.lines.begin) == [2, 3])
        let other = try violations(LintedFile("b.ndjson", Payload.misspelled))
        #expect(!found.map(\.fingerprint).contains(other.first?.fingerprint))
    }

    // MARK: - One line each

    @Test func `concise is one line a finding, with a star if it can be fixed`() {
        let file = LintedFile("in.ndjson", Payload.misspelled + "\n" + Payload.silent)
        let lines = LintReport.text(.concise, file).lines
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("in.ndjson:1:22: error: unknown key") == true)
        #expect(lines.first?.hasSuffix(" [aps.misspelled-key] [*]") == true)
        #expect(lines.last?.hasPrefix("in.ndjson:2:") == true)
        #expect(lines.last?.hasSuffix(" [aps.nothing-visible]") == true)
    }

    @Test func `SARIF has so many results at most, and says how many it leaves out`() throws {
        let most = LintReport.mostKept
        let text = Array(String(repeating: "[]\n", count: most + 7).utf8)
        let file = LintedFile(
            name: "a.json", bytes: text, diagnostics: TextLinter(LintConfiguration()).lint(text).diagnostics)
        var report = LintReport(.sarif)
        let sarif = report.add(file) + report.finish()
        #expect(sarif.components(separatedBy: "\"ruleIndex\"").count == most + 1)
        #expect(sarif.contains("\"level\" : \"warning\",\n              \"message\""))
        #expect(sarif.contains("\"7 more findings than the \(most) of this report\""))
        #expect(sarif.contains("\"executionSuccessful\" : true"))
    }

    // MARK: - JUnit

    @Test func `JUnit counts findings after so many, by rule`() throws {
        let (most, more) = (LintReport.mostKept, 7)
        let text = Array(String(repeating: "[]\n", count: most + more).utf8)
        let file = LintedFile(
            name: "a.json", bytes: text, diagnostics: TextLinter(LintConfiguration()).lint(text).diagnostics)
        #expect(file.diagnostics.count == most + more)
        var report = LintReport(.junit)
        let xml = report.add(file) + report.finish()
        let rule = file.diagnostics[0].rule.id.text
        #expect(xml.contains("<testsuite name=\"a.json\" tests=\"\(most + 1)\" failures=\"\(most + 1)\""))
        #expect(xml.contains("<testcase name=\"\(rule): 7 more of this rule\" classname=\"a.json\" file=\"a.json\">"))
        #expect(xml.contains("<failure type=\"\(rule)\" message=\"7 more of this rule\">"))
        #expect(xml.components(separatedBy: "<testcase ").count == most + 2)
    }

    @Test(arguments: [(false, "1"), (true, "2")])
    func `JUnit has one suite per file, and findings that fail the command fail a case`(
        isStrict: Bool, failures: String
    ) throws {
        let text = LintReport.text(
            .junit, LintedFile("a<&\">.ndjson", Payload.misspelled + "\n" + Payload.silent),
            LintedFile("good.json", Payload.good), isStrict: isStrict)
        let counter = ElementCounter()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = counter
        #expect(parser.parse())
        #expect(counter.attributes["testsuites"]?["tests"] == "3")
        #expect(counter.attributes["testsuites"]?["failures"] == failures)
        #expect(counter.counts["testsuite"] == 2)
        #expect(counter.counts["testcase"] == 3)
        #expect(counter.counts["failure"] == Int(failures))
        for id in ["aps.misspelled-key", "aps.nothing-visible"] {
            let page = try #require(Rule.named(id)).page
            #expect(text.components(separatedBy: "\n\(page)</").count == 2)
        }
    }

    private final class ElementCounter: NSObject, XMLParserDelegate {
        var counts: [String: Int] = [:]
        var attributes: [String: [String: String]] = [:]

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes attributeDict: [String: String] = [:]
        ) {
            counts[name, default: 0] += 1
            attributes[name] = attributeDict
        }
    }
}
