import AppSimulation
package import ExtensionHosting
import ExtensionPrograms
import PushDecoding
package import PushDevices
package import PushJSON
import PushModel
package import PushPipeline
import PushPreferences
import PushRedaction
import PushReports
import PushSystem
import PushText

/// A job with its store open, and a pipeline at the beginning of its input.
package struct OpenRun {
    let job: RunJob
    let setup: RunSetup
    /// Nil for a store in memory.
    package let file: (any StoreFile)?
    package let store: any DeliveryStore & BrowsableStore
    package let pipeline: Pipeline
    private let extensionHost: ExtensionHost?

    /// Opens the job's store. Call `finish` after the last use of the pipeline.
    ///
    /// - Parameters:
    ///   - memory: the store of a job without one in a file.
    ///   - note: called with a line for people.
    /// - Throws: `StoreError`, `PlainError`, and what starting an extension throws.
    package init(
        _ job: RunJob, _ setup: RunSetup, orIn memory: @autoclosure () -> MemoryStore, note: (String) -> Void
    ) throws {
        self.job = job
        self.setup = setup
        file = try job.store.map { location in
            TemporaryFiles.keep(beside: location.path)
            return try setup.open(location, note: note)
        }
        store = file ?? memory()
        (pipeline, extensionHost) = try setup.pipeline(deliveringTo: store)
    }

    package func finish() { extensionHost?.finish() }

    /// Registers the job's devices; see `RunJob.registerDevices`.
    package func registerDevices(of part: PartMark? = nil, note: @escaping (String) -> Void) throws {
        try job.registerDevices(setup, pipeline, of: part, note: note)
    }

    /// Appends a line of the report. Called on any thread.
    package func composer() -> @Sendable (borrowing RecordReport, inout ByteBuffer) -> Void {
        switch job.output {
        case .none: return { _, _ in }
        case .ndjson:
            let report = NDJSONReport()
            return { report.append($0, to: &$1) }
        case .text:
            let report = TextReport(style: job.style)
            return { report.append($0, to: &$1) }
        case .trace:
            let report = TraceReport(style: job.style, budget: job.configuration.decoding.budget)
            return { report.append($0, to: &$1) }
        }
    }

    /// Writes what is on the screens, if the job shows them.
    package func showScreens(to output: some RunOutput) throws {
        guard job.showsScreen else { return }
        let device = try job.shownDevice?.name(in: store)
        try ScreenReport(style: job.style).write(store, device: device) { text in
            try output.append { $0.appendText(text) }
        }
    }

    /// True if one of `RunJob.failOn` occurred, or a sender got another answer.
    package var hasFailed: Bool {
        let answers = pipeline.summary.answers
        return answers.different &+ answers.unreadable > 0
            || job.failOn.contains { $0.isMet(by: pipeline.summary) }
    }
}

/// Makes SQLite create its temporary files next to the store.
package enum TemporaryFiles {
    /// Call this before opening the store and before starting threads. A folder set by the user in the variable is kept.
    package static func keep(beside path: String) {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        Environment.setDefault("SQLITE_TMPDIR", String(folder))
    }
}

/// The files that a job's options name, as read: enough for any number of pipelines.
package struct RunSetup {
    package var configuration: PipelineConfiguration
    let redaction: Redaction?
    /// True if nobody can use the redaction's key again.
    let isKeyRandom: Bool
    /// Nil without the linter's rules.
    let lint: RunLint?
    let preferences: PreferenceBook?
    /// Nil to show pushes without a service extension.
    let serviceExtension: ExtensionConfiguration?

    /// Opens a store, or creates it, and checks what it hides.
    ///
    /// - Parameter note: called with a line for people if no later run can continue the store.
    /// - Throws: `StoreError`; `PlainError` if the store hides something else.
    package func open(_ location: StoreLocation, note: (String) -> Void = { _ in }) throws -> any StoreFile {
        let store = try location.open(hiding: redaction, configuration.decoding.advice)
        if isKeyRandom {
            note(
                "pushpipe: no later run can continue \(TerminalText.clean(location.path)), because its key is random"
                    + "\(configuration.decoding.advice(.keepRedactionKey))\n")
        }
        return store
    }

    /// Has the linter's rules of one of the job's inputs apply from now on.
    package func begin(_ input: String?) { lint?.begin(input) }

    /// A pipeline at the beginning of its input. Call `finish` of the host, if there is one, after its last use.
    package func pipeline(deliveringTo store: any DeliveryStore) throws -> (Pipeline, ExtensionHost?) {
        let host = try serviceExtension.map { try ExtensionHost($0) }
        let stages: [any DeliveryStage] = [RegistryStage()] + (host.map { [ServiceExtensionStage($0)] } ?? [])
        return (Pipeline(configuration, deliveringTo: store, stages), host)
    }
}

