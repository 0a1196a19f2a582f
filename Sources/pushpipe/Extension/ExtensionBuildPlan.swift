import ArgumentParser

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What `pushpipe extension build` will do, as far as it can be known before a file is read.
struct ExtensionBuildPlan {
    let paths: [String]
    let name: String?
    let className: String?
    let bundleIdentifier: String?
    let settings: [String: String]
    /// Nil is a folder of its own in the cache.
    let output: String?
    let configuration: SwiftBuild.Configuration
    let cache: String
    /// Nil is to be found.
    let sources: String?
    let isVerbose: Bool

    init(_ command: ExtensionBuildCommand) throws {
        paths = command.files
        for path in paths where path.isEmpty { throw ValidationError("A file has no name.") }
        name = command.name
        if let name { try Self.check(name) }
        className = command.className
        bundleIdentifier = command.bundleID
        if bundleIdentifier == "" { throw ValidationError("--bundle-id needs an identifier.") }
        var settings: [String: String] = [:]
        for setting in command.settings {
            guard let equals = setting.firstIndex(of: "="), equals != setting.startIndex else {
                throw ValidationError("--setting takes NAME=VALUE, not '\(setting)'.")
            }
            settings[String(setting[..<equals])] = String(setting[setting.index(after: equals)...])
        }
        self.settings = settings
        output = command.output
        configuration = command.configuration
        guard let cache = command.cache ?? Self.standardCache else {
            throw ValidationError("There is no home folder for the cache; name one with --cache.")
        }
        self.cache = cache
        sources = command.sources ?? Self.variable("PUSHPIPE_SOURCES")
        for (option, value) in [("--output", output), ("--cache", cache), ("--sources", command.sources)]
        where value == "" {
            throw ValidationError("\(option) needs the name of a folder.")
        }
        isVerbose = command.verbose
    }

    private static func check(_ name: String) throws {
        guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"),
            name.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
        else { throw ValidationError("--name takes the name of a file, not '\(name)'.") }
    }

    private static var standardCache: String? {
        // The specification has a relative path ignored.
        if let folder = variable("XDG_CACHE_HOME"), folder.hasPrefix("/") { return folder + "/pushpipe/extensions" }
        return variable("HOME").map { $0 + "/.cache/pushpipe/extensions" }
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
