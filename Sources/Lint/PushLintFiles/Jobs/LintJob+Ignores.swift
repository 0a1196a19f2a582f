import PayloadJSON
import PushFiles
package import PushLint
import PushSystem
import PushText

extension LintJob {
    /// Writes what each file breaks to the configuration that applies to it, so that only new findings are reported from now on.
    ///
    /// - Parameter reader: reads a configuration file.
    /// - Throws: `ConfigurationError`, and what the streams throw.
    package func addIgnores(to streams: some LintStreams, reader: @escaping ConfigurationFinder.Reader) throws
        -> Outcome
    {
        let inputs = try inputs(streams, reader)
        var reading = Reading(unreadable: inputs.unreadable)
        var baselines: [String: Baseline] = [:]
        var ignored: [String: [String: Set<String>]] = [:]
        for input in inputs.found {
            guard let path = input.path else { continue }
            let bytes: [UInt8]
            do throws(SystemError) { bytes = try FileBytes.read(path, limit: FileBytes.maximumBytes) } catch {
                reading.unreadable.append(note("\(error)", about: input, streams))
                continue
            }
            if input.isOther(bytes[...]) {
                reading.others += 1
                noteOther(input, streams)
                continue
            }
            if bytes.contains(where: { !JSONScanner.isWhitespace($0) }) { reading.records += 1 }
            var linter = input.profile.makeWorker()
            linter.suppressions = input.suppressions
            var rules = Set(linter.lint(bytes).diagnostics.map(\.rule.id.text))
            rules.remove("config.unused-suppression")
            guard !rules.isEmpty else { continue }
            let absolute = FilePaths.absolute(path)
            let target = Self.target(for: absolute, input.profile)
            guard target.isAbove(absolute) else {
                throw ConfigurationError(
                    path: FilePaths.shown(target.path),
                    message:
                        "\(TextStyle.clean(path)) is not below the directory of this file, so no pattern can name it")
            }
            let pattern = Self.pattern(for: target.relative(absolute))
            // The options of the job may show what the configuration ignores.
            let known = ignored[target.path] ?? target.ignoredRules
            ignored[target.path] = known
            rules.subtract(known[pattern] ?? [])
            guard !rules.isEmpty else { continue }
            var baseline = baselines[target.path] ?? Baseline(configuration: target)
            baseline.files.append((path, pattern, rules.sorted()))
            baselines[target.path] = baseline
        }
        for (_, baseline) in baselines.sorted(by: { $0.key < $1.key }) {
            try baseline.write(reader)
            for file in baseline.files {
                try streams.append {
                    $0.appendText("\(TextStyle.clean(file.path)): \(file.rules.joined(separator: ", "))\n")
                }
            }
            try streams.flush()
            let count = baseline.files.count
            streams.note(
                "pushpipe: \(FilePaths.shown(baseline.configuration.path)) ignores these rules in \(count == 1 ? "this file" : "these \(count) files") now\n"
            )
        }
        let isEmpty = noteIfEmpty(inputs, reading, streams)
        if baselines.isEmpty, !isEmpty, !isQuiet { streams.note("no findings, so there is nothing to ignore\n") }
        return Outcome(isEmpty: isEmpty, hasUnreadable: reading.hasUnreadable)
    }

    /// The nearest configuration, or a new one: in the working directory, or next to a file that is elsewhere.
    private static func target(for path: String, _ profile: LintProfile) -> LintConfiguration {
        if let nearest = profile.configurations.last { return nearest }
        var configuration = LintConfiguration()
        let directory = FilePaths.workingDirectory
        configuration.directory = path.hasPrefix(directory + "/") ? directory : FilePaths.parent(of: path)
        configuration.path = FilePaths.joined(configuration.directory, LintConfiguration.fileName)
        return configuration
    }

    /// A pattern that matches this file alone.
    private static func pattern(for path: ArraySlice<UInt8>) -> String {
        var pattern: [UInt8] = path.contains(UInt8(ascii: "/")) ? [] : [UInt8(ascii: "/")]
        for byte in path {
            if "*?[]\\!".utf8.contains(byte) { pattern.append(UInt8(ascii: "\\")) }
            pattern.append(byte)
        }
        return String(decoding: pattern, as: UTF8.self)
    }
}

extension LintConfiguration {
    /// Rules that are left out of single files: ids of rules and groups by pattern.
    fileprivate var ignoredRules: [String: Set<String>] {
        perFile.reduce(into: [:]) { $0[$1.files.text, default: []].formUnion($1.settings.rules.disabled.map(\.text)) }
    }
}

/// Additions to a configuration.
private struct Baseline {
    let configuration: LintConfiguration
    var files: [(path: String, pattern: String, rules: [String])] = []

    /// Changes the file, unless the result would not say what it should.
    func write(_ reader: ConfigurationFinder.Reader) throws(ConfigurationError) {
        let path = configuration.path
        let shown = FilePaths.shown(path)
        let isNew = !FileBytes.isPresent(path)
        var edit = ConfigurationEdit(
            String(decoding: isNew ? [] : try ConfigurationFinder.bytes(of: path), as: UTF8.self))
        do throws(ConfigurationEdit.Obstacle) { try edit.ignore(files.map { ($0.pattern, $0.rules) }) } catch {
            throw ConfigurationError(path: shown, place: .init(line: error.line, column: 1), message: error.message)
        }
        let bytes = Array(edit.text.utf8)
        let limit = FileBytes.maximumConfigurationBytes
        guard bytes.count <= limit else {
            let message = FileBytes.message(for: .fileTooLarge, limit: limit)
            throw ConfigurationError(path: shown, message: "with all rules to ignore, it would be \(message)")
        }
        let changed = (try? reader(bytes, shown, configuration.directory)).map(\.ignoredRules)
        for file in files {
            guard changed?[file.pattern]?.isSuperset(of: file.rules) == true else {
                throw ConfigurationError(
                    path: shown,
                    message:
                        "cannot add to this file; add under per-file \(file.pattern): [\(file.rules.joined(separator: ", "))]"
                )
            }
        }
        do throws(SystemError) {
            try FileBytes.replaceOrMake(path, with: bytes)
            // It is no secret, unlike what else is created.
            if isNew { try FileSystem.setPermissions(path, 0o644) }
        } catch {
            throw ConfigurationError(path: shown, message: "\(error)")
        }
    }
}
