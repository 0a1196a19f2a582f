import ExtensionHosting
package import PayloadJSON
import PushDecoding
package import PushPipeline
import PushReports
package import PushStore
import PushSystem

/// A job with its store open, and a pipeline at the beginning of its input.
package struct OpenRun {
    let job: RunJob
    let setup: RunSetup
    /// Nil for a store in memory.
    package let file: (any StoreFile)?
    package let store: any DeliveryStore & BrowsableStore
    package let pipeline: Pipeline
    private let extensionHost: ExtensionHost?

    /// Opens the job's store. Call `finish` after the last use of the pipeline.
    ///
    /// - Parameters:
    ///   - memory: the store of a job without one in a file.
    ///   - note: called with a line for people.
    /// - Throws: `StoreError`, `PlainError`, and what starting an extension throws.
    package init(
        _ job: RunJob, _ setup: RunSetup, orIn memory: @autoclosure () -> MemoryStore, note: (String) -> Void
    ) throws {
        self.job = job
        self.setup = setup
        file = try job.store.map { location in
            TemporaryFiles.keep(beside: location.path)
            return try setup.open(location, note: note)
        }
        store = file ?? memory()
        (pipeline, extensionHost) = try setup.pipeline(deliveringTo: store)
    }

    package func finish() { extensionHost?.finish() }

    /// Registers the job's devices; see `RunJob.registerDevices`.
    package func registerDevices(of part: PartMark? = nil, note: @escaping (String) -> Void) throws {
        try job.registerDevices(setup, pipeline, of: part, note: note)
    }

    /// Appends a line of the report. Called on any thread.
    package func composer() -> @Sendable (borrowing RecordReport, inout ByteBuffer) -> Void {
        switch job.output {
        case .none: return { _, _ in }
        case .ndjson:
            let report = NDJSONReport()
            return { report.append($0, to: &$1) }
        case .text:
            let report = TextReport(style: job.style)
            return { report.append($0, to: &$1) }
        case .trace:
            let report = TraceReport(style: job.style, budget: job.configuration.decoding.budget)
            return { report.append($0, to: &$1) }
        }
    }

    /// Writes what is on the screens, if the job shows them.
    package func showScreens(to output: some RunOutput) throws {
        guard job.showsScreen else { return }
        let device = try job.shownDevice?.name(in: store)
        try ScreenReport(style: job.style).write(store, device: device) { text in
            try output.append { $0.appendText(text) }
        }
    }

    /// True if one of `RunJob.failOn` occurred, or a sender got another answer.
    package var hasFailed: Bool {
        let answers = pipeline.summary.answers
        return answers.different &+ answers.unreadable > 0
            || job.failOn.contains { $0.isMet(by: pipeline.summary) }
    }
}

/// Makes SQLite create its temporary files next to the store.
package enum TemporaryFiles {
    /// Call this before opening the store and before starting threads. A folder set by the user in the variable is kept.
    package static func keep(beside path: String) {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        Environment.setDefault("SQLITE_TMPDIR", String(folder))
    }
}
