import PushFiles
package import PushSystem
import PushText

/// Why an extension cannot be built or run as asked: a sentence that names the file and says what to do next.
///
/// Sources that the compiler rejects are not such an error: `ExtensionBuilder` reports what the compiler said.
package struct ExtensionBuildError: ParameterError {
    package let parameter: String?
    package let message: String

    /// - Parameter parameter: the value that is wrong, in words.
    package init(_ message: String, of parameter: String? = nil) {
        self.message = message
        self.parameter = parameter
    }

    /// An error of the system about a file.
    package init(_ path: String, _ error: SystemError) { self.init("\(FilePaths.shown(path)): \(error)") }
}
