import PushDecoding
package import PushFiles
package import PushJSON
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
        /// The width in columns.
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
        /// The place at which the streams asked to stop.
        package var stop: Stop?
    }

    /// The place at which a job was stopped.
    package struct Stop: Equatable {
        /// The input's name in reports.
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
    /// True to leave out files that are not payloads, also those that were named.
    package var skipsOthers = false
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
        // Only people are shown what is around a finding: a line at most.
        let margin = format == .text ? SourceExcerpt.mostBytes(width: results.width) : 0
        var used: Set<Int> = []
        var hasOnce = false
        let reading = try read(inputs, as: .findings(report), margin: margin, to: streams) { text, result in
            var result = result
            if let once = result.once {
                if hasOnce {
                    result.counts.remove(once)
                    result.file = result.file?.withoutOnce
                }
                hasOnce = true
            }
            summary.counts.add(result.counts)
            used.formUnion(result.used)
            try streams.append { out in
                out.append(text)
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
        let unreadable = reading.unreadable + [reasonIfEmpty(inputs, reading)].compactMap(\.self)
        try report.form.finish(unreadable: unreadable) { try streams.append($0) }
        try streams.flush()
        summary.folded = report.form.folded
        return conclude(&summary, inputs, reading, hasLinks: results.style.hasLinks, streams) { text in
            var line = FlowingLine(notes.style, indent: 2)
            line.appendWords(String(text.dropLast()))
            return line.text + "\n"
        }
    }

    /// Writes the summary, unless it is left out, and returns the outcome.
    ///
    /// - Parameters:
    ///   - hasLinks: true if a rule's name in the report leads to its page.
    ///   - layout: breaks the summary's line.
    private func conclude(
        _ summary: inout LintSummary, _ inputs: LintInputs, _ reading: Reading, hasLinks: Bool,
        _ streams: some LintStreams, layout: (String) -> String = { $0 }
    ) -> Outcome {
        let isEmpty = noteIfEmpty(inputs, reading, streams)
        summary.excluded = inputs.excluded
        summary.others = reading.others
        summary.namesExplain = format == .text && !hasLinks
        if !isQuiet, !isEmpty { streams.note(layout(summary.text)) }
        return Outcome(
            isEmpty: isEmpty, hasUnreadable: reading.hasUnreadable, errors: summary.count(.error),
            warnings: summary.count(.warning), stop: reading.stop)
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
        var inputs = try LintInputs(
            paths, ConfigurationFinder(configuration, options, reader: reader), walk, inputName: inputName,
            output: streams.outputIdentity, skipsOthers: skipsOthers)
        if !inputs.found.isEmpty, !allowsEmpty { inputs.refuseEmpty(advice(.acceptEmpty)) }
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
        /// Those of texts without JSON that are malformed; if budgets are reported, those without a message to measure.
        var malformed = 0
        var reportsBudgets = false
        var hasUnreadable: Bool { unreadable.count > (stop == nil ? 0 : 1) }
        /// Number of files that were found but contain no payloads.
        var others = 0
        /// The place at which the streams asked to stop, which is a line of `unreadable`, too.
        var stop: Stop?
        /// Those without anything to check.
        var withoutRecord: [LintInput] = []
    }

    /// Notes the files without a record beside others. If no file has one, that is said for all of them (`noteIfEmpty`).
    private func noteWithoutRecord(_ reading: inout Reading, _ streams: some LintStreams) {
        guard reading.records > 0, reading.stop == nil, !allowsEmpty else { return }
        for input in reading.withoutRecord {
            reading.unreadable.append(note("no record in it\(advice(.acceptEmpty))", about: input, streams))
        }
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
        if case .budgets = kind { reading.reportsBudgets = true }
        for input in inputs.found where !streams.isStopped {
            var malformed = 0
            let text = try reader.read(input, as: kind) { text, result in
                try take(text, result)
                if !result.notes.isEmpty { streams.note(result.notes) }
                reading.located += result.counts.located
                malformed += result.counts.malformed
            }
            if text.recognition == .text || reading.reportsBudgets { reading.malformed += malformed }
            if case .log(let location) = text.recognition, !isQuiet {
                _ = note(location.recognized(advice), about: input, streams)
            }
            if text.isOther {
                reading.others += 1
                noteOther(input, streams)
                continue
            }
            reading.records += text.records
            if text.records == 0, text.error == nil { reading.withoutRecord.append(input) }
            if let problem = text.excess ?? text.problem {
                reading.unreadable.append(note(problem, about: input, streams))
            }
            if text.error == nil || text.bytes > 0 { try end(input, text) }
            try streams.flush()
            if streams.isStopped {
                reading.stop = Stop(input: input.name, records: text.records)
                reading.unreadable.append("\(TextStyle.clean(input.name)): stopped after record \(text.records)")
            }
        }
        noteWithoutRecord(&reading, streams)
        if !isQuiet {
            let complaints = inputs.found.flatMap { $0.profile.contracts.compactMap(\.complaint) }
            for line in Set(complaints).sorted() { streams.note("pushpipe: warning: \(line)\n") }
        }
        return reading
    }

    /// Notes that nothing was checked and what to do, unless that is all right, or its reason was noted before.
    func noteIfEmpty(_ inputs: LintInputs, _ reading: Reading, _ streams: some LintStreams) -> Bool {
        guard let reason = reasonIfEmpty(inputs, reading) else { return false }
        streams.note("pushpipe: \(reason)\n")
        return true
    }

    /// Why nothing was checked, and what to do; nil if something was, if that is all right, or if its reason was noted before.
    private func reasonIfEmpty(_ inputs: LintInputs, _ reading: Reading) -> String? {
        let location = options.decoding.location
        guard
            reading.records == 0 || location != nil && reading.located == 0 || reading.malformed == reading.records,
            reading.unreadable.isEmpty, !allowsEmpty
        else { return nil }
        let reason: String
        if reading.others > 0, reading.others == inputs.found.count {
            let files =
                reading.others == 1
                ? "\(name(of: inputs.found[0])) is not a payload" : "none of \(reading.others) files is a payload"
            reason = skipsOthers ? files : "\(files); name a file to check it whatever it contains"
        } else if !inputs.found.isEmpty {
            let names = inputs.found.prefix(3).map(name(of:))
            let others = inputs.found.count > names.count ? " or \(inputs.found.count - names.count) more" : ""
            let unusable = reading.reportsBudgets ? "no message to measure" : "no JSON, but other text,"
            let what =
                reading.malformed > 0
                ? unusable : reading.records > 0 ? "no \(location?.name ?? "record")" : "no record"
            reason = "\(what) in \(names.joined(separator: ", "))\(others)"
        } else if inputs.excluded > 0 {
            reason = "the configuration excludes \(inputs.excluded == 1 ? "the file" : "all \(inputs.excluded) files")"
        } else {
            let suffixes = LintInputs.suffixes.joined(separator: ", ")
            reason =
                "no file that is not ignored ends in one of \(suffixes)"
                + (skipsOthers ? "" : "; name a file to check it whatever its name")
        }
        return "nothing to check: \(reason)\(advice(.acceptEmpty))"
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

extension LintJob {
    /// Lists the files that would be linted, as reports name them, a line each. Of a file that may be something else, the beginning is read.
    ///
    /// - Parameter reader: reads a configuration file.
    /// - Throws: `ConfigurationError`, and what the streams throw.
    package func listFiles(to streams: some LintStreams, reader: @escaping ConfigurationFinder.Reader) throws -> Outcome
    {
        let inputs = try inputs(streams, reader)
        var reading = Reading(unreadable: inputs.unreadable)
        let texts = TextReader(streams, jobs: 1, margin: 0, acceptsEmpty: allowsEmpty)
        for input in inputs.found where !streams.isStopped {
            do throws(SystemError) {
                if try texts.isOther(input) {
                    reading.others += 1
                    noteOther(input, streams)
                    continue
                }
            } catch {
                reading.unreadable.append(note("\(error)", about: input, streams))
                continue
            }
            reading.records += 1
            reading.located += 1
            // A program that reads the list needs the names as they are.
            let name = results.isTerminal ? TextStyle.clean(input.name) : input.name
            try streams.append { $0.appendText(name + "\n") }
        }
        try streams.flush()
        return Outcome(isEmpty: noteIfEmpty(inputs, reading, streams), hasUnreadable: reading.hasUnreadable)
    }
}

extension LintJob {
    /// Lints all files now, and again whenever one of them changes, appears or disappears, or when a configuration or ignore file changes, until the
    /// streams ask to stop.
    ///
    /// Each report comes after a line with the time of day. A terminal is cleared first. What is wrong with a configuration is noted, and the next
    /// change is waited for. If the system watches no more directories, that is noted once.
    ///
    /// - Parameter reader: reads a configuration file.
    /// - Throws: errors of the streams, and `SystemError` if the user has as many watchers as the system allows.
    package func watch(to streams: some LintStreams, reader: @escaping ConfigurationFinder.Reader) throws {
        let watcher = try FileWatcher()
        func watch(_ directory: String) throws(SystemError) -> Bool { try watcher.watch(directory) }
        var known = WatchedFiles(self, reader, watch: watch)
        var isLimitNoted = false
        while !streams.isStopped {
            if known.isLimited, !isLimitNoted {
                isLimitNoted = true
                streams.note(
                    "pushpipe: warning: the system watches no more directories (fs.inotify.max_user_watches)\n")
            }
            let time = SystemClock.timeOfDay()
            try streams.append { $0.appendText(results.isTerminal ? "\u{1B}[H\u{1B}[2J" : "") }
            try streams.flush()
            if !isQuiet { streams.note("pushpipe: \(time)\n") }
            do { _ = try lint(to: streams, reader: reader) } catch let error as ConfigurationError {
                streams.note("pushpipe: \(error)\n")
            }
            if streams.isStopped { break }
            if !isQuiet { streams.note("pushpipe: waiting for changes; Ctrl-C ends this\n") }
            var isChanged = false
            while !isChanged, !streams.isStopped {
                let changes = watcher.changes(milliseconds: 500)
                guard known.mayDiffer(after: changes) else { continue }
                let now = WatchedFiles(self, reader, watch: watch)
                isChanged = known.differs(from: now, after: changes, output: streams.outputIdentity)
                known = now
            }
        }
    }
}

extension LintJob {
    /// Reports where the bytes of each message go. A message over its limit counts as an error.
    ///
    /// - Parameters:
    ///   - reader: reads a configuration file.
    ///   - drawing: composes the results of the first messages, at most `most`, and of how many there were more. Nil for `format`.
    /// - Throws: `ConfigurationError`, and what the streams and `drawing` throw.
    package func reportBudgets(
        to streams: some LintStreams, reader: @escaping ConfigurationFinder.Reader, most: Int = 0,
        drawing: (([MeasuredMessage], _ leftOut: Int) throws -> [UInt8])? = nil
    ) throws -> Outcome {
        let inputs = try inputs(streams, reader)
        let style: BudgetStyle =
            if drawing != nil {
                .kept
            } else if format == .ndjson {
                .ndjson
            } else {
                .text(BudgetText(style: results.style, isConcise: format == .concise))
            }
        var count = 0
        var (measured, leftOut): ([MeasuredMessage], Int) = ([], 0)
        let reading = try read(inputs, as: .budgets(style), margin: 0, to: streams) { text, result in
            try streams.append { $0.append(text) }
            count += result.counts.shown[.error] ?? 0
            let kept = result.measured.prefix(most - measured.count)
            measured += kept
            leftOut += result.measured.count - kept.count
        } end: { _, _ in
        }
        if let drawing, !measured.isEmpty {
            let bytes = try drawing(measured, leftOut)
            try unsafe bytes.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return }
                // SOUND: the text is copied before the bytes are gone.
                let text = unsafe BorrowedText(start: start, count: bytes.count)
                try streams.append { $0.append(text) }
            }
        }
        try streams.flush()
        let isEmpty = noteIfEmpty(inputs, reading, streams)
        return Outcome(isEmpty: isEmpty, hasUnreadable: reading.hasUnreadable, errors: count, stop: reading.stop)
    }
}

extension LintJob {
    /// Fixes all files, each as a whole, because its records might be told apart differently afterwards, and reports what is left.
    func fix(_ inputs: LintInputs, to streams: some LintStreams) throws -> Outcome {
        // Differences and fixed text take the results, so findings become notes.
        let reportsInNotes = fixing == .show || writesResults
        let appearance = reportsInNotes ? notes : results
        var report = LintReport(
            format, isStrict: isStrict, style: appearance.style, width: appearance.width, folds: folds,
            advice: advice)
        func write(_ body: (inout ByteBuffer) -> Void) throws {
            if reportsInNotes { streams.note(.composed(body)) } else { try streams.append(body) }
        }
        var summary = LintSummary(fixing: fixing, advice: advice)
        var reading = Reading(unreadable: inputs.unreadable)
        for input in inputs.found {
            let file: FixedInput
            do throws(PlainError) {
                guard let read = try fix(input, streams) else {
                    reading.others += 1
                    noteOther(input, streams)
                    continue
                }
                file = read
            } catch {
                reading.unreadable.append(note(error.message, about: input, streams))
                continue
            }
            if file.before.contains(where: { !JSONScanner.isWhitespace($0) }) {
                reading.records += 1
            } else {
                reading.withoutRecord.append(input)
            }
            summary.add(file.remaining, fixed: file.fixed)
            try append(file, named: input.name, to: streams)
            let linted = LintedFile(name: input.name, bytes: file.after, diagnostics: file.remaining.diagnostics)
            try write { report.add(linted, to: &$0) }
            for file in unused(file.remaining.used, of: input, &summary) { try write { report.add(file, to: &$0) } }
            try streams.flush()
        }
        noteWithoutRecord(&reading, streams)
        try report.form.finish(unreadable: reading.unreadable) { try write($0) }
        try streams.flush()
        summary.folded = report.form.folded
        return conclude(&summary, inputs, reading, hasLinks: appearance.style.hasLinks, streams)
    }

    /// True if fixed text goes to the results.
    private var writesResults: Bool { fixing == .write && paths == [nil] }

    /// A text before and after fixing.
    private struct FixedInput {
        var before: [UInt8]
        var after: [UInt8]
        var fixed: Int
        var remaining: LintResult
    }

    /// Nil for a file that does not contain payloads.
    private func fix(_ input: LintInput, _ streams: some LintStreams) throws(PlainError) -> FixedInput? {
        let bytes = try read(input, streams)
        if input.isOther(bytes[...]) { return nil }
        let options = input.profile.options
        // SOUND: the bytes live until the closure returns.
        let beginning = unsafe bytes.withUnsafeBytes {
            unsafe options.recognizesLogs ? LogRecognition(beginning: $0, isEnd: true, options.decoding) : .records
        }
        if case .log = beginning { throw PlainError("looks like a log; only files of payloads can be fixed") }
        var linter = input.profile.makeWorker()
        linter.suppressions = input.suppressions
        let result = linter.fix(bytes)
        if fixing == .write, let path = input.path, result.bytes != bytes {
            do throws(SystemError) { try FileBytes.replace(path, with: result.bytes) } catch {
                throw PlainError(FileBytes.message(for: error, limit: FileBytes.maximumBytes))
            }
        }
        return FixedInput(before: bytes, after: result.bytes, fixed: result.fixed, remaining: result.remaining)
    }

    private func read(_ input: LintInput, _ streams: some LintStreams) throws(PlainError) -> [UInt8] {
        // Checked first: opening a pipe waits for its other end.
        if fixing == .write, let path = input.path, let status = try? FileStatus(path), status.kind != .regular {
            throw PlainError("not a regular file, so it cannot be replaced")
        }
        do throws(SystemError) {
            guard let path = input.path else { return try readInput(streams) }
            return try FileBytes.read(path, limit: FileBytes.maximumBytes)
        } catch {
            throw PlainError(FileBytes.message(for: error, limit: FileBytes.maximumBytes))
        }
    }

    private func readInput(_ streams: some LintStreams) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            do throws(SystemError) {
                let count = try streams.readInput(into: &piece, atMost: piece.count)
                if count == 0 { return bytes }
                bytes += piece[..<count]
                if bytes.count > FileBytes.maximumBytes { throw SystemError.fileTooLarge }
            } catch {
                if error == .wouldBlock { FileDescriptor.standardInput.waitUntilReadable() }
                guard error == .wouldBlock || error == .interrupted else { throw error }
            }
        }
    }

    /// Appends what takes the results in place of findings.
    private func append(_ file: FixedInput, named name: String, to streams: some LintStreams) throws {
        if fixing == .show, file.after != file.before {
            let diff = UnifiedDiff(from: file.before, to: file.after)
            try streams.append { diff.append(name: name, isForTerminal: results.isTerminal, to: &$0) }
        }
        if writesResults { try streams.append { for byte in file.after { $0.append(byte) } } }
    }
}

