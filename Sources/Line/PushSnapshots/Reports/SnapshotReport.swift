package import PayloadJSON
package import PushText

/// Writes results as a report. Call `add` for each result, then `finish`.
package struct SnapshotReport {
    package enum Format: String, CaseIterable, Sendable {
        /// For people: a line per input, and below it what changed on the phone.
        case text
        /// An object per input and line.
        case ndjson
        /// JUnit's XML, written by `finish`.
        case junit
        /// Commands for GitHub Actions, which annotate the inputs.
        case github
        /// Commands for Azure Pipelines, which do the same.
        case azure
    }

    private let format: Format
    private let text: SnapshotChangeText
    private var junit = JUnitSnapshotReport()

    package init(_ format: Format, style: TextStyle = TextStyle(hasColors: false)) {
        self.format = format
        text = SnapshotChangeText(style: style)
    }

    package mutating func add(_ result: SnapshotResult, to out: inout ByteBuffer) {
        switch format {
        case .text: text.append(result, to: &out)
        case .ndjson: Self.appendLine(result, to: &out)
        case .junit: junit.add(result)
        case .github: Self.appendAnnotation(result, in: .github, to: &out)
        case .azure: Self.appendAnnotation(result, in: .azure, to: &out)
        }
    }

    package func finish(to out: inout ByteBuffer) {
        if format == .junit { junit.write { out.appendText($0) } }
    }

    private static func appendAnnotation(
        _ result: SnapshotResult, in dialect: Annotation.Dialect, to out: inout ByteBuffer
    ) {
        guard result.status.isDifference || result.status == .unreadable else { return }
        // Of an obsolete snapshot, the input is gone.
        let file = result.status == .obsolete ? result.approved : result.input
        let annotation = Annotation(.error, file: file, title: result.status.rawValue, message: result.details)
        out.appendText(annotation.line(in: dialect))
    }

    private static func appendLine(_ result: SnapshotResult, to out: inout ByteBuffer) {
        out.append("{\"input\":")
        out.appendJSONString(result.input)
        out.appendMember("approved", result.approved)
        out.appendMember("status", result.status.rawValue)
        if let message = result.message { out.appendMember("message", message) }
        if !result.text.isEmpty { out.appendMember("text", result.text.joined(separator: "\n")) }
        if !result.changes.isEmpty {
            out.append(",\"changes\":[")
            for (position, change) in result.changes.enumerated() {
                out.append(position == 0 ? "{\"section\":" : ",{\"section\":")
                out.appendJSONString(change.section)
                if !change.scenario.isEmpty { out.appendMember("scenario", change.scenario) }
                if let name = change.name { out.appendMember("name", name) }
                if let before = change.before { out.appendMember("before", before) }
                if let after = change.after { out.appendMember("after", after) }
                out.append("}")
            }
            out.append("]")
        }
        out.append("}\n")
    }
}
