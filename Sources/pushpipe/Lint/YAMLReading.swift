import PushPipeline
import TerminalStyle
import Yams

/// Reads a YAML file that people write, and says by line what is wrong with it. JSON is YAML, too.
protocol YAMLReading {
    /// As messages name the file.
    var path: String { get }
}

extension YAMLReading {
    func compose(_ bytes: [UInt8]) throws -> Node? {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure.trouble("\(path): the file is not UTF-8")
        }
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

    func pairs(_ node: Node, of name: String) throws -> [(key: Node, value: Node)] {
        if isEmpty(node) { return [] }
        guard let mapping = node.mapping else { throw wrong("\(name) is a mapping of keys to values", at: node.mark) }
        return mapping.map { ($0.key, $0.value) }
    }

    func members(_ node: Node, of name: String, allowed: [String]) throws -> [(String, Node)] {
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
    func list(_ node: Node, of name: String) throws -> [Node] {
        if isEmpty(node) { return [] }
        if let sequence = node.sequence { return Array(sequence) }
        guard node.scalar != nil else { throw wrong("\(name) is a list", at: node.mark) }
        return [node]
    }

    func text(_ node: Node) -> String? { node.scalar?.string }

    /// Nothing behind a colon, or `null`.
    func isEmpty(_ node: Node) -> Bool {
        guard let scalar = node.scalar, scalar.style == .plain else { return false }
        return ["", "~", "null"].contains(scalar.string)
    }

    func wrong(_ message: String, at mark: Mark?) -> Failure {
        .trouble(path + (mark.map { ":\($0.line):\($0.column)" } ?? "") + ": " + message)
    }
}
