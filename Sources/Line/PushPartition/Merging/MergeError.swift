/// Why reports cannot be merged.
package struct MergeError: Error, Equatable, CustomStringConvertible {
    /// The report.
    package var file: String
    /// The line, from 1; nil if the file itself is the problem.
    package var line: UInt64?
    package var problem: String
    /// True if the report ends in the middle of a line, as that of a run that was killed.
    var isIncomplete = false

    /// One line that names the file.
    package var description: String { "\(file): " + (line.map { "line \($0): " } ?? "") + problem }
}
