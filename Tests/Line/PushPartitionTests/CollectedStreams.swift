import PushJSON
import PushRuns
import PushSystem

/// Collects what a job writes.
final class CollectedStreams: RunStreams {
    final class Output: RunOutput {
        private(set) var bytes: [UInt8] = []

        func append(_ body: (inout ByteBuffer) -> Void) throws(PlainError) {
            var buffer = ByteBuffer()
            body(&buffer)
            bytes += buffer.bytes
        }

        func append(_ text: BorrowedText) throws(PlainError) { bytes += text.bytes }
        func write(_ more: UnsafeRawBufferPointer) throws(PlainError) { bytes += more }
        func flush() throws(PlainError) {}
        func finish() throws(PlainError) {}
    }

    let output = Output()
    private(set) var notes = ""
    /// The number of questions after which it is time to stop.
    var questionsUntilStop = Int.max

    func openOutput(writesInBackground: Bool) -> Output { output }
    func openOutput(to report: OpenReport, writesInBackground: Bool) -> Output { output }
    let outputDescriptor = FileDescriptor(rawValue: -1)
    func note(_ text: String) { notes += text }
    func inviteInput() {}
    func listenForStop() {}

    var isStopped: Bool {
        if questionsUntilStop > 0 { questionsUntilStop -= 1 }
        return questionsUntilStop == 0
    }

    var stopReason: String { "SIGTEST" }
    var text: String { String(decoding: output.bytes, as: UTF8.self) }
}
