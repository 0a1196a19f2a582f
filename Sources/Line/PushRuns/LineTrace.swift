import PayloadJSON
import PushPipeline

/// Keeps the trace of the record at one line of an input: of the last one that begins there or before.
final class LineTrace {
    /// From 1.
    private let line: Int
    private var start = 0
    private var isPast = false
    private var text = ByteBuffer()

    init(line: Int) { self.line = line }

    /// Takes a line of the report, in input order.
    func take(_ report: borrowing RecordReport, _ compose: (borrowing RecordReport, inout ByteBuffer) -> Void) {
        // What follows from a record has no place of its own.
        if let position = report.source?.position {
            isPast = position.line > line
            if !isPast, position.line > start {
                start = position.line
                text.removeAll()
            }
        }
        if !isPast { compose(report, &text) }
    }

    /// Passes the trace on; false if no record begins at the line or before.
    func write(_ body: (borrowing ByteBuffer) throws -> Void) rethrows -> Bool {
        if start > 0 { try body(text) }
        return start > 0
    }
}
