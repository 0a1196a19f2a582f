import FileAccess
import PayloadJSON
import PushLint
import PushModel
import PushPipeline
import TerminalStyle

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension LintPlan {
    /// `--budget-report`. A message over its limit counts as an error.
    ///
    /// - Throws: `Failure`.
    func showBudgets(of inputs: LintInputs) throws {
        let output = StandardOutput()
        let text = BudgetText(style: .forTerminal(StandardOutput.isTerminal))
        var hasTrouble = !inputs.troubles.isEmpty
        var isOver = false
        for input in inputs.found {
            let bytes: [UInt8]
            do throws(SystemError) {
                bytes = try FileBytes.read(input.path)
            } catch {
                StandardError.write("pushpipe: \(TextStyle.clean(input.path ?? "standard input")): \(error)\n")
                hasTrouble = true
                continue
            }
            let records = input.linter.budgets(of: bytes)
            let positions = PositionTable(of: records.map(\.offset), in: bytes)
            for (offset, reports) in records {
                let line = positions[offset].line
                if reports.isEmpty {
                    StandardError.write(
                        "\(TextStyle.clean(input.name)):\(line): no message to measure; pushpipe lint says why\n")
                }
                for report in reports {
                    isOver = isOver || report.left < 0
                    try output.append { out in
                        if format == .json {
                            BudgetLine.append(report, file: input.name, line: line, to: &out)
                        } else {
                            text.append(report, file: input.name, line: line, to: &out)
                        }
                    }
                }
            }
        }
        try output.finish()
        if hasTrouble { throw Failure.troubleTold }
        if isOver { throw Failure.conditionMet }
    }
}
