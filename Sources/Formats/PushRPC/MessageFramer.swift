/// Finds messages in a stream of bytes: a header with `Content-Length`, an empty line, the content.
///
/// Source: Language Server Protocol 3.17, Base Protocol. Lines may end in a line feed alone, and names of fields are compared without case. A pure
/// state machine: it never waits, and whatever the bytes are, it continues with the next message that it can find.
package struct MessageFramer {
    /// The next element of the stream.
    package enum Item: Equatable {
        /// The content of a message.
        case content([UInt8])
        /// Bytes that are not part of a message were dropped, and why.
        case fault(String)
    }

    /// 4 KiB. A client's header has some 30 bytes.
    package static let maximumHeaderBytes = 4 << 10
    private static let tooLong = "a header of more than \(maximumHeaderBytes) bytes"

    private let maximumContentBytes: Int
    private var buffer: [UInt8] = []
    /// Bytes of the buffer that have been used.
    private var used = 0
    /// Bytes after `used` in which no header ends.
    private var searched = 0
    /// Bytes of a content that is too long, which are still to be dropped.
    private var dropping = 0
    /// The last item if it was a fault. The same one is not told again before a message: a header can have two bytes.
    private var lastFault: Item?

    /// - Parameter maximumContentBytes: of one message; 64 MiB unless a test says otherwise.
    package init(maximumContentBytes: Int = 64 << 20) { self.maximumContentBytes = maximumContentBytes }

    /// Adds bytes that were read.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        buffer.removeFirst(used)
        used = 0
        buffer += bytes
    }

    /// The next item; nil if more bytes are needed.
    package mutating func next() -> Item? {
        while let item = nextItem() {
            if item == lastFault { continue }
            if case .fault = item { lastFault = item } else { lastFault = nil }
            return item
        }
        return nil
    }

    private mutating func nextItem() -> Item? {
        if dropping > 0 {
            let count = min(dropping, buffer.count - used)
            used += count
            dropping -= count
            if dropping > 0 { return nil }
        }
        guard let end = headerEnd() else {
            guard buffer.count - used > Self.maximumHeaderBytes else { return nil }
            // What is kept may be the beginning of the header of the next message.
            return drop(to: buffer.count - Self.maximumHeaderBytes / 2, Self.tooLong)
        }
        guard end - used <= Self.maximumHeaderBytes else {
            return drop(to: end - Self.maximumHeaderBytes, Self.tooLong)
        }
        guard let length = Self.contentLength(buffer[used..<end]) else {
            return drop(to: end, "a header without one valid Content-Length")
        }
        guard length <= maximumContentBytes else {
            dropping = length
            return drop(to: end, "a message of \(length) bytes; at most \(maximumContentBytes) are read")
        }
        // The header is looked at again when more bytes have come: it is short.
        guard buffer.count - end >= length else { return nil }
        used = end + length
        searched = 0
        return .content(Array(buffer[end..<used]))
    }

    private mutating func drop(to end: Int, _ reason: String) -> Item {
        used = end
        searched = 0
        return .fault(reason)
    }

    /// The offset after the empty line that ends the header.
    private mutating func headerEnd() -> Int? {
        var index = used + searched
        while index < buffer.count {
            if buffer[index] == UInt8(ascii: "\n") {
                let end = index > used && buffer[index - 1] == UInt8(ascii: "\r") ? index - 1 : index
                if end > used, buffer[end - 1] == UInt8(ascii: "\n") { return index + 1 }
            }
            index += 1
        }
        searched = buffer.count - used
        return nil
    }

    private static let field = Array("content-length:".utf8)

    /// The value of the field; nil if there is none, or not one number. After a message whose length was wrong, the rest of its content stands
    /// before the field.
    private static func contentLength(_ header: ArraySlice<UInt8>) -> Int? {
        var found: Int?
        for line in header.split(separator: UInt8(ascii: "\n")) {
            guard let start = valueStart(in: line) else { continue }
            let digits = line[start...].drop { $0 == 0x20 || $0 == 0x09 }.prefix {
                $0 != 0x20 && $0 != 0x0D && $0 != 0x09
            }
            guard digits.count <= 15, digits.allSatisfy({ (0x30...0x39).contains($0) }),
                let length = Int(String(decoding: digits, as: UTF8.self)), found ?? length == length
            else { return nil }
            found = length
        }
        return found
    }

    /// The offset after the last name of the field that is not the end of a longer name. O(line).
    private static func valueStart(in line: ArraySlice<UInt8>) -> Int? {
        var start = line.endIndex - field.count
        while start >= line.startIndex {
            let end = start + field.count
            if line[end - 1] == UInt8(ascii: ":"), line[start..<end].map(lowercased) == field,
                start == line.startIndex || !isOfName(line[start - 1])
            {
                return end
            }
            start -= 1
        }
        return nil
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// True if a byte may be in the name of a field: a letter, a digit or a hyphen.
    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(lowercased(byte)) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
    }

    /// A message as it goes over the stream.
    package static func framed(_ content: [UInt8]) -> [UInt8] {
        Array("Content-Length: \(content.count)\r\n\r\n".utf8) + content
    }
}

/// Finds messages in a stream of bytes: one a line.
///
/// Source: Model Context Protocol, stdio transport, revisions 2025-06-18 to 2026-07-28. A pure state machine, as `MessageFramer`. Empty lines
/// are skipped, and a line may end in `\r\n`. A last line without an end is not a message: a client that was killed may have cut it.
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
