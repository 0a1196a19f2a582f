public import ArgumentParser
import ExtensionHosting
import ExtensionPrograms
package import PushDecoding
import PushDevices
package import PushFraming
package import PushLint
package import PushModel
import PushPipeline
public import PushRedaction
import PushRuns
package import PushSettings
package import PushStreams
import PushSystem

extension OutputSettings.Colors: ExpressibleByArgument {}

extension CommandConfiguration {
    /// The configuration of a command without subcommands.
    ///
    /// Such a command is parsed by itself (`Pushpipe.command`). With a name above it, swift-argument-parser leaves out its look for requests of
    /// completion scripts: 1.7 of the 30 million instructions of a start.
    package init(named name: String, abstract: String, discussion: String = "") {
        self.init(commandName: name, _superCommandName: "pushpipe", abstract: abstract, discussion: discussion)
    }
}

extension CompletionKind {
    /// Words of a list that is made when a shell asks for it, and not at each start.
    static func words(_ words: @Sendable @escaping () -> [String]) -> CompletionKind { .custom { _, _, _ in words() } }
}

/// Options of all commands that write text for people or read settings.
package struct CommonArguments: ParsableArguments {
    package init() {}

    @Option(help: "Whether to use colors; auto does on a terminal, and heeds NO_COLOR and FORCE_COLOR.")
    var color = OutputSettings.Colors.auto

    @Option(
        help: ArgumentHelp("Read settings from this file instead of the nearest .pushpipe.yml.", valueName: "file"),
        completion: .file())
    var config: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Set a key of the configuration; pushpipe config keys lists them. Repeatable.", valueName: "key=value"),
        completion: .words { SettingsTable.keys })
    var assignments: [String] = []

    /// The settings in force.
    ///
    /// - Parameters:
    ///   - command: the name of the command that reads them.
    ///   - note: called with a line about each key that is ignored.
    func settings(
        for command: String?, note: (String) -> Void = { StandardError.complain($0) }
    ) throws(PlainError) -> Settings {
        if config == "" { throw PlainError("--config needs a file name") }
        return try Settings.read(for: command, file: config, assignments: assignments, note: note)
    }
}

/// A command that follows the settings and writes text for people.
package protocol ConfiguredCommand: ParsableCommand {
    var common: CommonArguments { get }

    /// The name by which the table of settings knows the command; nil for one that takes the keys of all commands.
    static var settingsName: String? { get }

    func run(_ settings: Settings) throws
}

extension ConfiguredCommand {
    package static var settingsName: String? { configuration.commandName }

    /// Runs with the settings in force. Makes the process follow those for output, and starts the pager if one is asked for.
    func runConfigured() throws {
        let settings = try common.settings(for: Self.settingsName)
        OutputSettings.current = OutputSettings(colors: common.color, isWide: settings.isWide)
        let pager = settings.usesPager ? Pager.start() : nil
        defer { pager?.finish() }
        try run(settings)
    }
}

/// Arguments for inputs; `serve` has none.
package struct SourceArguments: ParsableArguments {
    package init() {}

    @Argument(help: ArgumentHelp("Payload files.", valueName: "file"), completion: .file())
    package var files: [String] = []

    @Option(help: "Read every record as this format. (default: recognized from its keys)")
    package var provider: RecordFormat?

    /// Paths; nil for standard input.
    package var inputs: [String?] { Self.inputs(files) }

    /// Paths; nil for standard input, which is meant without files.
    package static func inputs(_ files: [String]) -> [String?] {
        files.isEmpty ? [nil] : files.map { $0 == "-" ? nil : $0 }
    }
}

/// The app and the budget of messages. `RunArguments` has the same, because each group of options takes part in every start.
package struct MessageArguments: ParsableArguments {
    static let topicHelp: ArgumentHelp = "App for payloads that name none: a bundle identifier or package name."
    static let budgetHelp: ArgumentHelp = "Check every message against this budget: a name or a number of bytes."

    @Option(help: topicHelp) package var topic: String?
    @Option(help: budgetHelp) package var budget: Budget?

    package init() {}
}

extension Settings {
    /// How records are read.
    package func decoding(
        as format: RecordFormat? = nil, topic: String? = nil, budget: Budget? = nil, device: String? = nil
    ) throws -> DecodingOptions {
        var options = configuration.decoding
        options.advice = Advice.options
        options.format = format
        if payloadPlace != nil || skipsPrefix {
            options.location = RecordLocation(pointer: payloadPlace, skipsPrefix: skipsPrefix)
        }
        options.budget = budget
        options.topic = topic ?? ""
        if let device { options.device = device }
        if device == "" { throw ValidationError("--device needs a name.") }
        return options
    }

    /// Text before an object ends with its line, so records are lines then.
    package func framing() throws -> Framing {
        let framing = configuration.framing
        guard skipsPrefix, framing != .ndjson else { return framing }
        guard framing == .auto else {
            throw ValidationError("input.skip-prefix reads lines; it takes no input.framing.")
        }
        return .ndjson
    }

