import AppSimulation
import FileAccess
import PayloadJSON
import PushPipeline
import SystemSupport
import TerminalStyle

/// The file that keeps preferences. It is replaced as a whole, and one process at a time changes it.
struct PreferenceFile {
    /// Of a file, and of an answer that is imported.
    static let maximumBytes = 16 << 20  // 16 MiB

    let path: String

    /// - Throws: `Failure.trouble`, with line and column for a file that is broken.
    func read() throws -> PreferenceBook {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileBytes.read(path, limit: Self.maximumBytes)
        } catch {
            throw Failure.trouble("\(FilePaths.shown(path)): \(error)")
        }
        return try parse(bytes)
    }

    /// Reads the file, which need not be there yet, has `body` change what it says, and writes it. When anything goes wrong the file is
    /// left as it is.
    func update(_ body: (inout PreferenceBook) throws -> Void) throws {
        let directory = try DirectoryLock(FilePaths.parent(of: FilePaths.absolute(path)), for: path)
        var bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try FileBytes.read(path, limit: Self.maximumBytes)
        } catch {
            guard error == .notFound else { throw Failure.trouble("\(FilePaths.shown(path)): \(error)") }
        }
        var book = try bytes.map(parse) ?? PreferenceBook()
        try body(&book)
        let written = try serialized(book)
        if written == bytes { return }
        do throws(SystemError) {
            try FileBytes.replaceOrMake(path, with: written)
        } catch {
            throw Failure.trouble("\(FilePaths.shown(path)): \(error)")
        }
        directory.synchronize()
    }

    private func parse(_ bytes: [UInt8]) throws(Failure) -> PreferenceBook {
        do {
            return try PreferenceBook(parsing: bytes)
        } catch {
            let place = "\(FilePaths.shown(path)):\(error.position.line):\(error.position.column)"
            throw .trouble("\(place): \(error.message)")
        }
    }

    private func serialized(_ book: PreferenceBook) throws -> [UInt8] {
        do {
            return try book.serialized()
        } catch let error as JSONTree.Failure {
            throw Failure.trouble("\(FilePaths.shown(path)): \(TextStyle.clean(error.message))")
        }
    }
}

/// A lock on a directory, until it is gone: on the file itself it would be lost when the file is replaced, and one beside it would stay.
private struct DirectoryLock: ~Copyable {
    private let descriptor: FileDescriptor

    init(_ directory: String, for path: String) throws {
        let descriptor: FileDescriptor
        do throws(SystemError) {
            descriptor = try FileDescriptor.open(directory, .readOnly, options: .directory)
        } catch {
            throw Failure.trouble("\(FilePaths.shown(path)): \(error)")
        }
        do throws(SystemError) {
            try descriptor.lock()
        } catch {
            descriptor.close()
            throw Failure.trouble("\(FilePaths.shown(directory)): \(error)")
        }
        self.descriptor = descriptor
    }

    /// Sees to it that a new name survives a loss of power. Where the file system cannot do that, nothing is lost but that.
    func synchronize() { try? descriptor.synchronize() }

    deinit { descriptor.close() }
}
