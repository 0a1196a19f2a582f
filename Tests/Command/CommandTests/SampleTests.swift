import Foundation
import TestSupport
import Testing

/// Each row of `Samples/README.md` gives the report in `Samples/expected`.
struct SampleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var file: String
        var arguments: [String]

        var testDescription: String { file }

        /// `simulator/breaking-news.apns` has `expected/simulator-breaking-news.ndjson`.
        var expectation: URL {
            let name = file.replacingOccurrences(of: "/", with: "-").split(separator: ".").dropLast().joined(
                separator: ".")
            return Place.samples.appendingPathComponent("expected/\(name).ndjson")
        }
    }

    /// A row's arguments name files relative to the root of the package.
    private static func argument(_ text: Substring) -> String {
        text.hasPrefix("Samples/") ? Place.package.appendingPathComponent(String(text)).path : String(text)
    }

    /// The table's rows: a file, what it shows, arguments.
    private static let rows: [Row] = {
        let readme = (try? String(contentsOf: Place.samples.appendingPathComponent("README.md"), encoding: .utf8)) ?? ""
        return readme.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            // Feature files have their own table, and state themselves what is expected.
            guard line.hasPrefix("| `"), cells.count >= 2, !cells[0].contains(".feature") else { return nil }
            let file = cells[0].trimmingCharacters(in: ["`"])
            let arguments = cells.count > 2 ? cells[2].trimmingCharacters(in: ["`"]) : ""
            return Row(file: file, arguments: arguments.split(separator: " ").map(argument))
        }
    }()

    @Test func `the linter reports only the samples that are wrong`() throws {
        let output = try Folder().pushpipe(
            "lint", "--format", "ndjson", Place.samples.resolvingSymlinksInPath().path,
            Place.samples.appendingPathComponent("moodle-2013.txt").path)
        #expect(output.status == 1)
        let files = try output.json().compactMap { $0["file"]?.string?.split(separator: "/").last.map(String.init) }
        #expect(
            Set(files) == [
                "every-bad-record.ndjson", "fcm-v1-apns-block.ndjson", "gcm-score-updates.ndjson", "live-score.ndjson",
                "moodle-2013.txt", "quickstart.ndjson", "sns-mobile-push.ndjson", "web-push.ndjson",
                "wikimedia-checkechov1.ndjson",
            ])
    }

    @Test func `every sample has a row and an expected report`() throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Place.samples.resolvingSymlinksInPath().path)
        // These folders are packages with their own tests, or state themselves what is expected; Tests/Line/ScaleOut runs the recipes for many
        // machines.
        let others = [
            "expected", "Extensions", "LibraryUser", "Preferences", "Scenarios", "SenderTests", "Snapshots",
            "XcodeProject",
            "scale-out", ".",
        ]
        let samples = names.filter { name in
            !others.contains(where: name.hasPrefix) && name != "README.md" && name != "simulator"
        }
        #expect(Set(samples) == Set(Self.rows.map(\.file)))
        #expect(samples.count == Self.rows.count)
        let expected = names.filter { $0.hasPrefix("expected/") }.map { String($0.dropFirst("expected/".count)) }
        #expect(Set(expected) == Set(Self.rows.map(\.expectation.lastPathComponent)))
    }

    @Test(arguments: rows)
    func `a sample gives the expected report`(row: Row) throws {
        let output = try Folder().pushpipe(
            arguments: ["run"] + row.arguments + [Place.samples.appendingPathComponent(row.file).path])
        #expect(output.status == 0)
        let expected = try Output(stdout: Data(contentsOf: row.expectation), stderr: "", status: 0).json()
        let lines = try output.json()
        #expect(!expected.isEmpty)
        #expect(lines.count == expected.count)
        for (line, expectation) in zip(lines, expected) { compare(line, expectation) }
    }

    /// What an expected line says must hold; of findings and errors it gives a part.
    private func compare(_ line: JSONValue, _ expected: JSONValue) {
        for (key, value) in expected.members {
            switch key {
            case "findings":
                for finding in value.elements {
                    let found = (line["findings"]?.elements ?? []).contains {
                        $0["rule"] == finding["rule"] && $0["pointer"] == finding["pointer"]
                    }
                    #expect(found, "\(finding) in \(line)")
                }
            case "error":
                for (name, part) in value.members { #expect(line["error"]?[name] == part, "\(name) of \(line)") }
            default: #expect(line[key] == value, "\(key) of \(line)")
            }
        }
    }
}
