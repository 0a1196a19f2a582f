import Foundation
import PushPartition
import PushPipeline
import TestSupport
import Testing

/// As many parts as there may be. Not among the fast tests, because it has 4,096 files open at once, and they all run in one process.
struct PartitionJobSlowTests {
    @Test func manyParts() throws {
        let folder = try TestFolder(["in.ndjson": #"{"device":"d","payload":{"aps":{"alert":"a"}}}"#])
        var job = PartitionJob(
            [folder.path("in.ndjson")], parts: 4096, to: .folder(folder.path("out"), replaces: false))
        job.configuration.clock = .fixed(milliseconds: 0)
        _ = try job.run(to: CollectedStreams())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).count == 4096)
        #expect(
            try folder.read("out/part-04095.ndjson").hasPrefix("\"pushpipe-part 1 4095 of 4096 6a2d517f56f6226c\"\n")
        )
    }
}
