/// The version of pushpipe, and where it comes from.
package enum ToolVersion {
    package static let current = "0.2.0"
    /// The address of its repository.
    package static let repository = "https://github.com/pushpipe/pushpipe"
}
