/// Finds messages in a stream of bytes: one a line.
///
/// Source: Model Context Protocol, stdio transport, revisions 2025-06-18 to 2026-07-28. A pure state machine, as `MessageFramer`. Empty lines
/// are skipped, and a line may end in `\r\n`. A last line without an end is no message: a client that was killed may have cut it.
package struct LineFramer {
    private let maximumLineBytes: Int
    private var buffer: [UInt8] = []
    /// Bytes of the buffer that have been used.
    private var used = 0
    /// Bytes after `used` in which no line ends.
    private var searched = 0
    /// True within a line that is too long, whose bytes are dropped.
    private var isDropping = false

    /// - Parameter maximumLineBytes: of one message, without its line feed; 64 MiB unless a test says otherwise.
    package init(maximumLineBytes: Int = 64 << 20) { self.maximumLineBytes = maximumLineBytes }

    /// Adds bytes that were read.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        buffer.removeFirst(used)
        used = 0
        buffer += bytes
    }

    /// The next item; nil if more bytes are needed.
    package mutating func next() -> MessageFramer.Item? {
        while let end = buffer[(used + searched)...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = buffer[used..<end]
            let wasDropping = isDropping
            used = end + 1
            searched = 0
            isDropping = false
            if wasDropping { continue }
            guard line.count <= maximumLineBytes else { return tooLong }
            let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if !content.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return .content(Array(content)) }
        }
        searched = buffer.count - used
        guard isDropping || searched > maximumLineBytes else { return nil }
        // The rest of the line is dropped as it comes.
        let wasDropping = isDropping
        isDropping = true
        used = buffer.count
        searched = 0
        return wasDropping ? nil : tooLong
    }

    private var tooLong: MessageFramer.Item { .fault("a message of more than \(maximumLineBytes) bytes") }

    /// A message as it goes over the stream. The text of a value has no line feeds.
    package static func framed(_ content: [UInt8]) -> [UInt8] { content + [UInt8(ascii: "\n")] }
}
