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
            let ranges = bytes.withUnsafeBytes { input.linter.cutter.pieces(of: $0) }.compactMap { piece in
                if case .record(let range) = piece { range } else { nil }
            }
            let positions = PositionTable(of: ranges.map(\.lowerBound), in: bytes)
            try bytes.withUnsafeBytes { bytes in
                for range in ranges {
                    let record = UnsafeRawBufferPointer(rebasing: bytes[range])
                    let reports = input.linter.linter.budgets(of: record)
                    let line = positions[range.lowerBound].line
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
        }
        try output.finish()
        if hasTrouble { throw Failure.troubleTold }
        if isOver { throw Failure.conditionMet }
    }
}

/// A budget for people: a line for the message, and a bar for each member.
struct BudgetText {
    let style: TextStyle

    /// Columns of a bar that stands for the whole message.
    private static let width = 32

    func append(_ report: BudgetReport, file: String, line: Int, to out: inout ByteBuffer) {
        let target = report.target.map { " target \($0)" } ?? ""
        out.appendText(style.bold("\(TextStyle.clean(file)):\(line):\(target)"))
        out.appendText(" \(report.provider.name), \(report.bytes) of \(report.limit) bytes, ")
        out.appendText(
            report.left >= 0
                ? "\(report.left) left\n" : style.severity(.error, "\(-report.left) too many") + "\n")
        for entry in report.entries {
            append(entry.bytes, of: report.bytes, indent: entry.depth, TextStyle.clean(entry.name), to: &out)
        }
        if report.punctuation > 0 {
            append(report.punctuation, of: report.bytes, indent: 0, "(brackets, commas, white space)", to: &out)
        }
        if report.whitespace > 0 { out.appendText("  on one line \(Self.counted(report.whitespace)) fewer\n") }
        if report.escapes > 0 {
            out.appendText("  with UTF-8 in place of escapes \(Self.counted(report.escapes)) fewer\n")
        }
        out.append("\n")
    }

    private func append(_ bytes: Int, of total: Int, indent: Int, _ name: String, to out: inout ByteBuffer) {
        let share = total > 0 ? Double(bytes) / Double(total) : 0
        let percent = "\(Int((share * 100).rounded())) %"
        out.appendText(Self.padded(String(bytes), to: 7) + "  " + Self.padded(percent, to: 5) + "  ")
        out.appendText(style.dim(Self.bar(share)) + "  ")
        out.appendText(String(repeating: "  ", count: indent) + name + "\n")
    }

    private static func counted(_ bytes: Int) -> String { bytes == 1 ? "1 byte" : "\(bytes) bytes" }

    private static func padded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(width - text.count, 0)) + text
    }

    /// Whole and eighth blocks, padded to `width`.
    private static func bar(_ share: Double) -> String {
        let eighths = min(max(Int((share * Double(width) * 8).rounded(.up)), 0), width * 8)
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        let bar = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
        return bar + String(repeating: " ", count: width - bar.count)
    }
}

/// A budget for programs: one JSON object a line.
enum BudgetLine {
    static func append(_ report: BudgetReport, file: String, line: Int, to out: inout ByteBuffer) {
        out.append("{\"file\":")
        out.appendJSONString(file)
        NotificationLine.append("line", line, to: &out)
        if let target = report.target { NotificationLine.append("target", target, to: &out) }
        out.append(",\"provider\":")
        out.appendJSONString("\(report.provider.name)")
        NotificationLine.append("bytes", report.bytes, to: &out)
        NotificationLine.append("limit", report.limit, to: &out)
        NotificationLine.append("left", report.left, to: &out)
        NotificationLine.append("punctuation", report.punctuation, to: &out)
        NotificationLine.append("whitespace", report.whitespace, to: &out)
        NotificationLine.append("escapes", report.escapes, to: &out)
        out.append(",\"members\":[")
        for (position, entry) in report.entries.enumerated() {
            if position > 0 { out.append(",") }
            out.append("{\"pointer\":")
            out.appendJSONString(entry.pointer)
            NotificationLine.append("bytes", entry.bytes, to: &out)
            out.append("}")
        }
        out.append("]}\n")
    }
}
