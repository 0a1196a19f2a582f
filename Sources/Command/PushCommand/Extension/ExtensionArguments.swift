import ArgumentParser
import ExtensionHosting
import PushModel
import PushRuns

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

    @Flag(name: .customLong("extension-filtering"), help: .init(stringLiteral: ExtensionHelp.filtering))
    var filtering = false

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

    @Option(
        name: .customLong("ca"), help: .init(ExtensionHelp.certificates, valueName: "file"), completion: .file())
    var certificates: String?

    /// Without an executable if there is no `--extension`. Throws `ValidationError`.
    func configuration() throws -> ExtensionConfiguration {
        var options = ExtensionOptions(path: path)
        options.instances = instances
        options.timeout = timeout
        options.memory = memory
        options.removal = removal
        options.removalWait = removalWait
        options.appGroups = appGroups
        var configuration = try validated(options.configuration())
        configuration.mayFilter = filtering
        configuration.language = language
        configuration.sandbox = sandbox
        configuration.attachments = attachments
        configuration.certificates = certificates
        return configuration
    }
}
