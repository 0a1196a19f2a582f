import PayloadJSON
import PushStore
import PushSystem

/// Reads lines one at a time. Holds at most the longest line and 256 KiB in memory.
struct LineReader: ~Copyable {
    private static let pieceBytes = 256 * 1024  // 256 KiB

    /// Number of the last line, from 1.
    private(set) var number = 0
    private let descriptor: FileDescriptor
    private var bytes: [UInt8] = []
    /// Where the next line begins.
    private var start = 0
    private var isAtEnd = false

    init(descriptor: FileDescriptor) { self.descriptor = descriptor }

    /// The next line without its line feed; nil after the last one.
    ///
    /// - Throws: `SystemError`, or `ExportError` for a line over the scanner's size limit.
    mutating func next() throws -> ArraySlice<UInt8>? {
        var searched = start
        while true {
            if let end = Self.newline(in: bytes, from: searched) {
                defer { start = end + 1 }
                number += 1
                return bytes[start..<end]
            }
            searched = bytes.count
            if isAtEnd {
                guard start < bytes.count else { return nil }
                defer { start = bytes.count }
                number += 1
                return bytes[start...]
            }
            guard bytes.count - start <= JSONScanner.maximumLength else {
                number += 1
                throw ExportError("the line is longer than 1 GiB")
            }
            bytes.removeSubrange(..<start)
            searched -= start
            start = 0
            isAtEnd = try !descriptor.appendPiece(to: &bytes, atMost: Self.pieceBytes)
        }
    }

    private static func newline(in bytes: [UInt8], from start: Int) -> Int? {
        unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress, start < buffer.count else { return nil }
            // SOUND: the range from `start` on lies in the buffer.
            return unsafe Memory.firstOffset(of: 0x0A, in: base + start, count: buffer.count - start).map { start + $0 }
        }
    }
}
