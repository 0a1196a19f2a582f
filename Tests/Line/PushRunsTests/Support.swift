import Foundation
import PayloadJSON
import PushRuns
import PushSystem

/// Collects what a run writes.
final class CollectedStreams: RunStreams {
    final class Output: RunOutput {
        private(set) var bytes: [UInt8] = []
        /// Thrown instead of taking more.
        var error: OutputError?

        func append(_ body: (inout ByteBuffer) -> Void) throws(OutputError) {
            var buffer = ByteBuffer()
            body(&buffer)
            try write(buffer.bytes)
        }

        func append(_ text: BorrowedText) throws(OutputError) { try write(UnsafeRawBufferPointer(text.buffer)) }

        func write(_ more: UnsafeRawBufferPointer) throws(OutputError) {
            if let error { throw error }
            bytes += more
        }

        func flush() throws(OutputError) {}
        func finish() throws(OutputError) {}
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

/// A folder with files, which is removed with the last reference.
final class Folder {
    let path: String

    init(_ files: [String: String] = [:]) throws {
        path = NSTemporaryDirectory() + "pushruns-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: self[name])) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    subscript(name: String) -> String { "\(path)/\(name)" }

    func text(_ name: String) throws -> String { try String(contentsOfFile: self[name], encoding: .utf8) }

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: self[name], atomically: false, encoding: .utf8)
    }
}
