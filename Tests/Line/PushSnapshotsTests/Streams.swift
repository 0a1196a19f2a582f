import Foundation
import PushJSON
import PushPipeline
import PushRuns
import PushSystem
import TestSupport

@testable import PushSnapshots

/// The streams of a job, kept in memory.
final class Streams: RunStreams {
    final class Output: RunOutput {
        fileprivate(set) var text = ""
        /// The number of results so far.
        fileprivate(set) var count = 0

        func append(_ body: (inout ByteBuffer) -> Void) throws(PlainError) {
            var buffer = ByteBuffer()
            body(&buffer)
            text += String(decoding: buffer.bytes, as: UTF8.self)
        }

        func append(_ bytes: BorrowedText) throws(PlainError) { text += bytes.string }
        func write(_ bytes: UnsafeRawBufferPointer) throws(PlainError) {
            text += String(decoding: bytes, as: UTF8.self)
        }
        func flush() throws(PlainError) { count += 1 }
        func finish() throws(PlainError) {}
    }

    let output = Output()
    private(set) var notes = ""
    /// The number of results after which the job is to stop.
    var end = Int.max

    func openOutput(writesInBackground: Bool) -> Output { output }
    func openOutput(to report: OpenReport, writesInBackground: Bool) -> Output { output }
    let outputDescriptor = FileDescriptor(rawValue: -1)
    func note(_ text: String) { notes += text }
    func inviteInput() {}
    func listenForStop() {}
    var isStopped: Bool { output.count >= end }
    var stopReason: String { "SIGINT" }
}

/// A folder of inputs.
typealias InputFolder = TestFolder

extension TestFolder {
    struct Run {
        var outcome: SnapshotJob.Outcome
        /// With paths relative to the folder.
        var results: String
        var notes: String

        var lines: [String] { results.split(separator: "\n").map(String.init) }
    }

    /// Runs a job over files of the folder, all of them by default.
    func snapshot(
        _ names: String..., update: Bool = false, streams: Streams = Streams(),
        delivery configureDelivery: (inout RunJob) -> Void = { _ in },
        configure: (inout SnapshotJob) -> Void = { _ in }
    ) throws -> Run {
        var job = SnapshotJob.plain(names.isEmpty ? [url.path] : names.map(path), configureDelivery)
        job.updates = update
        configure(&job)
        let outcome = try job.run(to: streams)
        return Run(outcome: outcome, results: relative(streams.output.text), notes: relative(streams.notes))
    }
}

extension SnapshotJob {
    /// A job without options.
    static func plain(_ paths: [String], _ configure: (inout RunJob) -> Void = { _ in }) -> SnapshotJob {
        var delivery = RunJob(paths, output: .none)
        delivery.configuration.clock = .fixed(milliseconds: 1_767_268_800_000)
        configure(&delivery)
        return SnapshotJob(delivery)
    }
}
