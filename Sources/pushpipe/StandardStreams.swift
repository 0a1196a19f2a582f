import PayloadJSON
import PushPipeline

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Standard output: collects bytes, and writes them when told to.
final class StandardOutput {
    private static let flushBytes = 64 * 1024  // 64 KiB

    // Changed once a report line, by nothing that calls back here.
    @exclusivity(unchecked) private var buffer = ByteBuffer(capacity: 2 * flushBytes)

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Lets `body` append, and writes once there is enough.
    func append(_ body: (inout ByteBuffer) -> Void) throws {
        body(&buffer)
        if buffer.count >= Self.flushBytes { try flush() }
    }

    /// Appends text and writes all there is.
    func write(_ text: String) throws {
        buffer.appendText(text)
        try flush()
    }

    /// Writes all there is.
    ///
    /// - Throws: `Failure.readerGone` when nobody reads any more.
    func flush() throws {
        var rest = buffer.bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let written = systemWrite(STDOUT_FILENO, part.baseAddress, part.count)
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno == EPIPE {
                buffer.removeAll()
                throw Failure.readerGone
            } else if errno == EAGAIN {
                // Whoever gave us this stream made it non-blocking; wait as a blocking one would.
                var request = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                poll(&request, 1, -1)
            } else if errno != EINTR {
                throw Failure.trouble("standard output cannot be written: \(SystemError())")
            }
        }
        buffer.removeAll()
    }
}

/// Standard error: what is not data.
enum StandardError {
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let written = systemWrite(STDERR_FILENO, rest.baseAddress, rest.count)
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