extension LintJob {
    /// Writes what each file breaks to the configuration that applies to it, so that only new findings are reported from now on.
    ///
    /// - Parameter reader: reads a configuration file.
    /// - Throws: `ConfigurationError`, and what the streams throw.
    package func addIgnores(to streams: some LintStreams, reader: @escaping ConfigurationFinder.Reader) throws
        -> Outcome
    {
        let inputs = try inputs(streams, reader)
        var reading = Reading(unreadable: inputs.unreadable)
        var baselines: [String: Baseline] = [:]
        var ignored: [String: [String: Set<String>]] = [:]
        for input in inputs.found {
            guard let path = input.path else { continue }
            var rules = brokenRules(path, input, &reading, streams)
            guard !rules.isEmpty else { continue }
            let absolute = FilePaths.absolute(path)
            let target = Self.target(for: absolute, input.profile)
            guard target.isAbove(absolute) else {
                throw ConfigurationError(
                    path: FilePaths.shown(target.path),
                    message:
                        "\(TextStyle.clean(path)) is not below the directory of this file, so no pattern can name it")
            }
            let pattern = Self.pattern(for: target.relative(absolute))
            // The options of the job may show what the configuration ignores.
            let known = ignored[target.path] ?? target.ignoredRules
            ignored[target.path] = known
            rules.subtract(known[pattern] ?? [])
            guard !rules.isEmpty else { continue }
            var baseline = baselines[target.path] ?? Baseline(configuration: target)
            baseline.files.append((path, pattern, rules.sorted()))
            baselines[target.path] = baseline
        }
        for (_, baseline) in baselines.sorted(by: { $0.key < $1.key }) {
            try baseline.write(reader)
            for file in baseline.files {
                try streams.append {
                    $0.appendText("\(TextStyle.clean(file.path)): \(file.rules.joined(separator: ", "))\n")
                }
            }
            try streams.flush()
            let count = baseline.files.count
            streams.note(
                "pushpipe: \(FilePaths.shown(baseline.configuration.path)) ignores these rules in \(count == 1 ? "this file" : "these \(count) files") now\n"
            )
        }
        let isEmpty = noteIfEmpty(inputs, reading, streams)
        if baselines.isEmpty, !isEmpty, !isQuiet { streams.note("no findings, so there is nothing to ignore\n") }
        return Outcome(isEmpty: isEmpty, hasUnreadable: reading.hasUnreadable)
    }

