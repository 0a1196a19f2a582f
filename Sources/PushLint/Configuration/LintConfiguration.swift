public import PushModel

/// What a project chooses for its payloads: the contents of a `.pushpipe.yml`.
///
/// The module `PushLintConfiguration` reads such a file.
public struct LintConfiguration: Sendable {
    /// The name of a configuration file.
    public static let fileName = ".pushpipe.yml"
    /// The least severity that is shown if nothing else is chosen.
    public static let defaultSeverity = Finding.Severity.warning

    /// The least severity that is shown; nil for the default.
    public var severity: Finding.Severity?
    /// Which rules to show, and how severe they are.
    public var rules = RuleChoice()
    /// Measures every message against this budget.
    public var budget: Budget?
    /// Schemas that payloads must fit.
    package var contracts: [PayloadContract] = []
    /// Files and directories to skip.
    package var exclude: [GlobPattern] = []
    /// The absolute path that `exclude` is relative to.
    package var directory = ""

    /// Chooses nothing.
    public init() {}

    /// Whether the configuration excludes a file, or a directory above it.
    ///
    /// - Parameter path: absolute, without `.` and `..`.
    public func excludes(_ path: String) -> Bool {
        guard !exclude.isEmpty else { return false }
        let prefix = directory == "/" ? "/" : directory + "/"
        let relative = path.hasPrefix(prefix) ? path.dropFirst(prefix.count) : path.drop { $0 == "/" }
        return exclude.contains { $0.matches(relative.utf8) }
    }
}

/// A configuration that cannot be read, or that is wrong.
public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file, as messages name it.
    public var path: String
    /// Line and column of the mistake, from 1; nil if it concerns the whole file.
    public var place: Place?
    /// What is wrong, and what is allowed.
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
