import FileAccess
package import PayloadJSON
import PushModel
package import SystemSupport
package import TerminalStyle

/// The streams of a job. Whoever runs the job decides what they are.
package protocol LintStreams {
    /// Reads all of standard input.
    func readInput() throws(SystemError) -> [UInt8]

    /// Appends to the results: findings, differences, budgets, fixed text.
    func append(_ write: (inout ByteBuffer) -> Void) throws

    /// Makes sure that all results so far are written.
    func flush() throws

    /// Writes lines about the work, which are not results.
    func note(_ lines: String)
}

/// Lints or fixes files, and reports what was found.
package struct LintJob {
    /// How text looks in a stream.
    package struct Appearance {
        package var isTerminal: Bool
        package var style: TextStyle
        /// In columns.
        package var width: Int

        package init(isTerminal: Bool = false, style: TextStyle = TextStyle(hasColours: false), width: Int = 120) {
            self.isTerminal = isTerminal
            self.style = style
            self.width = width
        }
    }

    /// What a job found.
    package struct Outcome: Equatable {
        /// Something could not be read or written, which has been noted.
        package var hasUnreadable = false
        /// Findings that were reported, or messages over their budget.
        package var errors = 0
        package var warnings = 0
    }

    /// Files and directories; nil is standard input.
    package var paths: [String?]
    package var options = LintOptions()
    package var configuration = ConfigurationFinder.Source.nearest
    package var format = LintReport.Format.text
    package var fixing = FixMode.none
    /// Whether warnings fail in JUnit's report too.
    package var isStrict = false
    /// Whether to leave out the summary.
    package var isQuiet = false
    package var results = Appearance()
    package var notes = Appearance()

    package init(_ paths: [String?]) { self.paths = paths }

    /// Lints all files, or fixes them.
    ///
    /// - Parameter reader: reads a configuration file.
    /// - Throws: `ConfigurationError`, and what the streams throw.
    package func lint(to streams: some LintStreams, reader: @escaping ConfigurationFinder.Reader) throws -> Outcome {
        let inputs = try inputs(streams, reader)
        // Differences and fixed text take the results, so findings become notes.
        let reportsInNotes = fixing == .show || writesResults
        let appearance = reportsInNotes ? notes : results
        var report = LintReport(format, isStrict: isStrict, style: appearance.style, width: appearance.width)
        func write(_ body: (inout ByteBuffer) -> Void) throws {
            // SOUND: copies what the buffer holds.
            guard reportsInNotes else { return try streams.append(body) }
            var buffer = ByteBuffer()
            body(&buffer)
            unsafe streams.note(String(decoding: buffer.bytes, as: UTF8.self))
        }
        var summary = LintSummary(fixing: fixing)
        summary.excluded = inputs.excluded
        var unreadable = inputs.unreadable
        for input in inputs.found {
            let file: LintedInput
            do throws(SystemError) {
                file = try lint(input, streams)
            } catch {
                unreadable.append(note(error, about: input, streams))
                continue
            }
            summary.add(file.remaining, fixed: file.fixed)
            try append(file, named: input.name, to: streams)
            let linted = LintedFile(name: input.name, bytes: file.after, findings: file.remaining.findings)
            try write { report.add(linted, to: &$0) }
            try streams.flush()
        }
        try write { report.finish(unreadable: unreadable, to: &$0) }
        try streams.flush()
        if !isQuiet { streams.note(summary.text) }
        return Outcome(
            hasUnreadable: !unreadable.isEmpty, errors: summary.count(.error), warnings: summary.count(.warning))
    }

    /// Whether fixed text goes to the results.
    private var writesResults: Bool { fixing == .write && paths == [nil] }

    // MARK: - One file

    /// A text before and after fixing.
    private struct LintedInput {
        var before: [UInt8]
        var after: [UInt8]
        var fixed: Int
        var remaining: LintResult
    }

    private func lint(_ input: LintInput, _ streams: some LintStreams) throws(SystemError) -> LintedInput {
        let bytes = try read(input, streams)
        guard fixing != .none else {
            return LintedInput(before: bytes, after: bytes, fixed: 0, remaining: input.linter.lint(bytes))
        }
        let result = input.linter.fix(bytes)
        if fixing == .write, let path = input.path, result.bytes != bytes {
            try FileBytes.replace(path, with: result.bytes)
        }
        return LintedInput(before: bytes, after: result.bytes, fixed: result.fixed, remaining: result.remaining)
    }

    /// Appends what takes the results in place of findings.
    private func append(_ file: LintedInput, named name: String, to streams: some LintStreams) throws {
        if fixing == .show, file.after != file.before {
            let diff = UnifiedDiff(from: file.before, to: file.after)
            try streams.append { diff.append(name: name, isForTerminal: results.isTerminal, to: &$0) }
        }
        if writesResults { try streams.append { for byte in file.after { $0.append(byte) } } }
    }

    // MARK: - All files

    func inputs(_ streams: some LintStreams, _ reader: @escaping ConfigurationFinder.Reader) throws -> LintInputs {
        let finder = ConfigurationFinder(configuration, reader: reader) { TextLinter($0, options) }
        let inputs = try LintInputs(paths, finder)
        for line in inputs.unreadable { streams.note("pushpipe: \(line)\n") }
        return inputs
    }

    func read(_ input: LintInput, _ streams: some LintStreams) throws(SystemError) -> [UInt8] {
        guard let path = input.path else { return try streams.readInput() }
        return try FileBytes.read(path)
    }

    /// Notes that an input could not be read or written, and returns the line.
    func note(_ error: SystemError, about input: LintInput, _ streams: some LintStreams) -> String {
        let line = "\(TextStyle.clean(input.path ?? "standard input")): \(error)"
        streams.note("pushpipe: \(line)\n")
        return line
    }
}
