package import PayloadJSON
import PushModel
package import PushStore
import PushSystem
package import PushText

/// Writes journal entries, one per line.
package struct JournalReport {
    private let style: TextStyle
    private let form: StoreReportForm

    package init(style: TextStyle, form: StoreReportForm) {
        self.style = style
        self.form = form
    }

    package func appendHeading(to out: inout ByteBuffer) {
        if form == .csv { out.append("seq,at,device,app,kind,identifier\r\n") }
    }

    package func append(_ entry: JournalEntry, to out: inout ByteBuffer) {
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

    private func appendText(_ entry: JournalEntry, to out: inout ByteBuffer) {
        var line = FlowingLine(style, indent: 2)
        line.appendCell(RFC3339.text(entry.at), to: 26, style.dim)
        line.appendCell(TerminalText.padded(String(entry.seq), to: 6, right: true), to: 8)
        line.appendCell(entry.kind.name.description, to: 12)
        line.appendCell(TextStyle.shortened(entry.device), to: 16)
        if !entry.app.isEmpty { line.append(TextStyle.clean(entry.app)) }
        if !entry.identifier.isEmpty { line.append(TextStyle.clean(entry.identifier)) }
        out.appendText(line.text + "\n")
    }
}
