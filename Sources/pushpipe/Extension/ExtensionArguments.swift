import ArgumentParser
import ExtensionBuild
import ExtensionHost
import PushModel
import PushRuns

/// How `run` and `trace` run a service extension.
struct ExtensionArguments: ParsableArguments {
    @Option(
        name: .customLong("extension"),
        help: .init(
            """
            Pass pushes with mutable-content through this service extension: an .appex folder, a program that speaks the protocol, \
            builtin:attachment=KEY, which downloads the URL in this member of the payload, or builtin:localize=FILE, which resolves \
            loc-keys from a .strings file.
            """, valueName: "path"), completion: .file())
    var path: String?

    @Option(
        name: .customLong("extension-instances"),
        help: .init("Number of extension processes; each device always uses the same one.", valueName: "n"))
    var instances = 1

    @Option(
        name: .customLong("extension-timeout"),
        help: .init(
            "Time until serviceExtensionTimeWillExpire, in seconds or with a suffix ms or s.", valueName: "time"))
    var timeout = "30s"

    @Option(
        name: .customLong("extension-memory"),
        help: .init(
            "Private memory limit per process, with an optional suffix K, M or G. (default: no limit)",
            valueName: "bytes"))
    var memory: String?

    @Option(
        help: .init(
            """
            When removeDeliveredNotifications takes effect: immediate, delayed:MS, or lost-after-handler[:MS], which drops removals \
            still pending when the extension calls its content handler. Also for --replace-by. (default: immediate)
            """, valueName: "when"))
    var removal: String?

    @Option(
        help: .init(
            "How long the extension waits after a removal, by the run's clock. (default: 0)", valueName: "time"))
    var removalWait: String?

    @Flag(
        name: .customLong("extension-filtering"),
        help: "Give the app the filtering entitlement: empty content shows nothing.")
    var filtering = false

    @Option(help: .init("Language of the extension, such as de.", valueName: "code"))
    var language: String?

    @Option(
        name: .customLong("extension-sandbox"),
        help: .init(
            "Folder for the home directory, temporary files and app groups. (default: a temporary one)",
            valueName: "folder"), completion: .directory)
    var sandbox: String?

    @Option(
        help: .init("Move attachments to this folder. (default: one in the sandbox)", valueName: "folder"),
        completion: .directory)
    var attachments: String?

    /// Without an executable if there is no `--extension`. Throws `ValidationError`.
    func configuration() throws -> ExtensionConfiguration {
        var configuration = ExtensionConfiguration(executable: path ?? "")
        guard 1...64 ~= instances else { throw ValidationError("--extension-instances takes a number from 1 to 64.") }
        configuration.instances = instances
        do {
            _ = try BuiltinExtension(named: path ?? "")
            configuration.timeLimit = try .extensionTimeLimit(timeout, option: "--extension-timeout")
            configuration.removal = try RemovalTiming(removal ?? "immediate", option: "--removal")
            configuration.removalWait = try .extensionTimeLimit(
                removalWait ?? "0", option: "--removal-wait", allowsZero: true)
        } catch let error as ExtensionOptionError {
            throw ValidationError(error.message)
        } catch let error as ExtensionBuildError {
            throw ValidationError(error.message)
        }
        configuration.memoryLimit = try memory.map { memory in
            #if os(Linux)
                try validated(OptionValue.byteCount(memory, option: "--extension-memory"))
            #else
                throw ValidationError("--extension-memory works on Linux only.")
            #endif
        }
        configuration.mayFilter = filtering
        configuration.language = language
        configuration.sandbox = sandbox
        configuration.attachments = attachments
        return configuration
    }
}
