/// Parses a feature file line by line. Each line is read as the first token that the grammar allows there.
package struct GherkinParser {
    private var lines: SourceLines
    private var matcher: TokenMatcher
    private var builder = DocumentBuilder()
    private var errors = GherkinErrors()
    /// The first line that cannot stand before a feature.
    private var foreignLine: Location?

    /// How much of a line an error quotes, in code points. The official parsers quote all of it.
    private static let longestQuote = 300

    /// - Throws: at least one error, in the order of the file.
    package static func parse(_ bytes: [UInt8]) throws(GherkinErrors) -> GherkinDocument {
        if let error = EncodingCheck.error(in: bytes) { throw GherkinErrors(error) }
        var parser = GherkinParser(bytes)
        return try parser.document()
    }

    private init(_ bytes: [UInt8]) {
        lines = SourceLines(bytes)
        matcher = TokenMatcher(.english)
    }

    private mutating func document() throws(GherkinErrors) -> GherkinDocument {
        let machine = StateMachine.gherkin
        var state = StateMachine.start
        var index = 0
        while let line = lines.line(at: index) {
            state = step(from: state, with: line, at: index, in: machine)
            if errors.isFull { break }
            index += 1
        }
        if state == StateMachine.start, let foreignLine, errors.errors.first?.location == foreignLine {
            errors.beginningOfOtherText = foreignLine
        }
        if errors.isFull { throw errors }
        end(in: state, of: machine, at: index + 1)
        guard errors.errors.isEmpty else { throw errors }
        return builder.document
    }

    /// Reads a line as the first token that matches. If none does, the line is reported and skipped.
    private mutating func step(
        from state: Int, with line: SourceLine, at index: Int, in machine: StateMachine
    ) -> Int {
        for transition in machine.states[state].transitions {
            guard let token = match(transition.token, line) else { continue }
            if let ahead = transition.ahead, !isAhead(ahead, after: index) { continue }
            carryOut(transition)
            builder.add(token, language: matcher.dialect.code)
            return transition.next
        }
        let expected = machine.states[state].expected
        let found = Self.quote(WhiteSpace.trimming(line.bytes).text)
        if state == StateMachine.start { foreignLine = foreignLine ?? line.location }
        errors.add(GherkinError(line.location, "expected: \(expected), got '\(found)'"))
        return state
    }

    /// The text, or the beginning of a long one with an ellipsis.
    private static func quote(_ text: String) -> String {
        guard text.unicodeScalars.dropFirst(longestQuote).first != nil else { return text }
        return "\(String(text.unicodeScalars.prefix(longestQuote)))…"
    }

    private mutating func end(in state: Int, of machine: StateMachine, at number: Int) {
        guard let transition = machine.states[state].transitions.first(where: { $0.token == .end }) else {
            let expected = machine.states[state].expected
            let location = Location(line: number, column: 0)
            errors.add(GherkinError(location, "unexpected end of file, expected: \(expected)"))
            return
        }
        carryOut(transition)
    }

    private mutating func carryOut(_ transition: StateMachine.Transition) {
        for rule in transition.closes {
            do { try builder.close(rule) } catch { errors.add(error) }
        }
        for rule in transition.opens { builder.open(rule) }
    }

    private mutating func match(_ kind: TokenKind, _ line: SourceLine) -> Token? {
        do {
            return try matcher.match(kind, line)
        } catch {
            errors.add(error)
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
