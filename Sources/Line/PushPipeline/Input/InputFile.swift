import PayloadJSON
package import PushStore
package import PushSystem
import RecordFraming

/// Why an input cannot be processed.
package struct InputError: Error, Equatable, CustomStringConvertible {
    /// True if the input has changed or is of the wrong kind, so that resuming does not help.
    package let isUnfit: Bool
    /// One line that names the input.
    package let description: String

    /// The system's error.
    package static func unreadable(_ path: String, _ error: SystemError) -> InputError {
        InputError(isUnfit: false, description: "\(path): \(error)")
    }

    /// One that goes on and on without a record.
    ///
    /// - Parameter advice: what to do if it is to be read all the same.
    static func endless(_ path: String?, without bytes: UInt64, _ advice: String = "") -> InputError {
        .unfit(
            path ?? "input",
            "no record in \(bytes >> 20) MiB, and none before that is valid; this may have no end\(advice)")
    }

    /// One that cannot be processed, whatever is done about reading it.
    package static func unfit(_ path: String, _ reason: String) -> InputError {
        InputError(isUnfit: true, description: "\(path): \(reason)")
    }

    /// Throws if standard output is one of the files that are read: it would overwrite a store, or grow while it is read.
    ///
    /// - Parameter paths: nil is standard input.
    package static func check(
        _ output: FileDescriptor, isApartFrom paths: [String?]
    ) throws(InputError) {
        guard let status = try? FileStatus(output), status.kind == .regular else { return }
        for path in paths {
            let other = path.map { try? FileStatus($0) } ?? (try? FileStatus(FileDescriptor.standardInput))
            if other?.identity == status.identity {
                throw .unfit(path ?? "standard input", "standard output is the same file; redirect it elsewhere")
            }
        }
    }
}

/// An open input file, at its beginning or where an earlier run with the same store stopped. Released with its last reference, which closes it.
package final class InputFile {
    package let descriptor: FileDescriptor
    /// Nil without a store, and for anything but a regular file.
    package let progress: InputProgress?
    /// Where reading begins.
    package let start: InputPlace

    /// - Parameter resumes: true to continue where an earlier run stopped, according to the store.
    /// - Throws: `InputError`, unfit if the processed part has changed since; `StoreError`.
    package init(_ path: String, store: (any StoreFile)? = nil, resumes: Bool = false) throws {
        let descriptor: FileDescriptor
        do throws(SystemError) {
            descriptor = try FileDescriptor.open(path, .readOnly)
        } catch {
            throw InputError.unreadable(path, error)
        }
        do {
            (progress, start) = try Self.progress(of: descriptor, path, store, resumes)
        } catch {
            descriptor.close()
            throw error
        }
        self.descriptor = descriptor
    }

    deinit { descriptor.close() }

    private static func progress(
        of descriptor: FileDescriptor, _ path: String, _ store: (any StoreFile)?, _ resumes: Bool
    ) throws -> (InputProgress?, InputPlace) {
        // What is not a regular file can be resumed only by the offsets of an engine in its records; see `PartDelivery`.
        guard let store else {
            if resumes { throw InputError.unfit(path, "cannot be resumed without a store") }
            return (nil, InputPlace())
        }
        guard (try? FileStatus(descriptor))?.kind == .regular else { return (nil, InputPlace()) }
        // Canonical, so that every spelling of the path gives the same name.
        let name = (try? FileSystem.resolved(path)) ?? path
        guard resumes, let known = try store.progress(of: name) else {
            return (InputProgress(path: name), InputPlace())
        }
        var start = InputPlace()
        guard try digest(of: descriptor, count: known.offset, path, &start) == known.digest else {
            throw InputError.unfit(
                path,
                "changed since the earlier run in the \(known.offset) bytes that it processed; "
                    + "run it from the beginning, without resuming")
        }
        start.records = known.fileRecords
        return (known, start)
    }

    /// Reads the first `count` bytes, and leaves the position after them. Nil if the file has fewer.
    private static func digest(
        of descriptor: FileDescriptor, count: UInt64, _ path: String, _ place: inout InputPlace
    ) throws(InputError) -> InputDigest? {
        // SOUND: the array lives until the closure returns.
        var digest = InputDigest()
        var piece: [UInt8] = []
        var rest = count
        do throws(SystemError) {
            while rest > 0 {
                piece.removeAll(keepingCapacity: true)
                let wanted = Int(min(rest, 1 << 20))
                guard try descriptor.appendPiece(to: &piece, atMost: wanted) else { return nil }
                unsafe piece.withUnsafeBytes { bytes in
                    unsafe digest.update(bytes)
                    unsafe place.advance(by: bytes.count, in: bytes)
                }
                rest -= UInt64(piece.count)
            }
        } catch {
            throw .unreadable(path, error)
        }
        return digest
    }

    /// The inputs that can be read, as far as that can be known without opening them; nil is standard input.
    ///
    /// - Parameter complain: called for each of the others.
    package static func readable(_ paths: [String?], _ complain: (InputError) -> Void) -> [String?] {
        paths.filter { path in
            guard let path else { return true }
            do throws(InputError) { try checkReadable(path) } catch {
                complain(error)
                return false
            }
            return true
        }
    }

    /// Checks up front that a file can be read.
    package static func checkReadable(_ path: String) throws(InputError) {
        let status: FileStatus
        do throws(SystemError) {
            status = try FileStatus(path)
            if status.kind != .directory { try FileSystem.checkAccess(path, .reading) }
        } catch {
            throw .unreadable(path, error)
        }
        guard status.kind != .directory else {
            throw InputError(
                isUnfit: false,
                description: "\(path): is a directory; name its files, for example \(exampleOfFiles(in: path))")
        }
    }

    /// `payloads/*.ndjson`: a pattern that has files in the directory, if one of the usual ones has.
    private static func exampleOfFiles(in directory: String) -> String {
        var base = directory[...]
        while base.count > 1, base.last == "/" { base.removeLast() }
        let names = ((try? FileSystem.entries(in: directory)) ?? []).map(\.name)
        let endings = [".ndjson", ".jsonl", ".json", ".apns"]
        let ending = endings.first { ending in names.contains { $0.hasSuffix(ending) } } ?? ".json"
        return (base == "/" ? "" : base) + "/*" + ending
    }
}
