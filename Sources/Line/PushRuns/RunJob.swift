package import ExtensionHosting
import PushDecoding
package import PushDevices
import PushFiles
package import PushLint
package import PushLintYAML
package import PushModel
package import PushPipeline
package import PushRedaction
import PushReports
package import PushSystem
package import PushText

/// The job of `pushpipe run` and `pushpipe trace`: delivers inputs to simulated devices, and reports the outcomes.
package struct RunJob {
    package enum Output: Sendable, Equatable {
        /// A report line for programs, or for people.
        case ndjson, text
        case none
        /// The stages of each message, for people.
        case trace
    }

    /// How a run that read to the end, or was stopped, ended. What it says has been noted.
    package struct Outcome: Sendable, Equatable {
        package var isStopped = false
        package var hasUnreadable = false
        package var hasUnwritten = false
        /// There was no record although `failOn` wants to know about them, or none had a payload where `DecodingOptions.location` says. It has
        /// been noted.
        package var isEmpty = false
        package var hasFailed = false

        package init(
            isStopped: Bool = false, hasUnreadable: Bool = false, hasUnwritten: Bool = false, isEmpty: Bool = false,
            hasFailed: Bool = false
        ) {
            self.isStopped = isStopped
            self.hasUnreadable = hasUnreadable
            self.hasUnwritten = hasUnwritten
            self.isEmpty = isEmpty
            self.hasFailed = hasFailed
        }
    }

    /// Paths; nil for standard input.
    package var inputs: [String?]
    /// The line of the only input whose record is traced; nil for all records.
    package var tracedLine: Int?
    /// The pipeline's configuration, without record stages, which `setUp` adds.
    package var configuration = PipelineConfiguration()
    package var appliesRules = false
    /// The configuration that chooses among the rules.
    package var rulesSource = ConfigurationFinder.Source.nearest
    /// Reads the schemas of those rules.
    package var schemas = SchemaReader.missing()
    /// The texts that may be shortened, in order; nil for none.
    package var fitOrder: [AlertText]?
    /// How the answers that senders got are compared with those here; nil if they are not.
    package var answers: AnswerStage?
    /// Nil to show pushes without a service extension.
    package var serviceExtension: ExtensionConfiguration?
    /// The path of this program, which runs the built-in extensions; nil if unknown.
    package var command: String?
    /// File of devices to register before the first record.
    package var devicesPath: String?
    /// File of preferences to apply before the first record.
    package var preferencesPath: String?
    /// File of rules that give a push its notification type.
    package var typesPath: String?
    /// Nil to keep what is delivered in memory.
    package var store: StoreLocation?
    package var redaction: RedactionRequest?
    /// True to continue where an earlier run with the same store stopped.
    package var resumes = false
    package var output: Output
    /// The file that takes the report, the trace and the screens instead of standard output.
    package var reportFile: ReportFile?
    /// Which records are written to standard output, and how; nil for none.
    package var emission: Emission?
    package var showsScreen = false
    /// Limits screens at the end, traces and snapshots to a device; nil for all devices.
    package var shownDevice: ShownDevice?
    /// True if screens are shown while the run goes on, which takes standard output: then there is neither a trace nor an `emission`.
    package var follows = false
    /// The file that gets a picture of the screens at the end; nil for none.
    package var screenFile: ScreenFile?
    package var failOn: [FailureCondition] = []
    /// True if `failOn` is content with inputs without a record.
    package var allowsEmpty = false
    /// True to leave out the summary and the progress.
    package var isQuiet = false
    /// True to say how far the run is, and what came of it. A trace says that of each message.
    var hasSummary: Bool { !isQuiet && output != .trace }
    package var outputIsTerminal = false
    package var notesAreOnTerminal = false
    package var style = TextStyle(hasColors: false)
    package var noteStyle = TextStyle(hasColors: false)

    package init(_ inputs: [String?], output: Output) {
        self.inputs = inputs
        self.output = output
    }

    /// Words what can be done about what is noted.
    package var advice: Advice.Wording { configuration.decoding.advice }

    /// - Parameter follower: nil to show no screens meanwhile.
    func deliver(to streams: some RunStreams, follower: (any RunFollower)?) throws -> Outcome {
        try checkFiles()
        let readable = InputFile.readable(inputs) { streams.note("pushpipe: \(TerminalText.clean("\($0)"))\n") }
        if readable.isEmpty { return Outcome(hasUnreadable: true) }
        let report = try reportFile?.open()
        defer { report?.close() }
        try checkOutputsAreApart(streams.outputDescriptor, report)
        let setup = try setUp(note: streams.note)
        let run = try OpenRun(self, setup, orIn: memoryStore(), note: streams.note)
        defer { run.finish() }
        let kept = run.file
        let pipeline = run.pipeline
        try report?.begin(continues: resumes)
        // On a terminal, report and progress would overwrite each other. With a store, a report is written before the next commit.
        let writesInBackground = configuration.jobs > 1 && !outputIsTerminal && kept == nil
        let isForPeople = output == .trace || output == .text
        let progress = ProgressLine(
            isShown: hasSummary && notesAreOnTerminal && follower == nil && !(isForPeople && outputIsTerminal),
            note: streams.note)
        let output =
            report.map { streams.openOutput(to: $0, writesInBackground: writesInBackground) }
            ?? streams.openOutput(writesInBackground: writesInBackground && emission == nil)
        let line = RunLine(
            run: run, progress: progress, output: ReportOutput(output, isOptional: emission != nil && report != nil),
            reportDescriptor: report?.descriptor ?? streams.outputDescriptor,
            records: emission == nil ? nil : report == nil ? output : streams.openOutput(writesInBackground: false),
            streams: streams, follower: follower)
        line.emitRecords()
        streams.listenForStop()
        do {
            if try !isResumed(kept) {
                let part = try devicesPath == nil && preferencesPath == nil ? nil : line.part(of: readable[0])
                try run.registerDevices(of: part, note: streams.note)
            }
            if self.output == .trace, let kept { try kept.forEachEvent(device: nil, pipeline.remember) }
            if let follower {
                follower.begin(run.store) { streams.isStopped }
                pipeline.beforeReading = follower.pause
            }
            try line.process(readable)
            if !streams.isStopped { follower?.end() }
            follower?.leave()
            progress.clear()
            try run.showScreens(to: line.output)
            try line.finish()
            try screenFile?.write(run.store, device: shownDevice, note: streams.note)
            try kept?.forgetLastReport()
        } catch {
            progress.clear()
            follower?.leave()
            // Earlier chunks are committed, so their report comes before the error.
            // Somebody may still read the report when nobody wants more records.
            if (error as? PlainError)?.isReaderGone != true || report != nil { try? line.finish() }
            throw kept == nil ? error : withAdvice(error)
        }
        // An earlier run may have come to the end.
        let part = try pipeline.part.map { try kept?.part() ?? $0 }
        let conclusion = try conclusion(pipeline, run.store, part: part, seconds: progress.seconds)
        if !conclusion.isEmpty { streams.note(conclusion) }
        noteMissing(pipeline.emissionSummary, streams)
        return Outcome(
            isStopped: streams.isStopped, hasUnreadable: readable.count < inputs.count,
            hasUnwritten: !pipeline.emissionSummary.missing.isEmpty,
            isEmpty: noteIfEmpty(pipeline.summary, streams) || noteIfNothing(pipeline.summary, streams)
                || pipeline.part == nil && noteIfMalformed(pipeline.summary, streams)
                || noteIfUnanswered(pipeline.summary, streams),
            hasFailed: run.hasFailed)
    }

    /// Throws if a file that the job needs besides its inputs and its store cannot be used.
    package func checkFiles() throws {
        try screenFile?.check()
        for path in [devicesPath, preferencesPath].compactMap(\.self) { try InputFile.checkReadable(path) }
    }

    /// Notes that there were records, and nothing in them: a mistake in the place must not look like success.
    private func noteIfEmpty(_ summary: RunSummary, _ streams: some RunStreams) -> Bool {
        let lack: String
        let records = summary.records &- summary.emptyLines
        if let location = configuration.decoding.location, summary.locatedRecords == 0 {
            lack = location.name
        } else if let time = configuration.recordTime, records > 0, summary.untimedRecords == records {
            lack = time.name
        } else {
            return false
        }
        if summary.records == 0 { return false }
        let place = summary.records == 1 ? "the record" : "any of \(SummaryText.grouped(summary.records)) records"
        streams.note("pushpipe: no \(TerminalText.clean(lack)) in \(place)\n")
        return true
    }

    /// Notes that there was no record. A run that is to fail for what is in the records must not pass without any.
    private func noteIfNothing(_ summary: RunSummary, _ streams: some RunStreams) -> Bool {
        guard summary.records == 0, summary.skippedRecords == 0, !resumes, !allowsEmpty, !streams.isStopped else {
            return false
        }
        let place = inputs.count == 1 ? TerminalText.clean(inputs[0] ?? "standard input") : "\(inputs.count) inputs"
        let mustRun = !failOn.isEmpty || answers != nil
        if mustRun {
            streams.note("pushpipe: nothing to run: no record in \(place)\(advice(.acceptEmpty))\n")
        } else if output == .trace {
            streams.note("pushpipe: no record in \(place)\n")
        }
        return mustRun
    }

    /// Notes that there was no record but malformed ones: another kind of file must not look like success. A part of an input may have no others.
    private func noteIfMalformed(_ summary: RunSummary, _ streams: some RunStreams) -> Bool {
        guard summary.count(.malformed) > 0, summary.count(.malformed) &+ summary.emptyLines == summary.records,
            summary.skippedRecords == 0, output != .trace, failOn.isEmpty, answers == nil, !resumes, !allowsEmpty,
            !streams.isStopped
        else { return false }
        let rules = summary.malformedByRule.keys
        let lack =
            rules.allSatisfy { $0 == "record.unknown-shape" }
            ? "JSON of a known format" : rules.allSatisfy { $0.hasPrefix("json.") } ? "valid JSON" : "payloads"
        let place = inputs.count == 1 ? TerminalText.clean(inputs[0] ?? "standard input") : "\(inputs.count) inputs"
        let verb = inputs.count == 1 ? "has" : "have"
        // The first payload of a log may come after what was looked at.
        let log =
            lack == "valid JSON" && configuration.decoding.location == nil && summary.fixableRecords == 0
            ? advice(.skipPrefix) : ""
        streams.note(
            "pushpipe: every record is malformed: \(place) \(verb) no \(lack)\(log)\(advice(.acceptEmpty))\n")
        return true
    }

    /// Notes that there was nothing to compare: a mistake in the place of answers must not look like success.
    private func noteIfUnanswered(_ summary: RunSummary, _ streams: some RunStreams) -> Bool {
        guard let answers, summary.messages &+ summary.count(.malformed) > 0, summary.answers == AnswerCounts(),
            !resumes,
            !streams.isStopped
        else {
            return false
        }
        streams.note("pushpipe: no \(TerminalText.clean(answers.place)) in any record\n")
        return true
    }

    /// 1 s: smaller steps are ordinary clock corrections.
    private static let clockLagToTell: Int64 = 1000

    private func conclusion(
        _ pipeline: Pipeline, _ store: any DeliveryStore, part: PartMark?, seconds: Double
    ) throws -> String {
        var text = ""
        if hasSummary {
            text += SummaryText.lines(pipeline.summary, seconds: seconds, style: noteStyle)
            if pipeline.summary.fixableRecords > 0, !configuration.decoding.acceptsRelaxedJSON {
                text += advice(.readRelaxed(pipeline.summary.fixableRecords))
            }
            if pipeline.summary.count(.notMutable) > 0 {
                text += "  an extension gets pushes with \"mutable-content\":1 in aps\(advice(.assumeMutable))\n"
            }
            text += SummaryText.stale(try store.staleCount(), style: noteStyle)
            text += SummaryText.part(part)
            if configuration.recordTime != nil { text += SummaryText.untimed(pipeline.summary) }
            if pipeline.clockLag >= Self.clockLagToTell {
                text += SummaryText.lag(pipeline.clockLag, ofLines: configuration.recordTime != nil, advice)
            }
        }
        if answers != nil { text += AnswerText.table(pipeline.summary) }
        if configuration.measuresStages {
            text += StageTimesText.table(pipeline.stageTimes, pipeline.summary, seconds: seconds)
        }
        return text
    }

    /// True if this resumes an earlier run of the same inputs. That run has registered the devices.
    private func isResumed(_ store: (any StoreFile)?) throws -> Bool {
        guard resumes, let store else { return false }
        let isStream = inputs.contains { path in (path.map { try? FileStatus($0) })??.kind != .regular }
        if isStream, try !store.streamOffsets().isEmpty { return true }
        return try InputFile.readable(inputs) { _ in }.contains { path in
            // A pipe must be opened only once.
            guard let path, (try? FileStatus(path))?.kind == .regular else { return false }
            return try InputFile(path, store: store, resumes: true).progress?.offset ?? 0 > 0
        }
    }

    /// Notes that records were left out that `emission` asks for.
    private func noteMissing(_ summary: EmissionSummary, _ streams: some RunStreams) {
        let reasons: [(obstacle: EmissionObstacle, reason: String)] = [
            (.derived, "the changed payload was derived for an Apple device and is not part of the record"),
            (
                .unknown,
                redaction == nil
                    ? "too long\(advice(.acceptLongRecords)), or a compressed file"
                    : "malformed or too long, so that not all of it can be hidden"
            ),
            (.unwritable, "the change cannot be put into it, for example beside a number beyond 64 bits"),
            (.tooLarge, "over its budget with what the extension added"),
            (
                .inexpressible,
                emission?.form == .simctl
                    ? "a simulator takes notifications only"
                    : "it cannot be expressed as an envelope" + advice(.emitInput)
            ),
        ]
        for (obstacle, reason) in reasons {
            guard let count = summary.missing[obstacle] else { continue }
            let records = count == 1 ? "1 record was" : "\(SummaryText.grouped(count)) records were"
            streams.note("pushpipe: \(records) not emitted: \(reason)\n")
        }
    }

    /// Throws if an output is an input, the store or another file that is read. What is written would overwrite the store, or make the input endless.
    package func checkOutputsAreApart(
        _ standard: FileDescriptor, _ report: OpenReport? = nil
    ) throws(PlainError) {
        let writesReport = output != .none || showsScreen
        var outputs: [(descriptor: FileDescriptor, name: String, advice: String)] = []
        if emission != nil || (writesReport && report == nil) {
            outputs.append((standard, "standard output", "redirect it elsewhere"))
        }
        if let report { outputs.append((report.descriptor, "the report file", "give it a file of its own")) }
        var known: [(identity: FileIdentity, name: String)] = []
        for path in inputs + otherFiles {
            let status = path.map { try? FileStatus($0) } ?? (try? FileStatus(FileDescriptor.standardInput))
            if let status { known.append((status.identity, path ?? "standard input")) }
        }
        if emission != nil, let report, let one = try? FileStatus(standard), one.isPipe,
            let other = try? FileStatus(report.descriptor), one.identity == other.identity
        {
            throw .unfit(report.name, "the report file is standard output, which takes the records")
        }
        for output in outputs {
            guard let status = try? FileStatus(output.descriptor), status.kind == .regular else { continue }
            if let other = known.first(where: { $0.identity == status.identity }) {
                throw .unfit(other.name, "\(output.name) is the same file; \(output.advice)")
            }
            known.append((status.identity, output.name))
        }
    }

    /// Files that the run reads besides its inputs, and those of its store.
    private var otherFiles: [String?] {
        let named = [devicesPath, preferencesPath, typesPath, redaction?.keyPath, serviceExtension?.executable]
        return named.filter { $0 != nil }
            + (store.map { Self.files(ofStore: $0.path) } ?? [])
    }

    package static func files(ofStore path: String) -> [String] { ["", "-wal", "-shm", "-journal"].map { path + $0 } }

    /// Adds to an error that ended a run with a store how to continue after it.
    private func withAdvice(_ error: any Error) -> any Error {
        let message: String
        switch error {
        // A store that was moved may have lost the last commits, and a read-only store was not changed.
        case let error as StoreError where error.code == .moved || error.code == .readOnly: return error
        case let error as StoreError: message = "store \(error)"
        case let error as PlainError where error.cause != nil && !error.isReaderGone: message = error.description
        default: return error
        }
        let advice = emission == nil && inputs.allSatisfy(Self.canBeResumed) ? self.advice(.resume) : ""
        return PlainError("\(message) (what was reported is in the store\(advice))")
    }

    /// True if an input is a regular file, or a path whose file is gone.
    private static func canBeResumed(_ path: String?) -> Bool {
        guard let path else { return false }
        do throws(SystemError) { return try FileStatus(path).kind == .regular } catch { return error == .notFound }
    }
}