    /// How the linter reads records.
    package func lintOptions(_ decoding: DecodingOptions) throws -> LintOptions {
        var options = LintOptions(
            decoding: decoding, framing: try framing(), maximumRecordBytes: configuration.maximumRecordBytes)
        options.recognizesLogs = mayBeLog(decoding, options.framing)
        return options
    }

    /// True if inputs that begin like a log are read as one: nothing says how else.
    func mayBeLog(_ decoding: DecodingOptions, _ framing: Framing) -> Bool {
        decoding.location == nil && framing == .auto && !decoding.acceptsRelaxedJSON
            && !origins.contains { ["input.at", "input.skip-prefix"].contains($0.key) && !$0.isIgnored }
    }
}

/// Arguments that `run`, `trace`, `bench`, `snapshot` and `serve` share.
package struct RunArguments: ParsableArguments {
    package init() {}

    @Option(help: MessageArguments.topicHelp) var topic: String?
    @Option(help: MessageArguments.budgetHelp) var budget: Budget?

    @Option(
        help: """
            Device for payloads that name none, and the only one that is shown: its name, or the beginning of it. (default: "default", and all)
            """)
    package var device: String?

    @Flag(help: "Shorten the texts of an alert that exceeds its budget, and report each cut.")
    var fit = false

    @Option(
        help: ArgumentHelp(
            """
            Replace notifications by this payload member, a name or a JSON Pointer, as an extension could. \
            Without mutable-content in the payloads, add --set extension.assume-mutable.
            """,
            valueName: "key"))
    var replaceBy: String?

    @Option(
        help: ArgumentHelp(
            "Register the devices in this file before the first record: one JSON object per line, like device events.",
            valueName: "file"), completion: .file())
    var devices: String?

    @Option(
        name: .customLong("extension"),
        help: ArgumentHelp(
            """
            Pass pushes with mutable-content through this service extension: an .appex folder, a program that speaks the protocol, or \
            builtin:attachment=KEY or builtin:localize=FILE.
            """, valueName: "path"), completion: .file())
    var extensionPath: String?

    @Option(
        help: ArgumentHelp("Store devices and their screens in this SQLite file.", valueName: "file"),
        completion: .file())
    var store: String?

    @Option(help: "Replace device tokens, content (texts, data, identifiers), or both with keyed digests.")
    var redact: Redaction.Parts?

    @Option(
        help: ArgumentHelp(
            """
            Delivery time: wall, or a start time (epoch seconds or RFC 3339) that advances 1 ms per record. \
            (default: wall; for snapshot, 2026-01-01T12:00:00Z)
            """, valueName: "time"))
    package var clock: String?
}

package struct CoreArguments: ParsableArguments {
    static let help = "Number of cores to use; the output does not depend on it. (default: all)"

    package init() {}

    @Option(
        name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp(Self.help, valueName: "n"))
    var jobs: Int?

    /// - Throws: `ValidationError`.
    package func count() throws -> Int { try OptionValue.jobs(jobs) }
}

/// Work beyond delivery, and the cores for it.
package struct WorkArguments: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: """
            Also check every record against the linter's rules and add the findings to its report. (default: --rules for serve, else \
            --no-rules)
            """)
    package var rules: Bool?

    @Option(
        name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp(CoreArguments.help, valueName: "n"))
    var jobs: Int?

    package init() {}

    /// - Throws: `ValidationError`.
    package func coreCount() throws -> Int { try OptionValue.jobs(jobs) }
}

/// The options of `run`, `trace` and `serve` for their end.
package struct EndArguments: ParsableArguments {
    @Flag(help: "Show each screen at the end.")
    var screen = false

    @Option(
        help: ArgumentHelp(
            "Exit with status 1 if any occurred: malformed, rejected, error or warning. Each includes those before it.",
            valueName: "list"),
        completion: .list(FailureCondition.allCases.map(\.rawValue)), transform: FailureCondition.list)
    var failOn: [[FailureCondition]] = []

    package init() {}
}

extension Redaction.Parts: ExpressibleByArgument {}

extension Settings {
    /// The service extension at a path.
    func serviceExtension(at path: String) throws -> ExtensionConfiguration {
        var configuration = serviceExtension
        configuration.executable = path
        do {
            _ = try BuiltinExtension(named: path)
            for text in appGroups {
                let seed = try AppGroupSeed.read(text)
                configuration.appGroups[seed.group] = seed.defaults
            }
            if let keychain { configuration.keychain = try KeychainSeed.read(keychain) }
        } catch {
            throw ValidationError(error.namingOption)
        }
        #if !os(Linux)
            if configuration.memoryLimit != nil { throw ValidationError("extension.memory works on Linux only.") }
        #endif
        return configuration
    }
}
