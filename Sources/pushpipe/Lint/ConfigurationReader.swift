import PushLint
import PushModel
import PushPipeline
import TerminalStyle
import Yams

/// Reads a `.pushpipe.yml`, and says by line what is wrong with it.
struct ConfigurationReader: YAMLReading {
    /// As messages name it.
    let path: String

    private static let keys = ["severity", "disable", "enable", "rules", "exclude", "budget"]
    private static let severities = Finding.Severity.allCases.reversed().map(\.rawValue)

    /// - Throws: `Failure.trouble` with file, line, column and what is allowed.
    func read(_ bytes: [UInt8]) throws -> LintConfiguration {
        var configuration = LintConfiguration()
        guard let root = try compose(bytes), !isEmpty(root) else { return configuration }
        for (key, value) in try members(root, of: "the configuration", allowed: ["lint"]) where key == "lint" {
            if isEmpty(value) { continue }
            for (key, value) in try members(value, of: "lint", allowed: Self.keys) {
                try set(key, value, in: &configuration)
            }
        }
        return configuration
    }

    private func set(_ key: String, _ value: Node, in configuration: inout LintConfiguration) throws {
        switch key {
        case "severity":
            configuration.severity = try severity(value, allowed: Self.severities, for: "severity")
        case "disable":
            configuration.choice.disabled.formUnion(try list(value, of: key).map { try pattern($0) })
        case "enable":
            configuration.choice.enabled.formUnion(try list(value, of: key).map { try pattern($0) })
        case "rules":
            for (name, severity) in try pairs(value, of: "rules") {
                let pattern = try pattern(name)
                let allowed = Self.severities + ["off"]
                // YAML 1.1 takes a plain off for false, and so may whoever writes the file.
                if ["off", "false"].contains(text(severity)?.lowercased()) {
                    configuration.choice.disabled.insert(pattern)
                } else {
                    configuration.choice.severities[pattern] = try self.severity(
                        severity, allowed: allowed, for: "a rule")
                }
            }
        case "exclude":
            configuration.exclude = try list(value, of: key).map { node in
                guard let pattern = GlobPattern(text(node) ?? "") else {
                    throw wrong("a pattern of exclude is empty", at: node.mark)
                }
                return pattern
            }
        case "budget":
            guard let budget = text(value).flatMap({ Budget(parsing: $0) }) else {
                let names = Budget.table.compactMap(\.name).joined(separator: ", ")
                throw wrong("budget is a number of bytes or one of \(names)", at: value.mark)
            }
            configuration.budget = budget
        default: break
        }
    }

    // MARK: - Parts

    private func pattern(_ node: Node) throws -> RulePattern {
        let typed = text(node) ?? ""
        guard let pattern = RulePattern(typed) else { throw wrong(RulePattern.unknown(typed), at: node.mark) }
        return pattern
    }

    private func severity(_ node: Node, allowed: [String], for name: String) throws -> Finding.Severity {
        guard let severity = text(node).flatMap({ Finding.Severity(rawValue: $0) }) else {
            let found = text(node).map { ", not '\(TextStyle.clean($0))'" } ?? ""
            throw wrong("\(name) is one of \(allowed.joined(separator: ", "))\(found)", at: node.mark)
        }
        return severity
    }
}
