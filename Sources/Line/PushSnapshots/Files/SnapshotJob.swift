import PushLint
import PushModel
import PushPipeline
package import PushRuns
import PushText

/// Runs payloads and scenarios, compares what their phones show with what was approved, and approves it if asked to.
package struct SnapshotJob {
    package struct Outcome: Equatable {
        /// There was nothing to run, which has been noted.
        package var isEmpty = false
        /// Something could not be read or written, which has been noted.
        package var hasUnreadable = false
        /// True if anything differs from the approved snapshots, or a scenario did not pass.
        package var hasDifference = false
        /// The streams asked to stop.
        package var isStopped = false
    }

    /// When the clock of a snapshot starts, unless options say otherwise: when a scenario's does.
    package static let start = "2026-01-01T12:00:00Z"

    /// How payloads are delivered, and the files and directories with them. Its output and its store are not used.
    private let delivery: RunJob
    package var format = SnapshotReport.Format.text
    /// True to approve what differs, and to delete obsolete snapshots.
    package var updates = false
    /// True if it is all right if there is nothing to run.
    package var allowsEmpty = false

    /// - Parameter delivery: of files and directories, and the same in each run: with a clock and a key of its own, and without a location.
    package init(_ delivery: RunJob) { self.delivery = delivery }

    /// Runs all inputs, each on phones of its own.
    ///
    /// - Throws: `OutputError`, and errors that concern all inputs, such as an extension that cannot be started.
    package func run(to streams: some RunStreams) throws -> Outcome {
        let inputs = inputs()
        var delivery = delivery
        // Each with the configuration of its own folder.
        delivery.inputs = inputs.found.filter { !$0.isFeature }.map(\.path)
        let runner = try SnapshotRunner(delivery, note: streams.note) { streams.isStopped }
        var log = SnapshotLog(streams, SnapshotReport(format, style: delivery.style), continues: updates)
        streams.listenForStop()
        for (path, reason) in inputs.unreadable {
            try log.add(SnapshotResult(input: path, status: .unreadable, message: reason))
        }
        for input in inputs.found where !streams.isStopped {
            let text = try runner.text(of: input)
            // What was composed until then is not the whole snapshot.
            if streams.isStopped { break }
            try log.add(compare(text, input))
        }
        for path in inputs.obsolete where !streams.isStopped { try log.add(remove(path)) }
        try log.finish()
        let isEmpty = log.counts.isEmpty && !streams.isStopped && !allowsEmpty
        if isEmpty {
            let suffixes = SnapshotInputs.suffixes.joined(separator: ", ")
            streams.note(
                "pushpipe: nothing to run: no payload in a file that ends in one of \(suffixes); name a file to run it "
                    + "whatever its name\(delivery.advice(.acceptEmpty))\n")
        } else if !delivery.isQuiet {
            var line = FlowingLine(delivery.noteStyle, indent: 2)
            line.appendWords(log.summary(delivery.advice))
            streams.note(line.text + "\n")
        }
        try log.check()
        if isEmpty { return Outcome(isEmpty: true) }
        return Outcome(
            hasUnreadable: log.counts[.unreadable] != nil,
            hasDifference: log.counts.keys.contains(where: \.isDifference), isStopped: streams.isStopped)
    }

    private func inputs() -> SnapshotInputs {
        SnapshotInputs(
            delivery.inputs.compactMap(\.self),
            // Options name them, so they are not payloads, wherever they are.
            ignoring: [delivery.devicesPath, delivery.preferencesPath, delivery.typesPath].compactMap(\.self),
            LintOptions(decoding: delivery.configuration.decoding, framing: delivery.configuration.framing))
    }

    // MARK: - One input

    /// Compares what an input's phones show with what is approved.
    private func compare(_ text: SnapshotRunner.Text, _ input: SnapshotInput) -> SnapshotResult {
        var result = SnapshotResult(input: input.path, status: .unchanged)
        let composed: [UInt8]
        switch text {
        case .composed(let bytes): composed = bytes
        case .failed(let message):
            result.status = .failed
            result.message = message
            return result
        case .unreadable(let message):
            result.status = .unreadable
            result.message = message
            return result
        }
        let file = ApprovedFile(of: input.path)
        do throws(ApprovedFile.Obstacle) {
            let approved = try file.read()
            if approved == composed { return result }
            result.status = approved == nil ? .new : .changed
            if let approved, ApprovedFile.isCurrent(approved) {
                result.changes = SnapshotDifference(from: approved, to: composed).changes
                if result.changes.isEmpty {
                    result.message = "the texts are the same; only blank lines or the end of the file differ"
                }
            } else {
                result.text = SnapshotText.lines(of: composed)
            }
            if let approved, !ApprovedFile.isCurrent(approved) {
                result.message =
                    "\(file.path) does not begin with the line \"\(SnapshotText.heading)\", so this version cannot "
                    + "say what is different"
            }
            if updates {
                try file.write(composed, beside: input.path)
                result.status = approved == nil ? .added : .updated
            }
        } catch {
            return SnapshotResult(input: file.path, status: .unreadable, message: error.reason)
        }
        return result
    }

    /// - Parameter path: an approved file without an input.
    private func remove(_ path: String) -> SnapshotResult {
        var result = SnapshotResult(input: ApprovedFile.input(of: path) ?? path, status: .obsolete)
        guard updates else { return result }
        do throws(ApprovedFile.Obstacle) {
            try ApprovedFile(of: result.input).remove()
            result.status = .removed
        } catch {
            result = SnapshotResult(input: path, status: .unreadable, message: error.reason)
        }
        return result
    }
}
