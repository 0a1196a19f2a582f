import PushStore

/// Why an export cannot be imported.
package struct ExportError: Error, Equatable, CustomStringConvertible {
    /// One line, without the place.
    package let description: String

    init(_ description: String) { self.description = description }
}
