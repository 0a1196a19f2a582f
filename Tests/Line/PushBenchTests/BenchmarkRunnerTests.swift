import Foundation
import PushBench
import PushDevices
import PushFraming
import PushPipeline
import PushSystem
import PushText
import PushWorkload
import Testing

@Suite struct BenchmarkRunnerTests {
    /// Three samples of so many passes. The long time is no wait: a test that measures latencies ends after their number.
    private func settings(passes: Int? = 1, warmups: Int = 1, latencyRecords: Int = 0) throws -> BenchmarkSettings {
        var settings = try BenchmarkSettings(
            warmups: warmups, samples: 3, seconds: 86_400, latencyRecords: latencyRecords)
        settings.passes = passes
        return settings
    }

    private func generated(_ count: Int) throws -> BenchmarkInput {
        try BenchmarkInput(generating: WorkloadConfiguration(count: count, recordBytes: 415), isStopped: { false })
    }

    /// An input of one file with this text.
    private func input(_ text: String) throws -> BenchmarkInput {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try BenchmarkInput(paths: [path], isStopped: { false })
    }

    @Test func `every sample begins with a new pipeline and processes the whole input`() throws {
        var lines: [Bool] = []
        var finished = 0
        let runner = try BenchmarkRunner(generated(50), settings(passes: 2, warmups: 2, latencyRecords: 5)) { stages in
            lines.append(stages)
            var configuration = PipelineConfiguration()
            configuration.measuresStages = stages
            return BenchmarkLine(Pipeline(configuration, store: MemoryStore())) { finished += 1 }
        }
        let measured = try runner.run()
        // Two warm-ups and three samples with stage times, and the latencies without.
        #expect(lines == [true, true, true, true, true, false])
        #expect(finished == 6)
        #expect(measured.records == 50)
        #expect(measured.samples.count == 3)
        #expect(measured.outcomes.values.reduce(0, +) == 50)
        for sample in measured.samples {
            #expect(sample.seconds > 0)
            #expect(sample.stages.count == StageTimes.Stage.allCases.count)
            #expect(sample.stages["decode", default: 0] > 0)
        }
        #expect(measured.latency?.records == 5)
    }

    @Test func `a small input is repeated within a sample`() throws {
        let runner = try BenchmarkRunner(input("{\"aps\":{\"alert\":\"a\"}}\n"), settings(passes: nil)) { _ in
            BenchmarkLine(Pipeline())
        }
        let measured = try runner.run()
        #expect(measured.passes > 1)
        // A power of two.
        #expect(measured.passes & (measured.passes - 1) == 0)
        #expect(measured.records == 1)
    }

    @Test(arguments: [Int.min, -1, 0, 1])
    func `passes of a baseline are taken within their limits`(passes: Int) throws {
        let runner = try BenchmarkRunner(generated(3), settings(passes: passes)) { _ in BenchmarkLine(Pipeline()) }
        #expect(try runner.run().passes == 1)
    }

    @Test(arguments: [
        "{\"aps\":{\"alert\":\"a\"}}\n\n{\"aps\":{\"alert\":\"b\"}}", "{\n\"aps\":{\"alert\":\n\"a\"}\n}\n",
        "{\"aps\":{\"alert\":\"a\"}}", "no JSON\n{\"aps\":{\"alert\":\"a\"}}",
    ])
    func `the latency of a few records is measured by repeating them`(text: String) throws {
        let runner = try BenchmarkRunner(input(text), settings(latencyRecords: 250)) { _ in BenchmarkLine(Pipeline()) }
        let latency = try #require(try runner.run().latency)
        #expect(latency.records == 250)
        #expect(latency.p50 > 0 && latency.p50 <= latency.p90 && latency.p90 <= latency.maximum)
    }

    @Test(arguments: [Framing.seq, .nul])
    func `records with other separators have latencies`(framing: Framing) throws {
        let record = "{\"aps\":{\"alert\":\"a\"}}"
        let text = framing == .seq ? "\u{1E}\(record)\n" : "\(record)\0"
        let runner = try BenchmarkRunner(input(text), settings(latencyRecords: 20)) { _ in
            var configuration = PipelineConfiguration()
            configuration.framing = framing
            return BenchmarkLine(Pipeline(configuration))
        }
        #expect(try runner.run().latency?.records == 20)
    }

    @Test func `an input without records is refused`() throws {
        let runner = try BenchmarkRunner(input("\n\n"), settings()) { _ in BenchmarkLine(Pipeline()) }
        let error = #expect(throws: PlainError.self) { try runner.run() }
        #expect(error?.description == "there are no records to measure")
    }

