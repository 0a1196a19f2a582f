import Dispatch
package import PayloadJSON
package import PushSystem
import Synchronization

/// Standard output, or another stream, with a buffer. Use it on one thread.
package final class StandardOutput {
    private static let flushBytes = 64 * 1024  // 64 KiB
    /// Usually more than the reports of a chunk, because each hand-over wakes the writing thread.
    private static let backgroundFlushBytes = 1 << 20  // 1 MiB

    // Exclusivity is not checked, because `append` runs once per report line and its closures do not call back.
    @exclusivity(unchecked) private var buffer = ByteBuffer(capacity: 2 * flushBytes)
    private let background: BackgroundWriter?
    private let flushBytes: Int
    private let descriptor: FileDescriptor
    private let name: String

    /// True if a terminal shows it, also through a pager.
    package static var isTerminal: Bool {
        OutputSettings.current.columnsOfPager != nil || Terminal.isTerminal(.standardOutput)
    }

    /// Columns of the terminal; 120 without one.
    package static var columns: Int { OutputSettings.current.columnsOfPager ?? Terminal.columns(.standardOutput) }

    /// - Parameter writesInBackground: true if a separate thread writes, so that the caller need not wait for the reader. At
    ///   most one buffer is being written; the next call throws its error.
    package init(
        _ descriptor: FileDescriptor = .standardOutput, name: String = "standard output",
        writesInBackground: Bool = false
    ) {
        self.descriptor = descriptor
        self.name = name
        background = writesInBackground ? BackgroundWriter(descriptor, name) : nil
        flushBytes = writesInBackground ? Self.backgroundFlushBytes : Self.flushBytes
    }

    /// Lets `body` append to the buffer, and writes the buffer once it is large enough.
    package func append(_ body: (inout ByteBuffer) -> Void) throws(OutputError) {
        body(&buffer)
        if buffer.count >= flushBytes { try flush() }
    }

    /// Appends bytes, or writes them at once if nothing is before them and nobody else could.
    package func append(_ bytes: BorrowedText) throws(OutputError) {
        guard background == nil, buffer.count == 0, bytes.count >= flushBytes else {
            return try append { $0.append(bytes) }
        }
        // SOUND: a borrowed text has `count` readable bytes.
        try Self.writeAll(unsafe UnsafeRawBufferPointer(start: bytes.start, count: bytes.count), to: descriptor, name)
    }

    /// Writes the buffer and then these bytes, and returns when both are written.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
        try finish()
        try Self.writeAll(bytes, to: descriptor, name)
    }

    /// Appends text and writes the buffer.
    package func write(_ text: String) throws(OutputError) {
        buffer.appendText(text)
        try flush()
    }

    /// Writes the buffer, or hands it to the writing thread.
    ///
    /// - Throws: `OutputError`, with `isReaderGone` if the reader has closed the pipe.
    package func flush() throws(OutputError) {
        if let background {
            if buffer.count > 0 { try background.write(&buffer) }
        } else {
            try Self.writeAll(&buffer, to: descriptor, name)
        }
    }

    /// Writes the buffer, and returns once everything is written.
    package func finish() throws(OutputError) {
        try flush()
        try background?.wait()
    }

    static func writeAll(
        _ buffer: inout ByteBuffer, to descriptor: FileDescriptor, _ name: String
    ) throws(OutputError) {
        defer { buffer.removeAll() }
        try writeAll(buffer.bytes, to: descriptor, name)
    }

    private static func writeAll(
        _ bytes: UnsafeRawBufferPointer, to descriptor: FileDescriptor, _ name: String
    ) throws(OutputError) {
        do throws(SystemError) {
            try descriptor.writeAll(bytes, waits: true)
        } catch {
            throw OutputError(error, of: name)
        }
    }
}

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
