import ArgumentParser
import ExtensionBuild
import FoundationEssentials
import TerminalStyle

extension PackageBuild.Configuration: ExpressibleByArgument {}

/// `pushpipe extension build`: what was typed.
struct ExtensionBuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Build a Notification Service Extension, as written for iOS, into an .appex that runs on Linux.",
        discussion: """
            Takes Swift files, or the files below a folder, and builds them with pushpipe's UserNotifications. @objc, which the compiler \
            rejects on Linux, is removed from the copies that are compiled; nothing else changes. The service class is found by itself. \
            Info.plist, .lproj folders, .strings, .xcstrings, .entitlements and other resources go into the bundle as with Xcode, with \
            build settings filled in. Tests, projects and hidden files are left out.

              pushpipe extension build NotificationService/
              pushpipe extension build NotificationService.swift Info.plist --output build
              pushpipe run --extension "$(pushpipe extension build MyService/)" push.json

            Standard output is the path of the .appex and nothing else. The first build compiles pushpipe's modules too, and caches them. \
            Extensions can import Foundation, UserNotifications, and pushpipe's modules with Apple's names, such as os.

            Exit status: 0 if it was built, 1 if the build failed, 2 for wrong usage, a file that cannot be read, or no class.
            """)

    @Argument(
        help: .init("Swift files, Info.plist, resources, and folders of those.", valueName: "file"), completion: .file()
    )
    var files: [String]

    @Option(help: .init("Name of the .appex. (default: that of the folder, else of the class)", valueName: "name"))
    var name: String?

    @Option(
        name: .customLong("class"),
        help: .init(
            "The class to run, if several derive from UNNotificationServiceExtension. (default: as in Info.plist)",
            valueName: "name"))
    var className: String?

    @Option(
        help: .init(
            "The bundle identifier. (default: as in Info.plist, else org.example.NAME)", valueName: "identifier"))
    var bundleID: String?

    @Option(
        name: .customLong("setting"),
        help: .init(
            "A build setting that Info.plist or entitlements refer to. May be repeated.", valueName: "name=value"))
    var settings: [String] = []

    @Option(help: .init("Folder for the .appex. (default: in the cache)", valueName: "dir"), completion: .directory)
    var output: String?

    @Option(help: "A debug build reports why it crashed; a release build runs faster. Both take equally long to build.")
    var configuration = PackageBuild.Configuration.debug

    @Option(
        help: .init(
            "Folder of the cache. (default: $XDG_CACHE_HOME/pushpipe/extensions, else ~/.cache/pushpipe/extensions)",
            valueName: "dir"), completion: .directory)
    var cache: String?

    @Option(
        help: .init(
            "A checkout of pushpipe with the modules to build in. (default: $PUSHPIPE_SOURCES, else found from the command)",
            valueName: "dir"), completion: .directory)
    var sources: String?

    @Flag(name: .shortAndLong, help: "Show all output of the compiler.")
    var verbose = false

    /// Checks the plan here too, so that errors come with this command's usage.
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
        do {
            var builder = try ExtensionBuilder(
                paths: files, cache: cache, sources: sources, environment: ProcessInfo.processInfo.environment,
                command: ExtensionCommand.ownPath)
            builder.name = name
            builder.className = className
            builder.bundleIdentifier = bundleID
            builder.output = output
            builder.configuration = configuration
            for setting in settings { try builder.addSetting(setting) }
            try builder.check()
            return builder
        } catch {
            throw ValidationError(error.message)
        }
    }
}
