/// Why an output stream takes nothing more.
package struct OutputError: Error, Equatable, CustomStringConvertible {
    /// True if the reader has closed its end of the pipe, which is its right.
    package let isReaderGone: Bool
    /// One line that names the stream.
    package let description: String

    package init(_ error: SystemError, of name: String) {
        isReaderGone = error == .brokenPipe
        description =
            error == .badDescriptor
            ? "\(name) is closed; redirect it, for example to /dev/null" : "\(name) cannot be written: \(error)"
    }
}
