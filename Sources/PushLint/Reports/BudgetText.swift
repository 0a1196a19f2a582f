package import PayloadJSON
import PushModel
package import TerminalStyle

/// How budgets are written.
enum BudgetStyle: Sendable {
    case text(BudgetText)
    case json

    func append(_ report: BudgetReport, file: String, line: Int, to out: inout ByteBuffer) {
        switch self {
        case .text(let text): text.append(report, file: file, line: line, to: &out)
        case .json: BudgetLine.append(report, file: file, line: line, to: &out)
        }
    }
}

/// Budgets for people: a line for the message, and a bar for each member.
package struct BudgetText: Sendable {
    private let style: TextStyle

    package init(style: TextStyle) { self.style = style }

    /// Columns of a bar that stands for the whole message.
    private static let width = 32

    package func append(_ report: BudgetReport, file: String, line: Int, to out: inout ByteBuffer) {
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

/// Budgets for programs: one JSON object per line.
package enum BudgetLine {
    package static func append(_ report: BudgetReport, file: String, line: Int, to out: inout ByteBuffer) {
        out.append("{\"file\":")
        out.appendJSONString(file)
        out.appendMember("line", line)
        if let target = report.target { out.appendMember("target", target) }
        out.appendMember("provider", "\(report.provider.name)")
        out.appendMember("bytes", report.bytes)
        out.appendMember("limit", report.limit)
        out.appendMember("left", report.left)
        out.appendMember("punctuation", report.punctuation)
        out.appendMember("whitespace", report.whitespace)
        out.appendMember("escapes", report.escapes)
        out.append(",\"members\":[")
        for (position, entry) in report.entries.enumerated() {
            if position > 0 { out.append(",") }
            out.append("{\"pointer\":")
            out.appendJSONString(entry.pointer)
            out.appendMember("bytes", entry.bytes)
            out.append("}")
        }
        out.append("]}\n")
    }
}
