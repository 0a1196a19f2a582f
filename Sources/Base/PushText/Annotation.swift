/// A note about a place in a file, as a line that a CI job prints so that its server shows the note there.
package struct Annotation: Sendable {
    /// The server's language.
    package enum Dialect: Sendable {
        /// Workflow commands of GitHub Actions.
        case github
        /// Logging commands of Azure Pipelines, which know neither an end nor a title, and nothing milder than a warning.
        case azure
    }

    package enum Severity: String, Sendable { case error, warning, notice }

    /// A place in a file. Lines and columns count from 1.
    package typealias Place = (line: Int, column: Int)

    private let severity: Severity
    private let file: String
    private let start: Place?
    private let end: Place?
    private let title: String
    private let message: String

    /// - Parameters:
    ///   - start: nil for the whole file.
    ///   - end: nil if only the start is known.
    ///   - title: a few words, such as a rule's name.
    package init(
        _ severity: Severity, file: String, start: Place? = nil, end: Place? = nil, title: String, message: String
    ) {
        self.severity = severity
        self.file = file
        self.start = start
        self.end = end
        self.title = title
        self.message = message
    }

    /// The line, with its end.
    package func line(in dialect: Dialect) -> String {
        switch dialect {
        case .github: githubLine
        case .azure: azureLine
        }
    }

    // Docs of GitHub Actions, "Workflow commands"; the escapes are those of actions/toolkit, `command.ts`.
    private var githubLine: String {
        var properties = [("file", file)]
        if let start {
            properties.append(("line", "\(start.line)"))
            if let end { properties.append(("endLine", "\(end.line)")) }
            // The runner takes columns within one line only.
            if end == nil || end?.line == start.line { properties.append(("col", "\(start.column)")) }
            if let end, end.line == start.line { properties.append(("endColumn", "\(end.column)")) }
        }
        properties.append(("title", title))
        let ends: [Unicode.Scalar: String] = ["%": "%25", "\r": "%0D", "\n": "%0A"]
        let escapes = ends.merging([":": "%3A", ",": "%2C"]) { $1 }
        let list = properties.map { "\($0)=\(Self.escaped($1, escapes))" }.joined(separator: ",")
        return "::\(severity.rawValue) \(list)::\(Self.escaped(message, ends))\n"
    }

    // Docs of Azure Pipelines, "Logging commands", with its table of escapes.
    private var azureLine: String {
        var properties = [("type", severity == .error ? "error" : "warning"), ("sourcepath", file)]
        if let start { properties += [("linenumber", "\(start.line)"), ("columnnumber", "\(start.column)")] }
        properties.append(("code", title))
        let ends: [Unicode.Scalar: String] = ["%": "%AZP25", "\r": "%0D", "\n": "%0A"]
        let escapes = ends.merging([";": "%3B", "]": "%5D"]) { $1 }
        let list = properties.map { "\($0)=\(Self.escaped($1, escapes));" }.joined()
        return "##vso[task.logissue \(list)]\(Self.escaped(message, ends))\n"
    }

    /// The text on one line: with escapes for what would end it, and for what would disturb a terminal.
    private static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
        TextStyle.clean(text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined())
    }
}
