import FileAccess
import PushLint
import PushPipeline
import TerminalStyle

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

    private mutating func walk(_ directory: String) throws {
        let finder = finder
        let items = try DirectoryWalk.files(below: directory, endingIn: Self.extensions) { path in
            let absolute = FilePaths.absolute(path)
            return !(try finder.profile(for: FilePaths.parent(of: absolute)).configuration.excludes(absolute))
        }
        for item in items {
            switch item {
            case .file(let path): try add(path)
            case .trouble(let path, let error): note(error, at: path)
            }
        }
    }

    private mutating func note(_ error: SystemError, at path: String) {
        troubles.append("\(TextStyle.clean(path)): \(error)")
    }
}
