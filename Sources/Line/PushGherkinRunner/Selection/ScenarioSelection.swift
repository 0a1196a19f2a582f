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
    /// The scenarios that a line selects: those with titles at these lines, or a single row of examples.
    private struct Choice: Sendable {
        var titles: Range<Int>
        var row: Int?

        static let everything = Choice(titles: 0..<Int.max)
    }

    private var choices: [Choice] = [.everything]

    /// - Parameter lines: from 1; without lines, all scenarios are selected.
    package init(_ lines: [Int], in document: GherkinDocument) {
        guard !document.parts.isEmpty, !lines.isEmpty else { return }
        // Where each part begins, in the order of the file. It ends where the next one begins.
        var starts: [(line: Int, choice: Choice)] = [(0, .everything)]
        for (index, part) in document.parts.enumerated() {
            if index > 0 {
                let start = Self.start(part.tags, part.location)
                let next = document.parts[(index + 1)...].first
                let end = next.map { Self.start($0.tags, $0.location) } ?? Int.max
                starts.append((start, Choice(titles: start..<max(start, end))))
            }
            for scenario in part.scenarios {
                let line = scenario.location.line
                let choice = Choice(titles: line..<line + 1)
                starts.append((Self.start(scenario.tags, scenario.location), choice))
                for row in scenario.examples.flatMap(\.rows).map(\.location.line) {
                    starts.append((row, Choice(titles: 0..<0, row: row)))
                    // Lines after a row belong to the scenario again.
                    starts.append((row + 1, choice))
                }
            }
        }
        choices = lines.compactMap { line in starts.last { $0.line <= line }?.choice }
    }

    private static func start(_ tags: [GherkinDocument.Tag], _ title: Location) -> Int {
        min(tags.first?.location.line ?? title.line, title.line)
    }

    /// True if everything in the file is selected.
    package var isEverything: Bool { choices.contains { $0.titles == Choice.everything.titles } }

    package func includes(_ pickle: Pickle) -> Bool {
        choices.contains { choice in
            choice.titles.contains(pickle.scenarioLocation.line) || choice.row == pickle.location.line
        }
    }
}

/// A Cucumber tag expression, such as `@a and not (@b or @c)`. `not` binds closest, then `and`, then `or`. In a tag, a
/// backslash escapes parentheses, white space and backslashes. The empty expression matches every scenario. A tag
/// begins with `@` and contains neither `,` nor `~`, which Cucumber once used for "or" and "not".
public struct TagExpression: Sendable {
    private typealias Condition = @Sendable (Set<String>) -> Bool

    private let condition: Condition

    /// Reads an expression.
    ///
    /// - Parameter text: at most 1000 words, so that no thread runs out of stack.
    public init(_ text: String) throws(ExpressionError) {
        var parser = try Parser(text)
        guard !parser.isAtEnd else {
            condition = { _ in true }
            return
        }
        condition = try parser.expression()
    }

    package func holds(for tags: [GherkinDocument.Tag]) -> Bool { condition(Set(tags.map(\.name))) }

    private struct Parser {
        private enum Word: Equatable {
            case open, close, and, or, not
            case tag(String)
        }

        private static let maximumWords = 1000

        private let text: String
        private var words: [(word: Word, column: Int)] = []
        private var index = 0
        private let end: Int

        var isAtEnd: Bool { index == words.count }

        init(_ text: String) throws(ExpressionError) {
            self.text = text
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
                        throw ExpressionError(
                            expression: text, column: offset, message: "\\ may only precede (, ), white space or \\")
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
            if isEscaped { throw ExpressionError(expression: text, column: end - 1, message: "nothing follows \\") }
            if !current.isEmpty { words.append((word(), start + 1)) }
            for (word, column) in words {
                if case .tag(let tag) = word, let reason = Self.fault(of: tag, among: words.count) {
                    throw ExpressionError(expression: text, column: column, message: reason)
                }
            }
            if words.count > Self.maximumWords {
                index = Self.maximumWords
                throw error("more than \(Self.maximumWords) words")
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

        mutating func expression() throws(ExpressionError) -> Condition {
            let condition = try disjunction()
            guard isAtEnd else { throw error("expected and, or, or the end") }
            return condition
        }

        private func error(_ message: String) -> ExpressionError {
            ExpressionError(expression: text, column: isAtEnd ? end : words[index].column, message: message)
        }

        private mutating func takes(_ word: Word) -> Bool {
            guard !isAtEnd, words[index].word == word else { return false }
            index += 1
            return true
        }

        private mutating func disjunction() throws(ExpressionError) -> Condition {
            var alternatives = [try conjunction()]
            while takes(.or) { alternatives.append(try conjunction()) }
            return { [alternatives] tags in alternatives.contains { $0(tags) } }
        }

        private mutating func conjunction() throws(ExpressionError) -> Condition {
            var conditions = [try negation()]
            while takes(.and) { conditions.append(try negation()) }
            return { [conditions] tags in conditions.allSatisfy { $0(tags) } }
        }

        private mutating func negation() throws(ExpressionError) -> Condition {
            if takes(.not) {
                let condition = try negation()
                return { !condition($0) }
            }
            if takes(.open) {
                let condition = try disjunction()
                guard takes(.close) else { throw error("expected )") }
                return condition
            }
            guard !isAtEnd, case .tag(let tag) = words[index].word else { throw error("expected a tag") }
            index += 1
            return { $0.contains(tag) }
        }
    }
}
