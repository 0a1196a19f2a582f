import ArgumentParser
import PushDecoding
import PushDevices
import PushFraming
package import PushModel
import PushPictures
import PushPipeline
import PushRuns
import PushSQLite
import PushSettings
package import PushSystem
import PushText

/// Reads the values of options that several commands have. Throws a sentence that names the option.
package enum OptionValue {
    private static func refuse<Value>(_ sentence: String) throws -> Value { throw ValidationError(sentence) }

    /// A number of bytes from 1 to 1 GiB: `1048576`, `1024K`, `1MiB`.
    static func byteCount(_ text: String, option: String) throws -> Int {
        let bytes = ByteSize.bytes(text) ?? 0
        let isInRange = 1...PipelineConfiguration.largestMaximumRecordBytes ~= bytes
        return try isInRange
            ? bytes : refuse("\(option) takes a number of bytes from 1 to 1G, such as 65536, 64K or 1MiB.")
    }

    /// Which records a job writes to standard output.
    static func emission(
        _ selection: Emission.Selection?, _ form: Emission.Form?, of job: RunJob, resumes: Bool
    ) throws -> Emission? {
        guard let selection else {
            if form != nil { throw ValidationError("--emit-as needs --emit.") }
            return nil
        }
        if resumes {
            throw ValidationError(
                "--emit cannot be combined with --resume: the store does not keep track of which records were written.")
        }
        let isApart = job.reportFile.map { !$0.isStandardOutput } ?? false
        if !isApart, job.output != .none || job.showsScreen {
            throw ValidationError(
                "--emit writes records to standard output; the report and --screen need --report-file.")
        }
        if selection == .changed, job.fitOrder == nil, job.serviceExtension == nil {
            throw ValidationError("--emit changed needs --fit or --extension: nothing else changes a payload.")
        }
        return Emission(selection, as: form ?? .input)
    }

    /// `wall`, or a time as `eventTime` takes it.
    static func clock(_ text: String, option: String = "--clock") throws -> PipelineClock {
        text == "wall" ? .wall : .fixed(milliseconds: try eventTime(text, option: option, besides: "wall, "))
    }

    /// The time before which something is old: an age before `now`, or a time. Both in milliseconds since the epoch.
    static func age(_ text: String, before now: Int64, option: String) throws -> Int64 {
        if let time = PruningAge.time(text, before: now) { return time }
        return try (Int64(text) == nil ? EventTime.milliseconds(text) : nil)
            ?? refuse("\(option) takes an age such as 30d, or a time such as 2026-11-03T20:00:00Z.")
    }

    /// Epoch seconds, or a time in RFC 3339, of the years 1 to 9999; in milliseconds since the epoch.
    ///
    /// - Parameter others: what else the option takes.
    static func eventTime(_ text: String, option: String, besides others: String = "") throws -> Int64 {
        try Int64(text).flatMap { EventTime.milliseconds(Double($0)) } ?? EventTime.milliseconds(text)
            ?? refuse("\(option) takes \(others)epoch seconds, or a time such as 2026-11-03T20:00:00Z.")
    }

    /// A number of cores; nil for all, but at most 16.
    static func jobs(_ number: Int?) throws -> Int {
        let jobs = number ?? defaultJobs
        return try (1...256).contains(jobs) ? jobs : refuse("--jobs takes a number from 1 to 256.")
    }

    static func reportFile(_ text: String) throws -> ReportFile {
        try ReportFile(parsing: text)
            ?? refuse("--report-file takes a path, or fd: and the number of an open file, such as fd:3.")
    }

    static func screenFile(_ path: String) throws -> ScreenFile {
        let names = PictureForm.allCases.map(\.ending).joined(separator: ", ")
        return try ScreenFile(path) ?? refuse("report.screen-file takes a file name that ends in one of \(names).")
    }

    /// All cores, but at most 16.
    static var defaultJobs: Int { min(CurrentProcess.processorCount, 16) }
}

extension PlainError {
    /// Names the option of the value: `report file` is that of `--report-file`.
    package var namingOption: String {
        description { parameter in
            let name = parameter.replacing(" ", with: "-")
            return SettingsTable.row(ofOption: name)?.key ?? "--" + name
        }
    }
}

