import PushReports
import PushRuns
import PushSQLite
import PushStore
import PushStreams
import PushSystem

/// `pushpipe merge --store`: joins the stores of parts, and says how far it is.
struct StoreMergeJob {
    private let parts: [String]
    private let target: String
    private let isPartial: Bool

    /// - Parameters:
    ///   - parts: files, and folders with stores.
    ///   - target: a new or empty store.
    ///   - isPartial: true if parts may be missing, or not be read to their ends.
    init(_ parts: [String], into target: String, isPartial: Bool) {
        self.parts = parts
        self.target = target
        self.isPartial = isPartial
    }

    /// Merges, with progress and summary on standard error unless it is quiet.
    ///
    /// - Throws: `StoreError`.
    func run(isQuiet: Bool) throws {
        let note = { (text: String) in if !isQuiet { StandardError.write(text) } }
        let showsProgress = StandardError.isTerminal && !isQuiet
        TemporaryFiles.keep(beside: target)
        let start = SystemClock.monotonicSeconds()
        var text = ProgressText(seconds: start)
        let counts = try StoreMerger(parts, isPartial: isPartial).merge(into: target) { counts in
            guard showsProgress else { return }
            if let line = text.line(counts, seconds: SystemClock.monotonicSeconds()) { note(line) }
        }
        if let clearing = text.clearing() { note(clearing) }
        note(SummaryText.line(counts, seconds: SystemClock.monotonicSeconds() - start))
    }
}