    @Test func `an input without a valid record is refused, and one with a valid record is not`() throws {
        let line = { (_: Bool) in BenchmarkLine(Pipeline()) }
        let error = #expect(throws: PlainError.self) {
            try BenchmarkRunner(input("no JSON\n[\n"), settings(), makeLine: line).run()
        }
        #expect(error?.description == "there is nothing to measure: no record is valid (2 malformed)")
        let mixed = try BenchmarkRunner(input("no JSON\n{\"aps\":{\"alert\":\"a\"}}\n"), settings(), makeLine: line)
            .run()
        #expect(mixed.records == 2)
    }

    @Test func `a request to stop ends the measurement`() throws {
        var checks = 0
        let isStopped = {
            checks += 1
            return checks > 10
        }
        let runner = try BenchmarkRunner(generated(10), settings(), isStopped: isStopped) { _ in
            BenchmarkLine(Pipeline())
        }
        let error = #expect(throws: PlainError.self) { try runner.run() }
        #expect(error == .stopped)
    }

    @Test func `numbers that the options do not accept are refused`() {
        #expect(throws: PlainError.self) { try BenchmarkSettings(warmups: 0) }
        #expect(throws: PlainError.self) { try BenchmarkSettings(samples: 2) }
        #expect(throws: PlainError.self) { try BenchmarkSettings(seconds: 0) }
        #expect(throws: PlainError.self) { try BenchmarkSettings(seconds: .nan) }
        #expect(throws: PlainError.self) { try BenchmarkSettings(seconds: 86_401) }
        #expect(throws: PlainError.self) { try BenchmarkSettings(latencyRecords: -1) }
    }
}

@Suite struct BenchmarkInputTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    private func withFiles(_ texts: [String], _ body: ([String]) throws -> Void) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = texts.indices.map { folder.appendingPathComponent("\($0)").path }
        for (text, path) in zip(texts, paths) { try text.write(toFile: path, atomically: false, encoding: .utf8) }
        try body(paths)
    }

    private func input(_ paths: [String?], limit: Int = BenchmarkInput.largestCopy) throws -> BenchmarkInput {
        try BenchmarkInput(paths: paths, limit: limit, isStopped: { false })
    }

    @Test func `the digest is that of the bytes, whatever the files are called`() throws {
        try withFiles(["one\n", "two\n", "one\n", "one\ntwo\n"]) { paths in
            let digests = try [[0], [2], [0, 1], [2, 1], [1], [1, 0], [3]].map { numbers in
                try input(numbers.map { paths[$0] }).digest
            }
            #expect(digests[0] == digests[1])
            #expect(digests[2] == digests[3])
            // All others differ: two files are two inputs, each with its own framing.
            #expect(Set(digests).count == 5)
            let bytes = try input([paths[0], paths[1]]).bytes
            #expect(bytes == 8)
        }
    }

    /// A pipe cannot be read twice.
    @Test func `a pipe is copied and can be read again`() throws {
        let pipe = try FileDescriptor.pipe()
        try pipe.writeEnd.writeAll(Array("one\ntwo\n".utf8))
        pipe.writeEnd.close()
        defer { pipe.readEnd.close() }
        let copied = try input(["/dev/fd/\(pipe.readEnd.rawValue)"])
        #expect(copied.bytes == 8)
        for _ in 0..<2 {
            #expect(try copied.pieces(9, endingWith: UInt8(ascii: "\n")) == [Array("one\n".utf8), Array("two\n".utf8)])
        }
    }

    @Test func `a copy has a limit`() throws {
        let pipe = try FileDescriptor.pipe()
        try pipe.writeEnd.writeAll(Array("12345".utf8))
        pipe.writeEnd.close()
        defer { pipe.readEnd.close() }
        let path = "/dev/fd/\(pipe.readEnd.rawValue)"
        let error = #expect(throws: PlainError.self) { try input([path], limit: 4) }
        #expect(error?.description == "\(path): more than 4 bytes; measure a part of it, or a file")
    }

    @Test func `pieces end with their separator, over the ends of files`() throws {
        try withFiles(["a\nb", "\nc\n\nd"]) { paths in
            let pieces = try input(paths).pieces(9, endingWith: UInt8(ascii: "\n"))
            #expect(pieces.map { String(decoding: $0, as: UTF8.self) } == ["a\n", "b\n", "\n", "c\n", "\n", "d\n"])
            let two = try input(paths).pieces(2, endingWith: UInt8(ascii: "\n"))
            #expect(two.count == 2)
        }
    }

    @Test func `a generated input has the bytes of generate`() throws {
        let configuration = try WorkloadConfiguration(count: 20)
        var generator = WorkloadGenerator(configuration)
        var bytes: [UInt8] = []
        while generator.appendRecord(to: &bytes) {}
        let generated = try BenchmarkInput(generating: configuration, isStopped: { false })
        #expect(try generated.pieces(.max, endingWith: UInt8(ascii: "\n")).flatMap { $0 } == bytes)
    }

    @Test func `a missing file is an error that names it`() {
        let error = #expect(throws: PlainError.self) { try input(["/does/not/exist"]) }
        #expect(error?.description.hasPrefix("/does/not/exist: ") == true)
    }

    @Test func `copying stops on request`() throws {
        let configuration = try WorkloadConfiguration(count: .max)
        let error = #expect(throws: PlainError.self) {
            try BenchmarkInput(generating: configuration, isStopped: { true })
        }
        #expect(error == .stopped)
    }
}
