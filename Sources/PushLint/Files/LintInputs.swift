import FileAccess
import SystemSupport
import TerminalStyle

/// A text to lint, and how its configuration asks for that.
struct LintInput {
    /// Nil is standard input.
    let path: String?
    let profile: ConfigurationFinder.Profile

    /// As reports name it: as it was typed, or found.
    var name: String { path ?? "<stdin>" }
}

/// Finds the files to lint.
struct LintInputs {
    /// Suffixes of files to lint in a directory. A file that was named itself may have any name.
    static let suffixes = [".json", ".ndjson", ".jsonl", ".apns"]

    private(set) var found: [LintInput] = []
    /// Number of files that were named, or found, and that a configuration excludes.
    private(set) var excluded = 0
    /// What cannot be read and why, one line each.
    private(set) var unreadable: [String] = []
    private let finder: ConfigurationFinder
    private var seen: Set<String> = []

    /// - Parameter paths: files and directories; nil is standard input.
    init(_ paths: [String?], _ finder: ConfigurationFinder) throws(ConfigurationError) {
        self.finder = finder
        for path in paths {
            guard let path else {
                let profile = try finder.profile(for: FilePaths.workingDirectory)
                found.append(LintInput(path: nil, profile: profile))
                continue
            }
            let isDirectory: Bool
            do throws(SystemError) {
                isDirectory = try DirectoryWalk.isDirectory(path)
            } catch {
                note(error, at: path)
                continue
            }
            if isDirectory { try walk(path) } else { try add(path) }
        }
    }

    private mutating func add(_ path: String) throws(ConfigurationError) {
        let absolute = FilePaths.absolute(path)
        let profile = try finder.profile(for: FilePaths.parent(of: absolute))
        if profile.configuration.excludes(absolute) {
            excluded += 1
        } else if seen.insert(absolute).inserted {
            found.append(LintInput(path: path, profile: profile))
        }
    }

    private mutating func walk(_ directory: String) throws(ConfigurationError) {
        let finder = finder
        let items = try DirectoryWalk.files(below: directory, endingIn: Self.suffixes) {
            path throws(ConfigurationError) in
            let absolute = FilePaths.absolute(path)
            return !(try finder.profile(for: FilePaths.parent(of: absolute)).configuration.excludes(absolute))
        }
        for item in items {
            switch item {
            case .file(let path): try add(path)
            case .unreadable(let path, let error): note(error, at: path)
            }
        }
    }

    private mutating func note(_ error: SystemError, at path: String) {
        unreadable.append("\(TextStyle.clean(path)): \(error)")
    }
}
