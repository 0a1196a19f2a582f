package import NotificationStore
package import PayloadJSON
import PushModel
import SystemSupport
package import TerminalStyle

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
        let fields = [
            style.dim(RFC3339.text(entry.at)), TerminalText.padded(String(entry.seq), to: 6, right: true),
            TerminalText.padded(entry.kind.name.description, to: 10),
            TerminalText.padded(TextStyle.shortened(entry.device), to: 14),
            TextStyle.clean(entry.app), TextStyle.clean(entry.identifier),
        ]
        out.appendText(fields.filter { !$0.isEmpty }.joined(separator: "  ") + "\n")
    }
}
