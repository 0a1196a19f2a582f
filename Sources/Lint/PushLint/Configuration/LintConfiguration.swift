package import PushFiles
public import PushModel

/// The settings of a project for its payloads: the contents of a `.pushpipe.yml`.
///
/// The module `PushLintConfiguration` reads such a file.
public struct LintConfiguration: Sendable {
    /// The name of a configuration file.
    public static let fileName = ".pushpipe.yml"
    /// The names that a configuration file may have. A directory has one of them at most.
    package static let fileNames = [fileName, ".pushpipe.yaml"]
    /// The outermost keys that the linter reads.
    package static let ownKeys = ["lint", "extends"]
    /// The outermost keys of a configuration that other commands read.
    package static let otherKeys = [
        "input", "devices", "limits", "replace", "fit", "extension", "redact", "report", "answers", "airnotifier",
        "wikimedia", "serve",
        "bench",
    ]
    /// The suffix that the name of a file next to a payload adds to the payload's.
    package static let besideSuffix = ".pushpipe.yml"
    /// The least severity that is shown if nothing else is chosen.
    package static let defaultSeverity = Finding.Severity.warning

    /// The least severity that is shown; nil for warnings.
    public var severity: Finding.Severity?
    /// Which rules to show, and how severe they are.
    public var rules = RuleChoice()
    /// Measures every message against this budget.
    public var budget: Budget?
    /// Schemas that payloads must fit.
    package var contracts: [PayloadContract] = []
    /// Files and directories to skip.
    package var exclude = GlobList()
    /// Files in directories that are payloads, whatever their names and contents.
    package var files = GlobList()
    /// Settings for some files, each of which takes precedence over those before it.
    package var perFile: [FileSettings] = []
    /// True if the configuration of a directory above applies too, where this one says nothing else.
    package var extendsParent = false
    /// The findings to ignore in a payload. Only a file next to one has them.
    package var suppressions: [Suppression] = []
    /// The value of each key, and its line.
    package var lines: [Line] = []
    /// The outermost keys that the file has.
    package var keys: Set<String> = []
    /// The file, as it was found, and its contents.
    package var path = ""
    var text: [UInt8] = []
    /// The absolute path that patterns are relative to.
    package var directory = ""

    /// A key, and the line that it stands in.
    package struct Line: Sendable {
        package var key: String
        /// The value, on one line.
        package var value: String
        /// The number of the line, from 1.
        package var line: Int
        /// The position in `perFile` of the settings that it is.
        package var perFile: Int?

        package init(_ key: String, _ value: String, line: Int, perFile: Int? = nil) {
            self.key = key
            self.value = value
            self.line = line
            self.perFile = perFile
        }
    }

    /// Chooses nothing.
    public init() {}

    /// True if the configuration excludes a file, or a directory above it.
    ///
    /// - Parameter path: absolute, without `.` and `..`.
    package func excludes(_ path: String) -> Bool {
        !exclude.isEmpty && exclude.verdictOnPathOrParents(relative(path)) == true
    }

    /// True if the configuration says that a file is one of payloads.
    ///
    /// - Parameter path: absolute, without `.` and `..`.
    package func includes(_ path: String) -> Bool {
        !files.isEmpty && files.verdictOnPathOrParents(relative(path)) == true
    }

    /// A path as patterns see it.
    package func relative(_ path: String) -> ArraySlice<UInt8> {
        Array(path.utf8).dropFirst(isAbove(path) ? prefix.utf8.count : 1)
    }

    /// True if a file is in the directory that patterns are relative to, or below it.
    ///
    /// - Parameter path: absolute, without `.` and `..`.
    package func isAbove(_ path: String) -> Bool { path.utf8.starts(with: prefix.utf8) }

    private var prefix: String { directory == "/" ? "/" : directory + "/" }
}

/// Settings for the files that match a pattern.
package struct FileSettings: Sendable {
    /// The pattern as it was written.
    package var files: FilePattern
    package var settings: RuleSettings
    /// The rules that it leaves out, each with its place; none if the pattern may match several files by itself.
    package var ignored: [Suppression] = []
    /// The line in the configuration, from 1.
    package var line: Int?

    package init(_ files: FilePattern, _ settings: RuleSettings, line: Int?) {
        self.files = files
        self.settings = settings
        self.line = line
    }
}

/// A pattern of files, or with `!` of all others.
package struct FilePattern: Sendable {
    package let text: String
    private var globs = GlobList()
    /// The only path that it matches, with all below it; nil for a pattern that may match several. Comparing it costs next to nothing, and a
    /// baseline may have thousands.
    private var literal: [UInt8]?

    /// Nil for a pattern that matches nothing.
    package init?(_ text: String) {
        self.text = text
        guard globs.add(text, .configuration) else { return nil }
        if isLiteral { literal = Self.path(text) }
    }

    /// The path in a pattern: without backslashes, and without what may stand before a path.
    private static func path(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)[...]
        if bytes.starts(with: "./".utf8) { bytes = bytes.dropFirst(2) }
        if bytes.first == UInt8(ascii: "/") { bytes = bytes.dropFirst() }
        var path: [UInt8] = []
        while let byte = bytes.popFirst() {
            if byte == UInt8(ascii: "\\"), let next = bytes.popFirst() { path.append(next) } else { path.append(byte) }
        }
        return path
    }

    /// True if it matches one file, or one folder, at most.
    package var isLiteral: Bool {
        var bytes = text.utf8[...]
        if bytes.first == UInt8(ascii: "!") || !bytes.contains(UInt8(ascii: "/")) || bytes.last == UInt8(ascii: "/") {
            return false
        }
        while let byte = bytes.popFirst() {
            if "*?[".utf8.contains(byte) { return false }
            if byte == UInt8(ascii: "\\") { bytes = bytes.dropFirst() }
        }
        return true
    }

    /// True if it matches a path itself, and not only a folder on it.
    func names(_ path: ArraySlice<UInt8>) -> Bool {
        literal.map { path == $0[...] } ?? (globs.verdict(on: path) == true)
    }

    /// True if it matches a path, or a folder on it.
    func applies(to path: ArraySlice<UInt8>) -> Bool {
        if let literal {
            // A whole path, or one below it. Most differ here already.
            guard path.count >= literal.count else { return false }
            let end = path.startIndex + literal.count
            return (end == path.endIndex || path[end] == UInt8(ascii: "/")) && path[..<end] == literal[...]
        }
        return appliesAsGlob(to: path)
    }

    /// True if its globs match a path, or a folder on it.
    func appliesAsGlob(to path: ArraySlice<UInt8>) -> Bool {
        globs.includes ? globs.verdictOnPathOrParents(path) == true : globs.verdictOnPathOrParents(path) == nil
    }
}

/// A configuration that cannot be read, or that is wrong. An editor marks it at `place`.
public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file, as messages name it.
    public var path: String
    /// Line and column of the mistake, from 1; nil if it concerns the whole file.
    public var place: Place?
    /// The problem, and the allowed values.
    public var message: String

    /// A place in a file.
    public struct Place: Sendable, Equatable {
        /// The line, from 1.
        public var line: Int
        /// The column, from 1.
        public var column: Int

        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    package init(path: String, place: Place? = nil, message: String) {
        self.path = path
        self.place = place
        self.message = message
    }

    /// `.pushpipe.yml:2:3: lint has no key 'severty'; …`
    public var description: String {
        path + (place.map { ":\($0.line):\($0.column)" } ?? "") + ": " + message
    }
}
