/// The handling of findings that can be fixed.
package enum FixMode: Sendable {
    /// Only report them.
    case none
    /// Fix them, and write the files.
    case write
    /// Show as a difference what fixing would change, and write nothing.
    case show
}
