package import PayloadJSON
import PushSystem
import PushText

/// Writes the lines of each part to its own file, in large pieces.
package final class FolderOutput: PartOutput {
    private final class File {
        let descriptor: FileDescriptor
        var buffer = ByteBuffer(capacity: 64)

        init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

        deinit { descriptor.close() }
    }

    private let folder: PartFolder
    private var files: [File] = []
    private let pieceBytes: Int
    /// Memory for the buffers of all parts together.
    private static let bufferBytes = 64 << 20  // 64 MiB
    private static let pieces = 16 << 10...256 << 10  // 16 KiB to 256 KiB

    /// Opens the files of a prepared folder. Waits for the readers of pipes.
    ///
    /// - Returns: nil if it was stopped meanwhile.
    /// - Throws: `PlainError`.
    package init?(_ folder: PartFolder, isStopped: () -> Bool) throws {
        self.folder = folder
        pieceBytes = min(max(Self.bufferBytes / max(folder.parts, 1), Self.pieces.lowerBound), Self.pieces.upperBound)
        files.reserveCapacity(folder.parts)
        for part in 0..<folder.parts {
            guard let descriptor = try folder.open(part, isStopped: isStopped) else { return nil }
            files.append(File(descriptor))
        }
    }

    package func append(_ line: BorrowedText, part: Int, seq: UInt64) throws {
        let file = files[part]
        file.buffer.append(line)
        if file.buffer.count >= pieceBytes { try write(part) }
    }

    package func flush() throws {
        for part in files.indices where files[part].buffer.count > 0 { try write(part) }
    }

    package func finish() throws { try flush() }

    /// Writes the buffer of a part.
    ///
    /// - Throws: `PlainError` that names the part: that its reader is gone is no success.
    private func write(_ part: Int) throws(PlainError) {
        // SOUND: the buffer does not change while it is written.
        let file = files[part]
        defer { file.buffer.removeAll() }
        do throws(SystemError) {
            try unsafe file.descriptor.writeAll(file.buffer.bytes, waits: true)
        } catch {
            let path = TerminalText.clean(folder.path(ofPart: part))
            throw PlainError(
                "part \(part) of \(folder.parts): \(path) cannot be written: \(error); the parts are incomplete")
        }
    }
}
