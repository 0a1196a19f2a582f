import PushFiles
package import PushSystem

/// Why an extension cannot be built or run as asked: a sentence that names the file and says what to do next.
///
/// Sources that the compiler rejects are not such an error: `ExtensionBuilder` reports what the compiler said.
package struct ExtensionBuildError: Error, CustomStringConvertible {
    package let message: String
    package var description: String { message }

    package init(_ message: String) { self.message = message }

    /// What the system says about a file.
    package init(_ path: String, _ error: SystemError) { message = "\(FilePaths.shown(path)): \(error)" }
}
