import Foundation
import TestSupport
import Testing

/// `pushpipe bench`: arguments, streams, files and statuses. What it measures is tested in PushBenchTests.
struct BenchTests {
    private static let short = ["--set", "bench.samples=3", "--set", "bench.latency-records=20"]

    private func bench(_ folder: Folder, _ arguments: String..., stdin: String = "") throws -> Output {
        try folder.pushpipe(arguments: ["bench"] + Self.short + arguments, stdin: Array(stdin.utf8))
    }

    private func document(_ bytes: Data) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    }

    @Test func `a result is saved and compared`() throws {
        let folder = try Folder()
        try folder.write(apns("a") + apns("b"), to: "two.ndjson")
        let saved = try bench(folder, "two.ndjson", "--jobs", "1", "--fit", "--save", "before.json", "--format", "json")
        #expect(saved.status == 0)
        #expect(saved.stderr.isEmpty)
        #expect(try folder.bytes("before.json") == saved.stdout)
        var before = try document(saved.stdout)
        #expect(before["options"] as? [String] == ["--jobs", "1", "--fit"])
        #expect((before["input"] as? [String: Any])?["records"] as? Int == 2)
        #expect((before["latency"] as? [String: Any])?["records"] as? Int == 20)

        // The same bytes are the same input, wherever they come from.
        let stream = apns("a") + apns("b")
        let compared = try bench(folder, "--jobs=1", "--fit", "--compare", "before.json", stdin: stream)
        #expect(compared.status == 0)
        #expect(compared.stderr.isEmpty)
        #expect(compared.text.contains("standard input: 2 records"))
        #expect(compared.text.contains("compared with before.json"))
        #expect(!compared.text.contains("warning"))
        // The tests' build is not optimized, and its times are no one's.
        #expect(compared.text.components(separatedBy: " (not optimized)").count == 3, "\(compared.text)")

        // Nothing is a thousand times as fast, however busy the machine is.
        let samples = try #require(before["samples"] as? [[String: Any]])
        before["samples"] = try samples.map { sample in
            var sample = sample
            sample["seconds"] = try #require(sample["seconds"] as? Double) / 1000
            return sample
        }
        try folder.write(try JSONSerialization.data(withJSONObject: before), to: "faster.json")
        let slower = try bench(
            folder, "two.ndjson", "--jobs", "2", "--compare", "faster.json", "--fail-on-regression", "900")
        #expect(slower.status == 1)
        #expect(slower.text.contains(" slower, "))
        #expect(slower.text.contains("warning: options differ: --jobs 1 --fit in the baseline, --jobs 2 now"))

        try folder.write(apns("c"), to: "one.ndjson")
        let other = try bench(folder, "one.ndjson", "--compare", "before.json")
        #expect(other.status == 0)
        #expect(other.text.contains("warning: the input differs: 2 records, "))
        #expect(other.text.contains("\ntime per KiB "))
    }

    @Test func `a new store is created for each sample and removed`() throws {
        let folder = try Folder()
        try folder.write(apns("a"), to: "one.ndjson")
        let output = try bench(folder, "--store", "s.db", "--format", "json", "one.ndjson")
        #expect(output.status == 0, "\(output.stderr)")
        let outcomes = try #require(try document(output.stdout)["outcomes"] as? [String: Int])
        #expect(outcomes == ["delivered": 1])
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!left.contains { $0.hasPrefix("s.db") })
    }

    @Test func `a store that exists is left alone`() throws {
        let folder = try Folder()
        try folder.write("mine", to: "s.db")
        let output = try bench(folder, "--store", "s.db", stdin: apns("a"))
        #expect(output.status == 2)
        #expect(output.stderr.contains("store s.db: exists"))
        #expect(try folder.read("s.db") == "mine")
    }

    @Test func `what a change costs is measured without a word about other options`() throws {
        let folder = try Folder()
        try folder.write(apns("a"), to: "one.ndjson")
        #expect(try bench(folder, "one.ndjson", "--save", "before.json").status == 0)
        let rules = try bench(folder, "one.ndjson", "--rules", "--compare", "before.json")
        #expect(rules.status == 0)
        #expect(rules.text.contains("warning: options differ: none in the baseline, --rules now\n"))
    }

    @Test func `input without valid records is status 2`() throws {
        let output = try bench(try Folder(), stdin: "no\nJSON\n")
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr == "pushpipe: there is nothing to measure: no record is valid (2 malformed)\n")
    }

    @Test func `input without records is status 2`() throws {
        let output = try bench(try Folder())
        #expect(output.status == 2)
        #expect(output.stderr == "pushpipe: there are no records to measure\n")
    }
}
