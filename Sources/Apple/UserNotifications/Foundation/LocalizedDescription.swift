#if os(Linux)
    import Foundation

    /// The text of errors.
    package enum LocalizedDescription {
        /// As `error.localizedDescription`, which for Linux forgets the text of an error that is a `CustomNSError` too.
        package static func of(_ error: any Error) -> String {
            (error as? any LocalizedError)?.errorDescription ?? error.localizedDescription
        }
    }
#endif
