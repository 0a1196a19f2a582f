import ArgumentParser
import ExtensionHost
import FoundationEssentials
import PushModel
import PushPipeline
import TerminalStyle

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// How `run` and `trace` run a service extension.
struct ExtensionArguments: ParsableArguments {
    @Option(
        name: .customLong("extension"),
        help: ArgumentHelp(
            """
            Pass pushes with mutable-content through this service extension: an .appex folder, a program that speaks the protocol, \
            builtin:attachment=KEY, which downloads what this member of the payload names, or builtin:localize=FILE, which takes the texts \
            of loc-keys from a .strings file.
            """, valueName: "path"),
        completion: .file())
    var path: String?

    @Option(
        name: .customLong("extension-instances"),
        help: ArgumentHelp("Processes of the extension; each device stays with one.", valueName: "n"))
    var instances = 1

    @Option(
        name: .customLong("extension-timeout"),
        help: ArgumentHelp(
            "Time until serviceExtensionTimeWillExpire: seconds, or a number with ms or s.", valueName: "time"))
    var timeout = "30s"

    @Option(
        name: .customLong("extension-memory"),
        help: ArgumentHelp(
            "Memory of its own that the extension may use; K, M or G may follow. (default: any)", valueName: "bytes"))
    var memory: String?

    @Option(
        help: ArgumentHelp(
            """
            When removeDeliveredNotifications takes effect: immediate, delayed:MS, or lost-after-handler[:MS], which forgets what is not \
            done when the content handler is called.
            """, valueName: "when"))
    var removal = "immediate"

    @Flag(
        name: .customLong("extension-filtering"),
        help: "The app has Apple's filtering entitlement: empty content shows nothing.")
    var filtering = false

    @Option(help: ArgumentHelp("Language of the extension's texts, such as de.", valueName: "code"))
    var language: String?

    @Option(
        name: .customLong("extension-sandbox"),
        help: ArgumentHelp(
            "Keep the extension's home, temporary files and app groups in this folder. (default: a temporary one)",
            valueName: "folder"),
        completion: .directory)
    var sandbox: String?

    @Option(
        help: ArgumentHelp("Move attachments to this folder. (default: one in the sandbox)", valueName: "folder"),
        completion: .directory)
    var attachments: String?

    /// Nil when no extension is asked for.
    ///
    /// - Throws: `ValidationError`.
    func configuration() throws -> ExtensionConfiguration? {
        var configuration = ExtensionConfiguration(executable: path ?? "")
        guard (1...64).contains(instances) else {
            throw ValidationError("--extension-instances takes a number from 1 to 64.")
        }
        if let path, path.hasPrefix(BuiltinExtension.prefix) {
            _ = try BuiltinExtension(parsing: path.dropFirst(BuiltinExtension.prefix.count))
        }
        configuration.instances = instances
        configuration.timeLimit = try Self.duration(timeout, option: "--extension-timeout")
        configuration.memoryLimit = try memory.map {
            #if os(Linux)
                try RunPlan.byteCount($0, option: "--extension-memory")
            #else
                throw ValidationError("--extension-memory works on Linux only.")
            #endif
        }
        configuration.removal = try Self.removal(removal)
        configuration.mayFilter = filtering
        configuration.language = language
        configuration.sandbox = sandbox
        configuration.attachments = attachments
        return path == nil ? nil : configuration
    }

    /// `500ms`, `1.5s`, `30`.
    private static func duration(_ text: String, option: String) throws -> Duration {
        let isMilliseconds = text.hasSuffix("ms")
        let digits = isMilliseconds ? text.dropLast(2) : text.hasSuffix("s") ? text.dropLast() : text[...]
        guard let number = Double(digits), case let milliseconds = isMilliseconds ? number : number * 1000,
            milliseconds > 0, milliseconds <= 86_400_000
        else { throw ValidationError("\(option) takes a time up to a day, such as 500ms, 1.5s or 30.") }
        return .milliseconds(milliseconds)
    }

    private static func removal(_ text: String) throws -> RemovalTiming {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let delay = parts.count == 2 ? Int(parts[1]) : nil
        guard parts.count == 1 || delay.map({ (0...3_600_000).contains($0) }) ?? false else {
            throw ValidationError("--removal: '\(parts[parts.count - 1])' is no number of milliseconds.")
        }
        switch (parts[0], delay) {
        case ("immediate", nil): return .immediate
        case ("delayed", let delay?): return .delayed(.milliseconds(delay))
        case ("lost-after-handler", _): return .lostAfterHandler(.milliseconds(delay ?? 100))
        default:
            throw ValidationError("--removal takes immediate, delayed:MS or lost-after-handler[:MS].")
        }
    }
}

extension ExtensionConfiguration {
    /// Finds the program.
    ///
    /// - Throws: `Failure.trouble` when there is none that can be started.
    mutating func findExecutable() throws {
        if executable.hasPrefix(BuiltinExtension.prefix) {
            let specification = executable.dropFirst(BuiltinExtension.prefix.count)
            try BuiltinExtension(parsing: specification).check(language: language)
            arguments = ["extension", "builtin", String(specification)]
            executable = try BuiltinExtension.ownProgram()
            return
        }
        var status = stat()
        guard stat(executable, &status) == 0 else { throw Failure.trouble("\(executable): \(SystemError())") }
        if status.st_mode & S_IFMT == S_IFDIR {
            chooseLanguage(inBundle: executable)
            executable = try Self.program(inBundle: executable)
        }
        guard access(executable, X_OK) == 0 else {
            let hint =
                executable.hasSuffix(".swift")
                ? "build it first: pushpipe extension build \(executable)" : "chmod +x makes a script a program"
            throw Failure.trouble("\(executable): not a program; \(hint)")
        }
        // A name without a slash would be looked up elsewhere.
        if !executable.contains("/") { executable = "./\(executable)" }
    }

    /// Makes the language one of those that the bundle has, by the names of its folders.
    private mutating func chooseLanguage(inBundle folder: String) {
        guard let wanted = language else { return }
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let languages = Set(entries.filter { $0.hasSuffix(".lproj") }.map { String($0.dropLast(6)) })
        guard let best = LanguageChoice.best(for: wanted, among: languages) else {
            let known = languages.isEmpty ? "none at all" : "some in \(languages.sorted().joined(separator: ", "))"
            let told = TerminalText.clean("\(folder) has no texts in \(wanted), and \(known)")
            StandardError.write("pushpipe: \(told)\n")
            language = nil
            return
        }
        language = best
    }

    private struct BundleInformation: Decodable {
        var executable: String?

        enum CodingKeys: String, CodingKey { case executable = "CFBundleExecutable" }
    }

    /// The program of a flat bundle: `X.appex/X`, or what its Info.plist names.
    private static func program(inBundle folder: String) throws -> String {
        let path = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let information = FileManager.default.contents(atPath: "\(path)/Info.plist").flatMap {
            try? PropertyListDecoder().decode(BundleInformation.self, from: $0)
        }
        let last = path.split(separator: "/").last.map(String.init) ?? path
        let name = information?.executable ?? (last.hasSuffix(".appex") ? String(last.dropLast(6)) : last)
        let program = "\(path)/\(name)"
        guard access(program, F_OK) == 0 else {
            throw Failure.trouble("\(path): no program in it called \(name); pushpipe extension build makes an .appex")
        }
        return program
    }
}
