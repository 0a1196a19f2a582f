package import PushJSON
package import PushLint
import PushModel
package import PushText

/// How budgets are written.
enum BudgetStyle: Sendable {
    case text(BudgetText)
    case ndjson
    /// Kept for whoever runs the job and draws them.
    case kept

    func append(_ report: BudgetReport, file: String, line: Int, to out: inout ByteBuffer) {
        switch self {
        case .text(let text): text.append(report, file: file, line: line, to: &out)
        case .ndjson: report.appendJSON(file: file, line: line, to: &out)
        case .kept: break
        }
    }
}

/// Budgets for people: a line for the message, and a bar for each member unless it is concise.
package struct BudgetText: Sendable {
    private let style: TextStyle
    private let isConcise: Bool

    package init(style: TextStyle, isConcise: Bool = false) {
        self.style = style
        self.isConcise = isConcise
    }

    /// Columns of a bar that stands for the whole message: fewer on a narrow terminal.
    private var width: Int { style.columns.map { min(max($0 - Self.columnsBeside, 4), 32) } ?? 32 }
    /// Columns for everything but the bar.
    private static let columnsBeside = 48

    package func append(_ report: BudgetReport, file: String, line: Int, to out: inout ByteBuffer) {
        if isConcise { return appendSize(report, file: file, line: line, to: &out) }
        let target = report.target.map { " target \($0)" } ?? ""
        var head = FlowingLine(style, indent: 4)
        head.appendCell("\(TextStyle.clean(file)):\(line):\(target)", to: 0, style.bold)
        head.appendWords("\(report.provider.name), \(report.bytes) of \(report.limit) bytes,")
        head.append(report.left >= 0 ? "\(report.left) left" : "\(-report.left) too many", gap: 1) {
            report.left >= 0 ? $0 : style.severity(.error, $0)
        }
        out.appendText(head.text + "\n")
        for entry in report.entries {
            append(entry.bytes, of: report.bytes, indent: entry.depth, TextStyle.clean(entry.name), to: &out)
        }
        if report.punctuation > 0 {
            append(report.punctuation, of: report.bytes, indent: 0, "(brackets, commas, white space)", to: &out)
        }
        if report.whitespace > 0 { append("on one line \(Self.counted(report.whitespace)) fewer", to: &out) }
        if report.escapes > 0 {
            append("with UTF-8 in place of escapes \(Self.counted(report.escapes)) fewer", to: &out)
        }
        out.append("\n")
    }

    /// The number first, so that `sort -n` sorts by it: `   76 of 4096  payload.json:1`.
    private func appendSize(_ report: BudgetReport, file: String, line: Int, to out: inout ByteBuffer) {
        let target = report.target.map { " target \($0)" } ?? ""
        let size = TerminalText.padded(String(report.bytes), to: Self.columnsOfSize, right: true)
        var over = report.left < 0 ? "  " + style.severity(.error, "\(-report.left) too many") : ""
        if report.left < 0, let largest = report.largestEntry {
            over += "; \(TextStyle.clean(largest.pointer)) has \(largest.bytes)"
        }
        out.appendText("\(size) of \(report.limit)  \(TextStyle.clean(file)):\(line)\(target)\(over)\n")
    }

    /// The digits of most limits.
    private static let columnsOfSize = 5

    private func append(_ words: String, to out: inout ByteBuffer) {
        var line = FlowingLine(style, indent: 4, startingAt: 2)
        line.appendWords(words)
        out.appendText(line.text + "\n")
    }

    private func append(_ bytes: Int, of total: Int, indent: Int, _ name: String, to out: inout ByteBuffer) {
        let share = total > 0 ? Double(bytes) / Double(total) : 0
        let percent = "\(Int((share * 100).rounded())) %"
        var line = FlowingLine(style, indent: 18)
        line.appendCell(TerminalText.padded(String(bytes), to: 7, right: true), to: 9)
        line.appendCell(TerminalText.padded(percent, to: 5, right: true), to: 7)
        line.appendCell(bar(share), to: width + 2, style.dim)
        let room = line.roomBelow.map { max($0, 1) } ?? .max
        line.append(String(repeating: "  ", count: indent) + TerminalText.shortened(name, to: room), gap: nil)
        out.appendText(line.text + "\n")
    }

    private static func counted(_ bytes: Int) -> String { bytes == 1 ? "1 byte" : "\(bytes) bytes" }

    /// Whole and eighth blocks, padded to `width`.
    private func bar(_ share: Double) -> String {
        let eighths = min(max(Int((share * Double(width) * 8).rounded(.up)), 0), width * 8)
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        let bar = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
        return bar + String(repeating: " ", count: width - bar.count)
    }
}

extension BudgetReport {
    /// Appends the budget for programs: one JSON object on a line.
    fileprivate func appendJSON(file: String, line: Int, to out: inout ByteBuffer) {
        out.append("{\"file\":")
        out.appendJSONString(file)
        out.appendMember("line", line)
        if let target { out.appendMember("target", target) }
        out.appendMember("provider", "\(provider.name)")
        out.appendMember("bytes", bytes)
        out.appendMember("limit", limit)
        out.appendMember("left", left)
        out.appendMember("punctuation", punctuation)
        out.appendMember("whitespace", whitespace)
        out.appendMember("escapes", escapes)
        out.appendMember("members", entries) { out, entry in
            out.append("{\"pointer\":")
            out.appendJSONString(entry.pointer)
            out.appendMember("bytes", entry.bytes)
            out.append("}")
        }
        out.append("}\n")
    }
}
