import PushGherkin
public import PushGherkinRunner
import PushText

/// Writes results as a report. Call `add` for each result in the order of the run, then `finish`.
public struct ScenarioReport {
    /// The format of a report.
    public enum Format: String, CaseIterable, Sendable {
        /// Text for people: one line per scenario, and below it the steps that did not pass.
        case text
        /// The Test Anything Protocol, version 13.
        case tap
        /// JUnit's XML, written by `finish`.
        case junit
        /// Commands for GitHub Actions, which annotate the steps that did not pass.
        case github
        /// Commands for Azure Pipelines, which do the same.
        case azure
    }

    private var writer: any ScenarioReportWriter
    private var summary = ScenarioSummary()

    /// - Parameters:
    ///   - format: how the report is written.
    ///   - hasColors: true if a text report uses the colors of a terminal.
    ///   - isQuiet: true if a text report has nothing but the scenarios that did not pass.
    public init(_ format: Format, hasColors: Bool = false, isQuiet: Bool = false) {
        writer =
            switch format {
            case .text: TextScenarioReport(style: TextStyle(hasColors: hasColors), isQuiet: isQuiet)
            case .tap: TAPScenarioReport()
            case .junit: JUnitScenarioReport()
            case .github: AnnotationScenarioReport(dialect: .github)
            case .azure: AnnotationScenarioReport(dialect: .azure)
            }
    }

    /// Adds a scenario. Results of one file must follow each other.
    public mutating func add(_ result: ScenarioResult, to out: inout some TextOutputStream) {
        summary.add(result)
        writer.add(result, to: &out)
    }

    /// Writes the end of the report.
    public mutating func finish(to out: inout some TextOutputStream) { writer.finish(summary, to: &out) }
}

/// One format. `add` is called once per scenario, in the order of files and scenarios, and `finish` once, at the end.
private protocol ScenarioReportWriter {
    mutating func add(_ result: ScenarioResult, to out: inout some TextOutputStream)

    mutating func finish(_ summary: ScenarioSummary, to out: inout some TextOutputStream)
}

extension ScenarioResult {
    /// Distinguishes the rows of an outline, which may share a name: ` (line 14)`.
    var row: String {
        pickle.location == pickle.scenarioLocation ? "" : " (line \(pickle.location.line))"
    }
}

extension StepResult {
    /// The step as in the file, shortened when somebody put a payload into it.
    var quote: String { text.shortened }

    /// `file:line:column`
    func place(in file: String) -> String { "\(file):\(line):\(column)" }
}

/// Text for people: the name of each file, one line per scenario, and below it the steps that did not pass.
private struct TextScenarioReport: ScenarioReportWriter {
    let style: TextStyle
    let isQuiet: Bool
    private var file: String?

    init(style: TextStyle, isQuiet: Bool) {
        self.style = style
        self.isQuiet = isQuiet
    }

    mutating func add(_ result: ScenarioResult, to out: inout some TextOutputStream) {
        if isQuiet, result.status <= .skipped { return }
        let file = result.file
        if file != self.file {
            out.write("\(self.file == nil ? "" : "\n")\(style.bold(TextStyle.clean(file)))\n")
            self.file = file
        }
        let name = TextStyle.clean(result.path.isEmpty ? "line \(result.line)" : result.path)
        out.write("  \(mark(result.status)) \(name)\(style.dim(result.row))\(note(result))\n")
        for step in result.steps where step.status.isFailure {
            let place = step.place(in: TextStyle.clean(file))
            out.write("      \(place): \(style.bold(TextStyle.clean(step.quote)))\n")
            for line in step.message.split(separator: "\n") {
                out.write("        \(TextStyle.clean(String(line)))\n")
            }
        }
    }

    private func mark(_ status: ScenarioStatus) -> String {
        switch status {
        case .passed: style.added("✓")
        case .skipped: style.dim("-")
        case .pending: style.changed("?")
        case .undefined, .ambiguous: style.changed("✗")
        case .failed: style.removed("✗")
        }
    }

    private func note(_ result: ScenarioResult) -> String {
        switch result.status {
        case .passed, .skipped, .failed: ""
        case .pending: "  " + style.changed("has no steps")
        case .undefined, .ambiguous: "  " + style.changed(result.status.rawValue)
        }
    }

    mutating func finish(_ summary: ScenarioSummary, to out: inout some TextOutputStream) {
        if isQuiet { return }
        out.write("\(file == nil ? "" : "\n")\(summary.text)\n")
    }
}

/// The Test Anything Protocol, version 13, which every reader supports. Version 14 adds nothing that we need, and
/// Perl's Test::Harness rejects it. The plan comes last, because scenarios are counted as they run.
private struct TAPScenarioReport: ScenarioReportWriter {
    private static let version = "TAP version 13\n"
    private var count = 0

