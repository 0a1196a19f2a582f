import PayloadJSON
package import PushLint
import PushModel

extension LintJob {
    /// Reports where the bytes of each message go. A message over its limit counts as an error.
    ///
    /// - Parameters:
    ///   - reader: reads a configuration file.
    ///   - drawing: composes the results of the first messages, at most `most`, and of how many there were more. Nil for `format`.
    /// - Throws: `ConfigurationError`, and what the streams and `drawing` throw.
    package func reportBudgets(
        to streams: some LintStreams, reader: @escaping ConfigurationFinder.Reader, most: Int = 0,
        drawing: (([MeasuredMessage], _ leftOut: Int) throws -> [UInt8])? = nil
    ) throws -> Outcome {
        let inputs = try inputs(streams, reader)
        let style: BudgetStyle =
            if drawing != nil {
                .kept
            } else if format == .ndjson {
                .ndjson
            } else {
                .text(BudgetText(style: results.style, isConcise: format == .concise))
            }
        var count = 0
        var (measured, leftOut): ([MeasuredMessage], Int) = ([], 0)
        let reading = try read(inputs, as: .budgets(style), margin: 0, to: streams) { text, result in
            try streams.append { $0.append(text) }
            count += result.counts.shown[.error] ?? 0
            let kept = result.measured.prefix(most - measured.count)
            measured += kept
            leftOut += result.measured.count - kept.count
        } end: { _, _ in
        }
        if let drawing, !measured.isEmpty {
            let bytes = try drawing(measured, leftOut)
            try unsafe bytes.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return }
                // SOUND: the text is copied before the bytes are gone.
                let text = unsafe BorrowedText(start: start, count: bytes.count)
                try streams.append { $0.append(text) }
            }
        }
        try streams.flush()
        let isEmpty = noteIfEmpty(inputs, reading, streams)
        return Outcome(isEmpty: isEmpty, hasUnreadable: reading.hasUnreadable, errors: count, stop: reading.stop)
    }
}
