public import PushLint
import PushModel
import TerminalStyle
import YAMLText

extension LintConfiguration {
    /// Reads the contents of a `.pushpipe.yml`.
    ///
    /// - Parameters:
    ///   - yaml: the contents, in UTF-8.
    ///   - path: the name of the file in errors.
    ///   - directory: the absolute path that the patterns of `exclude` are relative to.
    /// - Throws: an error with line, column and the allowed values.
    public init(
        yaml: [UInt8], path: String = Self.fileName, directory: String = ""
    ) throws(ConfigurationError) {
        self.init()
        self.directory = directory
        do throws(YAMLError) {
            try ConfigurationReader().read(yaml, into: &self)
        } catch {
            var place: ConfigurationError.Place?
            if let line = error.line, let column = error.column { place = .init(line: line, column: column) }
            throw ConfigurationError(path: path, place: place, message: error.message)
        }
    }
}

/// Parses the member `lint`.
private struct ConfigurationReader {
    private static let keys = ["severity", "disable", "enable", "rules", "exclude", "budget"]
    private static let severities = Finding.Severity.allCases.reversed().map(\.rawValue)

    func read(_ bytes: [UInt8], into configuration: inout LintConfiguration) throws(YAMLError) {
        guard let root = try YAMLNode.read(bytes) else { return }
        for (_, value) in try root.members(of: "the configuration", allowed: ["lint"]) where !value.isEmpty {
            for (key, value) in try value.members(of: "lint", allowed: Self.keys) {
                try set(key, value, in: &configuration)
            }
        }
    }

    private func set(
        _ key: String, _ value: YAMLNode, in configuration: inout LintConfiguration
    ) throws(YAMLError) {
        switch key {
        case "severity":
            configuration.severity = try severity(value, allowed: Self.severities, for: "severity")
        case "disable":
            for node in try value.list(of: key) { configuration.rules.disabled.insert(try pattern(node)) }
        case "enable":
            for node in try value.list(of: key) { configuration.rules.enabled.insert(try pattern(node)) }
        case "rules":
            for (name, value) in try value.pairs(of: "rules") { try set(name, value, in: &configuration.rules) }
        case "exclude":
            configuration.exclude = []
            for node in try value.list(of: key) {
                guard let pattern = GlobPattern(node.text ?? "") else {
                    throw node.wrong("a pattern of exclude is empty")
                }
                configuration.exclude.append(pattern)
            }
        case "budget":
            guard let budget = value.text.flatMap({ Budget(parsing: $0) }) else {
                let names = Budget.table.compactMap(\.name).joined(separator: ", ")
                throw value.wrong("budget is a number of bytes or one of \(names)")
            }
            configuration.budget = budget
        default: break
        }
    }

    /// A member of `rules`: another severity, or off.
    private func set(_ name: YAMLNode, _ value: YAMLNode, in rules: inout RuleChoice) throws(YAMLError) {
        let pattern = try pattern(name)
        // YAML 1.1 reads a plain off as false, so both spellings are accepted.
        if ["off", "false"].contains(value.text?.lowercased()) {
            rules.disabled.insert(pattern)
        } else {
            rules.severities[pattern] = try severity(value, allowed: Self.severities + ["off"], for: "a rule")
        }
    }

    private func pattern(_ node: YAMLNode) throws(YAMLError) -> RulePattern {
        let typed = node.text ?? ""
        guard let pattern = RulePattern(typed) else { throw node.wrong(RulePattern.unknown(typed)) }
        return pattern
    }

    private func severity(
        _ node: YAMLNode, allowed: [String], for name: String
    ) throws(YAMLError) -> Finding.Severity {
        guard let severity = node.text.flatMap({ Finding.Severity(rawValue: $0) }) else {
            let found = node.text.map { ", not '\(TerminalText.clean($0))'" } ?? ""
            throw node.wrong("\(name) is one of \(allowed.joined(separator: ", "))\(found)")
        }
        return severity
    }
}
