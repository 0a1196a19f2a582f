import Foundation
import PushJSON
import PushRuns
import PushSystem
import TestSupport

/// Collects what a run writes.
final class CollectedStreams: RunStreams {
    final class Output: RunOutput {
        private(set) var bytes: [UInt8] = []
        /// Thrown instead of taking more.
        var error: PlainError?

        func append(_ body: (inout ByteBuffer) -> Void) throws(PlainError) {
            var buffer = ByteBuffer()
            body(&buffer)
            try write(buffer.bytes)
        }

        func append(_ text: BorrowedText) throws(PlainError) { try write(UnsafeRawBufferPointer(text.buffer)) }

        func write(_ more: UnsafeRawBufferPointer) throws(PlainError) {
            if let error { throw error }
            bytes += more
        }

        func flush() throws(PlainError) {}
        func finish() throws(PlainError) {}
    }

    let output = Output()
    private(set) var notes = ""
    /// The number of questions after which it is time to stop.
    var questionsUntilStop = Int.max
    private(set) var isListening = false

    func openOutput(writesInBackground: Bool) -> Output { output }
    let reportOutput = Output()
    func openOutput(to report: OpenReport, writesInBackground: Bool) -> Output { reportOutput }
    let outputDescriptor = FileDescriptor(rawValue: -1)
    func note(_ text: String) { notes += text }
    func inviteInput() {}
    func listenForStop() { isListening = true }

    var isStopped: Bool {
        if questionsUntilStop > 0 { questionsUntilStop -= 1 }
        return questionsUntilStop == 0
    }

    var stopReason: String { "SIGTEST" }
    var text: String { String(decoding: output.bytes, as: UTF8.self) }
}

typealias Folder = TestFolder

extension TestFolder {
    subscript(name: String) -> String { path(name) }

    func text(_ name: String) throws -> String { try read(name) }
}
