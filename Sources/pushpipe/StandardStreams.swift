import Dispatch
import FileAccess
import PayloadJSON
import PushPipeline
import Synchronization
import SystemSupport
import TerminalStyle

/// Standard input, output and error.
enum StandardStreams {
    /// Opens /dev/null for each closed stream, in the direction in which its use fails. Otherwise the next opened file, such as the store,
    /// would get the stream's number, and with it whatever is written to the stream.
    static func fillGaps() {
        let streams: [FileDescriptor] = [.standardInput, .standardOutput, .standardError]
        for stream in streams where !stream.isOpen {
            // A new descriptor gets the lowest free number, which is this one.
            _ = try? FileDescriptor.open(
                "/dev/null", stream == .standardInput ? .writeOnly : .readOnly, options: .inherited)
        }
    }
}

/// Standard output with a buffer.
final class StandardOutput {
    private static let flushBytes = 64 * 1024  // 64 KiB
    /// Usually more than the reports of a chunk, because each hand-over wakes the writing thread.
    private static let backgroundFlushBytes = 1 << 20  // 1 MiB

    // Exclusivity is not checked, because `append` runs once per report line and its closures do not call back.
    @exclusivity(unchecked) private var buffer = ByteBuffer(capacity: 2 * flushBytes)
    private let background: BackgroundWriter?
    private let flushBytes: Int

    static var isTerminal: Bool { Terminal.isTerminal(.standardOutput) }
    static var columns: Int { Terminal.columns(.standardOutput) }

    /// - Parameter writesInBackground: whether a separate thread writes, so that the caller need not wait for the reader. At most one buffer
    ///   is being written; the next call throws its error.
    init(writesInBackground: Bool = false) {
        background = writesInBackground ? BackgroundWriter() : nil
        flushBytes = writesInBackground ? Self.backgroundFlushBytes : Self.flushBytes
    }

    /// Lets `body` append to the buffer, and writes the buffer once it is large enough.
    func append(_ body: (inout ByteBuffer) -> Void) throws {
        body(&buffer)
        if buffer.count >= flushBytes { try flush() }
    }

    /// Appends bytes, or writes them at once if nothing is before them and nobody else could.
    func append(_ bytes: BorrowedText) throws {
        guard background == nil, buffer.count == 0, bytes.count >= flushBytes else {
            return try append { $0.append(bytes) }
        }
        // SOUND: a borrowed text has `count` readable bytes.
        try Self.writeAll(unsafe UnsafeRawBufferPointer(start: bytes.start, count: bytes.count))
    }

    /// Writes the buffer and then these bytes, and returns when both are written.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try finish()
        try Self.writeAll(bytes)
    }

    /// Appends text and writes the buffer.
    func write(_ text: String) throws {
        buffer.appendText(text)
        try flush()
    }

    /// Writes the buffer, or hands it to the writing thread.
    ///
    /// - Throws: `Failure.readerGone` if the reader has closed the pipe.
    func flush() throws {
        if let background {
            if buffer.count > 0 { try background.write(&buffer) }
        } else {
            try Self.writeAll(&buffer)
        }
    }

    /// Writes the buffer, and returns once everything is written.
    func finish() throws {
        try flush()
        try background?.wait()
    }

    fileprivate static func writeAll(_ buffer: inout ByteBuffer) throws {
        defer { buffer.removeAll() }
        try writeAll(buffer.bytes)
    }

    private static func writeAll(_ bytes: UnsafeRawBufferPointer) throws {
        do throws(SystemError) {
            try FileDescriptor.standardOutput.writeAll(bytes, waits: true)
        } catch .brokenPipe {
            throw Failure.readerGone
        } catch .badDescriptor {
            throw Failure.trouble("standard output is closed; redirect it, for example to /dev/null")
        } catch {
            throw Failure.trouble("standard output cannot be written: \(error)")
        }
    }
}

/// Writes buffers to standard output one after the other, on a separate thread.
private final class BackgroundWriter {
    private final class Outbox: Sendable {
        struct State: ~Copyable {
            var buffer = ByteBuffer()
            var failure: (any Error)?
        }

        let state = Mutex(State())
        /// Signaled while the buffer is free to be filled.
        let isFree = DispatchSemaphore(value: 1)

        func write() {
            state.withLock { state in
                do { try StandardOutput.writeAll(&state.buffer) } catch { state.failure = error }
            }
            isFree.signal()
        }
    }

    private let outbox = Outbox()
    private let queue = DispatchQueue(label: "pushpipe.output")

    /// Takes the bytes and leaves an empty buffer in their place.
    func write(_ buffer: inout ByteBuffer) throws {
        try takeTurn { swap(&$0.buffer, &buffer) }
        queue.async { [outbox] in outbox.write() }
    }

    /// Returns once everything is written.
    func wait() throws {
        try takeTurn { _ in }
        outbox.isFree.signal()
    }

    /// Waits until the outbox is free, and throws the error of its last write.
    private func takeTurn(_ body: (inout Outbox.State) -> Void) throws {
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

/// Standard error, for everything that is not data.
enum StandardError {
    static var isTerminal: Bool { Terminal.isTerminal(.standardError) }
    static var columns: Int { Terminal.columns(.standardError) }

    static func write(_ text: String) {
        var text = text
        // A failure could not be reported anywhere.
        text.withUTF8 { try? FileDescriptor.standardError.writeAll(UnsafeRawBufferPointer($0)) }
    }
}

extension TextStyle {
    /// Colors on a terminal, unless `NO_COLOR` is set (no-color.org) or `TERM` is `dumb`.
    static func forTerminal(_ isTerminal: Bool) -> TextStyle {
        let isUnwanted = Environment.nonEmptyVariable("NO_COLOR") != nil
        let isDumb = Environment.variable("TERM") == "dumb"
        return TextStyle(hasColours: isTerminal && !isUnwanted && !isDumb)
    }
}
