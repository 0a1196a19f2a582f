package import PayloadJSON
package import PushStore
import PushSystem
package import PushText

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
