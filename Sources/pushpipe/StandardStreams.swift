import Dispatch
import FileAccess
import PayloadJSON
import PushPipeline
import Synchronization
import TerminalStyle

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The three streams that a program is given.
enum StandardStreams {
    /// Puts something in the place of one that is closed, which cannot be used either. Else the next file that is opened would have its
    /// number, and get what is meant for the stream: a store, the reports.
    static func fillGaps() {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
            // It gets the lowest free number, which is this one.
            _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
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

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    static var columns: Int { TerminalWidth.columns(of: STDOUT_FILENO) }

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
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let written = systemWrite(STDOUT_FILENO, part.baseAddress, part.count)
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno == EPIPE {
                throw Failure.readerGone
            } else if errno == EAGAIN {
                // Whoever gave us this stream made it non-blocking; wait as a blocking one would.
                var request = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                poll(&request, 1, -1)
            } else if errno == EBADF {
                throw Failure.trouble("standard output is closed; lead it somewhere, to /dev/null if need be")
            } else if errno != EINTR {
                throw Failure.trouble("standard output cannot be written: \(SystemError())")
            }
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
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
    static var columns: Int { TerminalWidth.columns(of: STDERR_FILENO) }

    static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let written = systemWrite(STDERR_FILENO, rest.baseAddress, rest.count)
                if written < 0, errno == EINTR { continue }
                // There is nowhere to complain to.
                guard written > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            }
        }
    }
}

extension TextStyle {
    /// Colours on a terminal, unless `NO_COLOR` is set (no-color.org) or the terminal is a dumb one.
    static func forTerminal(_ isTerminal: Bool) -> TextStyle {
        let isUnwanted = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? false
        return TextStyle(hasColours: isTerminal && !isUnwanted && !isDumb)
    }
}

/// `write(2)`, under a name that a method called `write` does not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

enum TerminalWidth {
    private static let `default` = 120

    /// Columns of a terminal; `default` if it is not one.
    static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return `default`
        }
        return Int(size.ws_col)
    }
}
