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
    /// - Throws: `PatternError` when the pattern is not a Cucumber Expression.
    public mutating func add(
        _ keyword: StepKeyword, _ pattern: String, argument: StepArgument = .none, summary: String,
        example: String, body: @escaping @Sendable (inout World, StepInput) throws -> Void
    ) throws(PatternError) {
        try add(keyword, pattern, argument, summary, example, .direct(body))
    }

    /// Adds a step that awaits something. The parameters are those of a step that does not.
    ///
    /// - Parameter body: runs on the actor that awaits the scenario.
    public mutating func add(
        _ keyword: StepKeyword, _ pattern: String, argument: StepArgument = .none, summary: String,
        example: String,
        body: nonisolated(nonsending) @escaping @Sendable (inout World, StepInput) async throws -> Void
    ) throws(PatternError) {
        try add(keyword, pattern, argument, summary, example, .awaited(body))
    }

    private mutating func add(
        _ keyword: StepKeyword, _ pattern: String, _ argument: StepArgument, _ summary: String, _ example: String,
        _ action: StepAction<World>
    ) throws(PatternError) {
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

    func lookup(_ step: PickleStep) -> Lookup {
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
