package import ExtensionHosting
import PushDecoding
import PushFiles
package import PushLint
package import PushModel
package import PushPipeline
package import PushSystem
import PushText
import PushYAML

/// The settings of all commands: the keys of `.pushpipe.yml`, of the file of `--config`, and of `--set`. `SettingsTable` has a row for each key.
///
/// A file that is found may come from a stranger's checkout. Keys that start programs, or read or write elsewhere, count only in a file that
/// somebody named and in `--set`.
package struct Settings: Sendable {
    /// Framing, limits of records, decoding, and the limits of providers and devices.
    package var configuration = PipelineConfiguration()
    /// True to read pushes with an alert as if they had `mutable-content`, where an extension runs or is emulated.
    package var assumesMutable = false
    /// The place of payloads in their records, a JSON Pointer; nil if they are the records.
    package var payloadPlace: String?
    /// True to skip the text before the object on each line.
    package var skipsPrefix = false
    /// True if inputs without a record are no reason for a status.
    package var allowsEmpty = false
    /// True to read hidden files in directories, too.
    package var includesHidden = false
    package var skipsOthers = false
    /// True to leave out files that `.gitignore` or `.ignore` excludes.
    package var honoursIgnoreFiles = true
    /// How an extension that is emulated finds what it removes; its key is empty.
    package var replacement = ReplacementRule(key: "")
    /// The texts that may be shortened, in order; nil for all.
    package var fitOrder: [AlertText]?
    /// How a service extension runs; its executable is empty.
    package var serviceExtension = ExtensionConfiguration(executable: "")
    /// Defaults of app groups, each as `GROUP=FILE`.
    package var appGroups: [String] = []
    /// The file with the keychain's items.
    package var keychain: String?
    /// The file with the key of digests.
    package var redactionKey: String?
    /// The file that gets a picture of the screens at the end.
    package var screenFile: String?
    /// True to allow lines that are wider than the terminal.
    package var isWide = false
    /// True to show the output through a pager.
    package var usesPager = false
    /// The place in a record of the answer that its sender got, a JSON Pointer.
    package var answerPlace: String?
    /// The file with the apps, access keys and blocked addresses of Moodle's gateway; nil to take every app and key.
    package var airnotifierApps: String?
    /// True if tokens are maintained as planned for Moodle's notification server.
    package var maintainsTokens = false
    /// The longest time for which Wikimedia's service keeps messages before they are sent, in milliseconds.
    package var flushDelay: Int64 = 0
    /// The file of permissions and switches.
    package var preferences: String?
    /// The file of rules that give a push its notification type.
    package var mapping: String?
    package var gateway = Gateway()
    package var benchmark = Benchmark()

    /// The settings of `serve`, as they were written.
    package struct Gateway: Sendable {
        package var proxy: String?
        package var binaryGateway: String?
        package var feedback: String?
        package var certificate: String?
        package var certificateKey: String?
        package var keyID: String?
        package var teamID: String?
        package var providerKey: String?
        package var allowsOneStreamFirst = false
        package var serviceAccount: String?
        package var expoAccessToken: String?
        package var accessKey: String?
        package var allowedOrigins: [String] = []
        package var webhook: String?
    }

    /// The settings of `bench`.
    package struct Benchmark: Sendable {
        package var warmups = 1
        /// Nil for as many as the time allows.
        package var samples: Int?
        package var latencyRecords = 5000
    }

    /// A key that has a value, and where that was found.
    package struct Origin: Sendable, Equatable {
        /// `extension.memory`
        package let key: String
        /// The value, on one line.
        package let value: String
        /// `.pushpipe.yml:3`, or `--set`.
        package let place: String
        /// True if the key does not count there.
        package let isIgnored: Bool
    }

    /// The keys that the command reads and a source has, lowest precedence first.
    package private(set) var origins: [Origin] = []

    /// The source of the linter's settings: the same file, or the nearest one.
    package private(set) var rulesSource = ConfigurationFinder.Source.nearest

    package init() {}

    /// The keys that `--set` sets.
    package var assignedKeys: [String] { origins.filter { $0.place == Self.assigned }.map(\.key) }

    // MARK: - Reading

    /// The place of a key that `--set` sets.
    private static let assigned = "--set"

    /// The settings in force.
    ///
    /// - Parameters:
    ///   - command: the name of the command that reads them; nil for one that takes the keys of all commands.
    ///   - file: a file in place of the nearest `.pushpipe.yml`; nil for that, in the working directory or above it.
    ///   - assignments: `KEY=VALUE` each. They have the highest precedence, the last one the most.
    ///   - note: called with a line about each key that is ignored.
    /// - Throws: an error that names the file, line and column, or the assignment, and what is allowed.
    package static func read(
        for command: String?, file: String?, assignments: [String] = [], note: (String) -> Void = { _ in }
    ) throws(PlainError) -> Settings {
        var settings = Settings()
        if let file {
            let bytes = try bytes(of: file, mayBePipe: true)
            let isRegular = (try? FileStatus(file))?.kind == .regular
            settings.rulesSource = file == "/dev/null" ? .none : .file(file, contents: isRegular ? nil : bytes)
            try settings.read(bytes, of: file, extending: true, for: command, isFound: false, note)
        } else {
            try settings.readNearest(to: FilePaths.workingDirectory, for: command, note)
        }
        for assignment in assignments { try settings.assign(assignment, for: command) }
        return settings
    }

    /// Reads the nearest configuration in a directory or above it, after the one that it extends.
    private mutating func readNearest(
        to directory: String, for command: String?, _ note: (String) -> Void
    ) throws(PlainError) {
        let path: String?
        do { path = try ConfigurationFinder.configuration(in: directory) } catch { throw PlainError("\(error)") }
        if let path {
            let bytes = try Self.bytes(of: path, mayBePipe: false)
            try read(bytes, of: path, extending: true, for: command, isFound: true, note)
        } else if directory != "/" {
            try readNearest(to: FilePaths.parent(of: directory), for: command, note)
        }
    }

    private static func bytes(of path: String, mayBePipe: Bool) throws(PlainError) -> [UInt8] {
        do { return try ConfigurationFinder.bytes(of: path, mayBePipe: mayBePipe) } catch {
            throw PlainError("\(error)")
        }
    }

    /// Adds the settings of a file.
    ///
    /// - Parameters:
    ///   - extending: true to read the configuration above it first, if the file extends that.
    ///   - command: the only keys that are set are those that it reads, but all are checked; nil for one that takes all.
    ///   - isFound: true if nobody has named the file.
    package mutating func read(
        _ yaml: [UInt8], of path: String, extending: Bool = false, for command: String? = nil, isFound: Bool,
        _ note: (String) -> Void = { _ in }
    ) throws(PlainError) {
        let shown = FilePaths.shown(path)
        let folder = FilePaths.parent(of: FilePaths.absolute(path))
        let members: [(key: YAMLNode, value: YAMLNode)]
        let extends: Bool
        do throws(PlainError) {
            members = try YAMLNode.read(yaml)?.pairs(of: "the configuration") ?? []
            extends = try Self.extendsParent(members)
        } catch {
            throw error.located(in: shown)
        }
        if extends, extending, folder != "/" {
            try readNearest(to: FilePaths.parent(of: folder), for: command, note)
        }
        do throws(PlainError) {
            for (name, node) in members { try read(node, named: name, shown, folder, for: command, isFound, note) }
        } catch {
            throw error.located(in: shown)
        }
    }

    private static func extendsParent(_ members: [(key: YAMLNode, value: YAMLNode)]) throws(PlainError) -> Bool {
        guard let value = members.first(where: { $0.key.text == "extends" })?.value, !value.isEmpty else {
            return false
        }
        guard value.text == "parent" else {
            throw value.wrong("extends is parent: the configuration of a directory above")
        }
        return true
    }

    /// Adds the settings of a section.
    private mutating func read(
        _ node: YAMLNode, named name: YAMLNode, _ shown: String, _ folder: String, for command: String?,
        _ isFound: Bool,
        _ note: (String) -> Void
    ) throws(PlainError) {
        let sections = SettingsTable.sections
        let index = try name.index(of: sections.map(\.name) + LintConfiguration.ownKeys, in: "the configuration")
        if index >= sections.count { return }
        let section = sections[index]
        for (name, node) in try node.pairs(of: section.name) {
            let row = section.rows[try name.index(of: section.rows.map(\.name), in: section.name)]
            if node.isEmpty { continue }
            guard row.isRead(by: command) else {
                var unused = self
                try unused.set(row, node, folder: folder)
                continue
            }
            let isIgnored = isFound && row.isRestricted
            let place = "\(shown):\(name.line ?? 1)"
            origins.append(Origin(key: row.key, value: row.shown(node.summary), place: place, isIgnored: isIgnored))
            if isIgnored {
                note("\(place): \(row.key) is ignored: it counts only with --config FILE or --set \(row.key)=…")
            } else {
                try set(row, node, folder: folder)
            }
        }
    }

    private mutating func set(_ row: SettingsTable.Row, _ node: YAMLNode, folder: String) throws(PlainError) {
        var values = [(node, node.text ?? "")]
        if row.form.isList {
            // `GROUP: FILE` is the same as the element `GROUP=FILE`.
            values =
                node.isMapping
                ? try node.pairs(of: row.key).map { ($1, "\($0.text ?? "")=\($1.text ?? "")") }
                : try node.list(of: row.key).map { ($0, $0.text ?? "") }
        }
        row.form.reset?(&self)
        for (node, text) in values where !row.set(text, folder, in: &self) {
            throw node.wrong("\(row.key) takes \(row.form.takes)")
        }
    }

    /// - Parameter assignment: `KEY=VALUE`, or only the key of a flag.
    private mutating func assign(_ assignment: String, for command: String?) throws(PlainError) {
        let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let row = SettingsTable.row(parts[0]) else {
            let name = TerminalText.clean(parts[0])
            if name.hasPrefix("lint.") {
                throw PlainError(
                    "--set: \(name) is for the linter, whose settings are options of lint, or in .pushpipe.yml")
            }
            let nearest = SettingsTable.key(like: parts[0]).map { "did you mean \($0)?" }
            throw PlainError("--set: there is no setting '\(name)'; \(nearest ?? "pushpipe config keys lists them")")
        }
        if !row.isRead(by: command) {
            let list = row.commands?.joined(separator: ", ") ?? ""
            throw PlainError("--set: \(row.key) is a setting of \(list), and has no effect here")
        }
        if !assignedKeys.contains(row.key) { row.form.reset?(&self) }
        let value = parts.count == 2 ? parts[1] : row.form.isFlag ? "true" : ""
        guard row.set(value, "", in: &self) else {
            throw PlainError("--set \(TerminalText.clean(assignment)): \(row.key) takes \(row.form.takes)")
        }
        origins.append(Origin(key: row.key, value: row.shown(value), place: Self.assigned, isIgnored: false))
    }
}

extension YAMLNode {
    /// The position of a key among those allowed.
    fileprivate func index(of keys: [String], in mapping: String) throws(PlainError) -> Int {
        let typed = text ?? ""
        if let place = keys.firstIndex(of: typed) { return place }
        let advice =
            NameSuggestion.nearest(to: typed, among: keys).map { "did you mean \($0)?" }
            ?? "the keys allowed are \(keys.joined(separator: ", "))"
        throw wrong("\(mapping) has no key '\(TerminalText.clean(typed))'; \(advice)")
    }
}
