import ExtensionHosting
import PushDecoding
import PushDevices
import PushFiles
import PushGherkinRunner
import PushLint
import PushModel
import PushPipeline
package import PushRuns
import PushScenarios
import PushSystem
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
        package var isStopped = false
    }

    /// The time at which the clock of a snapshot starts unless another is set, which is that of a scenario.
    package static let start = "2026-01-01T12:00:00Z"

    /// How payloads are delivered, and the files and directories with them. Its output and its store are not used.
    private let delivery: RunJob
    package var format = SnapshotReport.Format.text
    /// A file of payloads or scenarios to compare with, in place of what is approved for the one input.
    package var base: String?
    /// True to approve what differs, and to delete obsolete snapshots.
    package var updates = false
    /// True if it is all right if there is nothing to run.
    package var allowsEmpty = false

    /// - Parameter delivery: of files and directories, and the same in each run: with a clock and a key of its own, and without a location.
    package init(_ delivery: RunJob) { self.delivery = delivery }

    /// Runs all inputs, each on phones of its own.
    ///
    /// - Throws: `PlainError`, and errors that concern all inputs, such as an extension that cannot be started.
    package func run(to streams: some RunStreams) throws -> Outcome {
        let inputs = inputs()
        let base = base.map(SnapshotInput.init)
        var delivery = delivery
        // Each with the configuration of its own folder.
        delivery.inputs = (inputs.found + [base].compactMap(\.self)).filter { !$0.isFeature }.map(\.path)
        let runner = try SnapshotRunner(delivery, note: streams.note) { streams.isStopped }
        var log = SnapshotLog(streams, SnapshotReport(format, style: delivery.style), continues: updates)
        streams.listenForStop()
        for (path, reason) in inputs.unreadable {
            try log.add(SnapshotResult(input: path, status: .unreadable, message: reason))
        }
        let before = try base.map { try runner.text(of: $0) }
        for input in inputs.found where !streams.isStopped {
            let text = try runner.text(of: input)
            // What was composed until then is not the whole snapshot.
            if streams.isStopped { break }
            try log.add(compare(text, input, with: before))
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
            line.appendWords(log.summary(base == nil ? delivery.advice : nil))
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

    /// Compares what an input's phones show with what those of the base show, or without a base with what is approved.
    private func compare(
        _ text: SnapshotRunner.Text, _ input: SnapshotInput, with before: SnapshotRunner.Text?
    ) -> SnapshotResult {
        var result = SnapshotResult(input: input.path, base: base, status: .unchanged)
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
        switch before {
        case .composed(let earlier):
            result.changes = SnapshotDifference(from: earlier, to: composed).changes
            if !result.changes.isEmpty { result.status = .changed }
            return result
        case .failed(let message): return SnapshotResult(input: base ?? "", status: .failed, message: message)
        case .unreadable(let message): return SnapshotResult(input: base ?? "", status: .unreadable, message: message)
        case nil: break
        }
        let file = ApprovedFile(of: input.path)
        do throws(PlainError) {
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
            return SnapshotResult(input: file.path, status: .unreadable, message: error.message)
        }
        return result
    }

    /// - Parameter path: an approved file without an input.
    private func remove(_ path: String) -> SnapshotResult {
        var result = SnapshotResult(input: ApprovedFile.input(of: path) ?? path, status: .obsolete)
        guard updates else { return result }
        do throws(PlainError) {
            try ApprovedFile(of: result.input).remove()
            result.status = .removed
        } catch {
            result = SnapshotResult(input: path, status: .unreadable, message: error.message)
        }
        return result
    }
}

/// Runs one input after the other, each on phones of its own, and composes what they show.
struct SnapshotRunner {
    enum Text {
        case composed([UInt8])
        /// Scenarios did not pass: why, a line or more for each.
        case failed(String)
        /// The input cannot be read: why.
        case unreadable(String)
    }

    private let delivery: RunJob
    private let setup: RunSetup
    private let note: (String) -> Void
    private let isStopped: () -> Bool

    /// - Parameters:
    ///   - note: called with a line for people.
    ///   - isStopped: true to end early; then the text of an input is not complete.
    /// - Throws: errors of `RunJob.setUp`.
    init(_ delivery: RunJob, note: @escaping (String) -> Void, isStopped: @escaping () -> Bool) throws {
        setup = try delivery.setUp(note: note)
        self.delivery = delivery
        self.note = note
        self.isStopped = isStopped
    }

    /// - Throws: errors that concern all inputs, such as an extension that cannot be started.
    func text(of input: SnapshotInput) throws -> Text {
        do throws(SystemError) {
            // Opening a pipe waits for its other end.
            guard try FileStatus(input.path).kind == .regular else { return .unreadable("not a regular file") }
        } catch {
            return .unreadable("\(error)")
        }
        return input.isFeature ? try scenarios(input.path) : try payloads(input.path)
    }

    private func payloads(_ path: String) throws -> Text {
        setup.begin(path)
        let store = MemoryStore(keepsJournal: false)
        let (pipeline, host) = try setup.pipeline(deliveringTo: store)
        defer { host?.finish() }
        try delivery.registerDevices(setup, pipeline, note: note)
        var text = SnapshotText(defaultDevice: delivery.configuration.decoding.device)
        do {
            let file = try FileDescriptor.open(path, .readOnly)
            defer { file.close() }
            try pipeline.process(
                fileDescriptor: file.rawValue, progress: nil, isStopped: isStopped,
                report: {
                    guard delivery.shownDevice?.shows($0.message.device.string) ?? true else { return }
                    text.add($0)
                    if text.bytes > FileBytes.maximumDocumentBytes { throw SystemError.fileTooLarge }
                }, flush: {})
        } catch let error as SystemError {
            return text.bytes > FileBytes.maximumDocumentBytes ? Self.tooLarge : .unreadable("\(error)")
        }
        try text.addScreens(store) { delivery.shownDevice?.shows($0) ?? true }
        return Self.composed(text.lines)
    }

    private func scenarios(_ path: String) throws -> Text {
        let files: [FeatureFile]
        do throws(FeatureFileError) { files = try FeatureFile.read([path]) } catch { return .unreadable("\(error)") }
        var lines: [String] = []
        var failures: [String] = []
        var names: [String: Int] = [:]
        var text = SnapshotText(defaultDevice: ScenarioSuite.defaultDevice)
        do {
            var suite = try ScenarioSuite(files, steps: .pushes())
            suite.command = delivery.command
            let observer: (borrowing RecordReport) -> Void = { text.add($0) }
            try suite.runDirectly(observing: observer) { result, store in
                if let failure = result.failure {
                    failures.append("\(path):\(failure.line): \(failure.text)\n\(failure.message)")
                }
                // Rows of an outline may have one name. Their lines in the file change more often than their number.
                let count = names[result.path, default: 0] + 1
                names[result.path] = count
                let number = count > 1 ? " (\(count))" : ""
                lines += ["", "\(SnapshotLine.scenario): \(SnapshotLine.escaped(result.path))\(number)"]
                if let store { try text.addScreens(store) }
                lines += text.lines
                text = SnapshotText(defaultDevice: ScenarioSuite.defaultDevice)
            }
        } catch let error as FeatureFileError {
            return .unreadable("\(error)")
        }
        return failures.isEmpty ? Self.composed(lines) : .failed(failures.joined(separator: "\n"))
    }

    private static func composed(_ lines: [String]) -> Text {
        let bytes = SnapshotText.bytes(lines)
        return bytes.count > FileBytes.maximumDocumentBytes ? tooLarge : .composed(bytes)
    }

    private static var tooLarge: Text {
        .unreadable(
            "its snapshot is \(FileBytes.message(for: .fileTooLarge, limit: FileBytes.maximumDocumentBytes))")
    }
}

/// Writes results as they come, and counts them.
struct SnapshotLog<Streams: RunStreams> {
    private let streams: Streams
    private let output: Streams.Output
    private var report: SnapshotReport
    /// True if an output that takes nothing more ends the work only when everything is done, as an update of files does.
    private let continues: Bool
    private var failure: PlainError?
    private(set) var counts: [SnapshotResult.Status: Int] = [:]

    init(_ streams: Streams, _ report: SnapshotReport, continues: Bool) {
        self.streams = streams
        self.report = report
        self.continues = continues
        output = streams.openOutput(writesInBackground: false)
    }

    /// - Throws: `PlainError`, unless the work continues.
    mutating func add(_ result: SnapshotResult) throws(PlainError) {
        if result.status == .unreadable {
            streams.note(
                "pushpipe: \(TextStyle.clean(result.input)): \(TerminalText.cleanLines(result.message ?? ""))\n")
        }
        counts[result.status, default: 0] += 1
        do throws(PlainError) {
            try output.append { report.add(result, to: &$0) }
            try output.flush()
        } catch {
            try note(error)
        }
    }

    /// Writes the end of the report.
    ///
    /// - Throws: `PlainError`, unless the work continues.
    mutating func finish() throws(PlainError) {
        do throws(PlainError) {
            try output.append { report.finish(to: &$0) }
            try output.finish()
        } catch {
            try note(error)
        }
    }

    /// - Throws: `PlainError` for what could not be written although the work continued, unless the reader has closed the pipe.
    func check() throws(PlainError) {
        if let failure, !failure.isReaderGone { throw failure }
    }

    private mutating func note(_ error: PlainError) throws(PlainError) {
        guard continues else { throw error }
        failure = failure ?? error
    }

    /// Such as `3 changed, 1 new, 20 unchanged`.
    ///
    /// - Parameter wording: words advice on how to approve what differs; nil for no advice.
    func summary(_ wording: Advice.Wording?) -> String {
        let parts = SnapshotResult.Status.allCases.filter { $0 != .unchanged } + [.unchanged]
        let text = parts.compactMap { status in counts[status].map { "\($0) \(status.rawValue)" } }
            .joined(separator: ", ")
        let canBeApproved = [.changed, .new, .obsolete].contains { counts[$0] != nil }
        let advice = canBeApproved ? wording?(.approve) ?? "" : ""
        return "\(text.isEmpty ? "nothing to run" : text)\(advice)"
    }
}
