/// Parses a feature file line by line. Each line is read as the first token that the grammar allows there.
package struct GherkinParser {
    private var lines: SourceLines
    private var matcher = TokenMatcher()
    private var builder = DocumentBuilder()
    private var error = GherkinError()
    /// The first line that cannot stand before a feature.
    private var foreignLine: Location?

    /// - Throws: at least one error, in the order of the file.
    package static func parse(_ bytes: [UInt8]) throws(GherkinError) -> GherkinDocument {
        if let error = encodingError(in: bytes) { throw error }
        var parser = GherkinParser(bytes)
        return try parser.document()
    }

    private init(_ bytes: [UInt8]) { lines = SourceLines(bytes) }

    /// The first byte that is not UTF-8; nil if there is none.
    private static func encodingError(in bytes: [UInt8]) -> GherkinError? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return GherkinError(Location(line: 1, column: 1), "the file is UTF-16; save it as UTF-8")
        }
        if String(validating: bytes, as: UTF8.self) != nil { return nil }
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
            case .error: return GherkinError(location, "the bytes here are not UTF-8")
            case .emptyInput: return nil
            }
        }
    }

    private mutating func document() throws(GherkinError) -> GherkinDocument {
        var state = StateMachine.start
        var index = 0
        while let line = lines.line(at: index) {
            state = step(from: state, with: line, at: index)
            if error.isFull { break }
            index += 1
        }
        if state == StateMachine.start, let foreignLine, error.problems.first?.location == foreignLine {
            error.beginningOfOtherText = foreignLine
        }
        if error.isFull { throw error }
        end(in: state, at: index + 1)
        guard error.problems.isEmpty else { throw error }
        return builder.document
    }

    /// Reads a line as the first token that matches. If none does, the line is reported and skipped.
    private mutating func step(from state: Int, with line: SourceLine, at index: Int) -> Int {
        for transition in StateMachine.gherkin.states[state].transitions {
            guard let token = match(transition.token, line) else { continue }
            if let ahead = transition.ahead, !isAhead(ahead, after: index) { continue }
            carryOut(transition)
            builder.add(token)
            return transition.next
        }
        let expected = StateMachine.gherkin.states[state].expected
        // The official parsers quote all of it.
        let found = WhiteSpace.trimming(line.bytes).text.shortened
        if state == StateMachine.start { foreignLine = foreignLine ?? line.location }
        error.add(GherkinError(line.location, "expected: \(expected), got '\(found)'"))
        return state
    }

    private mutating func end(in state: Int, at number: Int) {
        let state = StateMachine.gherkin.states[state]
        if let transition = state.transitions.first(where: { $0.token == .end }) { return carryOut(transition) }
        let location = Location(line: number, column: 0)
        error.add(GherkinError(location, "unexpected end of file, expected: \(state.expected)"))
    }

    private mutating func carryOut(_ transition: StateMachine.Transition) {
        guard transition.endsTable else { return }
        do { try builder.endTable() } catch { self.error.add(error) }
    }

    private mutating func match(_ kind: TokenKind, _ line: SourceLine) -> Token? {
        do {
            return try matcher.match(kind, line)
        } catch {
            self.error.add(error)
            return nil
        }
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
            if !isBetween, match(.tagLine, line) == nil { return false }
            index += 1
        }
        return false
    }
}

/// Why a text is not Gherkin.
package struct GherkinError: Error, Hashable {
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
    package private(set) var problems: [Problem] = []
    /// The first line of a text in which nothing begins a feature, as far as it was read; nil for any other text.
    package internal(set) var beginningOfOtherText: Location?

    init() {}

    init(_ location: Location, _ message: String) { problems = [Problem(location: location, message: message)] }

    var isFull: Bool { problems.count > Self.limit }

    /// Adds the problems of another error that are not already there: a line can be read several times.
    mutating func add(_ error: GherkinError) {
        for problem in error.problems where !isFull && !problems.contains(problem) { problems.append(problem) }
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
