import PushGherkin

/// The keyword under which the documentation lists a step. As in Cucumber, a scenario may use the step with any other.
public enum StepKeyword: String, CaseIterable, Sendable {
    /// Sets up what the scenario starts from.
    case given = "Given"
    /// Does something.
    case when = "When"
    /// Checks the result.
    case then = "Then"
}

/// A step that scenarios can use: its pattern, its documentation and what it does.
package struct StepDefinition<World>: Sendable {
    package let keyword: StepKeyword
    package let pattern: StepPattern
    package let argument: StepArgument
    /// A sentence.
    package let summary: String
    /// A use of it, with what stands below it, on lines of its own.
    package let example: String
    let action: StepAction<World>
}

/// The closure of a step.
enum StepAction<World>: Sendable {
    case direct(@Sendable (inout World, StepInput) throws -> Void)
    case awaited(AsyncAction)

    typealias AsyncAction = nonisolated(nonsending) @Sendable (inout World, StepInput) async throws -> Void
}

/// The steps that scenarios can use. Each scenario has its own `World`, on which its steps work.
public struct StepLibrary<World>: Sendable {
    package private(set) var definitions: [StepDefinition<World>] = []

    package init() {}

    /// Adds a step.
    ///
    /// - Parameters:
    ///   - pattern: a Cucumber Expression, such as `the badge is {int}`.
    ///   - argument: the argument below the step. A step with anything else there fails.
    ///   - summary: a sentence for the documentation.
    ///   - example: a use of it, with its keyword.
    ///   - body: the step's action. An error fails the scenario; a `StepFailure` gives the message.
    /// - Throws: `ExpressionError` when the pattern is not a Cucumber Expression.
    public mutating func add(
        _ keyword: StepKeyword, _ pattern: String, argument: StepArgument = .none, summary: String,
        example: String, body: @escaping @Sendable (inout World, StepInput) throws -> Void
    ) throws(ExpressionError) {
        try add(keyword, pattern, argument, summary, example, .direct(body))
    }

    /// Adds a step that awaits something. The parameters are those of a step that does not.
    ///
    /// - Parameter body: runs on the actor that awaits the scenario.
    public mutating func add(
        _ keyword: StepKeyword, _ pattern: String, argument: StepArgument = .none, summary: String,
        example: String,
        body: nonisolated(nonsending) @escaping @Sendable (inout World, StepInput) async throws -> Void
    ) throws(ExpressionError) {
        try add(keyword, pattern, argument, summary, example, .awaited(body))
    }

    private mutating func add(
        _ keyword: StepKeyword, _ pattern: String, _ argument: StepArgument, _ summary: String, _ example: String,
        _ action: StepAction<World>
    ) throws(ExpressionError) {
        let pattern = try StepPattern(pattern)
        definitions.append(
            StepDefinition(
                keyword: keyword, pattern: pattern, argument: argument, summary: summary, example: example,
                action: action))
    }

    /// The definition that matches a step of a scenario.
    enum Lookup {
        case found(StepAction<World>, StepInput)
        case undefined
        case ambiguous([String])
        /// A definition matches, but the step cannot be run for this reason.
        case unusable(String)
    }

    func lookup(_ step: Step) -> Lookup {
        let bytes = step.text.utf8.count
        guard bytes <= StepPattern.maximumTextBytes else {
            return .unusable(
                "the step is \(bytes) bytes long, the limit is \(StepPattern.maximumTextBytes); put a payload in a doc string below it"
            )
        }
        let matches = definitions.compactMap { definition in
            definition.pattern.match(step.text).map { (definition, $0) }
        }
        guard let (definition, values) = matches.first else {
            return .undefined
        }
        guard matches.count == 1 else { return .ambiguous(matches.map(\.0.pattern.source)) }
        if let lost = values.first(where: { $0.value == nil }) {
            return .unusable("\(lost.text) is out of range for {\(lost.type)}")
        }
        let fits =
            switch definition.argument {
            case .none: step.docString == nil && step.table == nil
            case .docString: step.docString != nil && step.table == nil
            case .table: step.table != nil && step.docString == nil
            }
        guard fits else { return .unusable(definition.argument.wish) }
        return .found(
            definition.action,
            StepInput(
                text: step.text, values: values.compactMap(\.value), docString: step.docString, table: step.table))
    }
}

/// The input of a step's closure.
public struct StepInput: Sendable {
    /// The text of the step, without its keyword.
    public let text: String
    /// The values of the parameters, in order.
    package let values: [StepValue]
    /// Nil when none stands below the step.
    package let docString: String?
    package let table: [[String]]?

    /// A value of `{int}`. Values count from 0.
    public func int(_ index: Int) throws(StepFailure) -> Int {
        guard case .int(let number) = try value(index) else { throw wrongType(index, "a whole number") }
        return number
    }

    /// A value of `{float}`.
    public func float(_ index: Int) throws(StepFailure) -> Double {
        guard case .float(let number) = try value(index) else { throw wrongType(index, "a number") }
        return number
    }

    /// A value of `{string}`, `{word}` or `{}`. A string comes without its quotes.
    public func text(_ index: Int) throws(StepFailure) -> String {
        guard case .text(let text) = try value(index) else { throw wrongType(index, "a text") }
        return text
    }

    /// The content of the doc string below the step.
    public func docStringContent() throws(StepFailure) -> String {
        guard let docString else { throw StepFailure(StepArgument.docString.wish) }
        return docString
    }

    /// The table below the step, row by row; the first row is not treated as a header.
    public func rows() throws(StepFailure) -> [[String]] {
        guard let table else { throw StepFailure(StepArgument.table.wish) }
        return table
    }

