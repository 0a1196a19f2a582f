import FoundationEssentials
import PayloadJSON
import PushModel

/// SARIF 2.1.0, which code hosts and editors read: one run with all files, the broken rules, and fixes.
struct SARIFLintReport: LintReportForm {
    private var artifacts: [SARIF.Artifact] = []
    private var findings: [(file: Int, finding: LintFinding, positions: PositionTable)] = []

    mutating func add(_ file: LintedFile, to out: inout ByteBuffer) {
        artifacts.append(
            SARIF.Artifact(location: .init(uri: SARIF.uri(file.name), index: nil), length: file.bytes.count))
        findings += file.findings.map { (artifacts.count - 1, $0, file.positions) }
    }

    mutating func finish(unreadable: [String], to out: inout ByteBuffer) {
        let rules = Dictionary(findings.map { ($0.finding.rule.id, $0.finding.rule) }) { first, _ in first }
            .values.sorted { $0.id < $1.id }
        let positions = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1.id, $0) })
        let results = findings.map { file, finding, table in
            result(finding, of: file, table, ruleIndex: positions[finding.rule.id] ?? 0)
        }
        let run = SARIF.Run(
            tool: .init(
                driver: .init(
                    version: ToolVersion.current, semanticVersion: ToolVersion.current, rules: rules.map(Self.rule))
            ),
            invocations: [
                .init(
                    executionSuccessful: unreadable.isEmpty,
                    toolExecutionNotifications: unreadable.map { .init(level: "error", message: .init(text: $0)) })
            ], artifacts: artifacts, results: results)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Strings, numbers and lists of them can always be encoded.
        guard let json = try? encoder.encode(SARIF.Log(runs: [run])) else { return }
        out.appendText(String(decoding: json, as: UTF8.self) + "\n")
    }

    private static func rule(_ rule: Rule) -> SARIF.Rule {
        let source = "Source: [\(rule.source.title)](\(rule.source.url))"
        return SARIF.Rule(
            id: rule.id, shortDescription: .init(text: rule.title), fullDescription: .init(text: rule.explanation),
            helpUri: rule.source.url,
            help: .init(
                text: "\(rule.explanation) Source: \(rule.source.title), \(rule.source.url)",
                markdown: "\(rule.explanation)\n\n\(source)"),
            defaultConfiguration: .init(level: SARIF.level(rule.severity)))
    }

    private func result(
        _ finding: LintFinding, of file: Int, _ positions: PositionTable, ruleIndex: Int
    ) -> SARIF.Result {
        let location = SARIF.ArtifactLocation(uri: artifacts[file].location.uri, index: file)
        let replacements = finding.edits.map { edit in
            SARIF.Replacement(
                deletedRegion: region(edit.range, positions),
                insertedContent: .init(text: String(decoding: edit.replacement, as: UTF8.self)))
        }
        let fix = SARIF.Fix(
            description: .init(text: "Fix: \(finding.rule.title)"),
            artifactChanges: [.init(artifactLocation: location, replacements: replacements)])
        return SARIF.Result(
            ruleId: finding.rule.id, ruleIndex: ruleIndex, level: SARIF.level(finding.severity),
            message: .init(text: finding.message),
            locations: [
                .init(
                    physicalLocation: .init(artifactLocation: location, region: region(finding.range, positions)),
                    logicalLocations: [.init(fullyQualifiedName: finding.pointer, kind: "value")])
            ], fixes: replacements.isEmpty ? nil : [fix], properties: .init(record: finding.record))
    }

    private func region(_ range: Range<Int>, _ positions: PositionTable) -> SARIF.Region {
        let start = positions[range.lowerBound]
        let end = positions[range.upperBound]
        return SARIF.Region(
            startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column,
            byteOffset: range.lowerBound, byteLength: range.count)
    }
}

/// The parts of SARIF 2.1.0 that are written, under SARIF's names.
private enum SARIF {
    struct Log: Encodable {
        var schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
        var version = "2.1.0"
        var runs: [Run]

        enum CodingKeys: String, CodingKey {
            case schema = "$schema"
            case version, runs
        }
    }

    struct Run: Encodable {
        var tool: Tool
        var invocations: [Invocation]
        var columnKind = "unicodeCodePoints"
        var defaultEncoding = "utf-8"
        var artifacts: [Artifact]
        var results: [Result]
    }

    struct Tool: Encodable { var driver: Driver }

    struct Driver: Encodable {
        var name = "pushpipe"
        var informationUri = "https://github.com/pushpipe/pushpipe"
        var version: String
        var semanticVersion: String
        var rules: [Rule]
    }

    struct Rule: Encodable {
        var id: String
        var shortDescription: Message
        var fullDescription: Message
        var helpUri: String
        var help: Message
        var defaultConfiguration: Configuration
    }

    struct Configuration: Encodable { var level: String }

    struct Message: Encodable {
        var text: String
        var markdown: String?
    }

    struct Invocation: Encodable {
        var executionSuccessful: Bool
        var toolExecutionNotifications: [Notification]
    }

    struct Notification: Encodable {
        var level: String
        var message: Message
    }

    struct Artifact: Encodable {
        var location: ArtifactLocation
        var length: Int
        var roles = ["analysisTarget"]
    }

    struct ArtifactLocation: Encodable {
        var uri: String
        var index: Int?
    }

    struct Result: Encodable {
        var ruleId: String
        var ruleIndex: Int
        var level: String
        var message: Message
        var locations: [Location]
        var fixes: [Fix]?
        var properties: Properties
    }

    struct Properties: Encodable { var record: Int }

    struct Location: Encodable {
        var physicalLocation: PhysicalLocation
        var logicalLocations: [LogicalLocation]
    }

    struct PhysicalLocation: Encodable {
        var artifactLocation: ArtifactLocation
        var region: Region
    }

    struct LogicalLocation: Encodable {
        var fullyQualifiedName: String
        var kind: String
    }

    struct Region: Encodable {
        var startLine: Int
        var startColumn: Int
        var endLine: Int
        var endColumn: Int
        var byteOffset: Int
        var byteLength: Int
    }

    struct Fix: Encodable {
        var description: Message
        var artifactChanges: [Change]
    }

    struct Change: Encodable {
        var artifactLocation: ArtifactLocation
        var replacements: [Replacement]
    }

    struct Replacement: Encodable {
        var deletedRegion: Region
        var insertedContent: Message
    }

    static func level(_ severity: Finding.Severity) -> String {
        switch severity {
        case .error: "error"
        case .warning: "warning"
        case .info: "note"
        }
    }

    /// A path as a URI: relative as it was typed, absolute with `file://`.
    static func uri(_ path: String) -> String {
        var uri = path.hasPrefix("/") ? "file://" : ""
        let relative = path.hasPrefix("./") ? path.dropFirst(2) : path[...]
        for byte in relative.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                uri +=
                    "%" + String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
            }
        }
        return uri
    }
}
