import FileAccess
import FoundationEssentials
import NotificationStore
import PayloadJSON
import PushPipeline
import RecordFraming
import SystemSupport

/// A file that is read, from its beginning or from where a store says that an earlier run left it. Closed with its last use.
final class InputFile {
    let descriptor: FileDescriptor
    /// Nil when there is no store to keep it, or when the file is none that can be read again.
    let progress: InputProgress?

    /// - Throws: `Failure.trouble`, `Failure.unfitInput` when the part that was processed has changed since; `StoreError`.
    init(_ path: String, store: SQLiteStore?, resumes: Bool) throws {
        do throws(SystemError) {
            descriptor = try FileDescriptor.open(path, .readOnly)
        } catch {
            throw Failure.trouble("\(path): \(error)")
        }
        guard let store, (try? FileStatus(descriptor))?.kind == .regular else {
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

    deinit { descriptor.close() }

    /// Reads the beginning of a file, and leaves it standing there. Nil when it has fewer bytes.
    private static func digest(of file: FileDescriptor, count: UInt64, _ path: String) throws -> InputDigest? {
        var digest = InputDigest()
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        var rest = count
        while rest > 0 {
            let wanted = Int(min(rest, UInt64(piece.count)))
            let got: Int
            do throws(SystemError) {
                got = try file.read(into: &piece, atMost: wanted)
            } catch {
                throw Failure.trouble("\(path): \(error)")
            }
            if got == 0 { return nil }
            piece.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[..<got])) }
            rest -= UInt64(got)
        }
        return digest
    }

    /// The same for every way to write it, as far as it can be found out.
    private static func absolute(_ path: String) -> String {
        (try? FileSystem.resolved(path)) ?? path
    }
}

/// How long a file is that is being read: somebody may cut it off meanwhile, and its end is then not where its records end.
struct InputLength {
    private let descriptor: FileDescriptor
    private let first: Int64

    /// - Parameter descriptor: before the first byte is read.
    init(of descriptor: FileDescriptor) {
        self.descriptor = descriptor
        first = Self.current(descriptor)
    }

    /// 0 for what has no length, such as a pipe, or does not tell it, such as what the system makes up below /proc.
    private static func current(_ descriptor: FileDescriptor) -> Int64 {
        guard let status = try? FileStatus(descriptor), status.kind == .regular else { return 0 }
        return status.size
    }

    /// Throws at the end of the file when it has fewer bytes than there were, or than were read.
    func check(_ path: String?) throws {
        let (now, place) = (Self.current(descriptor), descriptor.position)
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
        let output = FileDescriptor.standardOutput
        guard let status = try? FileStatus(output), status.kind == .regular, status.size > 0,
            let file = try? output.reopenedForReading()
        else { return [] }
        defer { file.close() }
        let wanted = min(count, Int(status.size))
        var bytes = [UInt8](repeating: 0, count: wanted)
        let got = try? file.read(into: &bytes, at: status.size - Int64(wanted))
        return got == wanted ? bytes : []
    }
}
