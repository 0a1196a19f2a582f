/// Reads a Cucumber Expression, by the official grammar:
///
///     expression  := (alternation | optional | parameter | text)*
///     alternation := (optional | text)+ ('/' (optional | text)+)+, from a blank or '}' to a blank or '{'
///     optional    := '(' text ')'
///     parameter   := '{' name '}'
struct PatternParser {
    private enum Token: Equatable {
        /// A code point without a special meaning, or an escaped one.
        case plain(Unicode.Scalar)
        case blank(Unicode.Scalar)
        case mark(Unicode.Scalar)
    }

    private let source: String
    private var tokens: [(token: Token, column: Int)] = []
    private var index = 0

    init(_ source: String) { self.source = source }

    mutating func parts() throws(PatternError) -> [StepPattern.Part] {
        try tokenise()
        var parts: [StepPattern.Part] = []
        while let token = token {
            if case .blank(let blank) = token {
                index += 1
                parts.append(.text(Array(String(blank).utf8)))
            } else if token == .mark("{") {
                parts.append(.parameter(try parameter()))
            } else {
                try parts.append(contentsOf: segment())
            }
        }
        return parts
    }

    private var token: Token? { index < tokens.count ? tokens[index].token : nil }

    private func error(_ message: String, at index: Int) -> PatternError {
        PatternError(pattern: source, column: index < tokens.count ? tokens[index].column : 1, message: message)
    }

    private mutating func tokenise() throws(PatternError) {
        var isEscaped = false
        var column = 0
        for scalar in source.unicodeScalars {
            column += 1
            let isMark = ["{", "}", "(", ")", "/"].contains(scalar)
            if isEscaped {
                guard isMark || scalar == "\\" || scalar.properties.isWhitespace else {
                    throw PatternError(
                        pattern: source, column: column - 1,
                        message: "only {, }, (, ), /, \\ and white space can be escaped")
                }
                isEscaped = false
                tokens.append((.plain(scalar), column - 1))
            } else if scalar == "\\" {
                isEscaped = true
            } else if isMark {
                tokens.append((.mark(scalar), column))
            } else {
                tokens.append((scalar.properties.isWhitespace ? .blank(scalar) : .plain(scalar), column))
            }
        }
        if isEscaped {
            throw PatternError(pattern: source, column: column, message: "the end of the pattern cannot be escaped")
        }
    }

    private mutating func parameter() throws(PatternError) -> ParameterType {
        let start = index
        guard let end = tokens[start...].firstIndex(where: { $0.token == .mark("}") }) else {
            throw error("the { has no matching }", at: start)
        }
        index = end + 1
        var name = ""
        for position in (start + 1)..<end {
            switch tokens[position].token {
            case .plain(let scalar), .blank(let scalar): name.unicodeScalars.append(scalar)
            case .mark: throw error("a parameter name may not contain {, (, ) or /", at: position)
            }
        }
        guard let type = ParameterType.all.first(where: { $0.name == name }) else {
            throw error("unknown parameter type \"\(name)\"", at: start)
        }
        return type
    }

    /// From one boundary to the next: text and optional text, or alternatives of both.
    private mutating func segment() throws(PatternError) -> [StepPattern.Part] {
        let start = index
        var alternatives: [[StepPattern.Part]] = [[]]
        loop: while let token = token {
            switch token {
            case .blank, .mark("{"):
                break loop
            case .mark("/"):
                index += 1
                alternatives.append([])
            case .mark("("):
                alternatives[alternatives.count - 1].append(.optional(try optional()))
            case .plain(let scalar), .mark(let scalar):
                index += 1
                alternatives[alternatives.count - 1].append(.text(Array(String(scalar).utf8)))
            }
        }
        if alternatives.count == 1 { return alternatives[0] }
        for alternative in alternatives {
            if alternative.isEmpty { throw error("an alternative may not be empty", at: start) }
            let hasText = alternative.contains { if case .text = $0 { true } else { false } }
            if !hasText { throw error("an alternative may not consist of optional text only", at: start) }
        }
        return [.alternatives(alternatives)]
    }

    private mutating func optional() throws(PatternError) -> [UInt8] {
        let start = index
        index += 1
        var text = ""
        while let token = token {
            switch token {
            case .plain(let scalar), .blank(let scalar): text.unicodeScalars.append(scalar)
            case .mark(")"):
                index += 1
                guard !text.isEmpty else { throw error("optional text may not be empty", at: start) }
                return Array(text.utf8)
            case .mark("("): throw error("optional text may not contain optional text", at: index)
            case .mark("{"): throw error("optional text may not contain a parameter", at: index)
            case .mark("/"): throw error("optional text may not contain alternatives", at: index)
            case .mark(let scalar): text.unicodeScalars.append(scalar)
            }
            index += 1
        }
        throw error("the ( has no matching )", at: start)
    }
}
