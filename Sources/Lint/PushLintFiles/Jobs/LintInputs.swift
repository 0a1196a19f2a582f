import PushFiles
import PushLint
import PushSystem
import PushText

/// A text to lint, and how its configuration asks for that.
struct LintInput {
    /// Nil is standard input.
    let path: String?
    /// The file that standard input stands for; nil if that is not said.
    var inputName: String?
    let profile: LintProfile
    var doubt = Doubt.none
    /// Files that say what to ignore in this one.
    var suppressionFiles: [SuppressionFile] = []

    /// The suppressions of all those files.
    var suppressions: [Suppression] { suppressionFiles.flatMap(\.suppressions) }

    /// Why a file may not contain payloads. A file named by the user is always linted.
    enum Doubt {
        case none
        /// It was found in a directory, and may be binary.
        case isText
        /// It was found in a directory, may be binary, and many other files have such names.
        case isPayload
    }

    /// The name in reports: as it was typed, or found.
    var name: String { path ?? inputName ?? "<stdin>" }

    /// True if the first bytes show that the file does not contain payloads.
    func isOther(_ bytes: ArraySlice<UInt8>) -> Bool {
        switch doubt {
        case .none: false
        case .isText: PayloadRecognition.isBinary(bytes)
        case .isPayload:
            PayloadRecognition.isBinary(bytes) || !PayloadRecognition(profile.options).mayHavePayloads(bytes)
        }
    }
}

/// Finds the files to lint.
package struct LintInputs {
    /// Suffixes of files to lint in a directory. A file that was named itself may have any name.
    package static let suffixes = [".json", ".ndjson", ".jsonl", ".apns"]

    private(set) var found: [LintInput] = []
    /// The directories that were searched, as files in them are named.
    private(set) var searched: [String] = []
    /// The directories that were named and have no file to lint.
    private(set) var empty: [String] = []
    /// Number of files that were named, or found, and that a configuration excludes.
    private(set) var excluded = 0
    /// Inputs that cannot be read and why, one line each.
    private(set) var unreadable: [String] = []
    private let finder: ConfigurationFinder
    private let walk: DirectoryWalk
    private let output: FileIdentity?
    private var seen: Set<String> = []

    /// - Parameters:
    ///   - paths: files and directories; nil is standard input.
    ///   - inputName: the file that standard input stands for, which need not exist, and which is linted even if it is excluded.
    ///   - output: the file that results are written to, which is not looked for in directories.
    ///   - skipsOthers: true if a file that is named need not contain payloads.
    init(
        _ paths: [String?], _ finder: ConfigurationFinder, _ walk: DirectoryWalk = DirectoryWalk(),
        inputName: String? = nil, output: FileIdentity? = nil, skipsOthers: Bool = false
    ) throws(ConfigurationError) {
        self.finder = finder
        self.walk = walk
        self.output = output
        for path in paths {
            guard let path else {
                let absolute = inputName.map(FilePaths.absolute)
                var input = LintInput(path: nil, inputName: inputName, profile: try finder.profile(forFile: absolute))
                if let absolute { try addSuppressions(of: absolute, to: &input) }
                found.append(input)
                continue
            }
            let isDirectory: Bool
            do throws(SystemError) {
                isDirectory = try FileStatus(path).kind == .directory
            } catch {
                note(error, at: path)
                continue
            }
            let absolute = FilePaths.absolute(path)
            if isDirectory {
                try search(path)
                continue
            }
            var isTaken = !skipsOthers || Self.suffixes.contains { path.utf8.hasSuffix($0) }
            if !isTaken { isTaken = try finder.profile(forFile: absolute).includes(absolute) }
            if isTaken { try add(path, absolute, isNamed: !skipsOthers) }
        }
    }

    private mutating func add(_ path: String, _ absolute: String, isNamed: Bool = true) throws(ConfigurationError) {
        let profile = try finder.profile(forFile: absolute)
        if profile.excludes(absolute) {
            excluded += 1
        } else if seen.insert(absolute).inserted {
            var input = LintInput(path: path, profile: profile)
            if !isNamed, !profile.includes(absolute) {
                input.doubt = path.utf8.hasSuffix(PayloadRecognition.suffix) ? .isPayload : .isText
            }
            try addSuppressions(of: absolute, to: &input)
            found.append(input)
        }
    }

    private func addSuppressions(of absolute: String, to input: inout LintInput) throws(ConfigurationError) {
        input.suppressionFiles = input.profile.suppressions
        if let beside = try finder.suppressions(forFile: absolute, named: input.name) {
            input.suppressionFiles.append(beside)
        }
    }

    /// Counts the directories without a file to lint among the inputs that cannot be read.
    mutating func refuseEmpty(_ advice: String) {
        unreadable += empty.map { "\(TextStyle.clean($0)): no file to check in it\(advice)" }
    }

    private mutating func search(_ directory: String) throws(ConfigurationError) {
        let finder = finder
        var directories = [directory]
        func enters(_ entry: DirectoryWalk.Entry) throws(ConfigurationError) -> Bool {
            let absolute = String(decoding: entry.absolute, as: UTF8.self)
            if try finder.profile(for: FilePaths.parent(of: absolute)).excludes(absolute) { return false }
            directories.append(entry.path)
            return true
        }
        // Of the files that are taken, in their order.
        var absolutes: [String] = []
        func takes(_ entry: DirectoryWalk.Entry) throws(ConfigurationError) -> Bool {
            let absolute = String(decoding: entry.absolute, as: UTF8.self)
            var isTaken = entry.isWanted || Self.suffixes.contains { entry.path.utf8.hasSuffix($0) }
            if !isTaken { isTaken = try finder.profile(for: FilePaths.parent(of: absolute)).includes(absolute) }
            if isTaken { absolutes.append(absolute) }
            return isTaken
        }
        var files = 0
        for item in try walk.files(below: directory, enters: enters, takes: takes) {
            switch item {
            case .file(let path):
                if !isOutput(path) { try add(path, absolutes[files], isNamed: false) }
                files += 1
            case .unreadable(let path, let error): note(error, at: path)
            }
        }
        searched += directories
        if files == 0 { empty.append(directory) }
    }

    private func isOutput(_ path: String) -> Bool {
        output != nil && (try? FileStatus(path))?.identity == output
    }

    private mutating func note(_ error: SystemError, at path: String) {
        // Bytes that are not UTF-8 have become this character, so the name is another one.
        let advice =
            error == .notFound && path.unicodeScalars.contains("\u{FFFD}")
            ? "; a file whose name is not UTF-8 can only be read as standard input, pushpipe lint < FILE" : ""
        unreadable.append("\(TextStyle.clean(path)): \(error)\(advice)")
    }
}
