package import PushFiles
import PushSystem
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
