import PushDevices
import PushPipeline
import PushSystem
import TestSupport
import Testing

@testable import PushRuns

/// `run --follow`, without a terminal.
struct FollowingTests {
    /// Writes down what it is asked for, and what the store has then.
    private final class Witness: RunFollower {
        private(set) var calls: [String] = []
        private var store: (any BrowsableStore)?

        func begin(_ store: any BrowsableStore, isStopped: @escaping () -> Bool) {
            self.store = store
            calls.append("begin")
        }

        func pause(before input: FileDescriptor) { calls.append("pause \(count)") }
        func end() { calls.append("end \(count)") }
        func leave() { calls.append("leave") }

        private var count: Int { (try? store?.newest(on: "ab12", app: nil, before: .max, limit: 9))??.count ?? -1 }
    }

    private static let hello = #"{"device":"ab12","payload":{"aps":{"alert":"Hello"}}}"# + "\n"

    private func job(_ folder: Folder, _ names: String...) throws -> RunJob {
        var job = RunJob(names.map { folder[$0] }, output: .text)
        job.configuration.clock = .fixed(milliseconds: 0)
        job.follows = true
        return job
    }

    @Test func `a follower sees each input delivered, and no report is written`() throws {
        let folder = try Folder(["a": Self.hello, "b": Self.hello + Self.hello])
        let (streams, witness) = (CollectedStreams(), Witness())
        let outcome = try job(folder, "a", "b").run(to: streams, follower: witness)
        #expect(outcome == RunJob.Outcome())
        #expect(streams.text.isEmpty)
        // A small file is processed when its end is found.
        #expect(
            witness.calls.filter { $0 != "leave" } == ["begin", "pause 0", "pause 0", "pause 1", "pause 1", "end 3"])
        #expect(witness.calls.last == "leave")
        #expect(streams.notes.hasPrefix("3 records, 3 messages"))
    }

    @Test func `a run that is stopped is not waited for`() throws {
        let folder = try Folder(["a": Self.hello])
        let (streams, witness) = (CollectedStreams(), Witness())
        streams.questionsUntilStop = 3
        let outcome = try job(folder, "a").run(to: streams, follower: witness)
        #expect(outcome.isStopped)
        #expect(!witness.calls.contains { $0.hasPrefix("end") })
        #expect(witness.calls.last == "leave")
    }

    @Test func `without a terminal the screens are written at the end`() throws {
        let folder = try Folder(["a": Self.hello])
        let streams = CollectedStreams()
        #expect(try job(folder, "a").run(to: streams) == RunJob.Outcome())
        #expect(streams.text.contains("delivered"))
        // In the report, and on the screen.
        #expect(streams.text.split(separator: "\n").count { $0.contains("Hello") } == 2, "\(streams.text)")
    }
}
