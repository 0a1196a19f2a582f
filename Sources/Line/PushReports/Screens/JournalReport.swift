package import PayloadJSON
import PushModel
package import PushStore
import PushSystem
package import PushText

/// Writes journal entries, one per line.
package struct JournalReport {
    private let style: TextStyle
    private let form: StoreReportForm
    /// The day of the last entry, on a terminal that has no room for it in each line.
    private var day = ""

    /// The fewest columns of a terminal in which lines have their whole time.
    private static let wideColumns = 100
    /// The fewest columns that an app is shortened to.
    private static let fewestOfApp = 12

    package init(style: TextStyle, form: StoreReportForm) {
        self.style = style
        self.form = form
    }

    package func appendHeading(to out: inout ByteBuffer) {
        if form == .csv { out.append("seq,at,device,app,kind,identifier\r\n") }
    }

    package mutating func append(_ entry: JournalEntry, to out: inout ByteBuffer) {
        switch form {
        case .text: appendText(entry, to: &out)
        case .ndjson: JournalLine.append(entry, to: &out)
        case .csv:
            CSVLine.append(
                [
                    String(entry.seq), RFC3339.text(entry.at), entry.device, entry.app, entry.kind.name.description,
                    entry.identifier,
                ], to: &out)
        }
    }

    private mutating func appendText(_ entry: JournalEntry, to out: inout ByteBuffer) {
        let isNarrow = style.columns.map { $0 < Self.wideColumns } ?? false
        let time = RFC3339.text(entry.at)
        if isNarrow, day != time.prefix(10) {
            day = String(time.prefix(10))
            out.appendText(style.dim(day) + "\n")
        }
        var line = FlowingLine(style, indent: 2)
        if isNarrow {
            line.appendCell(String(time.dropFirst(11).dropLast()), to: 14, style.dim)
        } else {
            line.appendCell(time, to: 26, style.dim)
        }
        line.appendCell(TerminalText.padded(String(entry.seq), to: 6, right: true), to: 8)
        line.appendCell(entry.kind.name.description, to: 12)
        line.appendCell(TextStyle.shortened(entry.device), to: isNarrow ? 15 : 16)
        let identifier = TextStyle.clean(entry.identifier)
        if !entry.app.isEmpty {
            var app = TextStyle.clean(entry.app)
            if isNarrow, let room = line.room {
                // The end of an app's name says more than its beginning.
                let columns = max(room - TerminalText.width(identifier) - 2, Self.fewestOfApp)
                app = TerminalText.shortened(app, to: columns, keepingEnd: columns * 2 / 3)
            }
            line.append(app)
        }
        if !identifier.isEmpty { line.append(identifier) }
        out.appendText(line.text + "\n")
    }
}
