public import ArgumentParser
import ExtensionBuild
import ExtensionHosting
import PushDecoding
import PushDevices
import PushLint
public import PushModel
import PushPipeline
public import PushRedaction
import PushRuns
import PushServices
package import PushStreams
import PushSystem
import RecordFraming

/// A command that turns its arguments into a plan before it works.
protocol PlannedCommand: ParsableCommand {
    associatedtype Plan

    /// - Throws: `ValidationError` for values and combinations that cannot be.
    func plan() throws -> Plan
}

extension PlannedCommand {
    /// Plans here, too, so that errors come with the usage of this command.
    func validate() throws { _ = try plan() }
}

extension OutputSettings.Colors: ExpressibleByArgument {}

/// Options of all commands that write text for people.
struct OutputArguments: ParsableArguments {
    @Option(help: "Whether to use colors; auto does on a terminal, and heeds NO_COLOR and FORCE_COLOR.")
    var color = OutputSettings.Colors.auto

    @Flag(help: "Allow lines that are wider than the terminal.")
    var wide = false

    @Flag(help: "On a terminal, show the output through the pager that PAGER names, or less.")
    var pager = false
}

/// A command that writes text for people.
protocol TextCommand: ParsableCommand {
    var look: OutputArguments { get }
}

extension TextCommand {
    /// Makes the process follow the options, and starts the pager if one is asked for.
    func applyLook() -> Pager? {
        OutputSettings.current = OutputSettings(colors: look.color, isWide: look.wide)
        return look.pager ? Pager.start() : nil
    }
}

/// Arguments for inputs; `serve` has none.
struct SourceArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("Payload files.", valueName: "file"), completion: .file())
    var files: [String] = []
    @OptionGroup var input: InputArguments
}

/// Arguments that `run`, `trace`, `bench`, `snapshot` and `serve` share.
struct RunArguments: ParsableArguments {
    @OptionGroup var message: MessageArguments

    @Flag(help: "Shorten the texts of an alert that exceeds its budget, and report each cut.")
    var fit = false

    @Option(
        help: ArgumentHelp(
            "Texts that --fit may shorten, in order; implies --fit. (default: body,subtitle,title)",
            valueName: "texts"))
    var fitOrder: String?

    @OptionGroup(title: "Replacement by an id in the payload") var replacement: ReplacementArguments
    @OptionGroup(title: "Devices") var deviceOptions: DeviceArguments
    @OptionGroup(title: "Service extension") var serviceExtension: ExtensionArguments

    @Option(
        help: ArgumentHelp("Store devices and their screens in this SQLite file.", valueName: "file"),
        completion: .file())
    var store: String?

    @OptionGroup(title: "Privacy") var redaction: RedactionArguments

    @Option(
        help: ArgumentHelp(
            """
            Delivery time: wall, or a start time (epoch seconds or RFC 3339) that advances 1 ms per record. \
            (default: wall; for snapshot, 2026-01-01T12:00:00Z)
            """, valueName: "time"))
    var clock: String?
}

struct CoreArguments: ParsableArguments {
    @Option(
        name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp(
            "Number of cores to use; the output does not depend on it. (default: all)", valueName: "n"))
    var jobs: Int?

    /// - Throws: `ValidationError`.
    func count() throws -> Int { try OptionValue.jobs(jobs) }
}

/// Arguments of `run` and `bench` for work that `trace` always does, on one core.
struct WorkArguments: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: """
            Also check every record against the linter's rules and add the findings to its report. (default: --rules for serve, else \
            --no-rules)
            """)
    var rules: Bool?

    @OptionGroup var cores: CoreArguments
}

/// Arguments of `run` that compare its answers with those of the services.
struct AnswerArguments: ParsableArguments {
    @Flag(
        help: """
            Compare each answer with the one that its sender got, the envelope's answer member. Prints totals of what differs, and exits \
            with status 1 if anything does.
            """)
    var checkAnswers = false

    @Option(
        help: ArgumentHelp(
            "Take that answer from this place in the record or log line, such as /response; implies --check-answers.",
            valueName: "pointer"))
    var answerAt: String?

    /// - Throws: `ValidationError`.
    func stage(skipsPrefix: Bool) throws -> AnswerStage? {
        if let answerAt {
            return AnswerStage(at: try OptionValue.answerLocation(answerAt, skipsPrefix: skipsPrefix))
        }
        return checkAnswers ? AnswerStage() : nil
    }
}

struct EndArguments: ParsableArguments {
    @Flag(help: "Show each screen at the end.")
    var screen = false

    @Option(
        help: ArgumentHelp(
            "Draw the screens at the end into this file; it ends in .svg, .html, .png or .dark.png.",
            valueName: "file"),
        completion: .file())
    var screenFile: String?

