import PushPipeline

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Something that is linted, and with which configuration.
struct LintInput {
    /// Nil is standard input.
    let path: String?
    let linter: TextLinter

    /// As reports name it: as it was typed, or found.
    var name: String { path ?? "<stdin>" }
}

/// Finds the files that were asked for.
struct LintInputs {
    /// Of files in a directory that was named. A file that was named itself may end in anything.
    static let extensions = [".json", ".ndjson", ".jsonl", ".apns"]

    private(set) var found: [LintInput] = []
    /// Number of files that were named, or found, and that a configuration excludes.
    private(set) var excluded = 0
    /// What cannot be read, in the words of the system.
    private(set) var troubles: [String] = []
    private let finder: ConfigurationFinder
    private var seen: Set<String> = []

    /// - Throws: `Failure.trouble` when a configuration is wrong.
    init(_ paths: [String?], _ finder: ConfigurationFinder) throws {
        self.finder = finder
        for path in paths {
            guard let path else {
                let profile = try finder.profile(for: FilePaths.workingDirectory)
                found.append(LintInput(path: nil, linter: profile.linter))
                continue
            }
            var status = stat()
            if stat(path, &status) != 0 {
                note(SystemError(), at: path)
            } else if status.st_mode & S_IFMT == S_IFDIR {
                try walk(path)
            } else {
                try add(path)
            }
        }
    }

    private mutating func add(_ path: String) throws {
        let absolute = FilePaths.absolute(path)
        let profile = try finder.profile(for: FilePaths.parent(of: absolute))
        if profile.configuration.excludes(absolute) {
            excluded += 1
        } else if seen.insert(absolute).inserted {
            found.append(LintInput(path: path, linter: profile.linter))
        }
    }

    /// Files of a directory by name, then its directories; links to directories are not followed, because they may lead round.
    private mutating func walk(_ directory: String) throws {
        guard let names = Self.names(in: directory) else { return note(SystemError(), at: directory) }
        var directories: [String] = []
        for name in names.sorted() where !name.hasPrefix(".") {
            let path = FilePaths.joined(directory, name)
            var status = stat()
            guard lstat(path, &status) == 0 else {
                // Gone meanwhile, or of a name that is not UTF-8 and so cannot be passed on.
                if name.contains("\u{FFFD}") { note(SystemError(), at: path) }
                continue
            }
            if status.st_mode & S_IFMT == S_IFDIR {
                directories.append(path)
            } else if Self.extensions.contains(where: { name.hasSuffix($0) }) {
                // A link to a file is followed; a pipe would have to be waited for.
                if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG { try add(path) }
            }
        }
        for path in directories {
            let absolute = FilePaths.absolute(path)
            let profile = try finder.profile(for: FilePaths.parent(of: absolute))
            if !profile.configuration.excludes(absolute) { try walk(path) }
        }
    }

    private mutating func note(_ error: SystemError, at path: String) {
        troubles.append("\(TextStyle.clean(path)): \(error)")
    }

    private static func names(in directory: String) -> [String]? {
        guard let stream = opendir(directory) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
