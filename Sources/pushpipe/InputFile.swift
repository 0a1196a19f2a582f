import FileAccess
import FoundationEssentials
import NotificationStore
import PayloadJSON
import PushPipeline
import RecordFraming

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file that is read, from its beginning or from where a store says that an earlier run left it. Closed with its last use.
final class InputFile {
    let descriptor: Int32
    /// Nil when there is no store to keep it, or when the file is none that can be read again.
    let progress: InputProgress?

    /// - Throws: `Failure.trouble`, `Failure.unfitInput` when the part that was processed has changed since; `StoreError`.
    init(_ path: String, store: SQLiteStore?, resumes: Bool) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure.trouble("\(path): \(SystemError())") }
        var status = stat()
        guard let store, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            progress = nil
            if resumes { throw Failure.unfitInput("\(path): not a file that could be taken up; run without --resume") }
            return
        }
        let name = Self.absolute(path)
        guard resumes, let known = try store.progress(of: name) else {
            progress = InputProgress(path: name)
            return
        }
        if known.isDropping, known.framing == Framing.json.rawValue {
            throw Failure.unfitInput(
                "\(path): the earlier run ended within a record that is too long, and cannot be taken up")
        }
        guard try Self.digest(of: descriptor, count: known.offset, path) == known.digest else {
            throw Failure.unfitInput(
                "\(path): changed since the earlier run in the \(known.offset) bytes that it has processed; "
                    + "run without --resume to process it from its beginning")
        }
        progress = known
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reads the beginning of a file, and leaves it standing there. Nil when it has fewer bytes.
    private static func digest(of descriptor: Int32, count: UInt64, _ path: String) throws -> InputDigest? {
        var digest = InputDigest()
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        var rest = count
        while rest > 0 {
            let wanted = Int(min(rest, UInt64(piece.count)))
            let got = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, wanted) }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw Failure.trouble("\(path): \(SystemError())") }
            if got == 0 { return nil }
            piece.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[..<got])) }
            rest -= UInt64(got)
        }
        return digest
    }

    /// The same for every way to write it, as far as it can be found out.
    private static func absolute(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// How long a file is that is being read: somebody may cut it off meanwhile, and its end is then not where its records end.
struct InputLength {
    private let descriptor: Int32
    private let first: off_t

    /// - Parameter descriptor: before the first byte is read.
    init(of descriptor: Int32) {
        self.descriptor = descriptor
        first = Self.current(descriptor)
    }

    /// 0 for what has no length, such as a pipe, or does not tell it, such as what the system makes up below /proc.
    private static func current(_ descriptor: Int32) -> off_t {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
        return status.st_size
    }

    /// Throws at the end of the file when it has fewer bytes than there were, or than were read.
    func check(_ path: String?) throws {
        let (now, place) = (Self.current(descriptor), lseek(descriptor, 0, SEEK_CUR))
        guard first > 0, now < max(first, place) else { return }
        throw Failure.unfitInput(
            "\(path ?? "standard input"): cut off while it was read, to \(now) bytes; it had \(max(first, place)). "
                + "What was read of it was processed; run again when it is whole")
    }
}

/// The report of what an earlier run committed last: it may have ended before anybody read it.
struct LastReport {
    private let lines: [UInt8]

    init(of store: SQLiteStore) throws { lines = try store.lastReport() }

    /// Writes it, or what is missing of it: standard output may be the file that the earlier run wrote to.
    func write(to output: StandardOutput) throws {
        let known = Self.end(ofStandardOutput: lines.count)
        // A line that was cut off in the middle is completed.
        var count = min(known.count, lines.count)
        while count > 0, !known.suffix(count).elementsEqual(lines[..<count]) { count -= 1 }
        try lines[count...].withUnsafeBytes { try output.write($0) }
    }

    /// The last bytes of standard output, when it is a file that is written on at its end.
    private static func end(ofStandardOutput count: Int) -> [UInt8] {
        var status = stat()
        guard fstat(STDOUT_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            return []
        }
        #if os(Linux)
            let descriptor = open("/proc/self/fd/\(STDOUT_FILENO)", O_RDONLY | O_CLOEXEC)
        #else
            let descriptor = open("/dev/fd/\(STDOUT_FILENO)", O_RDONLY | O_CLOEXEC)
        #endif
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        let wanted = min(count, Int(status.st_size))
        var bytes = [UInt8](repeating: 0, count: wanted)
        let got = bytes.withUnsafeMutableBytes {
            pread(descriptor, $0.baseAddress, wanted, status.st_size - off_t(wanted))
        }
        return got == wanted ? bytes : []
    }
}
