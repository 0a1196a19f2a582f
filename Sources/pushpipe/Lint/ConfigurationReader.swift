import PushPipeline
import PushRules
import Yams

/// Reads a `.pushpipe.yml`, and says by line what is wrong with it.
struct ConfigurationReader {
    /// As messages name it.
    let path: String

    private static let keys = ["severity", "disable", "enable", "rules", "exclude", "budget"]
    private static let severities = Finding.Severity.allCases.reversed().map(\.rawValue)

    /// - Throws: `Failure.trouble` with file, line, column and what is allowed.
    func read(_ bytes: [UInt8]) throws -> LintConfiguration {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure.trouble("\(path): the file is not UTF-8")
        }
        var configuration = LintConfiguration()
        guard let root = try compose(text), !isEmpty(root) else { return configuration }
        for (key, value) in try members(root, of: "the configuration", allowed: ["lint"]) where key == "lint" {
            if isEmpty(value) { continue }
            for (key, value) in try members(value, of: "lint", allowed: Self.keys) {
                try set(key, value, in: &configuration)
            }
        }
        return configuration
    }

    private func compose(_ text: String) throws -> Node? {
        do {
            return try Yams.compose(yaml: text)
        } catch let error as YamlError {
            switch error {
            case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
                .composer(_, let problem, let mark, _):
                throw wrong(problem, at: mark)
            case .duplicatedKeysInMapping(let duplicates, let context):
                throw wrong("the key '\(duplicates.first ?? "")' occurs more than once", at: context.mark)
            default:
                throw Failure.trouble("\(path): not YAML")
            }
        }
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

    private func pairs(_ node: Node, of name: String) throws -> [(key: Node, value: Node)] {
        if isEmpty(node) { return [] }
        guard let mapping = node.mapping else { throw wrong("\(name) is a mapping of keys to values", at: node.mark) }
        return mapping.map { ($0.key, $0.value) }
    }

    private func members(_ node: Node, of name: String, allowed: [String]) throws -> [(String, Node)] {
        try pairs(node, of: name).map { key, value in
            let typed = text(key) ?? ""
            guard allowed.contains(typed) else {
                let kind = allowed.count == 1 ? "the key allowed is" : "the keys allowed are"
                throw wrong(
                    "\(name) has no key '\(TextStyle.clean(typed))'; \(kind) \(allowed.joined(separator: ", "))",
                    at: key.mark)
            }
            return (typed, value)
        }
    }

    /// The elements of a list; one value alone is fine too.
    private func list(_ node: Node, of name: String) throws -> [Node] {
        if isEmpty(node) { return [] }
        if let sequence = node.sequence { return Array(sequence) }
        guard node.scalar != nil else { throw wrong("\(name) is a list", at: node.mark) }
        return [node]
    }

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

    private func text(_ node: Node) -> String? { node.scalar?.string }

    /// Nothing behind a colon, or `null`.
    private func isEmpty(_ node: Node) -> Bool {
        guard let scalar = node.scalar, scalar.style == .plain else { return false }
        return ["", "~", "null"].contains(scalar.string)
    }

    private func wrong(_ message: String, at mark: Mark?) -> Failure {
        .trouble(path + (mark.map { ":\($0.line):\($0.column)" } ?? "") + ": " + message)
    }
}
