import Dispatch
import FileAccess
import PayloadJSON
import PushPipeline
import Synchronization
import SystemSupport
import TerminalStyle

/// The three streams that a program is given.
enum StandardStreams {
    /// Puts something in the place of one that is closed, which cannot be used either. Else the next file that is opened would have its
    /// number, and get what is meant for the stream: a store, the reports.
    static func fillGaps() {
        let streams: [FileDescriptor] = [.standardInput, .standardOutput, .standardError]
        for stream in streams where !stream.isOpen {
            // It gets the lowest free number, which is this one.
            _ = try? FileDescriptor.open(
                "/dev/null", stream == .standardInput ? .writeOnly : .readOnly, options: .inherited)
        }
    }
}

/// Standard output: collects bytes, and writes them when told to.
final class StandardOutput {
    private static let flushBytes = 64 * 1024  // 64 KiB
    /// More than a chunk's reports as a rule: each hand-over to the writing thread wakes it up.
    private static let backgroundFlushBytes = 1 << 20  // 1 MiB

    // Changed once a report line, by nothing that calls back here.
    @exclusivity(unchecked) private var buffer = ByteBuffer(capacity: 2 * flushBytes)
    private let background: BackgroundWriter?
    private let flushBytes: Int

    static var isTerminal: Bool { Terminal.isTerminal(.standardOutput) }
    static var columns: Int { Terminal.columns(.standardOutput) }

    /// - Parameter writesInBackground: a thread of its own writes, so that whoever appends need not wait for the reader. At most one
    ///   buffer is on its way; what goes wrong with it is thrown by the next call.
    init(writesInBackground: Bool = false) {
        background = writesInBackground ? BackgroundWriter() : nil
        flushBytes = writesInBackground ? Self.backgroundFlushBytes : Self.flushBytes
    }

    /// Lets `body` append, and writes once there is enough.
    func append(_ body: (inout ByteBuffer) -> Void) throws {
        body(&buffer)
        if buffer.count >= flushBytes { try flush() }
    }

    /// Writes all there is, and then these bytes, before it returns.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try finish()
        try Self.writeAll(bytes)
    }

    /// Appends text and writes all there is.
    func write(_ text: String) throws {
        buffer.appendText(text)
        try flush()
    }

    /// Writes all there is, or sees to it that it will be.
    ///
    /// - Throws: `Failure.readerGone` when nobody reads any more.
    func flush() throws {
        if let background {
            if buffer.count > 0 { try background.write(&buffer) }
        } else {
            try Self.writeAll(&buffer)
        }
    }

    /// Writes all there is, and returns once it is written.
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
            throw Failure.trouble("standard output is closed; lead it somewhere, to /dev/null if need be")
        } catch {
            throw Failure.trouble("standard output cannot be written: \(error)")
        }
    }
}

/// Writes buffers to standard output one after the other, on a thread of its own.
private final class BackgroundWriter {
    private final class Outbox: Sendable {
        struct State: ~Copyable {
            var buffer = ByteBuffer()
            var failure: (any Error)?
        }

        let state = Mutex(State())
        /// Whether the buffer is free to be filled.
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

    /// Takes the bytes over, and gives an empty buffer for them.
    func write(_ buffer: inout ByteBuffer) throws {
        try takeTurn { swap(&$0.buffer, &buffer) }
        queue.async { [outbox] in outbox.write() }
    }

    /// Returns once all is written.
    func wait() throws {
        try takeTurn { _ in }
        outbox.isFree.signal()
    }

    /// Waits until the outbox is free, and throws what went wrong with what was in it.
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

/// Standard error: what is not data.
enum StandardError {
    static var isTerminal: Bool { Terminal.isTerminal(.standardError) }
    static var columns: Int { Terminal.columns(.standardError) }

    static func write(_ text: String) {
        var text = text
        // There is nowhere to report a failure.
        text.withUTF8 { try? FileDescriptor.standardError.writeAll(UnsafeRawBufferPointer($0)) }
    }
}

extension TextStyle {
    /// Colours on a terminal, unless `NO_COLOR` is set (no-color.org) or the terminal is a dumb one.
    static func forTerminal(_ isTerminal: Bool) -> TextStyle {
        let isUnwanted = Environment.nonEmptyVariable("NO_COLOR") != nil
        let isDumb = Environment.variable("TERM") == "dumb"
        return TextStyle(hasColours: isTerminal && !isUnwanted && !isDumb)
    }
}
