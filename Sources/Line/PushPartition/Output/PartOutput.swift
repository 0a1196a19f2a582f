package import PayloadJSON

/// Where the lines of parts go. Used on one thread.
package protocol PartOutput: AnyObject {
    /// Adds a line, with its line feed. The text is valid for the duration of the call.
    ///
    /// - Parameters:
    ///   - part: from 0.
    ///   - seq: the record's number; 0 for the first line of a part, and the number after that of the last record for its last line.
    ///   - position: the line's position among those of the record: index of the target, or of the subscriber to a topic counted from 1.
    func append(_ line: BorrowedText, part: Int, seq: UInt64, position: Int) throws

    /// Writes what readers should see, because the input pauses.
    func flush() throws

    /// Writes everything. Nothing is appended afterwards.
    func finish() throws
}