    /// The ids of the rules that a file breaks.
    private func brokenRules(
        _ path: String, _ input: LintInput, _ reading: inout Reading, _ streams: some LintStreams
    ) -> Set<String> {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try FileBytes.read(path, limit: FileBytes.maximumBytes) } catch {
            reading.unreadable.append(note("\(error)", about: input, streams))
            return []
        }
        if input.isOther(bytes[...]) {
            reading.others += 1
            noteOther(input, streams)
            return []
        }
        if bytes.contains(where: { !JSONScanner.isWhitespace($0) }) { reading.records += 1 }
        var linter = input.profile.makeWorker()
        linter.suppressions = input.suppressions
        return Set(linter.lint(bytes).diagnostics.map(\.rule.id.text)).subtracting(["config.unused-suppression"])
    }

    /// The nearest configuration, or a new one: in the working directory, or next to a file that is elsewhere.
    private static func target(for path: String, _ profile: LintProfile) -> LintConfiguration {
        if let nearest = profile.configurations.last { return nearest }
        var configuration = LintConfiguration()
        let directory = FilePaths.workingDirectory
        configuration.directory = path.hasPrefix(directory + "/") ? directory : FilePaths.parent(of: path)
        configuration.path = FilePaths.joined(configuration.directory, LintConfiguration.fileName)
        return configuration
    }

    /// A pattern that matches this file alone.
    private static func pattern(for path: ArraySlice<UInt8>) -> String {
        var pattern: [UInt8] = path.contains(UInt8(ascii: "/")) ? [] : [UInt8(ascii: "/")]
        for byte in path {
            if "*?[]\\!".utf8.contains(byte) { pattern.append(UInt8(ascii: "\\")) }
            pattern.append(byte)
        }
        return String(decoding: pattern, as: UTF8.self)
    }
}

