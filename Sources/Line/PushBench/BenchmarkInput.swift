import PushPipeline
package import PushSystem
import PushText
package import PushWorkload

extension PlainError {
    /// The caller has asked to stop.
    package static let stopped = PlainError("stopped")
}

/// The input of a benchmark: open files that can be read any number of times. What cannot be, such as a pipe, is copied to a temporary
/// file first, so that its size is no memory of this process.
package final class BenchmarkInput {
    package let names: [String]
    /// Open for reading, in input order. Their positions change.
    package let files: [FileDescriptor]
    package let bytes: UInt64
    /// FNV-1a over all bytes and where each file ends.
    package let digest: String

    /// Bytes that are copied at most. A pipe may have no end.
    package static let largestCopy = 4 << 30  // 4 GiB

    /// - Parameters:
    ///   - paths: nil for standard input.
    ///   - isStopped: called now and then; once it returns true, `PlainError.stopped` is thrown.
    package convenience init(
        paths: [String?], limit: Int = largestCopy, isStopped: () -> Bool
    ) throws(PlainError) {
        var files: [FileDescriptor] = []
        do throws(PlainError) {
            for path in paths {
                let name = path ?? "standard input"
                let file = try Self.naming(name) { () throws(SystemError) in
                    try path.map { path throws(SystemError) in try FileDescriptor.open(path, .readOnly) }
                        ?? .standardInput
                }
                if path != nil { files.append(file) }
                let status = try? FileStatus(file)
                // What is left of standard input begins where the caller is.
                if status?.kind == .regular, path != nil { continue }
                let copy = try Self.temporaryFile()
                files.append(copy)
                try Self.copy(file, name, to: copy, limit: limit, isStopped)
                if path != nil { files.remove(at: files.count - 2).close() }
            }
            try self.init(names: paths.map { $0 ?? "-" }, files: files, isStopped)
        } catch {
            for file in files { file.close() }
            throw error
        }
    }

    /// Generates the input into a temporary file.
    package convenience init(
        generating configuration: WorkloadConfiguration, isStopped: () -> Bool
    ) throws(PlainError) {
        let file = try Self.temporaryFile()
        do throws(PlainError) {
            var generator = WorkloadGenerator(configuration)
            var piece: [UInt8] = []
            var hasMore = true
            while hasMore {
                while hasMore, piece.count < 256 * 1024 { hasMore = generator.appendRecord(to: &piece) }
                try Self.write(piece, to: file)
                piece.removeAll(keepingCapacity: true)
                if isStopped() { throw .stopped }
            }
            try self.init(names: ["generated"], files: [file], isStopped)
        } catch {
            file.close()
            throw error
        }
    }

    /// Takes over open files, which are closed with this object.
    private init(names: [String], files: [FileDescriptor], _ isStopped: () -> Bool) throws(PlainError) {
        var hash = FNV1a()
        var count: UInt64 = 0
        var piece: [UInt8] = []
        for (name, file) in zip(names, files) {
            try Self.naming(name) { () throws(SystemError) in try file.rewind() }
            while try Self.read(file, name, into: &piece) {
                hash.add(piece)
                count += UInt64(piece.count)
                if isStopped() { throw .stopped }
            }
            hash.addPart([])
        }
        self.names = names
        self.files = files
        bytes = count
        digest = hash.hexadecimal
    }

    deinit { for file in files { file.close() } }

    // MARK: - Files

    /// Creates a file without a name, which the system removes with its descriptor, however this process ends.
    private static func temporaryFile() throws(PlainError) -> FileDescriptor {
        let folder = Environment.nonEmptyVariable("TMPDIR") ?? "/tmp"
        return try naming("\(folder): a temporary file cannot be created") { () throws(SystemError) -> FileDescriptor in
            let (file, path) = try FileSystem.makeTemporaryFile("\(folder)/pushpipe-bench-")
            try? FileSystem.removeFile(path)
            return file
        }
    }

    private static func copy(
        _ source: FileDescriptor, _ name: String, to target: FileDescriptor, limit: Int, _ isStopped: () -> Bool
    ) throws(PlainError) {
        var piece: [UInt8] = []
        var count = 0
        while try read(source, name, into: &piece) {
            count += piece.count
            guard count <= limit else {
                throw PlainError("\(name): more than \(limit) bytes; measure a part of it, or a file")
            }
            try write(piece, to: target)
            if isStopped() { throw .stopped }
        }
    }

    /// Replaces the array's contents by a piece of the file. False at its end.
    private static func read(
        _ file: FileDescriptor, _ name: String, into piece: inout [UInt8]
    ) throws(PlainError) -> Bool {
        piece.removeAll(keepingCapacity: true)
        return try naming(name) { () throws(SystemError) in try file.appendPiece(to: &piece, atMost: 256 * 1024) }
    }

    private static func write(_ piece: [UInt8], to file: FileDescriptor) throws(PlainError) {
        try naming("the copy of the input in a temporary file cannot be written") { () throws(SystemError) in
            try file.writeAll(piece)
        }
    }

    /// Says what a failure of the system is about.
    static func naming<Value>(
        _ name: String, _ body: () throws(SystemError) -> Value
    ) throws(PlainError) -> Value {
        do throws(SystemError) { return try body() } catch { throw PlainError("\(name): \(error)") }
    }

    // MARK: - Pieces

    /// Up to so many pieces from the beginning of the input, each with the separator that ends it.
    ///
    /// - Parameters:
    ///   - separator: the last byte of a piece. A last piece without one gets it.
    ///   - limit: bytes to read at most.
    package func pieces(_ count: Int, endingWith separator: UInt8, limit: Int = 64 << 20) throws(PlainError)
        -> [[UInt8]]
    {
        var pieces: [[UInt8]] = []
        var current: [UInt8] = []
        var piece: [UInt8] = []
        var total = 0
        for (name, file) in zip(names, files) {
            try Self.naming(name) { () throws(SystemError) in try file.rewind() }
            while pieces.count < count, total < limit, try Self.read(file, name, into: &piece) {
                total += piece.count
                for part in piece.split(separator: separator, omittingEmptySubsequences: false).enumerated() {
                    if part.offset > 0 {
                        current.append(separator)
                        pieces.append(current)
                        current.removeAll()
                    }
                    current += part.element
                }
            }
            if !current.isEmpty, pieces.count < count {
                pieces.append(current + [separator])
                current.removeAll()
            }
        }
        return Array(pieces.prefix(count))
    }
}
