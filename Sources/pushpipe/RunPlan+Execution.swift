import AppSimulation
import ExtensionHost
import FileAccess
import NotificationStore
import PayloadJSON
import PushDecoding
import PushModel
import PushPipeline
import PushReports
import StandardStreams
import SystemSupport
import TerminalStyle

extension RunPlan {
    /// - Throws: `Failure`, `StoreError`.
    func execute() throws {
        for path in [devicesPath, preferencesPath].compactMap(\.self) { try InputFile.checkReadable(path) }
        let readable = InputFile.readable(inputs) { StandardError.write("pushpipe: \(TerminalText.clean("\($0)"))\n") }
        if readable.isEmpty { throw Failure.troubleTold }
        if output != .report(.none) || showsScreen { try checkOutputIsApart() }
        let setup = try setUp()
        let configuration = setup.configuration
        let kept = try storePath.map { path in
            TemporaryFiles.keep(beside: path)
            return try setup.openStore(path)
        }
        let store: any DeliveryStore = kept ?? memoryStore()
        let (pipeline, extensionHost) = try setup.pipeline(deliveringTo: store)
        defer { extensionHost?.finish() }
        // On a terminal, report and progress would overwrite each other. With a store, a report is written before the next commit.
        let output = StandardOutput(
            writesInBackground: configuration.jobs > 1 && !StandardOutput.isTerminal && kept == nil)
        let isForPeople = self.output == .trace || self.output == .report(.text)
        let progress = Progress(
            isShown: !isQuiet && StandardError.isTerminal && !(isForPeople && StandardOutput.isTerminal))
        StopSignal.listen()
        do {
            if try !isResumed(kept) { try registerDevices(setup.preferences, pipeline) }
            if resumes, self.output == .report(.ndjson), let kept {
                try LastReport(of: kept).missing(in: .standardOutput).withUnsafeBytes { try output.write($0) }
            }
            for input in readable where StopSignal.current == nil {
                try process(input, kept, pipeline, output, progress)
            }
            progress.clear()
            if showsScreen {
                let screens = ScreenReport(style: .forTerminal(StandardOutput.isTerminal))
                try screens.write(store) { text in try output.append { $0.appendText(text) } }
            }
            try output.finish()
            try kept?.forgetLastReport()
        } catch {
            progress.clear()
            // Earlier chunks are committed, so their report comes before the error.
            if (error as? OutputError)?.isReaderGone != true { try? output.finish() }
            throw kept == nil ? error : withAdvice(error)
        }
        if !isQuiet {
            StandardError.write(SummaryText.lines(pipeline.summary, seconds: progress.seconds))
            if pipeline.clockLag >= Self.clockLagToTell { StandardError.write(SummaryText.lag(pipeline.clockLag)) }
        }
        if configuration.measuresStages {
            StandardError.write(StageTimesText.table(pipeline.stageTimes, pipeline.summary, seconds: progress.seconds))
        }
        if let signal = StopSignal.current { throw Failure.stopped(signal) }
        if readable.count < inputs.count { throw Failure.troubleTold }
        if failOn.contains(where: { $0.isMet(by: pipeline.summary) }) { throw Failure.conditionMet }
    }

    /// Whether this resumes an earlier run of the same inputs. That run has registered the devices.
    private func isResumed(_ store: SQLiteStore?) throws -> Bool {
        guard resumes, let store else { return false }
        return try InputFile.readable(inputs) { _ in }.contains {
            try $0.map { try InputFile($0, store: store, resumes: true).progress?.offset ?? 0 > 0 } ?? false
        }
    }

    func registerDevices(_ preferences: PreferenceBook?, _ pipeline: Pipeline) throws {
        if let devicesPath {
            let file = try InputFile(devicesPath)
            do {
                try pipeline.registerDevices(fileDescriptor: file.descriptor.rawValue) { record, doubt in
                    let text = "\(devicesPath): record \(record): \(doubt)"
                    StandardError.write("pushpipe: warning: \(TerminalText.clean(text))\n")
                }
            } catch let error as DeviceFileError {
                throw Failure.unfitInput("\(devicesPath): \(error)")
            } catch let error as SystemError {
                throw Failure.trouble("\(devicesPath): \(error)")
            }
        }
        if let preferences {
            var text = ByteBuffer()
            for event in preferences.deviceEvents { text.appendEvent(event) }
            do {
                try pipeline.registerDevices(String(decoding: text.bytes, as: UTF8.self))
            } catch let error as DeviceFileError {
                throw Failure.unfitInput("\(preferencesPath ?? ""): \(error.message)")
            }
        }
    }

    /// 1 s: smaller steps are ordinary clock corrections.
    private static let clockLagToTell: Int64 = 1000

