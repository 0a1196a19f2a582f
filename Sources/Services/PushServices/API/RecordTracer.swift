import PayloadJSON
import PushDecoding
import PushPipeline
import PushReports
import PushText

/// Composes what `pushpipe trace` prints of records alone: for devices of which nothing is known, and without an extension.
struct RecordTracer {
    private var configuration: PipelineConfiguration

    /// - Parameter configuration: of the pipeline that the records went through.
    init(_ configuration: PipelineConfiguration) {
        self.configuration = configuration
        self.configuration.traces = true
        self.configuration.jobs = 1
    }

    /// - Parameter records: one per line.
    /// - Returns: nil without records, and if they cannot be processed again.
    func text(of records: [UInt8]) -> String? {
        guard !records.isEmpty else { return nil }
        let report = TraceReport(style: TextStyle(hasColors: false), budget: configuration.decoding.budget)
        var out = ByteBuffer()
        let pipeline = Pipeline(configuration)
        do {
            // SOUND: the bytes live until the closure returns, and are copied.
            try unsafe records.withUnsafeBytes { bytes in
                try unsafe pipeline.feed(bytes) { report.append($0, to: &out) }
            }
        } catch {
            return nil
        }
        // SOUND: the bytes are copied.
        return unsafe String(decoding: out.bytes, as: UTF8.self)
    }
}
