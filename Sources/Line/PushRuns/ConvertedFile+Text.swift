import PayloadJSON
package import PushFiles
package import PushSystem

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
