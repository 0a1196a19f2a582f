import Dispatch
import PayloadJSON
import PushSystem
import Synchronization

/// Writes buffers to a stream one after the other, on a separate thread.
final class BackgroundWriter: Sendable {
    private struct Outbox: ~Copyable {
        var buffer = ByteBuffer()
        var failure: OutputError?
    }

    private let descriptor: FileDescriptor
    private let name: String
    private let outbox = Mutex(Outbox())
    /// Signaled while the buffer is free to be filled.
    private let isFree = DispatchSemaphore(value: 1)
    private let queue = DispatchQueue(label: "pushpipe.output")

    init(_ descriptor: FileDescriptor, _ name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Takes the bytes and leaves an empty buffer in their place.
    func write(_ buffer: inout ByteBuffer) throws(OutputError) {
        try takeTurn { swap(&$0.buffer, &buffer) }
        queue.async { [self] in writeOutbox() }
    }

    private func writeOutbox() {
        outbox.withLock { outbox in
            do throws(OutputError) {
                try StandardOutput.writeAll(&outbox.buffer, to: descriptor, name)
            } catch {
                outbox.failure = error
            }
        }
        isFree.signal()
    }

    /// Returns once everything is written.
    func wait() throws(OutputError) {
        try takeTurn { _ in }
        isFree.signal()
    }

    /// Waits until the outbox is free, and throws the error of its last write.
    private func takeTurn(_ body: (inout Outbox) -> Void) throws(OutputError) {
        isFree.wait()
        let failure = outbox.withLock { outbox in
            if outbox.failure == nil { body(&outbox) }
            return outbox.failure
        }
        guard let failure else { return }
        isFree.signal()
        throw failure
    }
}
