import Foundation
import FuzzTargets
import TestSupport
import Testing

/// Past findings of the fuzzer are checked again, and the targets themselves are tested.
struct FindingTests {
    private static let folder =
        packageFolder
        .appendingPathComponent("Fuzzing/Findings")

    /// Files with findings, each with its target's folder.
    private static var findings: [String] {
        FuzzTarget.all.flatMap { target in
            let names = try? FileManager.default.contentsOfDirectory(
                atPath: folder.appendingPathComponent(target.name).path)
            return (names ?? []).filter { !$0.hasPrefix(".") }.sorted().map { "\(target.name)/\($0)" }
        }
    }

    @Test(arguments: findings) func `past fuzzer findings are fixed`(_ finding: String) throws {
        let target = try #require(FuzzTarget.named(String(finding.prefix { $0 != "/" })))
        let bytes = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(finding)))
        #expect(bytes.withUnsafeBytes(target.makeCheck()) == nil)
    }

    @Test func `every folder of findings belongs to a target`() throws {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: Self.folder.path)) ?? []
        for name in names where !name.hasPrefix(".") && name != "README.md" {
            #expect(FuzzTarget.named(name) != nil, "\(name)")
        }
    }

    @Test(arguments: FuzzTarget.all.map(\.name)) func `the checks hold for the samples`(_ name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let check = target.makeCheck()
        let samples = Self.folder.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
            "Samples")
        let files = [
            "every-bad-record.ndjson", "quickstart.ndjson", "sns-mobile-push.ndjson", "wikimedia-checkechov1.ndjson",
            "live-score.ndjson", "web-push.ndjson",
        ]
        for file in Effort.some(files, fast: 1) {
            let text = [UInt8](try Data(contentsOf: samples.appendingPathComponent(file)))
            for line in [text] + text.split(separator: UInt8(ascii: "\n")).map({ Array($0) }) {
                let trouble = ([0, 0] + line).withUnsafeBytes(check)
                #expect(trouble == nil, "\(file)")
            }
        }
    }
}
