import ArgumentParser
import ExtensionBuild
import FoundationEssentials
import PushModel
import PushStreams
import PushText

extension PackageBuild.Configuration: ExpressibleByArgument {}

struct ExtensionBuildCommand: PlannedCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Build an iOS Notification Service Extension into an .appex that runs on Linux.",
        discussion: CommandHelp.extensionBuild)

    @Argument(
        help: .init("Swift files, Info.plist, resources, or folders of them.", valueName: "file"), completion: .file()
    )
    var files: [String] = []

    @Option(help: .init(CommandHelp.extensionProject, valueName: "path"), completion: .directory)
    var project: String?

    @Option(help: .init(CommandHelp.extensionTarget, valueName: "name"))
    var target: String?

    @Option(name: .customLong("module"), help: .init(CommandHelp.extensionModule, valueName: "name=folder"))
    var modules: [String] = []

    @Option(name: .customLong("package"), help: .init(CommandHelp.extensionPackage, valueName: "folder"))
    var packages: [String] = []

    @Flag(help: .init(stringLiteral: CommandHelp.extensionNoPackages))
    var noPackages = false

    @Option(help: .init("Name of the .appex. (default: the name of the folder, else of the class)", valueName: "name"))
    var name: String?

    @Option(
        name: .customLong("class"),
        help: .init(
            "Class to run, if several derive from UNNotificationServiceExtension. (default: from Info.plist)",
            valueName: "name"))
    var className: String?

    @Option(
        help: .init(
            "Bundle identifier. (default: from Info.plist, else org.example.NAME)", valueName: "identifier"))
    var bundleID: String?

    @Option(help: .init(CommandHelp.extensionEntitlements, valueName: "file"), completion: .file())
    var entitlements: String?

    @Option(
        name: .customLong("setting"),
        help: .init(
            "Build setting used in Info.plist or the entitlements. Repeatable.", valueName: "name=value"))
    var settings: [String] = []

    @Option(help: .init("Folder for the .appex. (default: in the cache)", valueName: "dir"), completion: .directory)
    var output: String?

    @Option(
        help: "Build configuration. A debug build explains crashes; a release build runs faster. Build times are equal."
    )
    var configuration = PackageBuild.Configuration.debug

    @Option(
        help: .init(
            "Cache folder. (default: $XDG_CACHE_HOME/pushpipe/extensions, else ~/.cache/pushpipe/extensions)",
            valueName: "dir"), completion: .directory)
    var cache: String?

    @Option(
        help: .init(
            "Checkout of pushpipe to build against. (default: $PUSHPIPE_SOURCES, else located from the command)",
            valueName: "dir"), completion: .directory)
    var sources: String?

    @Flag(name: .shortAndLong, help: "Show all compiler output.")
    var verbose = false

    func run() throws {
        let showsProgress = !verbose && StandardError.isTerminal
        let path = try plan().build(with: SwiftCompiler()) { event in
            switch event {
            case .packages(let places, let sandbox):
                StandardError.write("pushpipe: \(Self.announcement(of: places, sandbox: sandbox))\n")
            case .progress(let text): StandardError.write("pushpipe: \(text)\n")
            case .notice(let text, let advice):
                StandardError.write("pushpipe: \(text)\(advice.map(Advice.options) ?? "")\n")
            case .compilerLine(let line) where verbose: StandardError.writeUnwrapped(line + "\n")
            case .compilerLine(let line) where showsProgress && line.hasPrefix("["):
                StandardError.write("\r\u{1B}[K" + TerminalText.clean(String(line.prefix(78))))
            case .compilerEnded where showsProgress: StandardError.write("\r\u{1B}[K")
            case .compilerErrors(let text) where !verbose: StandardError.writeUnwrapped(TerminalText.cleanLines(text))
            case .compilerLine, .compilerEnded, .compilerErrors: break
            }
        }
        guard let path else { throw Failure.conditionMet }
        try StandardOutput().write(path + "\n")
    }

    /// Names the packages that are about to be built.
    private static func announcement(of places: [String], sandbox: String?) -> String {
        let place =
            sandbox.map { "in a sandbox (\($0)) that sees their repositories and no other file of yours" }
            ?? "with your permissions, as there is no sandbox: neither bubblewrap nor user namespaces can be used"
        return "building packages, whose manifests, plugins and macros run \(place); --no-packages leaves them out: "
            + places.map(TerminalText.clean).joined(separator: ", ")
    }

    func plan() throws -> ExtensionBuilder {
        do {
            var builder = try ExtensionBuilder(
                paths: files, cache: cache, sources: sources, environment: ProcessInfo.processInfo.environment,
                command: ExtensionCommand.ownPath)
            builder.name = name
            builder.className = className
            builder.bundleIdentifier = bundleID
            builder.project = project
            builder.target = target
            builder.packages = packages
            builder.usesFoundPackages = !noPackages
            for module in modules { try builder.addModule(module) }
            builder.entitlements = entitlements
            builder.output = output
            builder.configuration = configuration
            for setting in settings { try builder.addSetting(setting) }
            if let conflict = conflict(in: builder) { throw ValidationError(conflict) }
            return builder
        } catch let error as ExtensionBuildError {
            throw ValidationError(error.namingOption)
        }
    }

    /// The problem with the options, as far as it shows before a file is read; nil for none.
    private func conflict(in builder: ExtensionBuilder) -> String? {
        if files.isEmpty, project == nil {
            return "Name the extension's files or its folder, or its project with --project."
        }
        if target != nil, project == nil { return "--target needs --project." }
        if (files + packages + builder.modules.values).contains("") { return "A file has no name." }
        if let name, !ExtensionBuilder.isFileName(name) { return "--name takes the name of a file, not '\(name)'." }
        if bundleID == "" { return "--bundle-id needs an identifier." }
        let folders = [("--output", output), ("--cache", builder.cache), ("--sources", builder.runtime.named)]
        return folders.first { $1 == "" }.map { "\($0.0) needs the name of a folder." }
    }
}
