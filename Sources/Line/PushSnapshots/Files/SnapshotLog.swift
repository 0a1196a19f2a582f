import PushModel
import PushRuns
import PushSystem
import PushText

/// Writes results as they come, and counts them.
struct SnapshotLog<Streams: RunStreams> {
    private let streams: Streams
    private let output: Streams.Output
    private var report: SnapshotReport
    /// True if an output that takes nothing more ends the work only when everything is done, as an update of files does.
    private let continues: Bool
    private var failure: OutputError?
    private(set) var counts: [SnapshotResult.Status: Int] = [:]

    init(_ streams: Streams, _ report: SnapshotReport, continues: Bool) {
        self.streams = streams
        self.report = report
        self.continues = continues
        output = streams.openOutput(writesInBackground: false)
    }

    /// - Throws: `OutputError`, unless the work continues.
    mutating func add(_ result: SnapshotResult) throws(OutputError) {
        if result.status == .unreadable {
            streams.note(
                "pushpipe: \(TextStyle.clean(result.input)): \(TerminalText.cleanLines(result.message ?? ""))\n")
        }
        counts[result.status, default: 0] += 1
        do throws(OutputError) {
            try output.append { report.add(result, to: &$0) }
            try output.flush()
        } catch {
            try note(error)
        }
    }

    /// Writes the end of the report.
    ///
    /// - Throws: `OutputError`, unless the work continues.
    mutating func finish() throws(OutputError) {
        do throws(OutputError) {
            try output.append { report.finish(to: &$0) }
            try output.finish()
        } catch {
            try note(error)
        }
    }

    /// - Throws: `OutputError` for what could not be written although the work continued, unless the reader has closed the pipe.
    func check() throws(OutputError) {
        if let failure, !failure.isReaderGone { throw failure }
    }

    private mutating func note(_ error: OutputError) throws(OutputError) {
        guard continues else { throw error }
        failure = failure ?? error
    }

    /// Such as `3 changed, 1 new, 20 unchanged`, with advice.
    func summary(_ wording: Advice.Wording) -> String {
        let parts = SnapshotResult.Status.allCases.filter { $0 != .unchanged } + [.unchanged]
        let text = parts.compactMap { status in counts[status].map { "\($0) \(status.rawValue)" } }
            .joined(separator: ", ")
        let canBeApproved = [.changed, .new, .obsolete].contains { counts[$0] != nil }
        let advice = canBeApproved ? wording(.approve) : ""
        return "\(text.isEmpty ? "nothing to run" : text)\(advice)"
    }
}
