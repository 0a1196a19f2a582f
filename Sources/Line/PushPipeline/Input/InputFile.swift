package import PushDevices
import PushFraming
package import PushJSON
package import PushSystem

/// An open input file, at its beginning or where an earlier run with the same store stopped. Released with its last reference, which closes it.
package final class InputFile {
    package let descriptor: FileDescriptor
    /// Nil without a store, and for anything but a regular file.
    package let progress: InputProgress?
    /// The place where reading begins.
    package let start: InputPlace
    /// True if an earlier run with the same store stopped in the middle of it, and this one begins again.
    package let isRepeated: Bool

    /// - Parameter resumes: true to continue where an earlier run stopped, according to the store.
    /// - Throws: `PlainError`, without a cause if the processed part has changed since; `StoreError`.
    package init(_ path: String, store: (any StoreFile)? = nil, resumes: Bool = false) throws {
        let descriptor: FileDescriptor
        do throws(SystemError) {
            descriptor = try FileDescriptor.open(path, .readOnly)
        } catch {
            throw PlainError.unreadable(path, error)
        }
        do {
            (progress, start, isRepeated) = try Self.progress(of: descriptor, path, store, resumes)
        } catch {
            descriptor.close()
            throw error
        }
        self.descriptor = descriptor
    }

    deinit { descriptor.close() }

    private static func progress(
        of descriptor: FileDescriptor, _ path: String, _ store: (any StoreFile)?, _ resumes: Bool
    ) throws -> (InputProgress?, InputPlace, isRepeated: Bool) {
        // What is not a regular file can be resumed only by the offsets of an engine in its records; see `PartDelivery`.
        guard let store else {
            if resumes { throw PlainError.unfit(path, "cannot be resumed without a store") }
            return (nil, InputPlace(), false)
        }
        guard let status = try? FileStatus(descriptor), status.kind == .regular else {
            return (nil, InputPlace(), false)
        }
        // Canonical, so that every spelling of the path gives the same name.
        let name = (try? FileSystem.resolved(path)) ?? path
        guard let known = try store.progress(of: name) else { return (InputProgress(path: name), InputPlace(), false) }
        guard resumes else {
            let isPartial = known.offset > 0 && known.offset < UInt64(clamping: status.size)
            return (InputProgress(path: name), InputPlace(), isPartial)
        }
        var start = InputPlace()
        guard try digest(of: descriptor, count: known.offset, path, &start) == known.digest else {
            throw PlainError.unfit(
                path,
                "changed since the earlier run in the \(known.offset) bytes that it processed; "
                    + "run it from the beginning, without resuming, into a new store")
        }
        start.records = known.fileRecords
        return (known, start, false)
    }

    /// Reads the first `count` bytes, and leaves the position after them. Nil if the file has fewer.
    private static func digest(
        of descriptor: FileDescriptor, count: UInt64, _ path: String, _ place: inout InputPlace
    ) throws(PlainError) -> InputDigest? {
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

    /// Throws if standard output is one of the files that are read: it would overwrite a store, or grow while it is read.
    ///
    /// - Parameter paths: nil is standard input.
    package static func check(_ output: FileDescriptor, isApartFrom paths: [String?]) throws(PlainError) {
        guard let status = try? FileStatus(output), status.kind == .regular else { return }
        for path in paths {
            let other = path.map { try? FileStatus($0) } ?? (try? FileStatus(FileDescriptor.standardInput))
            if other?.identity == status.identity {
                throw .unfit(path, "standard output is the same file; redirect it elsewhere")
            }
        }
    }

    /// The inputs that can be read, as far as that can be known without opening them; nil is standard input.
    ///
    /// - Parameter complain: called for each of the others.
    package static func readable(_ paths: [String?], _ complain: (PlainError) -> Void) -> [String?] {
        paths.filter { path in
            guard let path else { return true }
            do throws(PlainError) { try checkReadable(path) } catch {
                complain(error)
                return false
            }
            return true
        }
    }

    /// Checks up front that a file can be read.
    package static func checkReadable(_ path: String) throws(PlainError) {
        let status: FileStatus
        do throws(SystemError) {
            status = try FileStatus(path)
            if status.kind != .directory { try FileSystem.checkAccess(path, .reading) }
        } catch {
            throw .unreadable(path, error)
        }
        guard status.kind != .directory else {
            throw .unfit(path, "is a directory; name its files, for example \(exampleOfFiles(in: path))")
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

/// The place of a record in its input.
package struct RecordSource: Sendable, Equatable {
    /// The path of the file as it was typed; `-` for standard input.
    package var file: String
    /// The number of the record in the file, from 1.
    package var record: UInt64
    /// The line and the column of the record's first byte.
    package var position: TextPosition
    /// The number of bytes before it.
    package var offset: UInt64

    /// The place of a byte of the record, from its place in the record.
    package func position(of inner: TextPosition) -> TextPosition {
        let line = position.line + inner.line - 1
        return TextPosition(line: line, column: inner.line == 1 ? position.column + inner.column - 1 : inner.column)
    }
}

/// An input whose records' places are reported.
package struct InputSource: Sendable {
    /// The path as it was typed; `-` for standard input.
    package var name: String
    /// True if every line of the report has its place, and not only one that says that something is wrong.
    package var isAlwaysReported: Bool
    /// The place where reading begins.
    package var start: InputPlace
    /// The most bytes that are read, and the words about more of them; nil for any number.
    package var limit: (bytes: UInt64, problem: String)?

    /// The name for messages.
    var title: String { name == "-" ? "standard input" : name }

    package init(
        _ name: String, isAlwaysReported: Bool = false, from start: InputPlace = InputPlace(),
        limit: (bytes: UInt64, problem: String)? = nil
    ) {
        self.name = name
        self.isAlwaysReported = isAlwaysReported
        self.start = start
        self.limit = limit
    }
}

/// A place between two records of an input.
package struct InputPlace: Sendable {
    /// Records before it.
    package var records: UInt64 = 0
    /// Bytes before it.
    package private(set) var offset: UInt64 = 0
    /// Nil before the first byte is known, which may be that of a byte-order mark.
    private var text: TextPlace?
    /// Bytes before this place, at most three, whose character may go on after it. They are not yet counted in `text`.
    private var begun: [UInt8] = []

    package init() {}

    /// Moves on. O(count).
    ///
    /// - Parameters:
    ///   - count: the number of bytes to move on by.
    ///   - bytes: those, and what is known of the bytes after them.
    ///   - lineFeeds: how many of the bytes are line feeds, if that is known.
    package mutating func advance(by count: Int, in bytes: UnsafeRawBufferPointer, lineFeeds: Int? = nil) {
        // SOUND: the text place looks at no more than these bytes, and `begun` has some of the first `count`.
        guard count > 0 else { return }
        offset += UInt64(count)
        if !begun.isEmpty, count < Self.longestCharacter {
            // Too few to be sure that the character ends in them.
            let joined = unsafe begun + bytes.prefix(Self.longestCharacter)
            let end = begun.count + count
            text?.drop(-begun.count)
            unsafe joined.withUnsafeBytes { unsafe move(to: end, in: $0) }
        } else {
            text = unsafe text(in: bytes)
            unsafe move(to: count, in: bytes, lineFeeds: lineFeeds)
        }
    }

    /// The most bytes of a character.
    private static let longestCharacter = 4

    private mutating func move(to end: Int, in bytes: UnsafeRawBufferPointer, lineFeeds: Int? = nil) {
        // SOUND: `end` is at most the number of bytes, and the place does not move beyond it.
        guard var place = text else { return }
        unsafe place.advance(toCharacterBefore: end, in: bytes, lineFeeds: lineFeeds)
        begun = unsafe place.index < end ? Array(bytes[place.index..<end]) : []
        place.drop(end)
        text = place
    }

    /// The place from which columns count here, or after the character that goes on there.
    ///
    /// - Parameter bytes: those after this place.
    func text(in bytes: UnsafeRawBufferPointer) -> TextPlace {
        // SOUND: what is looked at is copied.
        guard var place = text else { return unsafe TextPlace(beginningOf: bytes) }
        if !begun.isEmpty {
            let joined = unsafe begun + bytes.prefix(Self.longestCharacter)
            place.drop(-begun.count)
            unsafe joined.withUnsafeBytes { unsafe place.advance(to: begun.count, in: $0) }
            place.drop(begun.count)
        }
        return place
    }
}

/// Finds the places of a chunk's records, from the first to the last. Valid as long as the chunk's input.
@safe  // SOUND: whoever makes one keeps the chunk while it is used.
package struct SourceFinder {
    private let source: InputSource
    private let start: InputPlace
    private let frames: [RecordChunk.Frame]
    private let bytes: UnsafeRawBufferPointer
    private var text: TextPlace

    /// Nil if nothing is known of the chunk's input.
    package init?(_ chunk: borrowing RecordChunk) {
        // SOUND: the chunk has the bytes from `start` on.
        guard let source = chunk.source else { return nil }
        self.source = source
        start = chunk.start
        frames = chunk.frames
        unsafe bytes = unsafe chunk.input.bytes
        text = unsafe start.text(in: bytes)
    }

    var isAlwaysReported: Bool { source.isAlwaysReported }

    /// The place of a record, which is not before the last one that was asked for. O(distance).
    package mutating func source(ofRecord record: Int) -> RecordSource {
        // SOUND: a frame begins within the input, which the chunk owns.
        let index: Int
        switch frames[record] {
        case .record(let range): index = range.lowerBound
        case .copied(_, let start), .nothing(let start), .tooLong(let start, _, _): index = start
        }
        unsafe text.advance(to: index, in: bytes)
        return RecordSource(
            file: source.name, record: start.records + UInt64(record) + 1, position: text.position,
            offset: start.offset + UInt64(index))
    }
}

/// The length of a file at the start of reading. If the file is truncated meanwhile, its end is not the end of a record.
package struct InputLength {
    private let descriptor: FileDescriptor
    private let first: Int64

    /// - Parameter descriptor: at its beginning.
    package init(of descriptor: FileDescriptor) {
        self.descriptor = descriptor
        first = Self.current(descriptor)
    }

    /// 0 for an input without a length, such as a pipe, or one that does not report it, such as a file below /proc.
    private static func current(_ descriptor: FileDescriptor) -> Int64 {
        guard let status = try? FileStatus(descriptor), status.kind == .regular else { return 0 }
        return status.size
    }

    /// Throws at the end of the file if it has fewer bytes than at the start, or than were read.
    package func check(_ path: String?) throws(PlainError) {
        let now = Self.current(descriptor)
        let place = descriptor.position ?? 0
        guard first > 0, now < max(first, place) else { return }
        throw .unfit(
            path,
            "truncated while it was read, to \(now) bytes; it had \(max(first, place)). "
                + "The bytes read were processed; run again when the file is complete")
    }
}

/// The report lines of an earlier run's last commit, which may not have been written before that run ended.
package struct LastReport {
    private let lines: [UInt8]

    package init(lines: [UInt8]) { self.lines = lines }

    /// - Throws: `StoreError`.
    package init(of store: any StoreFile) throws { self.init(lines: try store.lastReport()) }

    /// The lines missing from `output`: all of them, unless it is a file that ends with some of them.
    package func missing(in output: FileDescriptor) -> ArraySlice<UInt8> {
        missing(after: Self.end(of: output, count: lines.count))
    }

    /// The bytes missing after an output with this end. A partial line is completed.
    func missing(after end: [UInt8]) -> ArraySlice<UInt8> {
        var count = min(end.count, lines.count)
        while count > 0, !end.suffix(count).elementsEqual(lines[..<count]) { count -= 1 }
        return lines[count...]
    }

    /// The last bytes of a file that may be open only for writing.
    private static func end(of output: FileDescriptor, count: Int) -> [UInt8] {
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
