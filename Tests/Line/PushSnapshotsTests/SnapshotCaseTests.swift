import Foundation
import PushPipeline
import PushRuns
import Testing

@testable import PushSnapshots

/// The corpus: inputs with what is approved beside them. Worked out from `Documentation/guides/snapshots.md`,
/// `Documentation/reference/report.md` and the vendors' pages that those name.
struct SnapshotCaseTests {
    static let cases = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Cases")

    @Test(arguments: [1, 4]) func `each case shows what is approved`(jobs: Int) throws {
        let streams = Streams()
        let job = SnapshotJob.plain([Self.cases.path]) { $0.configuration.jobs = jobs }
        let outcome = try job.run(to: streams)
        #expect(outcome == SnapshotJob.Outcome(), "\(streams.output.text)")
        #expect(streams.output.text.split(separator: "\n").count >= 12)
    }

    @Test func `an approved file is text that tools leave alone`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.cases.path)
        for name in names where name.hasSuffix(".phone") {
            let text = try String(contentsOf: Self.cases.appendingPathComponent(name), encoding: .utf8)
            #expect(text.hasPrefix("pushpipe snapshot 1\n\n"))
            #expect(text.hasSuffix("\n"))
            for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
                #expect(line.last != " ", "\(name): \(line)")
                #expect(!line.contains { $0.value < 0x20 || $0 == "\u{202e}" }, "\(name): \(line)")
            }
        }
    }
}
