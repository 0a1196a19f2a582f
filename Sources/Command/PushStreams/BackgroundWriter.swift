import Dispatch
import PayloadJSON
import PushSystem
import Synchronization

/// Writes buffers to a stream one after the other, on a separate thread.
final class BackgroundWriter {
    private final class Outbox: Sendable {
        struct State: ~Copyable {
            var buffer = ByteBuffer()
            var failure: OutputError?
        }

        let descriptor: FileDescriptor
        let name: String
        let state = Mutex(State())
        /// Signaled while the buffer is free to be filled.
        let isFree = DispatchSemaphore(value: 1)

        init(_ descriptor: FileDescriptor, _ name: String) {
            self.descriptor = descriptor
            self.name = name
        }

        func write() {
            state.withLock { state in
                do throws(OutputError) {
                    try StandardOutput.writeAll(&state.buffer, to: descriptor, name)
                } catch {
                    state.failure = error
                }
            }
            isFree.signal()
        }
    }

    private let outbox: Outbox
    private let queue = DispatchQueue(label: "pushpipe.output")

    init(_ descriptor: FileDescriptor, _ name: String) { outbox = Outbox(descriptor, name) }

    /// Takes the bytes and leaves an empty buffer in their place.
    func write(_ buffer: inout ByteBuffer) throws(OutputError) {
        try takeTurn { swap(&$0.buffer, &buffer) }
        queue.async { [outbox] in outbox.write() }
    }

    /// Returns once everything is written.
    func wait() throws(OutputError) {
        try takeTurn { _ in }
        outbox.isFree.signal()
    }

    /// Waits until the outbox is free, and throws the error of its last write.
    private func takeTurn(_ body: (inout Outbox.State) -> Void) throws(OutputError) {
        outbox.isFree.wait()
        let failure = outbox.state.withLock { state in
            if state.failure == nil { body(&state) }
            return state.failure
        }
        guard let failure else { return }
        outbox.isFree.signal()
        throw failure
    }
}
