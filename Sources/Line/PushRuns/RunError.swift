/// Why a run cannot begin or go on, other than for an unreadable input or an unwritable output.
package struct RunError: Error, Equatable, CustomStringConvertible {
    /// One line that names the file and says what is wrong.
    package let description: String

    package init(_ description: String) { self.description = description }
}
