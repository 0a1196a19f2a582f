import Gherkin

/// A step that can be used in scenarios: what it looks like, what it does, and how it is told to people.
package struct StepDefinition<World> {
    /// With which word it is meant to be used. Like in Cucumber, any other fits too.
    package enum Keyword: String, CaseIterable, Sendable {
        case given = "Given"
        case when = "When"
        case then = "Then"
    }

    package let keyword: Keyword
    package let pattern: StepPattern
    package let argument: StepArgument
    /// A sentence.
    package let summary: String
    /// A use of it, with what stands below it, on lines of its own.
    package let example: String
    let body: (inout World, StepInput) throws -> Void
}

/// The steps that there are.
package struct StepLibrary<World> {
    package private(set) var definitions: [StepDefinition<World>] = []
    private let types: [ParameterType]

    /// - Parameter types: parameter types of one's own.
    package init(types: [ParameterType] = []) { self.types = types }

    /// Adds a step.
    ///
    /// - Parameters:
    ///   - argument: what stands below it. A step that has something else there cannot be run.
    ///   - summary: a sentence for the documentation.
    ///   - example: a use of it, with its keyword.
    ///   - body: what it does. What it throws fails the scenario; `StepFailure` with its own words.
    package mutating func add(
        _ keyword: StepDefinition<World>.Keyword, _ pattern: String, argument: StepArgument = .none, summary: String,
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
