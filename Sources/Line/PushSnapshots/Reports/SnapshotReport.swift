package import PushJSON
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
        if let base = result.base {
            out.appendMember("compared", base)
        } else {
            out.appendMember("approved", result.approved)
        }
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

/// The result of one input, or of an approved file without one.
package struct SnapshotResult {
    /// The status of an input's snapshot. The names are those of reports.
    package enum Status: String, CaseIterable, Sendable {
        /// Equals the approved one.
        case unchanged
        /// Differs from the approved one.
        case changed
        /// There is no approved one.
        case new
        /// There is no input for the approved one.
        case obsolete
        /// A scenario did not pass, so there is nothing to approve.
        case failed
        /// An input or an approved file cannot be read or written.
        case unreadable
        /// Approved now: changed before.
        case updated
        /// Approved now: new before.
        case added
        /// Deleted now: obsolete before.
        case removed

        /// True if somebody has to look at it.
        package var isDifference: Bool {
            switch self {
            case .changed, .new, .obsolete, .failed: true
            case .unchanged, .unreadable, .updated, .added, .removed: false
            }
        }
    }

    /// The input as it was typed, or found.
    package var input: String
    /// The file that it was compared with, if that is not its approved file.
    package var base: String?
    package var status: Status
    package var changes: [SnapshotDifference.Change] = []
    /// The lines of a snapshot that there is nothing to compare with.
    package var text: [String] = []
    /// Why a status is what it is, when its name does not say so.
    package var message: String?

    /// Everything about it in lines, for other formats than text.
    var details: String {
        let lines = [message ?? status.rawValue] + text + SnapshotChangeText.plainLines(of: changes)
        return lines.joined(separator: "\n")
    }

    package var approved: String { ApprovedFile.input(of: input) == nil ? ApprovedFile(of: input).path : input }
}

/// Writes results for people: a line per input, and below it what changed on the phone.
struct SnapshotChangeText {
    private static let mostColumns = 80
    private static let mostLines = 200
    private static let statusWidth = 10

    let style: TextStyle

    func append(_ result: SnapshotResult, to out: inout ByteBuffer) {
        // What cannot be read was noted with its reason.
        if result.status == .unreadable { return }
        let status = styled(result.status.rawValue.padded(to: Self.statusWidth), result.status)
        let isWithoutInput = result.status == .obsolete || result.status == .removed
        out.appendText("\(status) \(TextStyle.clean(isWithoutInput ? result.approved : result.input))\n")
        if let message = result.message { out.appendText("  \(TerminalText.cleanLines(message))\n") }
        let lines = result.text.map(TextStyle.clean) + lines(of: result.changes)
        for line in lines.prefix(Self.mostLines) { out.appendText("  \(line)\n") }
        if lines.count > Self.mostLines { out.appendText("  … and \(lines.count - Self.mostLines) more lines\n") }
    }

    private func styled(_ text: String, _ status: SnapshotResult.Status) -> String {
        switch status {
        case .unchanged: style.dim(text)
        case .new, .added, .updated: style.added(text)
        case .changed: style.changed(text)
        case .obsolete, .failed, .unreadable, .removed: style.removed(text)
        }
    }

    static func plainLines(of changes: [SnapshotDifference.Change]) -> [String] {
        SnapshotChangeText(style: TextStyle(hasColors: false)).lines(of: changes)
    }

    /// Names scenario and section on lines of their own, unless that is what changed.
    private func lines(of changes: [SnapshotDifference.Change]) -> [String] {
        var lines: [String] = []
        var last: SnapshotDifference.Change?
        for change in changes {
            let isInScenario = !change.scenario.isEmpty
            let isScenario = change.isHeading && change.section.isEmpty
            if isInScenario, change.scenario != last?.scenario, !isScenario {
                lines.append(style.bold(TextStyle.clean(change.scenario)))
                last = nil
            }
            let indent = isInScenario && !isScenario ? "  " : ""
            if change.isHeading {
                lines += self.lines(isScenario ? change.scenario : change.section, change).map { indent + $0 }
            } else {
                if change.section != last?.section, !change.section.isEmpty {
                    lines.append(indent + style.bold(TextStyle.clean(change.section)))
                }
                lines += self.lines(change.name, change).map { indent + "  " + $0 }
            }
            last = change
        }
        return lines
    }

    /// `title: Hello → Hi`, over two lines when it is long; `+ sound: default`; `- sound: default`.
    private func lines(_ name: String?, _ change: SnapshotDifference.Change) -> [String] {
        let before = change.before.map(TextStyle.clean)
        let after = change.after.map(TextStyle.clean)
        let name = name.map(TextStyle.clean)
        guard let before, let after else {
            let text = [name, (before ?? after).flatMap { $0.isEmpty ? nil : $0 }].compactMap(\.self)
                .joined(separator: ": ")
            return [before == nil ? style.added("+ \(text)") : style.removed("- \(text)")]
        }
        let label = name.map { "\($0): " } ?? ""
        if TerminalText.width(label + before + after) + 3 <= Self.mostColumns {
            return ["\(label)\(style.removed(before)) → \(style.added(after))"]
        }
        return [
            label + style.removed(before),
            "".padded(to: max(TerminalText.width(label) - 2, 1)) + "→ \(style.added(after))",
        ]
    }
}

/// JUnit's XML: a case per input.
struct JUnitSnapshotReport {
    private static let name = "pushpipe snapshot"
    private var document = JUnitDocument(name, isCompact: true)

    mutating func add(_ result: SnapshotResult) {
        let message = result.message ?? result.status.rawValue
        document.addCase(
            ["name": result.input, "classname": Self.name],
            result.status.isDifference
                ? [.failure(type: result.status.rawValue, message: message, [result.details])]
                : result.status == .unreadable ? [.error(message)] : [])
    }

    func write(_ write: (String) -> Void) {
        var document = document
        document.endSuite(["name": Self.name])
        document.write(write)
    }
}
