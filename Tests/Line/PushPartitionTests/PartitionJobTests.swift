import Foundation
import PushPartition
import PushPipeline
import PushRuns
import PushSystem
import TestSupport
import Testing

/// Files in, parts out.
struct PartitionJobTests {
    private static let records = (1...20).map { #"{"device":"d\#($0)","payload":{"aps":{"alert":"a"}}}"# + "\n" }

    private func job(_ folder: TestFolder, _ inputs: [String] = ["in.ndjson"], parts: Int = 3, force: Bool = false)
        -> PartitionJob
    {
        var job = PartitionJob(
            inputs.map { folder.path($0) }, parts: parts, to: .folder(folder.path("out"), replaces: force))
        job.configuration.clock = .fixed(milliseconds: 0)
        return job
    }

    private func placed(_ text: String) -> [Substring] { text.split(separator: "\n").dropFirst().dropLast() }

    @Test func partsAreFiles() throws {
        let folder = try TestFolder(["in.ndjson": Self.records.joined()])
        let streams = CollectedStreams()
        let outcome = try job(folder).run(to: streams)
        #expect(outcome == RunJob.Outcome())
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted() == [
                "part-00000.ndjson", "part-00001.ndjson", "part-00002.ndjson",
            ])
        let parts = try (0..<3).map { try folder.read("out/part-0000\($0).ndjson") }
        #expect(parts.map { placed($0).count }.reduce(0, +) == 20)
        #expect(parts[2].hasPrefix("\"pushpipe-part 1 2 of 3 1840d1e9418bbf40\"\n"))
        #expect(parts[2].hasSuffix("{\"place\":{\"seq\":20,\"end\":true}}\n"))
        #expect(streams.notes.hasPrefix("20 records in 3 parts, "))
    }

    @Test func placesCountOverAllFiles() throws {
        let folder = try TestFolder(["a.ndjson": Self.records[0], "b.ndjson": Self.records[1] + Self.records[2]])
        _ = try job(folder, ["a.ndjson", "b.ndjson"], parts: 1).run(to: CollectedStreams())
        let lines = try folder.read("out/part-00000.ndjson").split(separator: "\n")
        #expect(lines.first == #""pushpipe-part 1 0 of 1 sources bf5e7a428812bdce""#)
        #expect(
            lines[3].hasPrefix(
                #"{"place":{"seq":3,"source":{"file":"\#(folder.path("b.ndjson"))","record":2,"line":2,"#))
    }

    @Test func slicesAreNumberedAsTheWhole() throws {
        let folder = try TestFolder([
            "in.ndjson": Self.records.joined(), "one.ndjson": Self.records[..<7].joined(),
            "two.ndjson": Self.records[7...].joined(),
        ])
        func lines(_ name: String, _ slice: PartitionJob.Slice) throws -> [Substring] {
            var job = job(folder, [name], parts: 2, force: true)
            job.slice = slice
            _ = try job.run(to: CollectedStreams())
            return try (0..<2).flatMap { try folder.read("out/part-0000\($0).ndjson").split(separator: "\n") }
        }
        let whole = try lines("in.ndjson", PartitionJob.Slice(from: 1, goesOn: false))
        let first = try lines("one.ndjson", PartitionJob.Slice(from: 1, goesOn: true))
        let second = try lines("two.ndjson", PartitionJob.Slice(from: 8, goesOn: false))
        // Both slices have the first lines.
        #expect(Set(whole) == Set(first + second))
        #expect(whole.count + 2 == first.count + second.count)
        #expect(whole.contains(#"{"place":{"seq":20,"end":true}}"#))
        #expect(whole.allSatisfy { !$0.contains("source") })
        #expect(first.allSatisfy { !$0.contains("end") })
    }

    @Test func linesCanBeDividedAtTabsAndReturns() throws {
        let folder = try TestFolder(["in.ndjson": "{\"aps\":\t{\"alert\":\"a\"}}\n{\"aps\":\r{\"alert\":\"b\"}}\n"])
        _ = try job(folder, parts: 1).run(to: CollectedStreams())
        let text = try folder.read("out/part-00000.ndjson")
        #expect(!text.contains("\t") && !text.contains("\r"))
        #expect(placed(text).allSatisfy { $0.contains("\"base64\":\"eyJhcHMiOg") })
    }

    @Test func nothingIsOverwritten() throws {
        let folder = try TestFolder(["in.ndjson": Self.records.joined(), "out/part-00000.ndjson": "old\n"])
        #expect(throws: PlainError.self) { try job(folder).run(to: CollectedStreams()) }
        #expect(try folder.read("out/part-00000.ndjson") == "old\n")
    }

    @Test func forceReplacesThePartsAlone() throws {
        let folder = try TestFolder([
            "in.ndjson": Self.records.joined(), "out/part-00000.ndjson": "old\n", "out/part-00009.ndjson": "old\n",
            "out/notes.txt": "mine",
        ])
        _ = try job(folder, force: true).run(to: CollectedStreams())
        #expect(try folder.read("out/part-00000.ndjson").hasPrefix("\"pushpipe-part 1 "))
        #expect(!folder.exists("out/part-00009.ndjson"))
        #expect(try folder.read("out/notes.txt") == "mine")
    }

    @Test func anInputIsNoPart() throws {
        let folder = try TestFolder(["out/part-00000.ndjson": Self.records.joined()])
        #expect(throws: PlainError.self) {
            try job(folder, ["out/part-00000.ndjson"], force: true).run(to: CollectedStreams())
        }
        #expect(try folder.read("out/part-00000.ndjson") == Self.records.joined())
    }

