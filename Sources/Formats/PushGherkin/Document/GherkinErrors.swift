/// One error in a feature file.
package struct GherkinError: Error, Hashable, CustomStringConvertible {
    package var location: Location
    /// The message of the official parsers, without the location in front.
    package var message: String

    package init(_ location: Location, _ message: String) {
        self.location = location
        self.message = message
    }

    /// The form that the official parsers print.
    package var description: String { "(\(location.line):\(location.column)): \(message)" }
}

/// The errors in a file, in the order in which they were found.
package struct GherkinErrors: Error, Hashable {
    /// Parsing ends with the error after this many, as in the official parsers: later errors are mostly consequences.
    static let limit = 10

    package private(set) var errors: [GherkinError] = []
    /// Where the text begins, if it is none of Gherkin: nothing in it begins a feature, as far as it was read.
    package internal(set) var beginningOfOtherText: Location?

    package init() {}

    package init(_ error: GherkinError) { errors = [error] }

    var isFull: Bool { errors.count > Self.limit }

    /// Adds an error unless it is already there: a line can be read several times.
    mutating func add(_ error: GherkinError) {
        if !isFull, !errors.contains(error) { errors.append(error) }
    }
}
