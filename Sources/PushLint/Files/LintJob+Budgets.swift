import FileAccess
import PayloadJSON
import SystemSupport
import TerminalStyle

extension LintJob {
    /// Reports where the bytes of each message go. A message over its limit counts as an error.
    ///
    /// - Parameter reader: reads a configuration file.
    /// - Throws: `ConfigurationError`, and what the streams throw.
    package func reportBudgets(
        to streams: some LintStreams, reader: @escaping ConfigurationFinder.Reader
    ) throws -> Outcome {
        let inputs = try inputs(streams, reader)
        var outcome = Outcome(hasUnreadable: !inputs.unreadable.isEmpty)
        for input in inputs.found {
            let bytes: [UInt8]
            do throws(SystemError) {
                bytes = try read(input, streams)
            } catch {
                _ = note(error, about: input, streams)
                outcome.hasUnreadable = true
                continue
            }
            outcome.errors += try reportBudgets(of: bytes, input, to: streams)
        }
        try streams.flush()
        return outcome
    }

    /// Returns how many messages are over their limit.
    private func reportBudgets(of bytes: [UInt8], _ input: LintInput, to streams: some LintStreams) throws -> Int {
        let text = BudgetText(style: results.style)
        let records = input.linter.budgets(of: bytes)
        let positions = PositionTable(of: records.map(\.offset), in: bytes)
        var count = 0
        for (offset, reports) in records {
            let line = positions[offset].line
            if reports.isEmpty {
                streams.note(
                    "\(TextStyle.clean(input.name)):\(line): no message to measure; pushpipe lint says why\n")
            }
            for report in reports {
                if report.left < 0 { count += 1 }
                try streams.append { out in
                    if format == .json {
                        BudgetLine.append(report, file: input.name, line: line, to: &out)
                    } else {
                        text.append(report, file: input.name, line: line, to: &out)
                    }
                }
            }
        }
        return count
    }
}
