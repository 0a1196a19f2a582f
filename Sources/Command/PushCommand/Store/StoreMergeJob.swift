import PushReports
import PushRuns
import PushSQLite
import PushStore
import PushSystem

/// `pushpipe store merge`: joins the stores of parts, and says how far it is.
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

    /// Merges.
    ///
    /// - Parameters:
    ///   - showsProgress: true if `note` writes to a terminal.
    ///   - note: gets lines of progress, and the summary.
    /// - Throws: `StoreError`, what `note` throws.
    func run(showsProgress: Bool, note: (String) throws -> Void) throws {
        TemporaryFiles.keep(beside: target)
        let start = SystemClock.monotonicSeconds()
        var text = ProgressText(seconds: start)
        let counts = try StoreMerger(parts, isPartial: isPartial).merge(into: target) { counts in
            guard showsProgress else { return }
            if let line = text.line(counts, seconds: SystemClock.monotonicSeconds()) { try note(line) }
        }
        if let clearing = text.clearing() { try note(clearing) }
        try note(SummaryText.line(counts, seconds: SystemClock.monotonicSeconds() - start))
    }
}
