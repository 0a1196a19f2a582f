package import PushGherkin

/// Which scenarios of a file to run. All conditions must hold.
public struct ScenarioSelection: Sendable {
    private let tags: TagExpression?
    private let names: [String]

    /// Chooses by tags, by names, or by both. Without arguments it chooses all.
    ///
    /// - Parameter names: parts of names. A scenario needs to contain one of them; without names, any scenario will do.
    public init(tags: TagExpression? = nil, names: [String] = []) {
        self.tags = tags
        self.names = names
    }

    package func includes(_ pickle: Pickle) -> Bool {
        if let tags, !tags.holds(for: pickle.tags) { return false }
        return names.isEmpty || names.contains { pickle.name.contains($0) }
    }
}

/// The scenarios at given lines of a file. A line of a scenario selects the scenario, an examples row selects that row
/// alone, and a line of a rule, a feature or a background selects everything in it.
package struct LineSelection: Sendable {
    private enum Meaning: Sendable {
        case everything
        case rule(Range<Int>)
        case scenario(line: Int)
        case row(line: Int)
    }

    private var meanings: [Meaning] = []

    /// - Parameter lines: from 1; without lines, all scenarios are selected.
    package init(_ lines: [Int], in document: GherkinDocument) {
        guard let feature = document.feature, !lines.isEmpty else {
            meanings = [.everything]
            return
        }
        // Where each part begins, in the order of the file. It ends where the next one begins.
        var starts: [(line: Int, meaning: Meaning)] = [(0, .everything)]
        func add(_ scenarios: [Scenario]) {
            for scenario in scenarios {
                let line = scenario.title.location.line
                starts.append((Self.start(scenario.tags, line), .scenario(line: line)))
                for row in scenario.examples.flatMap(\.rows) {
                    starts.append((row.location.line, .row(line: row.location.line)))
                    // Lines after a row belong to the scenario again.
                    starts.append((row.location.line + 1, .scenario(line: line)))
                }
            }
        }
        add(feature.scenarios)
        for (index, rule) in feature.rules.enumerated() {
            let start = Self.start(rule.tags, rule.title.location.line)
            let next = index + 1 < feature.rules.count ? feature.rules[index + 1] : nil
            let end = next.map { Self.start($0.tags, $0.title.location.line) } ?? Int.max
            starts.append((start, .rule(start..<max(start, end))))
            add(rule.scenarios)
        }
        meanings = lines.compactMap { line in starts.last { $0.line <= line }?.meaning }
    }

    private static func start(_ tags: [Tag], _ line: Int) -> Int { min(tags.first?.location.line ?? line, line) }

    /// True if everything in the file is selected.
    package var isEverything: Bool {
        meanings.contains { if case .everything = $0 { true } else { false } }
    }

    package func includes(_ pickle: Pickle) -> Bool {
        meanings.contains { meaning in
            switch meaning {
            case .everything: true
            case .rule(let lines): lines.contains(pickle.scenarioLocation.line)
            case .scenario(let line): pickle.scenarioLocation.line == line
            case .row(let line): pickle.location.line == line
            }
        }
    }
}

/// A Cucumber tag expression, such as `@a and not (@b or @c)`. `not` binds closest, then `and`, then `or`. In a tag, a
/// backslash escapes parentheses, white space and backslashes. The empty expression matches every scenario. A tag
/// begins with `@` and contains neither `,` nor `~`, which Cucumber once used for "or" and "not".
public struct TagExpression: Sendable {
    private indirect enum Node: Sendable {
        case all
        case tag(String)
        case not(Node)
        case and(Node, Node)
        case or(Node, Node)

        func holds(_ tags: Set<String>) -> Bool {
            switch self {
            case .all: true
            case .tag(let tag): tags.contains(tag)
            case .not(let node): !node.holds(tags)
            case .and(let left, let right): left.holds(tags) && right.holds(tags)
            case .or(let left, let right): left.holds(tags) || right.holds(tags)
            }
        }
    }

    private let root: Node

    /// Why a text is not a tag expression.
    public struct SyntaxError: Error, Equatable, CustomStringConvertible {
        /// In code points from 1.
        public var column: Int
        /// The problem at that column.
        public var reason: String

        /// `column 4: expected a tag`
        public var description: String { "column \(column): \(reason)" }
    }

    /// Reads an expression.
    ///
    /// - Parameter text: at most 1000 words, so that no thread runs out of stack.
    public init(_ text: String) throws(SyntaxError) {
        var parser = try Parser(text)
        root = parser.isAtEnd ? .all : try parser.expression()
    }

    package func holds(for tags: [Tag]) -> Bool { root.holds(Set(tags.map(\.name))) }

    private struct Parser {
        private enum Word: Equatable {
            case open, close, and, or, not
            case tag(String)
        }

