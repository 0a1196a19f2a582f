import PushPipeline
import PushSystem
import PushText

/// A file that keeps what the gateway received, as records that `pushpipe run` reads. Closed when it is released.
final class RecordFile {
    let descriptor: FileDescriptor
    private let name: String
    /// The place of the next record, for the report: `run` over the file has the same places.
    private(set) var source: InputSource

    /// Opens a file to append to it, or makes one that only its owner can read: records have tokens and texts.
    init(_ path: String) throws(PlainError) {
        name = TerminalText.clean(path)
        source = InputSource(path)
        do throws(SystemError) {
            descriptor = try FileDescriptor.open(path, .readWrite, options: .create, permissions: 0o600)
        } catch {
            throw PlainError("\(name): \(error)", of: "record")
        }
        do throws(SystemError) { try endLine() } catch {
            descriptor.close()
            throw PlainError("\(name): \(error)", of: "record")
        }
    }

    deinit { descriptor.close() }

    /// A gateway that was killed may have left half a line.
    private func endLine() throws(SystemError) {
        guard try FileStatus(descriptor).kind == .regular else { return }
        let size = try FileStatus(descriptor).size
        var last: [UInt8] = [0]
        let read = size > 0 ? try descriptor.read(into: &last, at: Int64(size) - 1) : 0
        try descriptor.seekToEnd()
        if read == 1, last != [UInt8(ascii: "\n")] { try descriptor.writeAll([UInt8(ascii: "\n")]) }
        try passContents()
    }

    /// An earlier gateway may have left records.
    private func passContents() throws(SystemError) {
        var offset: Int64 = 0
        while true {
            var piece = [UInt8](repeating: 0, count: 1 << 20)
            let count = try descriptor.read(into: &piece, at: offset)
            if count == 0 { return }
            // SOUND: the piece lives until the closure returns.
            unsafe piece[..<count].withUnsafeBytes { unsafe pass($0) }
            offset += Int64(count)
        }
    }

    /// Moves on over records, one per line.
    private func pass(_ lines: UnsafeRawBufferPointer) {
        // SOUND: what is counted are these bytes.
        source.start.records += UInt64(unsafe lines.count { $0 == UInt8(ascii: "\n") })
        unsafe source.start.advance(by: lines.count, in: lines)
    }

    func append(_ lines: UnsafeRawBufferPointer) throws(PlainError) {
        // SOUND: the bytes live for the duration of the call.
        do throws(SystemError) { try unsafe descriptor.writeAll(lines) } catch {
            throw PlainError("\(name): \(error)", of: "record")
        }
        unsafe pass(lines)
    }
}
