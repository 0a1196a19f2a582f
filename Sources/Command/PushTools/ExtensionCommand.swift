import ArgumentParser
import ExtensionBuild
import ExtensionPrograms
import FoundationEssentials
import PushCommand
import PushFiles
import PushModel
import PushStreams
import PushSystem
import PushText

struct ExtensionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extension",
        abstract: "Build Notification Service Extensions for Linux.",
        subcommands: [ExtensionBuildCommand.self])
}

extension PackageBuild.Configuration: ExpressibleByArgument {}

struct ExtensionBuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        named: "build",
        abstract: "Build an iOS Notification Service Extension into an .appex that runs on Linux.",
        discussion: """
            Builds Swift files, or the files below a folder, with pushpipe's UserNotifications. The command compiles copies without @objc, \
            which the compiler rejects on Linux; nothing else changes. It finds the service class itself. Info.plist, .lproj folders, \
            .strings, .xcstrings, .entitlements and other resources go into the bundle as with Xcode, with build settings filled in. \
            Tests, projects and hidden files are left out.

              pushpipe extension build NotificationService/
              pushpipe extension build NotificationService.swift Info.plist --output build
              pushpipe extension build MyService/ --module SharedKit=Shared/Sources
              pushpipe extension build --project App.xcodeproj --target NotificationService
              pushpipe run --extension "$(pushpipe extension build MyService/)" push.json

            Prints only the path of the .appex to standard output. The first build also compiles and caches pushpipe's modules. \
            Extensions can import Foundation, UserNotifications, and pushpipe's modules with Apple's names, such as os.

            Building runs code of whoever wrote the sources: a package's manifest, plugins and macros are programs, and run with your \
            permissions. Packages that you have not named with --package are listed first, and run in a sandbox where the system has \
            bubblewrap or user namespaces: they see their repository and no other file of yours, and have a network only to fetch packages \
            of their own. --no-packages leaves them out.

            Exit status: 0 if the build succeeded, 1 if it failed, 2 for a usage error, an unreadable file, or a missing class.
            """)

    @Argument(
        help: .init("Swift files, Info.plist, resources, or folders of them.", valueName: "file"), completion: .file())
    var files: [String] = []

    @Option(
        help: .init("Xcode project or workspace with the extension's target.", valueName: "path"),
        completion: .directory)
    var project: String?

    @Option(help: .init("Target of the project. (default: its only service extension)", valueName: "name"))
    var target: String?

    @Option(
        name: .customLong("module"),
        help: .init(
            "Module that the extension imports, from a folder of Swift files. Repeatable.", valueName: "name=folder"))
    var modules: [String] = []

    @Option(
        name: .customLong("package"),
        help: .init("Swift package that the extension imports. Repeatable.", valueName: "folder"))
    var packages: [String] = []

    @Flag(help: "Leave out packages that a folder or project has and --package does not name.")
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
        help: .init("Bundle identifier. (default: from Info.plist, else org.example.NAME)", valueName: "identifier"))
    var bundleID: String?

    @Option(
        help: .init(
            "Entitlements file. (default: the one named like the extension, else the one for releases)",
            valueName: "file"), completion: .file())
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
        var isAnnounced = false
        let path = try plan().build(with: SwiftCompiler()) { event in
            switch event {
            case .packages(let places, let sandbox):
                let text = isAnnounced ? "packages that these need" : Self.announcement(of: sandbox)
                isAnnounced = true
                StandardError.write("pushpipe: \(text): \(places.map(TerminalText.clean).joined(separator: ", "))\n")
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

    /// The words before the names of packages: they are about to be fetched, read or built.
    private static func announcement(of sandbox: String?) -> String {
        let place =
            sandbox.map { "in a sandbox (\($0)) that sees their repositories and no other file of yours" }
            ?? "with your permissions, as there is no sandbox: neither bubblewrap nor user namespaces can be used"
        return "building packages, whose manifests, plugins and macros run \(place); --no-packages leaves them out"
    }

    func plan() throws -> ExtensionBuilder {
        do {
            var builder = try ExtensionBuilder(
                paths: files, cache: cache, sources: sources, environment: ProcessInfo.processInfo.environment,
                command: CommandProcess.path)
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
        } catch let error as PlainError {
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
        if let name, !FilePaths.isFileName(name) { return "--name takes the name of a file, not '\(name)'." }
        if bundleID == "" { return "--bundle-id needs an identifier." }
        let folders = [("--output", output), ("--cache", builder.cache), ("--sources", builder.runtime.named)]
        return folders.first { $1 == "" }.map { "\($0.0) needs the name of a folder." }
    }
}