/// The device that screens, traces and snapshots are limited to: its name, or the beginning of it.
package struct ShownDevice: Sendable, Equatable {
    package let typed: String
    /// A token of APNs may be typed in either case.
    private let folded: String

    package init(_ typed: String) {
        self.typed = typed
        folded = typed.allSatisfy(\.isHexDigit) ? typed.lowercased() : typed
    }

    /// True for a device that fits, and for what concerns no device, such as a malformed record.
    package func shows(_ device: String) -> Bool {
        device.isEmpty || device.hasPrefix(typed) || device.hasPrefix(folded)
    }

    /// The name of the only device that fits, a whole name first; nil if several do. What was typed if none does. O(n) for n apps on devices.
    func name(in store: any BrowsableStore) throws -> String? {
        var found: Set<String> = []
        try store.forEachBadge { device, _, _ in if shows(device) { found.insert(device) } }
        for name in [typed, folded] where found.contains(name) { return name }
        return found.count > 1 ? nil : found.first ?? folded
    }
}

/// The parts to redact, and the source of the key.
package struct RedactionRequest: Sendable, Equatable {
    package let parts: Redaction.Parts
    /// File of the key; nil for the variable, or else a random key.
    package let keyPath: String?

    package init(_ parts: Redaction.Parts, keyPath: String?) {
        self.parts = parts
        self.keyPath = keyPath
    }

    /// True if the key, and so each digest, differs from run to run.
    package var isKeyRandom: Bool { keyPath == nil && Environment.nonEmptyVariable(Self.variable) == nil }

    /// Reads the key. Call this only once: the file may be a pipe.
    package func redaction() throws(PlainError) -> Redaction {
        do {
            return Redaction(parts, key: try key() ?? Redaction.randomKey())
        } catch {
            throw PlainError("\(keyPath ?? Self.variable): \(error)")
        }
    }

    private func key() throws -> [UInt8]? {
        if let keyPath {
            return try RedactionKey.read(file: FileBytes.read(keyPath, limit: FileBytes.maximumConfigurationBytes))
        }
        return try Environment.nonEmptyVariable(Self.variable).map(RedactionKey.read(variable:))
    }

    private static let variable = "PUSHPIPE_REDACT_KEY"
}