extension Advice {
    /// Names what somebody can do who posts records to a gateway, which takes no setting for logs.
    static let requests: Wording = { advice in
        switch advice {
        case .skipPrefix: "; pushpipe run --emit all reads a log, and writes the records in it"
        case .readPlace(let name?): "; post the value of \"\(name)\" by itself"
        case .readPlace(nil), .forceFormat: ""
        default: options(advice)
        }
    }

    /// Names the options that do it.
    package static let options: Wording = { advice in
        switch advice {
        case .readPlace(let name?): "; --set input.at=\"/\(name)\" reads the payload there"
        case .readPlace(nil): "; to read the payload in it, name its place with --set input.at"
        case .statePlace(let pointer, let afterText): ", as with \(place(pointer, afterText))"
        case .readOtherPlace(let pointer, let afterText): "; \(place(pointer, afterText)) reads it in a second run"
        case .takeTimes(let place): "; --set input.time=\(place) delivers each at the time that its line says"
        case .forceFormat: "; choose one with --provider"
        case .readAsFCM: "; --provider fcm reads it as an FCM request"
        case .readAsAPNs: "; --provider apns reads it as an APNs payload"
        case .skipPrefix: "; --set input.skip-prefix skips the text before the object"
        case .acceptLongRecords: " (input.max-record)"
        case .acceptRatio: " (input.max-ratio)"
        case .readRelaxed(let count):
            "  pushpipe lint --fix corrects \(count == 1 ? "1 of these" : "most of \(count) of these"); --set input.relaxed reads many of them as they are\n"
        case .assumeMutable: "; --set extension.assume-mutable shows what it would do"
        case .acceptEmpty: " (--set input.allow-empty accepts this)"
        case .resume: "; --resume continues from there"
        case .emitInput: "; use --emit-as input"
        case .setClock: " (--clock sets another)"
        case .keepRedactionKey: "; --set redact.key-file=FILE gives it one"
        case .passRedactionKey: "; pass that key with --set redact.key-file=FILE or PUSHPIPE_REDACT_KEY"
        case .repeatRedactionKey:
            "; pass the same key with --set redact.key-file=FILE or PUSHPIPE_REDACT_KEY (a key generated for one run is gone), or use another store"
        case .repeatRedaction(let parts):
            "; pass --redact \(parts) with its key (one that was generated for a run is gone), or use another store"
        case .redactStore:
            "; use another store, or redact this one: pushpipe store export --complete --redact … | pushpipe store import NEW"
        case .approve: "; the same command with --update approves what it shows"
        case .replaceParts: ", or use --force to replace its parts"
        case .joinParts: ", or use --key-column"
        case .showFaultExamples: "; serve --faults examples prints a file to begin with"
        case .completePart: "; run it again with --resume, or merge what is there with --partial"
        case .mergePartially: ", or merge what is there with --partial"
        case .exportAndImport:
            "; to add its contents to another store: pushpipe store export --events, then pushpipe store import"
        case .askDevice(let name):
            ". pushpipe store devices FILE --device '\(TextStyle.shortened(name))' shows the settings that are in force, and pushpipe trace --store FILE what they do to the same push"
        case .standIn(let module): ", or stand in for it with --module \(module)=FOLDER"
        case .clonePackage: "; clone it where you can, and name the clone with --package PATH"
        case .bringModules: "; name folders of your own with --module NAME=FOLDER, or of a package with --package"
        case .giveSetting(let name): "; give it with --setting \(name)=VALUE"
        case .fix: " with --fix"
        case .unfold: " (--verbose shows all)"
        case .listOthers(let areMany): " (--verbose lists \(areMany ? "them" : "it"))"
        case .showSeverity(let severity): " (--severity \(severity.rawValue))"
        }
    }

    /// The options that state where the records of a log are.
    private static func place(_ pointer: String?, _ afterText: Bool) -> String {
        let options = [afterText ? "--set input.skip-prefix" : nil, pointer.map { "--set input.at=\($0)" }]
        return options.compactMap { $0 }.joined(separator: " ")
    }
}