    @Option(
        help: ArgumentHelp(
            "Exit with status 1 if any occurred: malformed, rejected, error or warning. Each includes those before it.",
            valueName: "list"),
        completion: .list(FailureCondition.allCases.map(\.rawValue)), transform: FailureCondition.list)
    var failOn: [[FailureCondition]] = []
}

struct InputArguments: ParsableArguments {
    @Option(name: .customLong("framing"), help: "How to split the input into records.")
    var givenFraming = Framing.auto

    @Option(
        help: ArgumentHelp(
            "Take each payload from this place in its record, such as /log/payload: an object, or a string that holds it.",
            valueName: "pointer"))
    var at: String?

    @Flag(help: "Skip text before the object on each line, as in the output of kubectl logs.")
    var skipPrefix = false
    @Option(help: "Read every record as this format. (default: recognized from its keys)")
    var provider: RecordFormat?

    @Flag(help: "Accept single quotes, bare keys and trailing commas, and report each correction.")
    var relaxed = false

    @Option(help: ArgumentHelp("Longest record in bytes, with an optional suffix K, M or G.", valueName: "bytes"))
    var maxRecord = OptionValue.defaultRecordBytes

    /// - Throws: `ValidationError`.
    func maximumRecordBytes() throws -> Int { try OptionValue.byteCount(maxRecord) }

    /// - Throws: `ValidationError`.
    func framing() throws -> Framing { try OptionValue.framing(givenFraming, skipsPrefix: skipPrefix) }
}

struct MessageArguments: ParsableArguments {
    @Option(
        help: """
            Device for payloads that name none, and the only one whose screen, trace or snapshot is shown: its name, or the beginning of it. \
            (default: "default", and all)
            """)
    var device: String?
    @Option(help: "App for payloads that name none: a bundle identifier or package name.")
    var topic: String?

    @Option(help: "Device platform of GCM and FCM tokens. (default: android; ios for messages with only an apns block)")
    var platform: Platform?

    @Option(help: "Check every message against this budget: a name or a number of bytes.")
    var budget: Budget?

    /// The options, validated, with those for records.
    ///
    /// - Throws: `ValidationError`.
    func options(_ input: InputArguments) throws -> DecodingOptions {
        var options = DecodingOptions()
        options.advice = Advice.options
        options.format = input.provider
        options.acceptsRelaxedJSON = input.relaxed
        options.location = try OptionValue.location(input.at, skipsPrefix: input.skipPrefix)
        options.platform = platform
        options.budget = budget
        options.topic = topic ?? ""
        if let device { options.device = device }
        if device == "" { throw ValidationError("--device needs a name.") }
        return options
    }
}

/// Options of `lint` and `schema` for reading records.
struct DecodingArguments: ParsableArguments {
    @OptionGroup var input: InputArguments
    @OptionGroup var message: MessageArguments

    /// - Throws: `ValidationError`.
    func options() throws -> LintOptions {
        LintOptions(
            decoding: try message.options(input), framing: try input.framing(),
            maximumRecordBytes: try input.maximumRecordBytes())
    }
}

