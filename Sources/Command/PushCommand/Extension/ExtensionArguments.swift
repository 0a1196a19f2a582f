import ArgumentParser
import ExtensionBuild
import ExtensionHosting
import PushModel

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

    @Option(
        name: .customLong("ca"), help: .init(ExtensionHelp.certificates, valueName: "file"), completion: .file())
    var certificates: String?

    /// Without an executable if there is no `--extension`. Throws `ValidationError`.
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
        } catch let error as ExtensionOptionError {
            throw ValidationError(error.message)
        } catch let error as ExtensionBuildError {
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
