import PushLint

/// Adds rules to ignore to the text of a configuration. All other lines, comments too, stay as they are.
struct ConfigurationEdit {
    /// The name of the file in errors.
    private let path: String
    /// The lines without line feeds.
    private var lines: [String]
    /// The end of lines before the line feed: a carriage return, or nothing.
    private let lineEnd: String

    init(_ text: String, path: String) {
        self.path = path
        // By bytes, because a carriage return and a line feed are one character.
        let parts = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        lines = parts.map { String(Substring($0)) }
        // What follows the last line feed is no line.
        if lines.last == "" { lines.removeLast() }
        lineEnd = lines.first?.utf8.last == UInt8(ascii: "\r") ? "\r" : ""
    }

    var text: String { lines.map { $0 + "\n" }.joined() }

    /// Adds rules to `per-file`. Reads each line a few times at most, however many files there are.
    ///
    /// - Parameter files: each with its pattern, as it is written there, and ids of rules, sorted. No pattern occurs twice.
    mutating func ignore(_ files: [(pattern: String, rules: [String])]) throws(ConfigurationError) {
        guard let lint = first(in: lines.indices, named: "lint", indent: 0) else {
            let entries = files.map { "    " + Self.entry($0.pattern, $0.rules) }
            return insert([(lines.endIndex, ["lint:", "  per-file:"] + entries)])
        }
        let (settings, level) = try mapping(at: lint, defaultIndent: 2)
        guard let perFile = first(in: settings, named: "per-file", indent: level) else {
            let space = String(repeating: " ", count: level)
            let entries = files.map { "\(space)  \(Self.entry($0.pattern, $0.rules))" }
            return insert([(settings.upperBound, ["\(space)per-file:"] + entries)])
        }
        let (entries, entryIndent) = try mapping(at: perFile, defaultIndent: level + 2)
        var places: [String: Int] = [:]
        for line in entries where indent(of: line) == entryIndent {
            if let key = member(at: line)?.key, places[key] == nil { places[key] = line }
        }
        let space = String(repeating: " ", count: entryIndent)
        var insertions: [(line: Int, new: [String])] = []
        var added: [String] = []
        for file in files {
            if let place = places[file.pattern] {
                if let insertion = try add(file.rules, toListAt: place) { insertions.append(insertion) }
            } else {
                added.append(space + Self.entry(file.pattern, file.rules))
            }
        }
        insert(insertions + [(entries.upperBound, added)])
    }

    /// Inserts lines before those with these numbers.
    private mutating func insert(_ insertions: [(line: Int, new: [String])]) {
        var merged: [String] = []
        var start = 0
        // In the order in which they were added where several stand before one line.
        for (line, new) in insertions.enumerated().sorted(by: {
            ($0.element.line, $0.offset) < ($1.element.line, $1.offset)
        })
        .map(\.element) {
            merged += lines[start..<line]
            merged += new.map { $0 + lineEnd }
            start = line
        }
        lines = merged + lines[start...]
    }

    /// `"payloads/a.json": [aps.unknown-key]`
    private static func entry(_ pattern: String, _ rules: [String]) -> String {
        "\(quoted(pattern)): [\(rules.joined(separator: ", "))]"
    }

    /// A text in quotation marks, in which a shell finds nothing to run either.
    private static func quoted(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "$", "`", "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}", "\u{2028}"..<"\u{202A}", "\u{FEFF}":
                quoted += "\\u" + String(repeating: "0", count: 4 - String(scalar.value, radix: 16).count)
                quoted += String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return "\"\(quoted)\""
    }

    /// Changes the line of a list, or returns what to insert below it.
    private mutating func add(
        _ rules: [String], toListAt index: Int
    ) throws(ConfigurationError) -> (line: Int, new: [String])? {
        guard let member = member(at: index) else { return nil }
        let value = member.value
        if value.isEmpty {
            let block = block(below: index, isList: true)
            guard let last = block.last(where: isContent), let first = block.first(where: isContent),
                block.allSatisfy({ !isContent($0) || content(of: $0).hasPrefix("- ") })
            else { throw obstacle(index, Self.listAdvice) }
            let space = String(repeating: " ", count: indent(of: first))
            return (last + 1, rules.map { "\(space)- \($0)" })
        }
        let isList = value.hasPrefix("[") && value.hasSuffix("]")
        guard isList || !value.contains(where: { "[]{},&*!|>".contains($0) }) else {
            throw obstacle(index, Self.listAdvice)
        }
        let old = isList ? value.dropFirst().dropLast().trimmed : value.trimmed
        let new = "[\(([String(old)] + rules).filter { !$0.isEmpty }.joined(separator: ", "))]"
        lines[index].replaceSubrange(value.startIndex..<value.endIndex, with: new)
        return nil
    }

