package import PushSystem
import PushText
import Yams

/// A value in a hand-written YAML file. JSON is YAML, too.
///
/// Every error has its place and says what is allowed.
package struct YAMLNode {
    private let node: Node

    private init(_ node: Node) { self.node = node }

    /// The outermost value; nil if it is missing or empty.
    package static func read(_ bytes: [UInt8]) throws(PlainError) -> YAMLNode? {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PlainError("the file is not UTF-8")
        }
        var complexity = YAMLComplexity()
        try complexity.check(bytes)
        do {
            let node = try Yams.compose(yaml: text).map(YAMLNode.init)
            return node?.isEmpty == true ? nil : node
        } catch let error as YamlError {
            throw PlainError(error)
        } catch {
            throw PlainError("not YAML")
        }
    }

    /// The text of a plain or quoted scalar; nil for a mapping or list.
    package var text: String? { node.scalar?.string }

    /// The line that it begins in, from 1.
    package var line: Int? { node.mark?.line }
    package var column: Int? { node.mark?.column }

    package var isMapping: Bool { node.mapping != nil }

    /// True for nothing after a colon, and for `null`.
    package var isEmpty: Bool {
        guard let scalar = node.scalar, scalar.style == .plain else { return false }
        return ["", "~", "null"].contains(scalar.string)
    }

    /// The keys and values of a mapping.
    ///
    /// - Parameter name: the name of the mapping in messages.
    package func pairs(of name: String) throws(PlainError) -> [(key: YAMLNode, value: YAMLNode)] {
        if isEmpty { return [] }
        guard let mapping = node.mapping else { throw wrong("\(name) is a mapping of keys to values") }
        return mapping.map { (YAMLNode($0.key), YAMLNode($0.value)) }
    }

    /// The members of a mapping whose keys are known.
    ///
    /// - Parameters:
    ///   - name: the name of the mapping in messages.
    ///   - allowed: the keys, in the order in which messages list them.
    ///   - advice: the words after that list in messages.
    package func members(
        of name: String, allowed: [String], advice: String = ""
    ) throws(PlainError) -> [(key: String, value: YAMLNode)] {
        var members: [(String, YAMLNode)] = []
        for (key, value) in try pairs(of: name) {
            let typed = key.text ?? ""
            guard allowed.contains(typed) else {
                let kind = allowed.count == 1 ? "the key allowed is" : "the keys allowed are"
                throw key.wrong(
                    "\(name) has no key '\(TerminalText.clean(typed))'; \(kind) \(allowed.joined(separator: ", "))\(advice)"
                )
            }
            members.append((typed, value))
        }
        return members
    }

    /// The elements of a list. A single value is a list of one.
    ///
    /// - Parameter name: the name of the list in messages.
    package func list(of name: String) throws(PlainError) -> [YAMLNode] {
        if isEmpty { return [] }
        if let sequence = node.sequence { return sequence.map(YAMLNode.init) }
        guard node.scalar != nil else { throw wrong("\(name) is a list") }
        return [self]
    }

    /// The elements of a list, or a value that is no list as the only one.
    package func elements(of name: String) throws(PlainError) -> [YAMLNode] {
        isMapping ? [self] : try list(of: name)
    }

    /// A longer summary ends early: 4 KiB, because aliases of aliases repeat a value very often.
    private static let maximumSummaryBytes = 4096

    /// The value on one line, with brackets around lists and braces around mappings. What aliases repeat is repeated. A long one
    /// ends with `…`.
    package var summary: String {
        var summary = ""
        guard append(to: &summary) else {
            // The beginning of a character that is cut in two is left out.
            return summary[..<summary.utf8.index(summary.startIndex, offsetBy: Self.maximumSummaryBytes)] + "…"
        }
        return summary
    }

    /// Returns false if that makes a text too long.
    private func append(to summary: inout String) -> Bool {
        if let elements = node.sequence {
            summary += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { summary += ", " }
                guard YAMLNode(element).append(to: &summary) else { return false }
            }
            summary += "]"
        } else if let mapping = node.mapping {
            summary += "{"
            for (index, (key, value)) in mapping.enumerated() {
                if index > 0 { summary += ", " }
                guard YAMLNode(key).append(to: &summary) else { return false }
                summary += ": "
                guard YAMLNode(value).append(to: &summary) else { return false }
            }
            summary += "}"
        } else {
            summary += text ?? ""
        }
        return summary.utf8.count <= Self.maximumSummaryBytes
    }

    /// An error at this value.
    package func wrong(_ message: String) -> PlainError {
        PlainError(message, line: node.mark?.line, column: node.mark?.column)
    }
}