    @Test func aPartThatCannotBeWrittenIsNamed() throws {
        let folder = try TestFolder(["in.ndjson": Self.records.joined()])
        try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("out/part-00001.ndjson"), withDestinationPath: "/dev/full")
        #expect {
            try job(folder, force: true).run(to: CollectedStreams())
        } throws: { error in
            "\(error)".contains("part 1 of 3") && "\(error)".contains("part-00001.ndjson")
        }
    }

    @Test func aStoppedPartitionHasNoEnd() throws {
        let folder = try TestFolder(["in.ndjson": Self.records.joined()])
        let streams = CollectedStreams()
        streams.questionsUntilStop = 3
        let outcome = try job(folder, parts: 1).run(to: streams)
        #expect(outcome.isStopped)
        #expect(!(try folder.read("out/part-00000.ndjson")).contains("\"end\":true"))
        #expect(streams.notes.contains("the parts are incomplete"))
    }

    @Test func keyColumns() throws {
        let folder = try TestFolder(["in.ndjson": Self.records[0] + Self.records[1]])
        var job = job(folder)
        job.target = .keyColumn
        job.parts = 64
        let streams = CollectedStreams()
        _ = try job.run(to: streams)
        let rows = streams.text.split(separator: "\n").map { $0.split(separator: "\t", maxSplits: 2).map(String.init) }
        #expect(rows.count == 64 + 2 + 64)
        #expect(rows.allSatisfy { $0.count == 3 })
        let parts = rows[64..<66].map { Array($0.prefix(2)) }
        #expect(parts == [["\(hash("d1") % 64)", "1"], ["\(hash("d2") % 64)", "2"]])
        #expect(rows.last?.prefix(2) == ["63", "3"])
    }

    @Test func aRecordThatDependsOnOtherPartsIsNamedWithItsFile() throws {
        let folder = try TestFolder(["in.ndjson": Self.records[0] + #"{"event":"subscribe","device":"d","topic":"t"}"#])
        #expect {
            try job(folder).run(to: CollectedStreams())
        } throws: { error in
            "\(error)".contains("in.ndjson") && "\(error)".contains("record 2 subscribes to topics")
        }
        #expect(!(try folder.read("out/part-00000.ndjson")).contains("\"end\":true"))
    }

    @Test func anUnreadableInputIsSkipped() throws {
        let folder = try TestFolder(["in.ndjson": Self.records.joined()])
        let streams = CollectedStreams()
        let outcome = try job(folder, ["none.ndjson", "in.ndjson"]).run(to: streams)
        #expect(outcome.hasUnreadable)
        #expect(streams.notes.contains("none.ndjson"))
    }
}

/// Reports in, one report out.
struct MergeJobTests {
    @Test func aFolderOfReports() throws {
        let folder = try TestFolder([
            "reports/b.ndjson": "{\"seq\":1}\n", "reports/a.ndjson": "{\"seq\":2}\n", "reports/notes.txt": "no",
        ])
        let streams = CollectedStreams()
        #expect(try MergeJob([folder.path("reports")]).run(to: streams))
        #expect(streams.text == "{\"seq\":1}\n{\"seq\":2}\n")
        #expect(streams.notes.hasPrefix("2 lines of 2 reports"))
    }

    @Test func whatIsLeftOutIsNamed() throws {
        let folder = try TestFolder(["a.ndjson": "{\"seq\":1}\n{\"se", "b.ndjson": "{\"seq\":2}\n"])
        let streams = CollectedStreams()
        #expect(try !MergeJob([folder.path("a.ndjson"), folder.path("b.ndjson")]).run(to: streams))
        #expect(streams.text == "{\"seq\":1}\n{\"seq\":2}\n")
        #expect(streams.notes.contains("a.ndjson: line 2: the line does not end"))
    }

    @Test func whatCannotBeMerged() throws {
        let folder = try TestFolder(["a.ndjson": "{\"seq\":1}\n", "empty/x.txt": ""])
        for paths in [["none.ndjson"], ["a.ndjson", "a.ndjson"], ["empty"]] {
            #expect(throws: PlainError.self) { try MergeJob(paths.map { folder.path($0) }).run(to: CollectedStreams()) }
        }
    }
}
