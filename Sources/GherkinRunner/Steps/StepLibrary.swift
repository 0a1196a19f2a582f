import Gherkin

/// The keyword under which the documentation lists a step. As in Cucumber, a scenario may use the step with any other.
public enum StepKeyword: String, CaseIterable, Sendable {
    /// Sets up what the scenario starts from.
    case given = "Given"
    /// Does something.
    case when = "When"
    /// Checks the result.
    case then = "Then"
}

/// A step that can be used in scenarios: what it looks like, what it does, and how it is told to people.
package struct StepDefinition<World> {
    package let keyword: StepKeyword
    package let pattern: StepPattern
    package let argument: StepArgument
    /// A sentence.
    package let summary: String
    /// A use of it, with what stands below it, on lines of its own.
    package let example: String
    let body: (inout World, StepInput) throws -> Void
}

/// The steps that scenarios can use. A step works on a `World`, of which each scenario has its own.
public struct StepLibrary<World> {
    package private(set) var definitions: [StepDefinition<World>] = []
    private let types: [ParameterType]

    /// - Parameter types: parameter types of one's own.
    package init(types: [ParameterType] = []) { self.types = types }

    /// Adds a step.
    ///
    /// - Parameters:
    ///   - pattern: a Cucumber Expression, such as `the badge is {int}`.
    ///   - argument: what stands below it. A step that has something else there cannot be run.
    ///   - summary: a sentence for the documentation.
    ///   - example: a use of it, with its keyword.
    ///   - body: what it does. What it throws fails the scenario; `StepFailure` with its own words.
    /// - Throws: `PatternError` when the pattern is not a Cucumber Expression.
    public mutating func add(
        _ keyword: StepKeyword, _ pattern: String, argument: StepArgument = .none, summary: String,
        example: String, body: @escaping (inout World, StepInput) throws -> Void
    ) throws(PatternError) {
        let pattern = try StepPattern(pattern, types: types)
        definitions.append(
            StepDefinition(
                keyword: keyword, pattern: pattern, argument: argument, summary: summary, example: example, body: body))
    }

    /// What a step of a scenario is.
    enum Lookup {
        case found(StepDefinition<World>, StepInput)
        case undefined
        case ambiguous([String])
        /// There is such a step, and this is wrong with its use.
        case unusable(String)
    }

    func lookup(_ step: PickleStep) -> Lookup {
        let bytes = step.text.utf8.count
        guard bytes <= StepPattern.maximumTextBytes else {
            return .unusable(
                "the step has \(bytes) bytes, \(StepPattern.maximumTextBytes) are allowed; a payload belongs in a doc string below it"
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
            return .unusable("\(lost.text) is no value of {\(lost.type)}: it is too large")
        }
        let fits =
            switch definition.argument {
            case .none: step.docString == nil && step.table == nil
            case .docString: step.docString != nil && step.table == nil
            case .table: step.table != nil && step.docString == nil
            }
        guard fits else { return .unusable(definition.argument.wish) }
        return .found(
            definition,
            StepInput(
                text: step.text, values: values.compactMap(\.value), docString: step.docString, table: step.table))
    }
}