extension RunJob {
    /// A store in memory with what this job can ask for.
    package func memoryStore() -> MemoryStore {
        // Nothing else can ask for a notification that is on a screen; a tap does so when a file says where it leads.
        let showsContent =
            showsScreen || follows || screenFile != nil || serviceExtension != nil || output == .trace
            || typesPath != nil
        return MemoryStore(keepsJournal: false, keepsContent: showsContent)
    }

    /// Reads the files that the options name, and finds the extension's executable.
    ///
    /// - Parameter note: called with a line for people.
    /// - Throws: `PlainError`, `ConfigurationError`.
    package func setUp(note: (String) -> Void) throws -> RunSetup {
        let isKeyRandom = redaction?.isKeyRandom ?? false
        let redaction = try redaction?.redaction()
        var configuration = configuration
        let lint = appliesRules ? try RunLint(inputs, rulesSource, schemas) : nil
        configuration.recordStages = recordStages(redaction, lint)
        if serviceExtension != nil || configuration.decoding.replacement != nil {
            configuration.ignoredRules = try RunLint.ignoredOfExtensions(rulesSource, schemas)
        }
        configuration.emits = emission != nil
        configuration.resumes = resumes
        if let typesPath {
            let app = try PreferenceConfiguration.read(typesPath)
            configuration.devicePolicy.typeMapping = app.mapping
            configuration.devicePolicy.tapRoutes = app.taps
            configuration.devicePolicy.messageRules = app.messages.isEmpty ? nil : app.messages
        }
        let preferences = try preferencesPath.map { try PreferenceFile(path: $0).read() }
        return RunSetup(
            configuration: configuration, redaction: redaction, isKeyRandom: isKeyRandom, lint: lint,
            preferences: preferences,
            serviceExtension: try serviceExtension.map { try startable($0, note) })
    }

    private func recordStages(_ redaction: Redaction?, _ lint: RunLint?) -> [any RecordStage] {
        var stages: [any RecordStage] = []
        if let lint { stages.append(LintStage(lint.configuration, quotesRecords: redaction == nil)) }
        if let answers { stages.append(answers) }
        if let fitOrder { stages.append(FitToBudget(order: fitOrder)) }
        if let redaction { stages.append(RedactionStage(redaction)) }
        return stages
    }

    /// The configuration with the program that runs the extension.
    private func startable(
        _ configuration: ExtensionConfiguration, _ note: (String) -> Void
    ) throws -> ExtensionConfiguration {
        var configuration = configuration
        let program = try ExtensionProgram(
            configuration.executable, language: configuration.language, command: command)
        if let notice = program.notice { note("pushpipe: \(TerminalText.clean(notice))\n") }
        program.apply(to: &configuration)
        return configuration
    }

    /// Registers the devices of the file, and applies the preferences.
    ///
    /// - Parameters:
    ///   - part: the part whose devices are wanted; nil for all devices.
    ///   - note: called with a line for people.
    /// - Throws: `PlainError`, `StoreError`.
    package func registerDevices(
        _ setup: RunSetup, _ pipeline: Pipeline, of part: PartMark? = nil, note: @escaping (String) -> Void
    ) throws {
        if let devicesPath {
            let file = try InputFile(devicesPath)
            do {
                try pipeline.registerDevices(fileDescriptor: file.descriptor.rawValue, of: part) { _, line, doubt in
                    let text = "\(devicesPath):\(line): \(doubt)"
                    note("pushpipe: warning: \(TerminalText.clean(text))\n")
                }
            } catch let error as DeviceFileError {
                throw PlainError.unfit("\(devicesPath):\(error.line):\(error.column)", error.message)
            } catch let error as SystemError {
                throw PlainError.unreadable(devicesPath, error)
            }
        }
        if let preferences = setup.preferences {
            let events = String.composed { for event in preferences.deviceEvents { $0.appendEvent(event) } }
            do {
                try pipeline.registerDevices(events, of: part, arePreferences: true)
            } catch let error as DeviceFileError {
                throw PlainError.unfit(preferencesPath ?? "", error.message)
            }
        }
    }
}