extension PlainError {
    /// Yams' description of a key that is a list or a mapping.
    private static let nameOfOtherKeys = "<uncovertable>"

    fileprivate init(_ error: YamlError) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init(problem, line: mark.line, column: mark.column)
        case .duplicatedKeysInMapping(let duplicates, let context):
            // Yams sorts them, and has no order of keys that are lists or mappings: which one is first differs from call to call.
            guard duplicates.count == 1 || !duplicates.contains(Self.nameOfOtherKeys) else {
                self.init("keys that are lists or mappings occur more than once")
                return
            }
            let message = "the key '\(duplicates.first ?? "")' occurs more than once"
            self.init(message, line: context.mark.line, column: context.mark.column)
        default:
            self.init("not YAML")
        }
    }
}

/// The aliases and the nesting of a YAML text, checked before parsing: hand-written files have few, and many would take the parser very long.
///
/// The parser compares keys by hashing all that is in them, at every level around them. An alias in a key is as large as what it stands for, so
/// a few hundred bytes of aliases of aliases would take for ever. The text is not parsed for this: what only looks like an alias counts, too.
private struct YAMLComplexity {
    /// The most aliases in a text. So many can stand for some 100,000 values at most.
    static let maximumAliases = 32
    /// The most brackets around a value.
    static let maximumDepth = 64
    /// The most keys that are written with a question mark, and may be mappings themselves.
    static let maximumComplexKeys = 64

    private var line = 1
    private var lineStart = 0

    /// - Throws: an error at the place where a text exceeds one of the limits.
    mutating func check(_ text: [UInt8]) throws(PlainError) {
        var aliases = 0
        var depth = 0
        var keys = 0
        var previous = UInt8(ascii: "\n")
        for (index, byte) in text.enumerated() {
            let next = index + 1 < text.count ? text[index + 1] : UInt8(ascii: "\n")
            switch byte {
            case UInt8(ascii: "*") where Self.mayPrecedeValue(previous) && !Self.endsName(next):
                aliases += 1
                guard aliases <= Self.maximumAliases else {
                    throw error(at: index, "more than \(Self.maximumAliases) aliases; write the values out")
                }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                guard depth <= Self.maximumDepth else {
                    throw error(at: index, "more than \(Self.maximumDepth) brackets around a value")
                }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(depth - 1, 0)
            case UInt8(ascii: "?") where Self.mayPrecedeValue(previous) && Self.isBlank(next):
                keys += 1
                guard keys <= Self.maximumComplexKeys else {
                    throw error(at: index, "more than \(Self.maximumComplexKeys) keys with a question mark")
                }
            case UInt8(ascii: "\n"):
                line += 1
                lineStart = index + 1
            default: break
            }
            previous = byte
        }
    }

    private func error(at index: Int, _ message: String) -> PlainError {
        PlainError(message, line: line, column: index - lineStart + 1)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n")
            || byte == UInt8(ascii: "\r")
    }

    private static func mayPrecedeValue(_ byte: UInt8) -> Bool {
        isBlank(byte) || "[{,:".utf8.contains(byte)
    }

    private static func endsName(_ byte: UInt8) -> Bool { isBlank(byte) || "*./,]}".utf8.contains(byte) }
}
