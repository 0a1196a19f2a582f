package import PayloadJSON
package import PushRuns

/// Writes all parts to one stream, each line after columns by which an engine divides and sorts it:
///
///     PART<TAB>SEQ<TAB>POSITION<TAB>LINE
package final class KeyColumnOutput<Output: RunOutput>: PartOutput {
    private let output: Output

    package init(_ output: Output) { self.output = output }

    package func append(_ line: BorrowedText, part: Int, seq: UInt64, position: Int) throws {
        try output.append { out in
            out.append(UInt64(part))
            out.append(UInt8(ascii: "\t"))
            out.append(seq)
            out.append(UInt8(ascii: "\t"))
            out.append(UInt64(position))
            out.append(UInt8(ascii: "\t"))
            out.append(line)
        }
    }

    package func flush() throws { try output.flush() }

    package func finish() throws { try output.finish() }
}
