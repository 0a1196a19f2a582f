#if os(Linux) && canImport(CCompression)
    @_exported public import CCompression
    public import Foundation

    // On Apple's systems these belong to Foundation.

    extension NSData {
        /// How data is compressed. Only zlib is there.
        public enum CompressionAlgorithm: Int, Sendable {
            /// LZFSE.
            @available(*, unavailable, message: "LZFSE is not on Linux; use zlib")
            case lzfse = 0
            /// LZ4.
            @available(*, unavailable, message: "LZ4 is not on Linux; use zlib")
            case lz4
            /// LZMA.
            @available(*, unavailable, message: "LZMA is not on Linux; use zlib")
            case lzma
            /// DEFLATE without a header.
            case zlib
        }

        /// The data compressed.
        public func compressed(using algorithm: CompressionAlgorithm) throws -> NSData {
            try transformed(COMPRESSION_STREAM_ENCODE, failure: 5376)
        }

        /// The data decompressed. Throws for data that is not compressed so, or that ends too early.
        public func decompressed(using algorithm: CompressionAlgorithm) throws -> NSData {
            try transformed(COMPRESSION_STREAM_DECODE, failure: 5377)
        }

        private func transformed(_ operation: compression_stream_operation, failure: Int) throws -> NSData {
            let result = NSMutableData()
            var stream = compression_stream()
            guard compression_stream_init(&stream, operation, COMPRESSION_ZLIB) == COMPRESSION_STATUS_OK else {
                throw NSError(domain: NSCocoaErrorDomain, code: failure)
            }
            defer { compression_stream_destroy(&stream) }
            stream.src_ptr = bytes.assumingMemoryBound(to: UInt8.self)
            stream.src_size = length
            var piece = [UInt8](repeating: 0, count: 16 * 1024)  // 16 KiB
            while true {
                let status = piece.withUnsafeMutableBufferPointer { room in
                    stream.dst_ptr = room.baseAddress
                    stream.dst_size = room.count
                    let status = compression_stream_process(&stream, Int32(COMPRESSION_STREAM_FINALIZE.rawValue))
                    if let base = room.baseAddress { result.append(base, length: room.count - stream.dst_size) }
                    return status
                }
                if status == COMPRESSION_STATUS_END { return result }
                // An ended input with room left makes no progress any more.
                if status == COMPRESSION_STATUS_ERROR || stream.dst_size == piece.count {
                    throw NSError(domain: NSCocoaErrorDomain, code: failure)
                }
            }
        }
    }

    extension NSMutableData {
        /// Replaces the data with the data compressed.
        public func compress(using algorithm: CompressionAlgorithm) throws {
            setData(try compressed(using: algorithm) as Data)
        }

        /// Replaces the data with the data decompressed.
        public func decompress(using algorithm: CompressionAlgorithm) throws {
            setData(try decompressed(using: algorithm) as Data)
        }
    }
#endif
