/// Parses a feature file line by line. Each line is read as the first token that the grammar allows there.
package struct GherkinParser {
    private var lines: SourceLines
    private var matcher = TokenMatcher()
    private var builder = DocumentBuilder()
    private var problems = GherkinProblems()
    /// The first line that cannot stand before a feature.
    private var foreignLine: Location?

    /// The document; nil for a text that is not Gherkin.
    ///
    /// - Parameter report: called once with what is wrong with such a text.
    package static func parse(_ bytes: [UInt8], _ report: (GherkinProblems) -> Void = { _ in }) -> GherkinDocument? {
        var parser = GherkinParser(bytes)
        parser.checkEncoding(of: bytes)
        let document = parser.problems.list.isEmpty ? parser.document() : nil
        if document == nil { report(parser.problems) }
        return document
    }

    private init(_ bytes: [UInt8]) { lines = SourceLines(bytes) }

    /// Notes the first byte that is not UTF-8.
    private mutating func checkEncoding(of bytes: [UInt8]) {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return problems.add("the file is UTF-16; save it as UTF-8", at: Location(line: 1, column: 1))
        }
        if String(validating: bytes, as: UTF8.self) != nil { return }
        var location = Location(line: 1, column: 1)
        var iterator = bytes.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar):
                location.column += 1
                if scalar.count == 1, scalar.first == 0x0A {
                    location = Location(line: location.line + 1, column: 1)
                }
            case .error: return problems.add("the bytes here are not UTF-8", at: location)
            case .emptyInput: return
            }
        }
    }

    private mutating func document() -> GherkinDocument? {
        var state = StateMachine.start
        var index = 0
        while let line = lines.line(at: index) {
            state = step(from: state, with: line, at: index)
            if problems.isFull { break }
            index += 1
        }
        if state == StateMachine.start, let foreignLine, problems.list.first?.location == foreignLine {
            problems.beginningOfOtherText = foreignLine
        }
        if problems.isFull { return nil }
        end(in: state, at: index + 1)
        return problems.list.isEmpty ? builder.document : nil
    }

    /// Reads a line as the first token that matches. If none does, the line is reported and skipped.
    private mutating func step(from state: Int, with line: SourceLine, at index: Int) -> Int {
        for transition in StateMachine.gherkin.states[state].transitions {
            guard let token = matcher.match(transition.token, line, &problems) else { continue }
            if let ahead = transition.ahead, !isAhead(ahead, after: index) { continue }
            carryOut(transition)
            builder.add(token)
            return transition.next
        }
        let expected = StateMachine.gherkin.states[state].expected
        // The official parsers quote all of it.
        let found = WhiteSpace.trimming(line.bytes).text.shortened
        if state == StateMachine.start { foreignLine = foreignLine ?? line.location }
        problems.add("expected: \(expected), got '\(found)'", at: line.location)
        return state
    }

    private mutating func end(in state: Int, at number: Int) {
        let state = StateMachine.gherkin.states[state]
        if let transition = state.transitions.first(where: { $0.token == .end }) { return carryOut(transition) }
        problems.add("unexpected end of file, expected: \(state.expected)", at: Location(line: number, column: 0))
    }

    private mutating func carryOut(_ transition: StateMachine.Transition) {
        if transition.endsTable { builder.endTable(&problems) }
    }

    /// True if a line of that kind follows, with only blank lines, comments and tags before it.
    ///
    /// This reads a line again at most once for each rule that can begin with tags: as soon as the rule is known, the
    /// remaining tag lines belong to it.
    private mutating func isAhead(_ kind: TokenKind, after index: Int) -> Bool {
        var index = index + 1
        while let line = lines.line(at: index) {
            if matcher.isTitle(kind, line) { return true }
            let isBetween = line.trimmed.isEmpty || line.trimmed.first == UInt8(ascii: "#")
            if !isBetween, matcher.match(.tagLine, line, &problems) == nil { return false }
            index += 1
        }
        return false
    }
}

/// Why a text is not Gherkin.
package struct GherkinProblems {
    /// One thing that is wrong.
    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        package let location: Location
        /// The message of the official parsers, without the location in front.
        package let message: String

        /// The form that the official parsers print.
        package var description: String { "(\(location.line):\(location.column)): \(message)" }
    }

    /// Parsing ends with the problem after this many, as in the official parsers: later ones are mostly consequences.
    static let limit = 10

    /// The problems in the order in which they were found.
    package private(set) var list: [Problem] = []
    /// The first line of a text in which nothing begins a feature, as far as it was read; nil for any other text.
    package internal(set) var beginningOfOtherText: Location?

    var isFull: Bool { list.count > Self.limit }

    /// Adds a problem, unless it is already there: a line can be read several times.
    mutating func add(_ message: String, at location: Location) {
        let problem = Problem(location: location, message: message)
        if !isFull, !list.contains(problem) { list.append(problem) }
    }
}

extension String {
    /// How much of a line or a step a message quotes, in code points: a character may consist of any number of them.
    private static var longestQuote: Int { 300 }

    /// The text, or the beginning of a long one with an ellipsis.
    package var shortened: String {
        guard unicodeScalars.dropFirst(Self.longestQuote).first != nil else { return self }
        return "\(String(unicodeScalars.prefix(Self.longestQuote)))…"
    }
}
