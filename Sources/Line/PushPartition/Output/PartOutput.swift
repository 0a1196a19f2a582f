package import PayloadJSON
package import PushRuns

/// Where the lines of parts go. Used on one thread.
package protocol PartOutput: AnyObject {
    /// Adds a line, with its line feed. The text is valid for the duration of the call.
    ///
    /// - Parameters:
    ///   - part: from 0.
    ///   - seq: the record's number; 0 for the first line of a part, and the number after that of the last record for its last line.
    func append(_ line: BorrowedText, part: Int, seq: UInt64) throws

    /// Writes what readers should see, because the input pauses.
    func flush() throws

    /// Writes everything. Nothing is appended afterwards.
    func finish() throws
}

/// Writes all parts to one stream, each line after columns by which an engine divides and sorts it:
///
///     PART<TAB>SEQ<TAB>LINE
package final class KeyColumnOutput<Output: RunOutput>: PartOutput {
    private let output: Output

    package init(_ output: Output) { self.output = output }

    package func append(_ line: BorrowedText, part: Int, seq: UInt64) throws {
        try output.append { out in
            out.append(UInt64(part))
            out.append(UInt8(ascii: "\t"))
            out.append(seq)
            out.append(UInt8(ascii: "\t"))
            out.append(line)
        }
    }

    package func flush() throws { try output.flush() }

    package func finish() throws { try output.finish() }
}
