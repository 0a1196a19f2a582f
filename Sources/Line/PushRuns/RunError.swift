import PayloadJSON
package import PushFiles
package import PushSystem
import PushText

/// Why a run cannot begin or go on, other than for an unreadable input or an unwritable output.
package struct RunError: ParameterError, Equatable {
    package let parameter: String?
    /// Names the file, unless a value does, and says what is wrong.
    package let message: String

    /// - Parameter parameter: the value that is wrong, in words.
    package init(_ message: String, of parameter: String? = nil) {
        self.message = message
        self.parameter = parameter
    }
}

extension FileBytes {
    /// Reads a configuration or a key; the error names the file.
    package static func readConfiguration(
        _ path: String, limit: Int = maximumConfigurationBytes
    ) throws(RunError) -> [UInt8] {
        do throws(SystemError) { return try read(path, limit: limit) } catch {
            throw RunError("\(path): \(message(for: error, limit: limit))")
        }
    }
}

extension ConvertedFile {
    /// A compressed file, or one in UTF-16 or UTF-32, as text; nil for one that is text, and without a program that converts it: then it is one
    /// malformed record, which says what to do.
    ///
    /// - Parameter given: at the beginning of what is read.
    /// - Throws: `SystemError` if the program cannot be started.
    package static func text(of given: FileDescriptor) throws(SystemError) -> ConvertedFile? {
        try text(
            of: given, signatureBytes: ForeignText.longestSignature, ForeignText.converter)
    }
}