    mutating func add(_ result: ScenarioResult, to out: inout some TextOutputStream) {
        if count == 0 { out.write(Self.version) }
        count += 1
        let isOk = !result.status.isFailure && result.status != .pending
        out.write("\(isOk ? "ok" : "not ok") \(count) - \(Self.escaped(result.path + result.row))")
        switch result.status {
        case .skipped: out.write(" # SKIP dry run")
        case .pending: out.write(" # TODO no steps")
        case .passed, .undefined, .ambiguous, .failed: break
        }
        out.write("\n")
        guard let failure = result.failure else { return }
        out.write("  ---\n  message: ")
        out.write(YAMLText.quoted(failure.message))
        out.write("\n  severity: ")
        out.write(YAMLText.quoted(failure.status.rawValue))
        out.write("\n  step: ")
        out.write(YAMLText.quoted(failure.quote))
        out.write("\n  at:\n    file: ")
        out.write(YAMLText.quoted(result.file))
        out.write("\n    line: \(failure.line)\n    column: \(failure.column)\n  ...\n")
    }

    /// An unescaped `#` begins a directive, and a description may not contain line ends.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "#", "\\": escaped += "\\\(scalar)"
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value): escaped += " "
            // Separators of lines, and bidirectional controls (UAX #9).
            case "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{061C}", "\u{200E}", "\u{200F}": escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    mutating func finish(_ summary: ScenarioSummary, to out: inout some TextOutputStream) {
        if count == 0 { out.write(Self.version) }
        out.write("1..\(count)\n")
    }
}

/// Text for YAML.
private enum YAMLText {
    /// The text in double quotes. Characters that YAML does not allow or reads as line ends are escaped: control
    /// characters, line and paragraph separators, the byte order mark and noncharacters (source: YAML 1.1 and 1.2,
    /// sections 5.1, 5.4 and 5.7); and bidirectional controls, which would show a text as another one.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{2028}"..."\u{202E}", "\u{FEFF}": quoted += escape(scalar)
            case "\u{2066}"..."\u{2069}", "\u{061C}", "\u{200E}", "\u{200F}": quoted += escape(scalar)
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value): quoted += escape(scalar)
            case _ where scalar.properties.isNoncharacterCodePoint: quoted += escape(scalar)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        let (letter, length) = scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
        return "\\\(letter)\(String(repeating: "0", count: length - digits.count))\(digits)"
    }
}

/// JUnit's XML: one suite per file, one case per scenario. Undefined and ambiguous scenarios count as failures, those of a dry run and those
/// without steps as skipped.
private struct JUnitScenarioReport: ScenarioReportWriter {
    private var document = JUnitDocument(
        "pushpipe test", suites: [.skipped, .seconds], total: [.skipped, .seconds])
    /// File and feature of the current suite.
    private var suite: (file: String, name: String)?

    mutating func add(_ result: ScenarioResult, to out: inout some TextOutputStream) {
        if suite?.file != result.file {
            endSuite()
            suite = (result.file, result.feature)
        }
        let rule = result.rule.map { $0.isEmpty ? "" : "\($0) › " } ?? ""
        document.addCase(
            [
                "name": rule + result.name + result.row, "classname": result.feature, "file": result.file,
                "line": "\(result.line)",
            ], seconds: result.seconds, Self.elements(of: result))
    }

    private mutating func endSuite() {
        if let suite { document.endSuite(["name": suite.name, "file": suite.file]) }
    }

    private static func elements(of result: ScenarioResult) -> [JUnitDocument.Element] {
        var elements: [JUnitDocument.Element] = []
        if let failure = result.failure {
            let summary = failure.message.split(separator: "\n").first.map(String.init) ?? ""
            let text = "\(failure.place(in: result.file)): \(failure.quote)\n\(failure.message)"
            elements.append(.failure(type: failure.status.rawValue, message: summary, [text]))
        } else if result.status == .skipped {
            elements.append(.skipped("dry run"))
        } else if result.status == .pending {
            elements.append(.skipped("no steps"))
        }
        let steps = result.steps.map { "\($0.status.rawValue): \($0.quote)\n" }.joined()
        if !steps.isEmpty { elements.append(.output([steps])) }
        return elements
    }

    mutating func finish(_ summary: ScenarioSummary, to out: inout some TextOutputStream) {
        endSuite()
        document.write { out.write($0) }
    }
}

/// Lines of a CI job that its server turns into annotations of the steps that did not pass.
private struct AnnotationScenarioReport: ScenarioReportWriter {
    let dialect: Annotation.Dialect

    func add(_ result: ScenarioResult, to out: inout some TextOutputStream) {
        guard let failure = result.failure else { return }
        let title = result.path.isEmpty ? failure.status.rawValue : result.path + result.row
        let annotation = Annotation(
            .error, file: result.file, start: (failure.line, failure.column), title: title,
            message: "\(failure.quote)\n\(failure.message.isEmpty ? failure.status.rawValue : failure.message)")
        out.write(annotation.line(in: dialect))
    }

    func finish(_ summary: ScenarioSummary, to out: inout some TextOutputStream) {}
}
