package import PayloadJSON
import PushModel
package import PushStore
import PushSystem
package import PushText

/// The format of a report about a store.
package enum StoreReportForm: String, Sendable, CaseIterable {
    /// Columns of text.
    case text
    /// One JSON object per line.
    case ndjson
    /// RFC 4180, with a header line.
    case csv
}

/// Writes one line per notification center of a store: an app's notification count on a device, its badge and its latest delivery.
package struct CenterReport {
    private let style: TextStyle
    private let form: StoreReportForm

    package init(style: TextStyle, form: StoreReportForm) {
        self.style = style
        self.form = form
    }

    package func appendHeading(to out: inout ByteBuffer) {
        switch form {
        case .text: out.appendText(style.dim("on screen  badge  latest                    device         app\n"))
        case .ndjson: break
        case .csv: out.append("device,app,count,badge,latest\r\n")
        }
    }

    package func append(_ center: CenterSummary, to out: inout ByteBuffer) {
        switch form {
        case .text: appendText(center, to: &out)
        case .ndjson: appendJSON(center, to: &out)
        case .csv:
            CSVLine.append(
                [
                    center.device, center.app, String(center.count), center.badge.map(String.init),
                    center.latest.map(RFC3339.text),
                ], to: &out)
        }
    }

    private func appendJSON(_ center: CenterSummary, to out: inout ByteBuffer) {
        out.append("{\"device\":")
        out.appendJSONString(center.device)
        out.appendMember("app", center.app)
        out.appendMember("count", center.count)
        if let badge = center.badge { out.appendMember("badge", badge) }
        if let latest = center.latest { out.appendMember("latest", milliseconds: latest) }
        out.append("}\n")
    }

    private func appendText(_ center: CenterSummary, to out: inout ByteBuffer) {
        var line = FlowingLine(style, indent: 2)
        line.appendCell(TerminalText.padded(String(center.count), to: 9, right: true), to: 11)
        line.appendCell(TerminalText.padded(center.badge.map(String.init) ?? "–", to: 5, right: true), to: 7)
        line.appendCell(center.latest.map(RFC3339.text) ?? "–", to: 26)
        line.appendCell(TextStyle.shortened(center.device), to: 15)
        line.append(TextStyle.clean(center.app))
        out.appendText(line.text + "\n")
    }
}

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
