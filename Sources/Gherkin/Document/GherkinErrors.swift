/// One thing that keeps a text from being Gherkin.
package struct GherkinError: Error, Hashable, CustomStringConvertible {
    package var location: Location
    /// In the words of the official parsers, without the place that they put before it.
    package var message: String

    package init(_ location: Location, _ message: String) {
        self.location = location
        self.message = message
    }

    /// As the official parsers write it.
    package var description: String { "(\(location.line):\(location.column)): \(message)" }
}

/// What is wrong with a file, in the order in which it was found.
package struct GherkinErrors: Error, Hashable {
    /// Parsing ends with the error after this one, as it does in the official parsers: what comes then is mostly in consequence.
    static let limit = 10

    package private(set) var errors: [GherkinError] = []

    package init() {}

    package init(_ error: GherkinError) { errors = [error] }

    var isFull: Bool { errors.count > Self.limit }

    /// Adds an error unless it is there already: the same line is looked at several times.
    mutating func add(_ error: GherkinError) {
        if !isFull, !errors.contains(error) { errors.append(error) }
    }
}