    private func value(_ index: Int) throws(StepFailure) -> StepValue {
        guard values.indices.contains(index) else { throw StepFailure("the step has no value \(index + 1)") }
        return values[index]
    }

    private func wrongType(_ index: Int, _ wish: String) -> StepFailure {
        StepFailure("value \(index + 1) of the step is not \(wish)")
    }
}

/// The argument below a step.
public enum StepArgument: Sendable {
    /// Nothing.
    case none
    /// A text between two lines of `"""`.
    case docString
    /// A table.
    case table

    /// The message for a step that has anything else below it.
    var wish: String {
        switch self {
        case .none: "this step takes no doc string and no table"
        case .docString: "this step needs a doc string below it, between two lines of \"\"\", and takes no table"
        case .table: "this step needs a table below it, with a | before and after each cell, and takes no doc string"
        }
    }
}

/// Fails a step, with a message.
public struct StepFailure: Error, Equatable, CustomStringConvertible {
    /// One line, or several: the first says what is wrong.
    public var message: String

    /// - Parameter message: the problem, and the value that was found.
    public init(_ message: String) { self.message = message }

    /// The message.
    public var description: String { message }
}

/// Finds the steps that an undefined step may have meant. It compares words; all numbers count as equal.
struct StepSuggester: Sendable {
    private let patterns: [(source: String, words: [String])]
    /// The words of all patterns: one of them is no other one that was misspelled.
    private let known: Set<String>

    init(_ sources: [String]) {
        patterns = sources.map { source in
            (source, Self.words(source.filter { $0 != "(" && $0 != ")" }))
        }
        known = Set(patterns.flatMap(\.words).flatMap { $0.split(separator: "/").map { $0.lowercased() } })
    }

    /// Longer texts get no suggestions: they are not misspelled steps.
    private static let maximumWords = 64
    private static let maximumLetters = 32
    /// Share of words that may differ.
    private static let tolerance = 0.5
    private static let suggestions = 3

    func nearest(to text: String) -> [String] {
        let words = Self.words(text)
        guard words.count <= Self.maximumWords, !words.isEmpty else { return [] }
        let ranked = patterns.enumerated().compactMap { index, pattern -> (cost: Double, index: Int)? in
            let longest = max(words.count, pattern.words.count, 1)
            // At least so many words are added or missing, which rules out most patterns cheaply.
            let surplus = abs(words.count - pattern.words.count)
            guard Double(surplus) <= Self.tolerance * Double(longest) else { return nil }
            return (Self.distance(words, pattern.words, difference) / Double(longest), index)
        }
        // A step that is much farther away than the nearest is not what was meant.
        let nearest = ranked.map(\.cost).min() ?? 0
        let limit = min(Self.tolerance, max(2 * nearest, 0.1))
        return ranked.filter { $0.cost <= limit }
            .sorted { ($0.cost, $0.index) < ($1.cost, $1.index) }
            .prefix(Self.suggestions).map { patterns[$0.index].source }
    }

    /// The text with a parameter in place of each word that could be a value.
    func reading(of text: String) -> String {
        let words = Self.words(text)
        guard words.count <= Self.maximumWords else { return "\(words.count) words" }
        return words.map { Self.parameter(for: $0) ?? $0 }.joined(separator: " ").shortened
    }

    /// Splits at white space; a quoted text is one word.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if let open = quote {
                if scalar == open { quote = nil }
            } else if scalar == "\"" || (scalar == "'" && word.isEmpty) {
                quote = scalar
            } else if scalar.properties.isWhitespace {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            word.unicodeScalars.append(scalar)
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    private static func parameter(for word: String) -> String? {
        if let first = word.first, first == "\"" || first == "'", word.count > 1, word.last == first {
            return "{string}"
        }
        if Int(word) != nil { return "{int}" }
        let isNumeral = word.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) }
        return isNumeral && Double(word) != nil ? "{float}" : nil
    }

    /// The difference of two words, from 0 for equal ones to 1. Short ones, such as `is` and `goes`, say little.
    private func difference(_ word: String, _ other: String) -> Double {
        if word == other { return 0 }
        if other.first == "{" {
            guard let parameter = Self.parameter(for: word) else { return other == "{word}" || other == "{}" ? 0 : 0.5 }
            return parameter == other || other == "{}" ? 0 : 0.5
        }
        let word = word.lowercased()
        return other.lowercased().split(separator: "/").map { alternative in
            if word == alternative { return 0 }
            if known.contains(word) { return max(word.utf8.count, alternative.utf8.count) <= 4 ? 0.5 : 1 }
            let letters = Array(word.unicodeScalars.prefix(Self.maximumLetters))
            let others = Array(alternative.unicodeScalars.prefix(Self.maximumLetters))
            let distance = Self.distance(letters, others) { $0 == $1 ? 0 : 1 }
            return distance / Double(max(letters.count, others.count, 1))
        }.min() ?? 1
    }

    /// Least cost of turning one into the other (Levenshtein distance), where an insertion or deletion costs 1.
    private static func distance<Element>(
        _ left: [Element], _ right: [Element], _ difference: (Element, Element) -> Double
    ) -> Double {
        var row = (0...right.count).map(Double.init)
        for (index, element) in left.enumerated() {
            var diagonal = row[0]
            row[0] = Double(index + 1)
            for (column, other) in right.enumerated() {
                let change = diagonal + difference(element, other)
                diagonal = row[column + 1]
                row[column + 1] = min(change, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
