import PayloadJSON
import PushModel

extension LintJob {
    /// Reports where the bytes of each message go. A message over its limit counts as an error.
    ///
    /// - Parameter reader: reads a configuration file.
    /// - Throws: `ConfigurationError`, and what the streams throw.
    package func reportBudgets(
        to streams: some LintStreams, reader: @escaping ConfigurationFinder.Reader
    ) throws -> Outcome {
        let inputs = try inputs(streams, reader)
        let style = format == .ndjson ? BudgetStyle.ndjson : .text(BudgetText(style: results.style))
        var count = 0
        let reading = try read(inputs, as: .budgets(style), margin: 0, to: streams) { text, result in
            try streams.append { $0.append(text) }
            count += result.counts.shown[.error] ?? 0
        } end: { _, _ in
        }
        try streams.flush()
        let isEmpty = noteIfEmpty(inputs, reading, streams)
        return Outcome(isEmpty: isEmpty, hasUnreadable: reading.hasUnreadable, errors: count, stop: reading.stop)
    }
}
