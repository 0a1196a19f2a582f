import PayloadJSON
import PushSystem

/// The stream of a report. If records are written too, the run goes on for them when nobody reads the report any more.
final class ReportOutput<Output: RunOutput>: RunOutput {
    private let output: Output
    private let isOptional: Bool
    private var isGone = false

    /// - Parameter isOptional: true if the run goes on without a reader.
    init(_ output: Output, isOptional: Bool) {
        self.output = output
        self.isOptional = isOptional
    }

    private func attempt(_ body: () throws(OutputError) -> Void) throws(OutputError) {
        if isGone { return }
        do throws(OutputError) {
            try body()
        } catch {
            guard isOptional, error.isReaderGone else { throw error }
            isGone = true
        }
    }

    func append(_ body: (inout ByteBuffer) -> Void) throws(OutputError) {
        try attempt { () throws(OutputError) in try output.append(body) }
    }

    func append(_ bytes: BorrowedText) throws(OutputError) {
        try attempt { () throws(OutputError) in try output.append(bytes) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
        // SOUND: passes the bytes on for the duration of the call.
        try attempt { () throws(OutputError) in try unsafe output.write(bytes) }
    }

    func flush() throws(OutputError) { try attempt { () throws(OutputError) in try output.flush() } }

    func finish() throws(OutputError) { try attempt { () throws(OutputError) in try output.finish() } }
}
