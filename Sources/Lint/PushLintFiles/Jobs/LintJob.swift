package import PayloadJSON
import PushDecoding
package import PushFiles
package import PushLint
import PushModel
package import PushSystem
package import PushText

/// The streams of a job. Whoever runs the job decides what they are.
package protocol LintStreams {
    /// Reads standard input once, and overwrites the beginning of `piece`. Returns 0 at the end.
    ///
    /// - Throws: `.interrupted` when a signal arrives, `.wouldBlock` when a non-blocking input has nothing to read.
    func readInput(into piece: inout [UInt8], atMost limit: Int) throws(SystemError) -> Int

    /// True if `readInput` would return at once. Also true at the end.
    var hasInput: Bool { get }

    /// True to read no more. Asked between two reads.
    var isStopped: Bool { get }

    /// The file that the results are written to; nil for a pipe or a terminal.
    var outputIdentity: FileIdentity? { get }

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

        package init(isTerminal: Bool = false, style: TextStyle = TextStyle(hasColors: false), width: Int = 120) {
            self.isTerminal = isTerminal
            self.style = style
            self.width = width
        }
    }

    /// The result of a job.
    package struct Outcome: Equatable {
        /// There was no record in any file, which has been noted.
        package var isEmpty = false
        /// Something could not be read or written, which has been noted.
        package var hasUnreadable = false
        /// Findings that were reported, or messages over their budget.
        package var errors = 0
        package var warnings = 0
        /// Where the streams asked to stop.
        package var stop: Stop?
    }

    /// Where a job was stopped.
    package struct Stop: Equatable {
        /// As reports name it.
        package var input: String
        /// Number of its records that were linted.
        package var records: Int
    }

    /// Files and directories; nil is standard input.
    package var paths: [String?]
    /// The file that standard input stands for; nil if that is not said.
    package var inputName: String?
    package var options = LintOptions()
    package var configuration = ConfigurationFinder.Source.nearest
    package var format = LintReport.Format.text
    package var fixing = FixMode.none
    /// True to report how often each rule is broken, and not where. For the formats text and ndjson.
    package var countsRules = false
    /// True if text leaves out the findings of a rule after the first ones, and counts them.
    package var folds = true
    /// True if warnings fail, in JUnit's report too.
    package var isStrict = false
    /// True if it is all right if there is nothing to check.
    package var allowsEmpty = false
    /// True to leave out the summary.
    package var isQuiet = false
    /// True to list the files that were found but contain no payloads.
    package var isVerbose = false
    /// How directories are searched.
    package var walk = DirectoryWalk()
    /// Number of cores for a text.
    package var jobs = 1
    package var results = Appearance()
    package var notes = Appearance()

    package init(_ paths: [String?]) { self.paths = paths }

    var advice: Advice.Wording { options.decoding.advice }

    /// Lints all files, or fixes them.
    ///
    /// - Parameter reader: reads a configuration file.
    /// - Throws: `ConfigurationError`, and what the streams throw.
    package func lint(to streams: some LintStreams, reader: @escaping ConfigurationFinder.Reader) throws -> Outcome {
        let inputs = try inputs(streams, reader)
        return fixing == .none ? try report(on: inputs, to: streams) : try fix(inputs, to: streams)
    }

    /// Lints all files as they are read, and writes what is found as soon as the format allows.
    private func report(on inputs: LintInputs, to streams: some LintStreams) throws -> Outcome {
        var report =
            countsRules
            ? LintReport(statisticsAsJSON: format == .ndjson, style: results.style)
            : LintReport(
                format, isStrict: isStrict, style: results.style, width: results.width, folds: folds, advice: advice)
        var summary = LintSummary(fixing: .none, advice: advice)
        summary.excluded = inputs.excluded
        // Only people are shown what is around a finding: a line at most.
        let margin = format == .text ? SourceExcerpt.mostBytes(width: results.width) : 0
        var used: Set<Int> = []
        var hasOnce = false
        let reading = try read(inputs, as: .findings(report), margin: margin, to: streams) { text, result in
            var result = result
            if let once = result.once {
                if hasOnce {
                    result.counts.remove(once)
                    result.foldable.isRepeated = true
                    result.file = result.file?.withoutOnce
                }
                hasOnce = true
            }
            summary.counts.add(result.counts)
            used.formUnion(result.used)
            try streams.append { out in
                report.form.append(text, result.foldable, to: &out)
                if let file = result.file { report.form.add(file, to: &out) }
            }
        } end: { input, text in
            summary.endFile()
            report.form.endFile(named: input.name, bytes: text.bytes)
            // What was not read may need a suppression.
            if !streams.isStopped, text.error == nil {
                for file in unused(used, of: input, &summary) { try streams.append { report.add(file, to: &$0) } }
            }
            used.removeAll()
            hasOnce = false
        }
        try report.form.finish(unreadable: reading.unreadable) { try streams.append($0) }
        try streams.flush()
        let isEmpty = noteIfEmpty(inputs, reading, streams)
        summary.others = reading.others
        summary.folded = report.form.folded
        // A rule's name leads to its page where links are known.
        summary.namesExplain = format == .text && !results.style.hasLinks
        if !isQuiet, !isEmpty {
            var line = FlowingLine(notes.style, indent: 2)
            line.appendWords(String(summary.text.dropLast()))
            streams.note(line.text + "\n")
        }
        return Outcome(
            isEmpty: isEmpty, hasUnreadable: reading.hasUnreadable, errors: summary.count(.error),
            warnings: summary.count(.warning),
            stop: reading.stop)
    }

    /// Findings about what files say to ignore in an input that has nothing of it.
    func unused(_ used: Set<Int>, of input: LintInput, _ summary: inout LintSummary) -> [LintedFile] {
        var first = 0
        return input.suppressionFiles.compactMap { file in
            let range = first..<first + file.suppressions.count
            first = range.upperBound
            if used.isSuperset(of: range) { return nil }
            let result = file.unused(used, from: range.lowerBound, input.profile.makeWorker())
            summary.counts.add(result)
            return result.diagnostics.isEmpty
                ? nil : LintedFile(name: file.name, bytes: file.bytes, diagnostics: result.diagnostics)
        }
    }

    // MARK: - All files

    func inputs(_ streams: some LintStreams, _ reader: @escaping ConfigurationFinder.Reader) throws -> LintInputs {
        let inputs = try LintInputs(
            paths, ConfigurationFinder(configuration, options, reader: reader), walk, inputName: inputName,
            output: streams.outputIdentity)
        for line in inputs.unreadable { streams.note("pushpipe: \(line)\n") }
        return inputs
    }

    /// How the reading of all files ended.
    struct Reading {
        /// Inputs that could not be read and why, one line each.
        var unreadable: [String]
        /// Number of records of all files.
        var records = 0
        /// Those that are where `DecodingOptions.location` says.
        var located = 0
        var hasUnreadable: Bool { unreadable.count > (stop == nil ? 0 : 1) }
        /// Number of files that were found but contain no payloads.
        var others = 0
        /// Where the streams asked to stop, which is a line of `unreadable`, too.
        var stop: Stop?
    }

    /// Reads all files, writes the results that can be written at once, and passes on the rest.
    ///
    /// - Parameters:
    ///   - margin: number of bytes around a record that a report may show.
    ///   - take: takes the text and what else is said about a part of a file, in order, and writes what is to be written.
    ///   - end: called after the last part of a file, with what was read of it.
    func read(
        _ inputs: LintInputs, as kind: PartTask.Kind, margin: Int, to streams: some LintStreams,
        take: (borrowing ByteBuffer, PartResult) throws -> Void, end: (LintInput, TextReading) throws -> Void
    ) throws -> Reading {
        let reader = TextReader(streams, jobs: jobs, margin: margin, acceptsEmpty: allowsEmpty)
        var reading = Reading(unreadable: inputs.unreadable)
        for input in inputs.found where !streams.isStopped {
            let text = try reader.read(input, as: kind) { text, result in
                try take(text, result)
                if !result.notes.isEmpty { streams.note(result.notes) }
                reading.located += result.counts.located
            }
            if text.isOther {
                reading.others += 1
                noteOther(input, streams)
                continue
            }
            reading.records += text.records
            if text.isEndless {
                let problem = "no record in \(text.bytes >> 20) MiB; this may have no end"
                reading.unreadable.append(
                    note(problem + options.decoding.advice(.acceptEmpty), about: input, streams))
            }
            if let problem = text.problem { reading.unreadable.append(note(problem, about: input, streams)) }
            if text.error == nil || text.bytes > 0 { try end(input, text) }
            try streams.flush()
            if streams.isStopped {
                reading.stop = Stop(input: input.name, records: text.records)
                reading.unreadable.append("\(TextStyle.clean(input.name)): stopped after record \(text.records)")
            }
        }
        return reading
    }

    /// Notes that nothing was checked and what to do, unless that is all right, or its reason was noted before.
    func noteIfEmpty(_ inputs: LintInputs, _ reading: Reading, _ streams: some LintStreams) -> Bool {
        let location = options.decoding.location
        guard reading.records == 0 || location != nil && reading.located == 0, reading.unreadable.isEmpty, !allowsEmpty
        else { return false }
        let reason: String
        if reading.others > 0, reading.others == inputs.found.count {
            let files =
                reading.others == 1
                ? "\(name(of: inputs.found[0])) is not a payload" : "none of \(reading.others) files is a payload"
            reason = "\(files); name a file to check it whatever it contains"
        } else if !inputs.found.isEmpty {
            let names = inputs.found.prefix(3).map(name(of:))
            let others = inputs.found.count > names.count ? " or \(inputs.found.count - names.count) more" : ""
            let what = reading.records > 0 ? "no \(location?.name ?? "record")" : "no record"
            reason = "\(what) in \(names.joined(separator: ", "))\(others)"
        } else if inputs.excluded > 0 {
            reason = "the configuration excludes \(inputs.excluded == 1 ? "the file" : "all \(inputs.excluded) files")"
        } else {
            let suffixes = LintInputs.suffixes.joined(separator: ", ")
            reason = "no file that is not ignored ends in one of \(suffixes); name a file to check it whatever its name"
        }
        streams.note("pushpipe: nothing to check: \(reason)\(advice(.acceptEmpty))\n")
        return true
    }

    /// Notes that an input could not be read or written, and returns the line.
    func note(_ reason: String, about input: LintInput, _ streams: some LintStreams) -> String {
        let line = "\(name(of: input)): \(reason)"
        streams.note("pushpipe: \(line)\n")
        return line
    }

    /// Notes that a file was found but contains no payloads, if such files are listed.
    func noteOther(_ input: LintInput, _ streams: some LintStreams) {
        if isVerbose { streams.note("pushpipe: \(name(of: input)): not a payload\n") }
    }

    private func name(of input: LintInput) -> String {
        TextStyle.clean(input.path ?? input.inputName ?? "standard input")
    }
}
