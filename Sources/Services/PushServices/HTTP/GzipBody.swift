import CZlib

/// A body that its client has compressed with gzip, as Expo's SDKs compress the longer ones. Source: RFC 1952.
package enum GzipBody: Equatable {
    case text([UInt8])
    /// The text has more bytes than are allowed.
    case tooLong
    /// Not gzip, cut short, or with a wrong checksum.
    case invalid

    /// How much text is taken from zlib at once, and how much more than the limit is ever in memory.
    private static let pieceBytes = 16 * 1024  // 16 KiB

    /// Reads a body of one member, or of several, whose texts follow each other (RFC 1952, section 2.2).
    ///
    /// - Parameter limit: of the text, in bytes.
    package init(_ body: [UInt8], limit: Int) {
        var stream = unsafe z_stream()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        // 15 is the largest window, and 16 asks for gzip's header and checksum.
        guard unsafe inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else {
            self = .invalid
            return
        }
        defer { unsafe inflateEnd(&stream) }
        // SOUND: zlib does not write to its input, which lives until the closure returns; so do the stream's other pointers.
        self = unsafe body.withUnsafeBufferPointer { input in
            unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe stream.avail_in = UInt32(clamping: input.count)
            return unsafe Self.reading(&stream, limit: limit)
        }
    }

    private static func reading(_ stream: inout z_stream, limit: Int) -> GzipBody {
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: pieceBytes)
        repeat {
            var status = Z_OK
            while status == Z_OK {
                // SOUND: zlib writes at most `avail_out` bytes, and the piece lives until the closure returns.
                let count = unsafe piece.withUnsafeMutableBufferPointer { out in
                    unsafe stream.next_out = out.baseAddress
                    unsafe stream.avail_out = UInt32(out.count)
                    status = unsafe inflate(&stream, Z_NO_FLUSH)
                    return unsafe out.count - Int(stream.avail_out)
                }
                text += piece.prefix(count)
                if text.count > limit { return .tooLong }
            }
            guard status == Z_STREAM_END, unsafe inflateReset(&stream) == Z_OK else { return .invalid }
        } while unsafe stream.avail_in > 0
        return .text(text)
    }
}
