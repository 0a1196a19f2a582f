/// The version of pushpipe.
package enum ToolVersion {
    package static let current = "0.1.0"
}
