package import AppSimulation
import PushFiles
import PushSystem

/// The file that stores preferences. A change replaces the whole file, and only one process at a time makes changes.
package struct PreferenceFile {
    /// Size limit for the file, and for an imported answer.
    package static let maximumBytes = 16 << 20  // 16 MiB

    package let path: String

    package init(path: String) { self.path = path }

    package var exists: Bool { FileBytes.exists(path) }

    /// - Throws: `PlainError`, with line and column for a malformed file.
    package func read() throws -> PreferenceBook {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileBytes.read(path, limit: Self.maximumBytes)
        } catch {
            let advice = error == .notFound ? "; pushpipe preferences set TYPE on --account NAME creates it" : ""
            throw PlainError("\(FilePaths.shown(path)): \(error)\(advice)")
        }
        return try parse(bytes)
    }

    /// Reads the file if it exists, lets `body` change the preferences, and writes them. On any failure the file stays unchanged.
    ///
    /// - Throws: `PlainError`, or what `body` throws.
    package func update(_ body: (inout PreferenceBook) throws -> Void) throws {
        let directory = try DirectoryLock(FilePaths.parent(of: FilePaths.absolute(path)), for: path)
        var bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try FileBytes.read(path, limit: Self.maximumBytes)
        } catch {
            guard error == .notFound else { throw PlainError(path, error) }
        }
        var book = try bytes.map(parse) ?? PreferenceBook()
        try body(&book)
        let written = book.serialized()
        if written == bytes { return }
        try PlainError.naming(path, try FileBytes.replaceOrMake(path, with: written))
        directory.synchronize()
    }

    private func parse(_ bytes: [UInt8]) throws(PlainError) -> PreferenceBook {
        do {
            return try PreferenceBook(parsing: bytes)
        } catch {
            throw error.located(in: FilePaths.shown(path))
        }
    }
}

/// Holds a lock on a directory while it exists. A lock on the file itself would be lost when the file is replaced, and a separate lock file
/// would be left over.
private struct DirectoryLock: ~Copyable {
    private let descriptor: FileDescriptor

    init(_ directory: String, for path: String) throws {
        let descriptor = try PlainError.naming(
            path, try FileDescriptor.open(directory, .readOnly, options: .directory))
        do throws(SystemError) { try descriptor.lock() } catch {
            descriptor.close()
            throw PlainError(directory, error)
        }
        self.descriptor = descriptor
    }

    /// Makes a rename survive a power failure, where the file system supports that.
    func synchronize() { try? descriptor.synchronize() }

    deinit { descriptor.close() }
}
