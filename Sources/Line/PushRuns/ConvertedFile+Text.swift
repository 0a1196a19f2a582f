import PayloadJSON
package import PushFiles
package import PushSystem

extension ConvertedFile {
    /// A compressed file, or one in UTF-16, as text; nil for one that is text, and without a program that converts it: then it is one
    /// malformed record, which says what to do.
    ///
    /// - Parameter given: at the beginning of what is read.
    /// - Throws: `SystemError` if the program cannot be started.
    package static func text(of given: FileDescriptor) throws(SystemError) -> ConvertedFile? {
        var beginning = [UInt8](repeating: 0, count: ForeignText.longestSignature)
        guard (try? FileStatus(given))?.kind == .regular, given.position == 0,
            let count = try? given.read(into: &beginning, at: 0),
            let command = ForeignText.converter(ofFileWith: Array(beginning.prefix(count)))
        else { return nil }
        return try ConvertedFile(given, through: command)
    }
}
