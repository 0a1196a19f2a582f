import ExtensionHost
import PayloadJSON
import PushPipeline

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension RunPlan {
    /// - Throws: `Failure`, `StoreError`.
    func execute() throws {
        for case let path? in inputs { try Self.checkReadable(path) }
        let store: any NotificationStore =
            if let storePath { try SQLiteStore(path: storePath) } else { MemoryStore(keepsJournal: false) }
        let extensionHost = try serviceExtension.map { configuration in
            var configuration = configuration
            try configuration.findExecutable()
            return try ExtensionHost(configuration)
        }
        defer { extensionHost?.finish() }
        let pipeline = Pipeline(configuration, store: store, extensionHost: extensionHost)
        // On a terminal, report and progress would get in each other's way.
        let output = StandardOutput(writesInBackground: configuration.jobs > 1 && !StandardOutput.isTerminal)
        let progress = Progress(
            isShown: !isQuiet && StandardError.isTerminal && !(report == .text && StandardOutput.isTerminal))
        do {
            for input in inputs { try process(input, pipeline, output, progress) }
            progress.clear()
            if showsScreen { try ScreenWriter(style: .forTerminal(StandardOutput.isTerminal)).write(store, to: output) }
            try output.finish()
        } catch {
            progress.clear()
            // What was reported of earlier chunks is kept, so it is worth telling before the trouble.
            if case Failure.readerGone = error {} else { try? output.finish() }
            throw error
        }
        if !isQuiet { StandardError.write(SummaryText.lines(pipeline.summary, seconds: progress.seconds)) }
        if configuration.measuresStages {
            StandardError.write(StatsText.table(pipeline.stageTimes, pipeline.summary, seconds: progress.seconds))
        }
        if failOn.contains(where: { $0.isMet(by: pipeline.summary) }) { throw Failure.conditionMet }
    }

    private func process(_ path: String?, _ pipeline: Pipeline, _ output: StandardOutput, _ progress: Progress) throws {
        let descriptor = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
        guard descriptor >= 0 else { throw Failure.trouble("\(path ?? "-"): \(SystemError())") }
        defer { if path != nil { close(descriptor) } }
        let writer = report
        let ndjson = NDJSONReport()
        let text = TextReport(style: .forTerminal(StandardOutput.isTerminal))
        do {
            try pipeline.process(fileDescriptor: descriptor) { line in
                switch writer {
                case .ndjson: try output.append { ndjson.append(line, to: &$0) }
                case .text: try output.append { text.append(line, to: &$0) }
                case .none: break
                }
            } flush: {
                try output.flush()
                progress.show(pipeline.summary)
            }
        } catch let error as SystemError {
            throw Failure.trouble("\(path ?? "standard input"): \(error)")
        }
    }

    /// Finds out before anything is delivered that a file cannot be read.
    private static func checkReadable(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Failure.trouble("\(path): \(SystemError())") }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw Failure.trouble("\(path): is a directory; name its files, for instance \(path)/*.json")
        }
        guard access(path, R_OK) == 0 else { throw Failure.trouble("\(path): \(SystemError())") }
    }
}

/// A line on standard error that says how far a long run has come.
final class Progress {
    private static let interval = 0.2  // seconds

    private let isShown: Bool
    private let start = PipelineClock.monotonicSeconds()
    private var lastShown = PipelineClock.monotonicSeconds()
    private var hasLine = false

    init(isShown: Bool) { self.isShown = isShown }

    var seconds: Double { PipelineClock.monotonicSeconds() - start }

    func show(_ summary: RunSummary) {
        guard isShown else { return }
        let now = PipelineClock.monotonicSeconds()
        guard now - lastShown >= Self.interval else { return }
        lastShown = now
        hasLine = true
        let rate = SummaryText.grouped(UInt64(Double(summary.records) / max(now - start, 0.001)))
        StandardError.write(
            "\r\u{1B}[K\(SummaryText.grouped(summary.records)) records, \(rate)/s, "
                + "\(SummaryText.grouped(summary.count(.rejected))) rejected, "
                + "\(SummaryText.grouped(summary.count(.malformed))) malformed")
    }

    func clear() {
        if hasLine { StandardError.write("\r\u{1B}[K") }
        hasLine = false
    }
}

/// The summary behind a run.
enum SummaryText {
    static func lines(_ summary: RunSummary, seconds: Double) -> String {
        let rate = UInt64(Double(summary.records) / max(seconds, 0.000_001))
        var text =
            "\(grouped(summary.records)) \(summary.records == 1 ? "record" : "records"), "
            + "\(grouped(summary.messages)) \(summary.messages == 1 ? "message" : "messages"), "
            + "\(grouped(summary.payloadBytes)) payload bytes in \(rounded(seconds)) s (\(grouped(rate)) records/s)\n"
        for outcome in Outcome.allCases where summary.count(outcome) > 0 {
            text += "  \(outcome.name) \(grouped(summary.count(outcome)))"
            let details = details(of: outcome, in: summary)
            text += details.isEmpty ? "\n" : ": \(details)\n"
        }
        return text
    }

    private static func details(of outcome: Outcome, in summary: RunSummary) -> String {
        switch outcome {
        case .rejected:
            Rejection.allCases.filter { summary.count($0) > 0 }
                .map { "\($0.row.status) \($0.row.reason) \(grouped(summary.count($0)))" }.joined(separator: ", ")
        case .malformed:
            summary.malformedByRule.sorted { $0.key < $1.key }.map { "\($0.key) \(grouped($0.value))" }
                .joined(separator: ", ")
        default: ""
        }
    }

    /// `1234567` as `1,234,567`.
    static func grouped(_ number: UInt64) -> String {
        let digits = Array(String(number))
        var text = ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return text
    }

    private static func rounded(_ seconds: Double) -> String {
        let thousandths = UInt64((seconds * 1000).rounded())
        return "\(thousandths / 1000).\(String(thousandths % 1000 + 1000).dropFirst())"
    }
}
