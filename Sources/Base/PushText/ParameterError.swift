/// An error that may be about a value that somebody has set. A program whose option sets it names the option.
package protocol ParameterError: Error, CustomStringConvertible {
    /// The value in words, such as `report file`; nil if the error is about something else.
    var parameter: String? { get }
    /// The problem, on one line: the words that follow the name of the value.
    var message: String { get }
}

extension ParameterError {
    package var description: String { description { $0 } }

    /// - Parameter name: of a value.
    package func description(naming name: (String) -> String) -> String {
        parameter.map { "\(name($0)) \(message)" } ?? message
    }
}