/// Options of `run` and `trace` for devices and rate limits.
struct DeviceArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Register the devices in this file before the first record: one JSON object per line, like device events.",
            valueName: "file"), completion: .file())
    var devices: String?

    @Option(
        help: ArgumentHelp(
            "Settings of the services of Moodle and Wikimedia, in YAML; pushpipe config schema gateway prints the keys.",
            valueName: "file"), completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp(
            "What to do with an unregistered token: accept it, or reject it as its provider would.",
            valueName: "what"))
    var unknownDevices = UnknownDevices.accept

    @Option(
        help: ArgumentHelp(
            "Rules that give each push its notification type, and say where taps lead and what the app posts; see preferences --mapping.",
            valueName: "file"), completion: .file())
    var mapping: String?

    @Option(help: ArgumentHelp("Reject pushes to a token beyond this number per minute.", valueName: "n"))
    var pushesPerMinute: Int?
    @Option(help: ArgumentHelp("Reject pushes of an app beyond this number per minute.", valueName: "n"))
    var appPushesPerMinute: Int?

    @Option(help: ArgumentHelp("Deliver at most this many background pushes to an app per hour.", valueName: "n"))
    var backgroundPushesPerHour: Int?

    @Option(
        help: ArgumentHelp(
            "Drop updates of priority 10 to a Live Activity beyond this number per hour.", valueName: "n"))
    var activityUpdatesPerHour: Int?

    @Option(
        help: ArgumentHelp(
            "Drop notifications of an Android app that shows this many; 25 in some versions of Android.", valueName: "n"
        ))
    var androidNotifications = DevicePolicy().notificationsPerAndroidApp

    enum UnknownDevices: String, ExpressibleByArgument, CaseIterable {
        case accept, reject
    }

    /// The settings of services: those of the file, with the rules of `--mapping` in place of its own.
    ///
    /// - Throws: `PlainError`.
    func settings() throws -> GatewayFile {
        if config == "" { throw ValidationError("--config needs a file name.") }
        var settings = try config.map { try GatewayFile(path: $0) } ?? GatewayFile()
        settings.mappingPath = mapping ?? settings.mappingPath
        return settings
    }

    /// The options, validated.
    ///
    /// - Throws: `ValidationError`.
    func policy(_ settings: GatewayFile) throws -> DevicePolicy {
        var policy = DevicePolicy()
        policy.rejectsUnknownDevices = unknownDevices == .reject
        policy.pushesPerMinute = try OptionValue.rate(pushesPerMinute, option: "--pushes-per-minute")
        policy.pushesPerMinuteOfSender = try OptionValue.rate(appPushesPerMinute, option: "--app-pushes-per-minute")
        policy.backgroundPushesPerHour = try OptionValue.rate(
            backgroundPushesPerHour, option: "--background-pushes-per-hour")
        policy.activityUpdatesPerHour = try OptionValue.rate(
            activityUpdatesPerHour, option: "--activity-updates-per-hour")
        if let most = try OptionValue.rate(androidNotifications, option: "--android-notifications") {
            policy.notificationsPerAndroidApp = most
        }
        if settings.maintainsTokens { policy.tokenLifeCycle = TokenLifeCycle() }
        return policy
    }
}

/// How the extension that `--replace-by` emulates finds what it removes.
struct ReplacementArguments: ParsableArguments {
    @Option(
        help: .init(
            """
            Replace notifications by this payload member, a name or a JSON Pointer, as an extension could. \
            Without mutable-content in the payloads, add --assume-mutable.
            """,
            valueName: "key"))
    var replaceBy: String?

    @Option(
        help: .init(
            "Which notifications with the same id to remove; first removes only the oldest.", valueName: "which"))
    var replaceMatch = ReplacementRule.Match.all

    @Option(help: .init("Whether two notifications without an id count as equal.", valueName: "when"))
    var replaceMissing = ReplacementRule.Missing.never
    @Option(help: .init("How to compare ids; string ignores ids that are not strings.", valueName: "how"))
    var replaceCompare = ReplacementRule.Comparison.text

    /// Nil without `--replace-by`. Throws `ValidationError`.
    func rule() throws -> ReplacementRule? {
        let rule = ReplacementRule(
            key: replaceBy ?? "", match: replaceMatch, missing: replaceMissing, comparison: replaceCompare)
        if replaceBy == "" { throw ValidationError("--replace-by needs the name of a payload member.") }
        if replaceBy == nil, rule != ReplacementRule(key: "") {
            throw ValidationError("--replace-match, --replace-missing and --replace-compare need --replace-by.")
        }
        return replaceBy == nil ? nil : rule
    }
}

extension ReplacementRule.Match: ExpressibleByArgument {}
extension ReplacementRule.Missing: ExpressibleByArgument {}
extension ReplacementRule.Comparison: ExpressibleByArgument {}

private enum ExtensionHelp {
    static let path = """
        Pass pushes with mutable-content through this service extension: an .appex folder, a program that speaks the protocol, \
        builtin:attachment=KEY, which downloads the URL in this member of the payload, or builtin:localize=FILE, which resolves \
        loc-keys from a .strings file.
        """
    static let instances = "Number of extension processes; each device always uses the same one."
    static let timeout =
        "Time until serviceExtensionTimeWillExpire, in seconds or with a suffix ms or s."
    static let memory =
        "Private memory limit per process, with an optional suffix K, M or G. (default: no limit)"
    static let removal = """
        When removeDeliveredNotifications takes effect: immediate, delayed:MS, or lost-after-handler[:MS], which drops removals \
        still pending when the extension calls its content handler. Also for --replace-by. (default: immediate)
        """
    static let removalWait =
        "How long the extension waits after a removal, by the run's clock. (default: 0)"
    static let filtering =
        "Give the app the filtering entitlement: empty content shows nothing. (default: as the .appex says)"
    static let communication =
        "Give the app the communication entitlement: senders are shown. (default: as the .appex says)"
    static let language = "Language of the extension's texts and locale, such as de."
    static let sandbox =
        "Folder for the home directory, temporary files and app groups. (default: a temporary one)"
    static let attachments = "Move attachments to this folder. (default: one in the sandbox)"
    static let appGroup =
        "Defaults that an app group begins with, from a property list or a JSON object. Repeatable."
    static let keychain =
        "Items that the keychain begins with, from a JSON array or a property list, by the names of Security's constants."
    static let certificates = "Certificates in PEM format that the extension trusts, as its system does."
}