    // MARK: - Lines

    /// How often a line was read, so that a test can say how it grows with the number of files.
    private(set) var linesRead = 0

    private static let listAdvice = "write a list of rules, or add them below ignore"

    private func obstacle(_ index: Int, _ advice: String) -> ConfigurationError {
        ConfigurationError(
            path: path, place: .init(line: index + 1, column: 1), message: "cannot add to this line; \(advice)")
    }

    private func content(of index: Int) -> Substring { lines[index].trimmed }

    private func isContent(_ index: Int) -> Bool {
        let content = content(of: index)
        return !content.isEmpty && !content.hasPrefix("#")
    }

    private func indent(of index: Int) -> Int { lines[index].prefix { $0 == " " }.count }

    /// The key and the value in a line, without quotes around the key and without a comment. The value is a part of the line.
    private mutating func member(at index: Int) -> (key: String, value: Substring)? {
        linesRead += 1
        guard isContent(index) else { return nil }
        let content = content(of: index)
        var key = ""
        var rest = content
        if let quote = content.first, quote == "\"" || quote == "'" {
            rest = rest.dropFirst()
            while let character = rest.popFirst(), character != quote {
                guard character == "\\", quote == "\"" else {
                    key.append(character)
                    continue
                }
                let escaped = rest.popFirst() ?? "\\"
                if escaped == "u", let code = UInt32(rest.prefix(4), radix: 16), let scalar = Unicode.Scalar(code) {
                    key.unicodeScalars.append(scalar)
                    rest = rest.dropFirst(4)
                } else {
                    key.append(escaped)
                }
            }
            guard rest.popFirst() == ":" else { return nil }
        } else {
            guard let colon = content.firstIndex(of: ":") else { return nil }
            key = String(content[..<colon])
            rest = content[content.index(after: colon)...]
        }
        guard rest.isEmpty || rest.first == " " else { return nil }
        let value = rest.firstRange(of: " #").map { rest[..<$0.lowerBound] } ?? rest
        return (key, value.trimmed)
    }

    /// The first line of a key that is indented so far.
    private mutating func first(in lines: Range<Int>, named key: String, indent: Int) -> Int? {
        for line in lines where self.indent(of: line) == indent && member(at: line)?.key == key { return line }
        return nil
    }

    /// The lines below a key whose value is a mapping, and how far its keys are indented.
    private mutating func mapping(at index: Int, defaultIndent: Int) throws(ConfigurationError) -> (
        lines: Range<Int>, indent: Int
    ) {
        let value = member(at: index)?.value ?? lines[index].prefix(0)
        if value == "{}" {
            lines[index].removeSubrange(value.startIndex..<value.endIndex)
        } else if !value.isEmpty {
            throw obstacle(index, "write it as a mapping over several lines")
        }
        let block = block(below: index, isList: false)
        return (block, block.first(where: isContent).map(indent) ?? defaultIndent)
    }

    /// The lines below a key that are indented more, up to the last one that is not empty. Elements of a list need not be.
    private mutating func block(below index: Int, isList: Bool) -> Range<Int> {
        var end = index + 1
        for line in lines.indices.dropFirst(index + 1) {
            linesRead += 1
            guard isContent(line) else { continue }
            let isElement = isList && indent(of: line) == indent(of: index) && content(of: line).hasPrefix("- ")
            guard indent(of: line) > indent(of: index) || isElement else { break }
            end = line + 1
        }
        return index + 1..<end
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The text without white space at both ends.
    fileprivate var trimmed: Substring {
        var text = self[...]
        while text.first?.isWhitespace == true { text = text.dropFirst() }
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return text
    }
}