    /// Adds to an error that ended a run with a store how to continue after it.
    private func withAdvice(_ error: any Error) -> any Error {
        let message: String
        switch error {
        // A store that was moved may have lost the last commits, and a read-only store was not changed.
        case let error as StoreError where error.code == .moved || error.code == .readOnly: return error
        case let error as StoreError: message = "store \(error)"
        case let error as InputError where !error.isUnfit: message = error.description
        case let error as OutputError where !error.isReaderGone: message = error.description
        case Failure.trouble(let text): message = text
        default: return error
        }
        let advice = inputs.allSatisfy(Self.canBeResumed) ? ", and --resume continues from there" : ""
        return Failure.trouble("\(message) (what was reported is in the store\(advice))")
    }

    /// Whether an input is a regular file, or a path whose file is gone.
    private static func canBeResumed(_ path: String?) -> Bool {
        guard let path else { return false }
        do throws(SystemError) { return try FileStatus(path).kind == .regular } catch { return error == .notFound }
    }

    /// Columns above which a trace shortens a text on a terminal.
    private static let longestTextOnTerminal = 100

    private func process(
        _ path: String?, _ store: SQLiteStore?, _ pipeline: Pipeline, _ output: StandardOutput, _ progress: Progress
    ) throws {
        let input = try path.map { try InputFile($0, store: store, resumes: resumes) }
        if path == nil, !isQuiet { StandardInput.invite("payloads") }
        let descriptor = input?.descriptor ?? .standardInput
        let length = InputLength(of: descriptor)
        let isStopped = { StopSignal.current != nil }
        let form = self.output
        let style = TextStyle.forTerminal(StandardOutput.isTerminal)
        let ndjson = NDJSONReport()
        let text = TextReport(style: style)
        let trace = TraceReport(
            style: style, budget: configuration.decoding.budget,
            longestText: StandardOutput.isTerminal ? Self.longestTextOnTerminal : nil)
        let (file, begun) = (descriptor.rawValue, input?.progress)
        let flush = {
            try output.flush()
            progress.show(pipeline.summary)
        }
        let compose: @Sendable (RecordReport, inout ByteBuffer) -> Void = { line, out in
            if form == .report(.ndjson) { ndjson.append(line, to: &out) }
            if form == .report(.text) { text.append(line, to: &out) }
        }
        do {
            if begun != nil, form == .report(.ndjson) {
                try pipeline.process(fileDescriptor: file, progress: begun, isStopped: isStopped) { lines in
                    try output.write(lines)
                    progress.show(pipeline.summary)
                }
            } else if form == .trace {
                let append = { line in try output.append { trace.append(line, to: &$0) } }
                try pipeline.process(
                    fileDescriptor: file, progress: begun, isStopped: isStopped, report: append, flush: flush)
            } else {
                try pipeline.process(
                    fileDescriptor: file, progress: begun, isStopped: isStopped, composer: compose,
                    text: { try output.append($0) }, flush: flush)
            }
        } catch let error as SystemError {
            throw Failure.trouble("\(path ?? "standard input"): \(error)")
        }
        guard let signal = StopSignal.current else { return try length.check(path) }
        progress.clear()
        let place =
            input?.progress == nil ? "" : ", at byte \(pipeline.inputOffset) of \(TerminalText.clean(path ?? ""))"
        let advice = input?.progress == nil ? "" : "; --resume continues from there"
        StandardError.write(
            "pushpipe: stopped by \(StopSignal.name(of: signal)) after record \(pipeline.summary.records) of this run\(place)"
                + "\(advice)\n")
    }

    /// Throws if standard output is the store or an input. The report would overwrite the store, or make the input endless.
    private func checkOutputIsApart() throws {
        guard let output = try? FileStatus(FileDescriptor.standardOutput), output.kind == .regular else { return }
        for path in inputs + (storePath.map { [$0] } ?? []) {
            let other = path.map { try? FileStatus($0) } ?? (try? FileStatus(FileDescriptor.standardInput))
            if other?.identity == output.identity {
                throw Failure.trouble(
                    "\(path ?? "standard input"): standard output is the same file; redirect it elsewhere")
            }
        }
    }
}

/// The line of progress on standard error.
private final class Progress {
    private let isShown: Bool
    private let start = SystemClock.monotonicSeconds()
    private var text: ProgressText

    init(isShown: Bool) {
        self.isShown = isShown
        text = ProgressText(seconds: start)
    }

    var seconds: Double { SystemClock.monotonicSeconds() - start }

    func show(_ summary: RunSummary) {
        guard isShown, let line = text.line(summary, seconds: SystemClock.monotonicSeconds()) else { return }
        StandardError.write(line)
    }

    func clear() {
        if let clearing = text.clearing() { StandardError.write(clearing) }
    }
}
