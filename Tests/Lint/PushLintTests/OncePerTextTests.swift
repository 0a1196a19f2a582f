import PushModel
import TestSupport
import Testing

@testable import PushLint
@testable import PushLintFiles

/// `gcm.switched-off` is about what a whole file is for, so a file has it once.
///
/// Source: Firebase, "Migrate from legacy FCM APIs to HTTP v1": the legacy protocol was switched off from June 2024 on.
struct OncePerTextTests {
    private static let request = #"{"to":"t","data":{"a":"b"}}"#
    private static let rule = "gcm.switched-off"

    private func lines(_ text: String, _ count: Int) -> String { String(repeating: text + "\n", count: count) }

    @Test func `it is a warning, so lint does not pass silently, and the exit status stays`() throws {
        let output = try LintFolder(["in.ndjson": Self.request]).run("in.ndjson")
        #expect(output.outcome.warnings == 1)
        #expect(output.outcome.errors == 0)
        #expect(
            output.lines.first?.hasPrefix("in.ndjson:1:1: warning: Google shut this protocol down in 2024") == true)
        #expect(output.notes.hasPrefix("1 warning in 1 file"))
    }

    @Test(arguments: LintReport.Format.allCases) func `each file has it once, in every format`(
        _ format: LintReport.Format
    ) throws {
        let folder = try LintFolder([
            "a.ndjson": lines(Self.request, 3), "b.ndjson": lines(Payload.good, 2) + lines(Self.request, 2),
            "c.ndjson": lines(Payload.good, 2),
        ])
        let output = try folder.run(".") { $0.format = format }
        #expect(output.outcome.warnings == 2)
        let places = output.results.split(separator: "shut this protocol down", omittingEmptySubsequences: false)
        #expect(places.count - 1 == 2, "\(output.results)")
    }

    /// Parts of 256 KiB, which several threads compose.
    @Test(arguments: [1, 4], [true, false]) func `a long file has it once, at its first request`(
        _ jobs: Int, _ folds: Bool
    ) throws {
        let bad = #"{"to":"t","data":{"a":1}}"#
        let text = lines(Payload.silent, 3) + lines(bad, 12_000)
        let folder = try LintFolder(["in.ndjson": text])
        let output = try folder.run("in.ndjson") {
            $0.jobs = jobs
            $0.folds = folds
        }
        #expect(output.lines.count { $0.contains("[\(Self.rule)]") } == 1)
        #expect(output.lines.firstIndex { $0.contains("[\(Self.rule)]") } == 12)
        #expect(output.outcome.warnings == 12_004)
        #expect(output.notes.hasPrefix("12004 warnings in 1 file"))
        let json = try folder.run("in.ndjson") {
            $0.jobs = jobs
            $0.format = .ndjson
        }
        let findings = try json.findings()
        #expect(findings.count == 12_004)
        #expect(findings.filter { $0.rule == Self.rule }.map(\.line) == [4])
    }

    @Test func `a stream has it at its first request, and not again after a pause`() throws {
        let streams = CollectedStreams(
            pieces: [Payload.good, Self.request, Self.request].map { Array(($0 + "\n").utf8) }, pauses: true)
        let output = try LintJob([nil]).run(streams)
        #expect(streams.atPauses.map { $0.contains(Self.rule) } == [false, false, true, true])
        #expect(output.outcome.warnings == 1)
    }

    @Test func `where it is not shown, it is counted once`() throws {
        let output = try LintFolder(["in.ndjson": lines(Self.request, 20_000)]).run("in.ndjson") {
            $0.options.severity = .error
        }
        #expect(output.notes.contains("1 finding of severity warning not shown"))
    }

    @Test func `what --fix leaves has it once`() throws {
        let output = try LintFolder(["in.ndjson": lines(Self.request, 3)]).run("in.ndjson") { $0.fixing = .write }
        #expect(output.lines.count { $0.contains("[\(Self.rule)]") } == 1)
    }

    @Test func `a library that lints records is told for each, and one that lints a text once`() {
        #expect(Linter().lint(Self.request).map(\.rule.id.text) == ["gcm.switched-off"])
        #expect(TextLinter().lint(lines(Self.request, 3)).diagnostics.map(\.record) == [1])
    }

    /// Source: Amazon SNS developer guide, "Using Google Firebase Cloud Messaging v1 payloads in Amazon SNS": SNS turns the old form into
    /// one of HTTP v1.
    @Test func `the text for SNS in the legacy form is still in use`() {
        #expect(Linter().lint(#"{"default":"d","GCM":"{\"data\":{\"a\":\"b\"}}"}"#).isEmpty)
    }
}
