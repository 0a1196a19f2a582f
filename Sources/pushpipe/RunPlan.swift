import ArgumentParser
import ExtensionHost
import FoundationEssentials
import PushDecoding
import PushModel
import PushPipeline
import SystemSupport

/// What `pushpipe run` or `pushpipe trace` will do: the arguments, validated.
struct RunPlan {
    /// Paths; nil for standard input.
    let inputs: [String?]
    let configuration: PipelineConfiguration
    private let appliesRules: Bool
    /// The texts that may be shortened, in order; nil for none.
    private let fitOrder: [AlertText]?
    /// Nil to show pushes without a service extension.
    let serviceExtension: ExtensionConfiguration?
    /// File of devices to register before the first record.
    let devicesPath: String?
    /// File of preferences to apply before the first record.
    let preferencesPath: String?
    /// File of rules that give a push its notification type.
    let typesPath: String?
    let storePath: String?
    private let redaction: RedactionArguments?
    let resumes: Bool
    let output: Output
    let showsScreen: Bool
    let failOn: [FailureCondition]
    let isQuiet: Bool

    /// What goes to standard output.
    enum Output: Equatable {
        case report(ReportForm)
        /// The stages of each message, for people.
        case trace
    }

    /// `pushpipe run FILE…` without options, which is what parsing those arguments gives.
    init(files: [String]) {
        inputs = Self.inputs(files)
        var configuration = PipelineConfiguration()
        configuration.jobs = Self.defaultJobs
        self.configuration = configuration
        output = .report(.default)
        failOn = []
        (appliesRules, resumes, showsScreen, isQuiet) = (false, false, false, false)
        (devicesPath, preferencesPath, typesPath) = (nil, nil, nil)
        storePath = StoreCommand.Place.fromEnvironment
        (fitOrder, serviceExtension, redaction) = (nil, nil, nil)
    }

    init(_ command: RunCommand) throws {
        let output: Output =
            command.trace ? .trace : .report(command.report ?? .default)
        if command.trace, command.report != nil {
            throw ValidationError("--trace replaces the report and cannot be combined with --report.")
        }
        let jobs = try command.work.jobCount()
        var arguments = command.arguments
        arguments.store = arguments.store ?? StoreCommand.Place.fromEnvironment
        try self.init(
            arguments, command.end, output, appliesRules: command.work.rules, resumes: command.resume,
            isQuiet: command.quiet
        ) {
            $0.jobs = jobs
            $0.measuresStages = command.stats
        }
    }

    init(_ command: TraceCommand) throws {
        try self.init(command.arguments, command.end, .trace, appliesRules: true, isQuiet: true) { _ in }
    }

    init(_ command: BenchCommand) throws {
        let jobs = try command.work.jobCount()
        try self.init(command.arguments, nil, .report(.none), appliesRules: command.work.rules, isQuiet: true) {
            $0.jobs = jobs
        }
    }

    private init(
        _ arguments: RunArguments, _ end: EndArguments?, _ output: Output, appliesRules: Bool, resumes: Bool = false,
        isQuiet: Bool,
        _ configure: (inout PipelineConfiguration) -> Void
    ) throws {
        inputs = Self.inputs(arguments.files)
        var configuration = PipelineConfiguration()
        configuration.framing = arguments.decoding.framing
        configuration.maximumRecordBytes = try Self.byteCount(arguments.decoding.maxRecord)
        configuration.clock = try Self.clock(arguments.clock)
        configuration.decoding = try arguments.decoding.options()
        fitOrder = try Self.fitOrder(arguments)
        configuration.decoding.replacement = try arguments.replacement.rule()
        let extensionConfiguration = try arguments.serviceExtension.configuration()
        configuration.decoding.replacement?.removal = extensionConfiguration.removal
        configuration.decoding.replacement?.wait = extensionConfiguration.removalWait
        configuration.devicePolicy = try arguments.deviceOptions.policy()
        if arguments.deviceOptions.devices == "" { throw ValidationError("--devices needs a file name.") }
        devicesPath = arguments.deviceOptions.devices
        if arguments.deviceOptions.preferences == "" { throw ValidationError("--preferences needs a file name.") }
        preferencesPath = arguments.deviceOptions.preferences
        typesPath = arguments.deviceOptions.mapping
        configuration.traces = output == .trace
        configure(&configuration)
        self.configuration = configuration
        self.appliesRules = appliesRules
        serviceExtension = arguments.serviceExtension.path == nil ? nil : extensionConfiguration
        if serviceExtension != nil, arguments.replacement.replaceBy != nil {
            throw ValidationError("--replace-by acts as an extension and cannot be combined with --extension.")
        }
        let removal = arguments.serviceExtension.removal ?? arguments.serviceExtension.removalWait
        if removal != nil, serviceExtension == nil, arguments.replacement.replaceBy == nil {
            throw ValidationError("--removal and --removal-wait need --extension or --replace-by.")
        }
        redaction = arguments.redaction
        if let parts = redaction?.redact, parts != .tokens, arguments.replacement.replaceCompare != .text {
            throw ValidationError("--redact \(parts) makes every id a string; use --replace-compare text.")
        }
        if serviceExtension != nil, let parts = arguments.redaction.redact, parts != .tokens {
            throw ValidationError(
                "--redact \(parts) cannot be combined with --extension, which would get digests; use --redact tokens.")
        }
        if arguments.store == "" { throw ValidationError("--store needs a file name.") }
        storePath = arguments.store
        self.resumes = resumes
        if resumes, storePath == nil {
            throw ValidationError("--resume needs --store, which records how far a run got.")
        }
        if resumes, inputs.contains(nil) {
            throw ValidationError("--resume needs files: standard input cannot be read again.")
        }
        self.output = output
        showsScreen = end?.screen ?? false
        failOn = end?.failOn.flatMap(\.self) ?? []
        self.isQuiet = isQuiet
    }

