package import PushJSON
package import PushRuns
import PushSystem
import PushText

/// Takes the lines of parts. Used on one thread.
package protocol PartOutput: AnyObject {
    /// Adds a line, with its line feed. The text is valid for the duration of the call.
    ///
    /// - Parameters:
    ///   - part: from 0.
    ///   - seq: the record's number; 0 for the first line of a part, and the number after that of the last record for its last line.
    func append(_ line: BorrowedText, part: Int, seq: UInt64) throws

    /// Writes what readers should see, because the input pauses.
    func flush() throws

    /// Writes everything. Nothing is appended afterwards.
    func finish() throws
}

/// Writes all parts to one stream, each line after columns by which an engine divides and sorts it:
///
///     PART<TAB>SEQ<TAB>LINE
package final class KeyColumnOutput<Output: RunOutput>: PartOutput {
    private let output: Output

    package init(_ output: Output) { self.output = output }

    package func append(_ line: BorrowedText, part: Int, seq: UInt64) throws {
        try output.append { out in
            out.append(UInt64(part))
            out.append(UInt8(ascii: "\t"))
            out.append(seq)
            out.append(UInt8(ascii: "\t"))
            out.append(line)
        }
    }

    package func flush() throws { try output.flush() }

    package func finish() throws { try output.finish() }
}

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
