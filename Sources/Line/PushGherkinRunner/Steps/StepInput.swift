package import PushGherkin

/// The input of a step's closure.
public struct StepInput: Sendable {
    /// The text of the step, without its keyword.
    public let text: String
    /// The values of the parameters, in order.
    package let values: [StepValue]
    /// Nil when none stands below the step.
    package let docString: PickleDocString?
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
        return docString.content
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
