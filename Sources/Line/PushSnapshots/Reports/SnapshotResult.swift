/// The result of one input, or of an approved file without one.
package struct SnapshotResult {
    /// The status of an input's snapshot. The names are those of reports.
    package enum Status: String, CaseIterable, Sendable {
        /// The same as the approved one.
        case unchanged
        /// Differs from the approved one.
        case changed
        /// There is no approved one.
        case new
        /// There is no input for the approved one.
        case obsolete
        /// A scenario did not pass, so there is nothing to approve.
        case failed
        /// An input or an approved file cannot be read or written.
        case unreadable
        /// Approved now: changed before.
        case updated
        /// Approved now: new before.
        case added
        /// Deleted now: obsolete before.
        case removed

        /// True if somebody has to look at it.
        package var isDifference: Bool {
            switch self {
            case .changed, .new, .obsolete, .failed: true
            case .unchanged, .unreadable, .updated, .added, .removed: false
            }
        }
    }

    /// The input as it was typed, or found.
    package var input: String
    package var status: Status
    package var changes: [SnapshotDifference.Change] = []
    /// The lines of a snapshot that there is nothing to compare with.
    package var text: [String] = []
    /// Why a status is what it is, when its name does not say so.
    package var message: String?

    /// Everything about it in lines, for other formats than text.
    var details: String {
        let lines = [message ?? status.rawValue] + text + SnapshotChangeText.plainLines(of: changes)
        return lines.joined(separator: "\n")
    }

    package var approved: String { ApprovedFile.input(of: input) == nil ? ApprovedFile(of: input).path : input }
}
