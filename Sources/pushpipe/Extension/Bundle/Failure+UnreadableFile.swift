import BundleFiles

extension Failure {
    /// Runs what reads a file of a bundle, whose trouble is the command's.
    static func unlessReadable<Result>(
        _ body: () throws(UnreadableFile) -> Result
    ) throws(Failure) -> Result {
        do throws(UnreadableFile) {
            return try body()
        } catch {
            throw .trouble(error.message)
        }
    }
}