    private static func inputs(_ files: [String]) -> [String?] {
        files.isEmpty ? [nil] : files.map { $0 == "-" ? nil : $0 }
    }

    static var defaultJobs: Int { min(CurrentProcess.processorCount, 16) }

    /// The configuration with its stages, and the redaction. Reads the redaction key.
    func completeConfiguration() throws -> (configuration: PipelineConfiguration, redaction: Redaction?) {
        var configuration = configuration
        let redaction = try redaction?.redaction()
        var stages: [any RecordStage] = []
        if appliesRules { stages.append(LintStage(hiding: redaction)) }
        if let fitOrder { stages.append(FitToBudget(order: fitOrder)) }
        stages.append(ProviderValidation())
        if let redaction { stages.append(RedactionStage(redaction)) }
        configuration.recordStages = stages
        return (configuration, redaction)
    }

    /// The texts that `--fit` may shorten, in order: `body,title`. Nil without `--fit`.
    private static func fitOrder(_ arguments: RunArguments) throws -> [AlertText]? {
        guard let text = arguments.fitOrder else { return arguments.fit ? AlertText.allCases : nil }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { AlertText(rawValue: String($0)) }
        let order = names.compactMap(\.self)
        guard order.count == names.count, Set(order).count == order.count else {
            throw ValidationError("--fit-order takes body, subtitle and title, each at most once, separated by commas.")
        }
        return order
    }

    /// The number of cores to use.
    static func jobs(_ typed: Int?) throws -> Int {
        let jobs = typed ?? defaultJobs
        guard (1...256).contains(jobs) else { throw ValidationError("--jobs takes a number from 1 to 256.") }
        return jobs
    }

    /// `1048576`, `1024K`, `1M`.
    static func byteCount(_ text: String, option: String = "--max-record") throws -> Int {
        let units: [Character: Int] = [
            "K": 1 << 10, "k": 1 << 10, "M": 1 << 20, "m": 1 << 20, "G": 1 << 30, "g": 1 << 30,
        ]
        let unit = text.last.flatMap { units[$0] }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard let number = Int(digits), number >= 1, number <= PipelineConfiguration.largestMaximumRecordBytes else {
            throw ValidationError("\(option) takes a number of bytes from 1 to 1G, such as 65536, 64K or 1M.")
        }
        let (bytes, overflowed) = number.multipliedReportingOverflow(by: unit ?? 1)
        guard !overflowed, bytes <= PipelineConfiguration.largestMaximumRecordBytes else {
            throw ValidationError("\(option) can be at most 1G.")
        }
        return bytes
    }

    /// Times that RFC 3339 can write: the years 1 to 9999, in milliseconds since the epoch.
    private static let writable: ClosedRange<Int64> = -62_135_596_800_000...RFC3339.writable.upperBound

    static func clock(_ text: String, option: String = "--clock") throws -> PipelineClock {
        if text == "wall" { return .wall }
        if let seconds = Int64(text) {
            let (milliseconds, overflowed) = seconds.multipliedReportingOverflow(by: 1000)
            guard !overflowed, writable.contains(milliseconds) else {
                throw ValidationError("\(option): \(text) seconds is out of range.")
            }
            return .fixed(milliseconds: milliseconds)
        }
        guard let milliseconds = try rfc3339(text, option: option) else {
            throw ValidationError("\(option) takes wall, epoch seconds, or a time such as 2026-11-03T20:00:00Z.")
        }
        return .fixed(milliseconds: milliseconds)
    }

    /// Milliseconds since the epoch; nil for another text.
    static func rfc3339(_ text: String, option: String) throws -> Int64? {
        for style in [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)] {
            if let date = try? style.parse(text) {
                guard let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()),
                    writable.contains(milliseconds)
                else { throw ValidationError("\(option) takes times in the years 1 to 9999.") }
                return milliseconds
            }
        }
        return nil
    }
}