/// How `run` and `trace` run a service extension.
struct ExtensionArguments: ParsableArguments {
    @Option(name: .customLong("extension"), help: .init(ExtensionHelp.path, valueName: "path"), completion: .file())
    var path: String?

    @Option(name: .customLong("extension-instances"), help: .init(ExtensionHelp.instances, valueName: "n"))
    var instances = 1

    @Option(name: .customLong("extension-timeout"), help: .init(ExtensionHelp.timeout, valueName: "time"))
    var timeout = "30s"

    @Option(name: .customLong("extension-memory"), help: .init(ExtensionHelp.memory, valueName: "bytes"))
    var memory: String?

    @Option(help: .init(ExtensionHelp.removal, valueName: "when"))
    var removal: String?

    @Option(help: .init(ExtensionHelp.removalWait, valueName: "time"))
    var removalWait: String?

    @Flag(help: "Pass pushes without mutable-content through the extension, too: what if they had it.")
    var assumeMutable = false

    @Flag(name: .customLong("extension-filtering"), help: .init(stringLiteral: ExtensionHelp.filtering))
    var filtering = false

    @Flag(name: .customLong("extension-communication"), help: .init(stringLiteral: ExtensionHelp.communication))
    var communication = false

    @Option(help: .init(ExtensionHelp.language, valueName: "code"))
    var language: String?

    @Option(
        name: .customLong("extension-sandbox"), help: .init(ExtensionHelp.sandbox, valueName: "folder"),
        completion: .directory)
    var sandbox: String?

    @Option(help: .init(ExtensionHelp.attachments, valueName: "folder"), completion: .directory)
    var attachments: String?

    @Option(name: .customLong("app-group"), help: .init(ExtensionHelp.appGroup, valueName: "group=file"))
    var appGroups: [String] = []

    @Option(help: .init(ExtensionHelp.keychain, valueName: "file"), completion: .file())
    var keychain: String?

    @Option(name: .customLong("ca"), help: .init(ExtensionHelp.certificates, valueName: "file"), completion: .file())
    var certificates: String?

    /// The extension's settings; the executable is empty if there is no `--extension`. Throws `ValidationError`.
    func configuration() throws -> ExtensionConfiguration {
        var configuration = ExtensionConfiguration(executable: path ?? "")
        guard 1...64 ~= instances else {
            throw ValidationError("--extension-instances takes a number from 1 to 64.")
        }
        configuration.instances = instances
        do {
            _ = try BuiltinExtension(named: path ?? "")
            configuration.timeLimit = try .extensionTimeLimit(timeout, option: "--extension-timeout")
            configuration.removal = try RemovalTiming(removal ?? "immediate", option: "--removal")
            configuration.removalWait = try .extensionTimeLimit(
                removalWait ?? "0", option: "--removal-wait", allowsZero: true)
            for text in appGroups {
                let seed = try AppGroupSeed.read(text)
                configuration.appGroups[seed.group] = seed.defaults
            }
            if let keychain { configuration.keychain = try KeychainSeed.read(keychain) }
        } catch {
            throw ValidationError(error.namingOption)
        }
        if let memory {
            #if os(Linux)
                configuration.memoryLimit = try OptionValue.byteCount(memory, option: "--extension-memory")
            #else
                throw ValidationError("--extension-memory works on Linux only.")
            #endif
        }
        configuration.mayFilter = filtering
        if communication { configuration.mayCommunicate = true }
        configuration.language = language
        configuration.sandbox = sandbox
        configuration.attachments = attachments
        configuration.certificates = certificates
        return configuration
    }
}

extension Redaction.Parts: ExpressibleByArgument {}

/// Redaction options of `run`, `trace` and `store export`.
struct RedactionArguments: ParsableArguments {
    @Option(help: "Replace device tokens, content (texts, data, identifiers), or both with keyed digests.")
    var redact: Redaction.Parts?

    @Option(
        help: ArgumentHelp(
            """
            File with the key of the digests, at least 16 bytes. The same key gives equal texts equal digests. (default: the variable \
            PUSHPIPE_REDACT_KEY, else a random key for this run)
            """, valueName: "file"), completion: .file())
    var redactKeyFile: String?

    func validate() throws {
        if redactKeyFile != nil, redact == nil {
            throw ValidationError("--redact-key-file needs --redact tokens, content or all.")
        }
    }

    /// Nil without `--redact`.
    var request: RedactionRequest? { redact.map { RedactionRequest($0, keyPath: redactKeyFile) } }
}
