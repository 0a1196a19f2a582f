import ArgumentParser
import PushBench
import PushModel
import PushSettings
import PushSystem
import PushText
import Testing

@testable import PushCommand
@testable import PushTools

/// Options that cannot be combined.
struct CombinationTests {
    @Test(arguments: [
        ["--parts", "0", "--output", "out"], ["--parts", "4097", "--output", "out"],
        ["--parts", "65537", "--key-column"], ["--parts", "4"], ["--parts", "4", "--output", "out", "--key-column"],
        ["--parts", "4", "--output", ""], ["--parts", "4", "--key-column", "--force"],
    ])
    func `parts go into a folder or a stream`(arguments: [String]) {
        #expect(throws: (any Error).self) { try PartitionCommand.parse(arguments).plan(Settings()) }
    }

    @Test(arguments: [["--parts", "4096", "--output", "out", "--force"], ["--parts", "65536", "--key-column"]])
    func `as many parts as fit are taken`(arguments: [String]) throws {
        _ = try PartitionCommand.parse(arguments).plan(Settings())
    }

    @Test func `what else takes standard output excludes --format screens`() throws {
        let arguments = ["--format", "screens", "--emit", "all", "--report-file", "report"]
        let error = #expect(throws: (any Error).self) { try RunPlan(RunCommand.parse(arguments), Settings()) }
        #expect(RunCommand.message(for: try #require(error)).contains("cannot be combined with --emit"))
    }

    @Test func `an error about a value names its option`() {
        let error = PlainError("takes a number from 1", of: "latency records")
        #expect(error.description == "latency records takes a number from 1")
        #expect(error.namingOption == "bench.latency-records takes a number from 1")
        #expect(PlainError("stopped").namingOption == "stopped")
    }

    @Test func `advice names options`() {
        #expect(Advice.options(.readPlace("log")) == "; --set input.at=\"/log\" reads the payload there")
        #expect(Advice.options(.listOthers(areMany: true)) == " (--verbose lists them)")
        #expect(Advice.options(.showSeverity(.info)) == " (--severity info)")
    }
}