extension LintConfiguration {
    /// Rules that are left out of single files: ids of rules and groups by pattern.
    fileprivate var ignoredRules: [String: Set<String>] {
        perFile.reduce(into: [:]) { $0[$1.files.text, default: []].formUnion($1.settings.rules.disabled.map(\.text)) }
    }
}

/// Additions to a configuration.
private struct Baseline {
    let configuration: LintConfiguration
    var files: [(path: String, pattern: String, rules: [String])] = []

    /// Changes the file, unless the result would not say what it should.
    func write(_ reader: ConfigurationFinder.Reader) throws(ConfigurationError) {
        let path = configuration.path
        let shown = FilePaths.shown(path)
        guard !FileBytes.isLink(path) else {
            throw ConfigurationError(
                path: shown, message: "is a link, through which nothing is written; put a file in its place")
        }
        let isNew = !FileBytes.isPresent(path)
        var edit = ConfigurationEdit(
            String(decoding: isNew ? [] : try ConfigurationFinder.bytes(of: path), as: UTF8.self), path: shown)
        try edit.ignore(files.map { ($0.pattern, $0.rules) })
        let bytes = Array(edit.text.utf8)
        let limit = FileBytes.maximumConfigurationBytes
        guard bytes.count <= limit else {
            let message = FileBytes.message(for: .fileTooLarge, limit: limit)
            throw ConfigurationError(path: shown, message: "with all rules to ignore, it would be \(message)")
        }
        let changed = (try? reader(bytes, shown, configuration.directory)).map(\.ignoredRules)
        for file in files {
            guard changed?[file.pattern]?.isSuperset(of: file.rules) == true else {
                throw ConfigurationError(
                    path: shown,
                    message:
                        "cannot add to this file; add under per-file \(file.pattern): [\(file.rules.joined(separator: ", "))]"
                )
            }
        }
        do throws(SystemError) {
            try FileBytes.replaceOrMake(path, with: bytes)
            // It is no secret, unlike what else is created.
            if isNew { try FileSystem.setPermissions(path, 0o644) }
        } catch {
            throw ConfigurationError(path: shown, message: "\(error)")
        }
    }
}

/// The handling of findings that can be fixed.
package enum FixMode: Sendable {
    /// Findings are only reported.
    case none
    /// Fix them, and write the files.
    case write
    /// Show as a difference what fixing would change, and write nothing.
    case show
}