        private static let maximumWords = 1000

        private var words: [(word: Word, column: Int)] = []
        private var index = 0
        private let end: Int

        var isAtEnd: Bool { index == words.count }

        init(_ text: String) throws(SyntaxError) {
            end = text.unicodeScalars.count + 1
            var current = ""
            var start = 0
            var isEscaped = false
            var hasEscape = false
            func word() -> Word {
                switch current {
                case "and" where !hasEscape: .and
                case "or" where !hasEscape: .or
                case "not" where !hasEscape: .not
                default: .tag(current)
                }
            }
            for (offset, scalar) in text.unicodeScalars.enumerated() {
                if isEscaped {
                    guard scalar == "(" || scalar == ")" || scalar == "\\" || scalar.properties.isWhitespace else {
                        throw SyntaxError(column: offset, reason: "\\ may only precede (, ), white space or \\")
                    }
                    isEscaped = false
                    current.unicodeScalars.append(scalar)
                } else if scalar == "\\" {
                    if current.isEmpty { start = offset }
                    isEscaped = true
                    hasEscape = true
                } else if scalar == "(" || scalar == ")" || scalar.properties.isWhitespace {
                    if !current.isEmpty { words.append((word(), start + 1)) }
                    current = ""
                    hasEscape = false
                    if scalar == "(" || scalar == ")" { words.append((scalar == "(" ? .open : .close, offset + 1)) }
                } else {
                    if current.isEmpty { start = offset }
                    current.unicodeScalars.append(scalar)
                }
            }
            if isEscaped { throw SyntaxError(column: end - 1, reason: "nothing follows \\") }
            if !current.isEmpty { words.append((word(), start + 1)) }
            for (word, column) in words {
                if case .tag(let tag) = word, let reason = Self.fault(of: tag, among: words.count) {
                    throw SyntaxError(column: column, reason: reason)
                }
            }
            if words.count > Self.maximumWords {
                throw SyntaxError(
                    column: words[Self.maximumWords].column, reason: "more than \(Self.maximumWords) words")
            }
        }

        /// The problem of a tag that no scenario can have, or that uses Cucumber's syntax from before tag
        /// expressions: `~@slow`, `@a,@b`. Read as tags, these would match nothing, or with `not` everything.
        private static func fault(of tag: String, among words: Int) -> String? {
            let isOld = tag.contains(",") || tag.contains("~")
            guard isOld || !tag.hasPrefix("@") else { return nil }
            if !isOld, ["and", "or", "not"].contains(tag.lowercased()) {
                return "write and, or and not in lowercase; a tag begins with @"
            }
            let tags = tag.split(separator: ",").compactMap { part -> String? in
                let name = part.drop { $0 == "~" || $0 == "@" }
                return name.isEmpty ? nil : part.hasPrefix("~") ? "not @\(name)" : "@\(name)"
            }
            // A tilde inside a tag had no meaning, so there is no new syntax for it.
            guard !tags.isEmpty, tags.allSatisfy({ !$0.contains("~") }), tag.utf8.count <= longestRewritten else {
                return "a tag begins with @ and contains neither , nor ~"
            }
            let now = tags.joined(separator: " or ")
            let reason = isOld ? "this is Cucumber's old syntax" : "a tag begins with @"
            return "\(reason); write \(tags.count > 1 && words > 1 ? "(\(now))" : now)"
        }

        /// Longest tag, in bytes, for which the message shows the new syntax.
        private static let longestRewritten = 100

        mutating func expression() throws(SyntaxError) -> Node {
            let node = try disjunction()
            guard isAtEnd else { throw SyntaxError(column: column, reason: "expected and, or, or the end") }
            return node
        }

        private var column: Int { isAtEnd ? end : words[index].column }

        private mutating func takes(_ word: Word) -> Bool {
            guard !isAtEnd, words[index].word == word else { return false }
            index += 1
            return true
        }

        private mutating func disjunction() throws(SyntaxError) -> Node {
            var node = try conjunction()
            while takes(.or) { node = .or(node, try conjunction()) }
            return node
        }

        private mutating func conjunction() throws(SyntaxError) -> Node {
            var node = try negation()
            while takes(.and) { node = .and(node, try negation()) }
            return node
        }

        private mutating func negation() throws(SyntaxError) -> Node {
            if takes(.not) { return .not(try negation()) }
            if takes(.open) {
                let node = try disjunction()
                guard takes(.close) else { throw SyntaxError(column: column, reason: "expected )") }
                return node
            }
            guard !isAtEnd, case .tag(let tag) = words[index].word else {
                throw SyntaxError(column: column, reason: "expected a tag")
            }
            index += 1
            return .tag(tag)
        }
    }
}
