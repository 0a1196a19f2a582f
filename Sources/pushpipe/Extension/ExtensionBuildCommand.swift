import ArgumentParser
import ExtensionBuild
import FoundationEssentials
import TerminalStyle

extension PackageBuild.Configuration: ExpressibleByArgument {}

/// `pushpipe extension build`: what was typed.
struct ExtensionBuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract:
            "Build a Notification Service Extension, as it is written for iOS, into an .appex that runs on Linux.",
        discussion: """
            Takes the Swift files that are named, or those below a folder, and builds them with pushpipe's UserNotifications. @objc, which \
            Linux does not know, is left out of the copy that is compiled; all else is compiled as it is. \
            The class that derives from UNNotificationServiceExtension is found. Info.plist, .lproj folders, .strings, .xcstrings, \
            .entitlements and other resources go into the bundle as Xcode would lay them out; build settings in property lists are \
            filled in. Tests, projects and hidden files are left out.

              pushpipe extension build NotificationService/
              pushpipe extension build NotificationService.swift Info.plist --output build
              pushpipe run --extension "$(pushpipe extension build MyService/)" push.json

            Standard output is the path of the .appex and nothing else. The first build compiles pushpipe's modules too; they are kept. \
            Extensions can import Foundation, UserNotifications, and the modules by Apple's names that pushpipe has, such as os.

            Exit status: 0 when it was built, 1 when the build failed, 2 for wrong usage, a file that cannot be read, or no class.
            """)

    @Argument(
        help: ArgumentHelp("Swift files, Info.plist, resources, and folders of those.", valueName: "file"),
        completion: .file())
    var files: [String]

    @Option(
        help: ArgumentHelp("Name of the .appex. (default: that of the folder, else of the class)", valueName: "name"))
    var name: String?

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp(
            "The class to run, where several derive from UNNotificationServiceExtension. (default: as Info.plist says)",
            valueName: "name"))
    var className: String?

    @Option(
        help: ArgumentHelp(
            "The bundle identifier. (default: as Info.plist says, else org.example.NAME)", valueName: "identifier"))
    var bundleID: String?

    @Option(
        name: .customLong("setting"),
        help: ArgumentHelp(
            "A build setting that Info.plist or entitlements refer to. May be repeated.", valueName: "name=value"))
    var settings: [String] = []

    @Option(
        help: ArgumentHelp("Put the .appex there. (default: in the cache)", valueName: "dir"), completion: .directory)
    var output: String?

    @Option(help: "A debug build says why it crashed; a release build runs faster. They take as long to build.")
    var configuration = PackageBuild.Configuration.debug

    @Option(
        help: ArgumentHelp(
            "Keep what was built there. (default: $XDG_CACHE_HOME/pushpipe/extensions, else ~/.cache/pushpipe/extensions)",
            valueName: "dir"),
        completion: .directory)
    var cache: String?

    @Option(
        help: ArgumentHelp(
            "A checkout of pushpipe, whose modules are built in. (default: $PUSHPIPE_SOURCES, else found from the command)",
            valueName: "dir"),
        completion: .directory)
    var sources: String?

    @Flag(name: .shortAndLong, help: "Show everything that the compiler says.")
    var verbose = false

    /// Here, so that what is wrong is told with this command's usage.
    func validate() throws { _ = try plan() }

    func run() throws {
        let showsProgress = !verbose && StandardError.isTerminal
        let path = try plan().build(with: SwiftCompiler()) { event in
            switch event {
            case .notice(let text): StandardError.write("pushpipe: \(text)\n")
            case .compilerLine(let line) where verbose: StandardError.write(line + "\n")
            case .compilerLine(let line) where showsProgress && line.hasPrefix("["):
                StandardError.write("\r\u{1B}[K" + TerminalText.clean(String(line.prefix(78))))
            case .compilerEnded where showsProgress: StandardError.write("\r\u{1B}[K")
            case .compilerErrors(let text) where !verbose: StandardError.write(TerminalText.cleanLines(text))
            case .compilerLine, .compilerEnded, .compilerErrors: break
            }
        }
        guard let path else { throw Failure.conditionMet }
        try StandardOutput().write(path + "\n")
    }

    private func plan() throws -> ExtensionBuilder {
        let environment = ProcessInfo.processInfo.environment
        guard let cache = cache ?? ExtensionBuilder.standardCache(environment) else {
            throw ValidationError("There is no home folder for the cache; name one with --cache.")
        }
        for (option, value) in [("--output", output), ("--cache", cache), ("--sources", sources)] where value == "" {
            throw ValidationError("\(option) needs the name of a folder.")
        }
        let named = sources ?? environment["PUSHPIPE_SOURCES"].flatMap { $0.isEmpty ? nil : $0 }
        var builder = ExtensionBuilder(
            paths: files, cache: cache, runtime: .init(named: named, command: ExtensionCommand.ownPath))
        builder.name = name
        builder.className = className
        builder.bundleIdentifier = bundleID
        builder.output = output
        builder.configuration = configuration
        do {
            for setting in settings { try builder.addSetting(setting) }
            try builder.check()
        } catch {
            throw ValidationError(error.message)
        }
        return builder
    }
}
