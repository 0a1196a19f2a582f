import CPushSystemCalls

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An open file, pipe, socket or terminal. Does not own its number: the code that opens it closes it, once.
///
/// Offsets and counts are in bytes. Calls throw system errors as `SystemError`; each documents how it handles an interrupting signal
/// (`EINTR`).
package struct FileDescriptor: Sendable, Hashable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let standardInput = FileDescriptor(rawValue: STDIN_FILENO)
    package static let standardOutput = FileDescriptor(rawValue: STDOUT_FILENO)
    package static let standardError = FileDescriptor(rawValue: STDERR_FILENO)

    // MARK: - Opening and closing

    package enum AccessMode: Sendable {
        case readOnly, writeOnly, readWrite
    }

    package struct OpenOptions: OptionSet, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) { self.rawValue = rawValue }

        /// Creates the file if it does not exist.
        package static let create = OpenOptions(rawValue: O_CREAT)
        /// Fails unless the path names a directory.
        package static let directory = OpenOptions(rawValue: O_DIRECTORY)
        /// Stays open in child processes; without this option it is closed there.
        package static let inherited = OpenOptions(rawValue: 1 << 30)
    }

    /// Opens a file. An interrupted call throws `.interrupted`: opening a pipe waits for its other end, and the caller may want to stop.
    ///
    /// - Parameter permissions: of a new file, before the process's mask is applied.
    package static func open(
        _ path: String, _ mode: AccessMode, options: OpenOptions = [], permissions: UInt32 = 0o666
    ) throws(SystemError) -> FileDescriptor {
        var flags: Int32 =
            switch mode {
            case .readOnly: O_RDONLY
            case .writeOnly: O_WRONLY
            case .readWrite: O_RDWR
            }
        flags |= options.subtracting(.inherited).rawValue
        if !options.contains(.inherited) { flags |= O_CLOEXEC }
        return FileDescriptor(rawValue: try checked { systemOpen(path, flags, mode_t(permissions)) })
    }

    /// Opens the same file for reading, with a position of its own.
    package func reopenedForReading() throws(SystemError) -> FileDescriptor {
        #if os(Linux)
            try Self.open("/proc/self/fd/\(rawValue)", .readOnly)
        #else
            try Self.open("/dev/fd/\(rawValue)", .readOnly)
        #endif
    }

    /// Creates a pipe whose ends are closed in child processes.
    package static func pipe() throws(SystemError) -> (readEnd: FileDescriptor, writeEnd: FileDescriptor) {
        var ends: [Int32] = [-1, -1]
        // SOUND: the array has room for the two numbers that the call writes.
        _ = try checked { unsafe systemPipe(&ends) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
    }

    /// Connects to a port of this machine, over a loopback address. The descriptor is closed in child processes.
    package static func connectToThisMachine(port: UInt16, isIPv6: Bool) throws(SystemError) -> FileDescriptor {
        FileDescriptor(rawValue: try checked { system_connect_loopback(isIPv6, port) })
    }

    /// Another number for the same file, closed in child processes.
    package func duplicated() throws(SystemError) -> FileDescriptor {
        FileDescriptor(rawValue: try checked { fcntl(rawValue, F_DUPFD_CLOEXEC, 3) })
    }

    /// Makes another number, such as that of a standard stream, mean this file, also in child processes.
    package func duplicate(as other: FileDescriptor) throws(SystemError) {
        _ = try checked { dup2(rawValue, other.rawValue) }
    }

    /// Closes the file. Errors are ignored: on Linux the number is always free afterwards, and a retry could close another file.
    package func close() { systemClose(rawValue) }

    package var isOpen: Bool { fcntl(rawValue, F_GETFD) >= 0 }

    /// Removes all of a regular file's contents.
    package func truncate() throws(SystemError) { _ = try checked { ftruncate(rawValue, 0) } }

    /// Goes to the end of a regular file.
    package func seekToEnd() throws(SystemError) { _ = try checked { lseek(rawValue, 0, SEEK_END) } }

    package var isWritable: Bool { fcntl(rawValue, F_GETFL) & O_ACCMODE != O_RDONLY }

    /// Makes reads and writes throw `.wouldBlock` instead of waiting.
    package func setNonBlocking() { _ = fcntl(rawValue, F_SETFL, fcntl(rawValue, F_GETFL) | O_NONBLOCK) }

    // MARK: - Reading and writing

    /// Reads once, at most as many bytes as fit. Returns 0 at the end.
    ///
    /// - Parameter retriesOnInterrupt: true to retry an interrupted read; if false, it throws `.interrupted`.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, retriesOnInterrupt: Bool = true
    ) throws(SystemError) -> Int {
        while true {
            // SOUND: the call writes at most `count` bytes, the size of the buffer.
            let count = unsafe systemRead(rawValue, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            let error = SystemError()
            guard retriesOnInterrupt, error == .interrupted else { throw error }
        }
    }

    /// Reads once, at most as many bytes as the array has, and overwrites its beginning. Returns 0 at the end.
    ///
    /// - Parameters:
    ///   - limit: most bytes to read, if fewer than the array has.
    ///   - retriesOnInterrupt: true to retry an interrupted read; if false, it throws `.interrupted`.
    package func read(
        into bytes: inout [UInt8], atMost limit: Int = .max, retriesOnInterrupt: Bool = true
    ) throws(SystemError) -> Int {
        // SOUND: the buffer lives as long as the closure.
        let result = unsafe bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(SystemError) in
                try unsafe read(
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(limit)),
                    retriesOnInterrupt: retriesOnInterrupt)
            }
        }
        return try result.get()
    }

    /// Reads at an offset without changing the position. Returns fewer bytes than asked for at the end. Throws `.interrupted` when interrupted.
    package func read(into bytes: inout [UInt8], at offset: Int64) throws(SystemError) -> Int {
        // SOUND: the call writes at most `count` bytes, the size of the buffer, which lives as long as the closure.
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe pread(rawValue, buffer.baseAddress, buffer.count, off_t(offset))
        }
        guard count >= 0 else { throw SystemError() }
        return count
    }

    /// Appends what one read returns, at most so many bytes. False at the end. Begins again when interrupted, and waits where a non-blocking
    /// descriptor has nothing to read.
    package func appendPiece(to bytes: inout [UInt8], atMost: Int) throws(SystemError) -> Bool {
        var piece = [UInt8](repeating: 0, count: atMost)
        while true {
            do throws(SystemError) {
                let count = try read(into: &piece)
                bytes.append(contentsOf: piece[..<count])
                return count > 0
            } catch .wouldBlock {
                // The descriptor was opened as non-blocking; wait as a blocking one would.
                waitUntilReadable()
            }
        }
    }

    /// Reads to the end, as `appendPiece` does.
    ///
    /// - Parameter limit: bytes; for more, throws `.fileTooLarge`. A file such as /dev/zero has no end.
    package func readToEnd(limit: Int = .max) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        while try appendPiece(to: &bytes, atMost: 256 * 1024) {
            guard bytes.count <= limit else { throw .fileTooLarge }
        }
        return bytes
    }

    /// Writes once, and returns how many bytes were taken. Throws `.interrupted` when interrupted.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        // SOUND: the call reads `count` bytes, the size of the buffer.
        try checked { unsafe systemWrite(rawValue, bytes.baseAddress, bytes.count) }
    }

    /// Writes all bytes. Retries when interrupted.
    ///
    /// - Parameter waits: true to wait until a non-blocking descriptor has room; if false, it throws `.wouldBlock`.
    package func writeAll(_ bytes: UnsafeRawBufferPointer, waits: Bool = false) throws(SystemError) {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            do throws(SystemError) {
                let written = try unsafe write(UnsafeRawBufferPointer(rebasing: rest))
                unsafe rest = unsafe rest.dropFirst(written)
            } catch .interrupted {
                continue
            } catch .wouldBlock where waits {
                // The descriptor was opened as non-blocking; wait as a blocking one would.
                waitUntilWritable()
            }
        }
    }

    /// Writes all bytes. Retries when interrupted.
    package func writeAll(_ bytes: [UInt8]) throws(SystemError) {
        // SOUND: the buffer lives as long as the closure.
        let result = unsafe bytes.withUnsafeBytes { buffer in
            Result { () throws(SystemError) in try unsafe writeAll(buffer) }
        }
        try result.get()
    }

    /// Writes a zero byte without waiting, or nothing if there is no room or no descriptor: a reader that has a byte to read
    /// is awake. A signal handler may call it.
    package func writeWakeUp() {
        // SOUND: the call reads one byte of a variable. The code that a handler interrupts must find its `errno` again.
        let number = errno
        var byte: UInt8 = 0
        _ = unsafe systemWrite(rawValue, &byte, 1)
        errno = number
    }

    // MARK: - Files

    /// The position of the next read; nil for a file without one, such as a pipe.
    package var position: Int64? {
        let offset = lseek(rawValue, 0, SEEK_CUR)
        return offset < 0 ? nil : Int64(offset)
    }

    /// Lets the next read begin at the start of the file.
    package func rewind() throws(SystemError) { _ = try checked { lseek(rawValue, 0, SEEK_SET) } }

    /// Flushes the system's buffers to disk. Throws `.interrupted` when interrupted.
    package func synchronize() throws(SystemError) { _ = try checked { fsync(rawValue) } }

    package func setPermissions(_ permissions: UInt32) throws(SystemError) {
        _ = try checked { fchmod(rawValue, mode_t(permissions)) }
    }

    package func setOwner(_ owner: UInt32, group: UInt32) throws(SystemError) {
        _ = try checked { fchown(rawValue, owner, group) }
    }

    /// Gives the file the extended attributes of another, and its access control list; without those that the file system or this process's
    /// permissions do not allow.
    ///
    /// - Parameter other: open for reading.
    package func copyAttributes(of other: FileDescriptor) { system_copy_attributes(other.rawValue, rawValue) }

    /// Locks the file against other processes that ask for its lock, and waits for it. Ends when the file is closed. Begins again when
    /// interrupted.
    package func lock() throws(SystemError) {
        while flock(rawValue, LOCK_EX) != 0 {
            let error = SystemError()
            guard error == .interrupted else { throw error }
        }
    }

    package func tryLock() -> Bool { flock(rawValue, LOCK_EX | LOCK_NB) == 0 }
}

// C's functions, under names that methods of the same name do not hide.

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    // SOUND: Swift passes the path as a terminated string that lives as long as the call.
    unsafe open(path, flags, mode)
}

private func systemClose(_ descriptor: Int32) { close(descriptor) }

@unsafe private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 {
    // SOUND: the caller vouches for room for two numbers.
    unsafe pipe(ends)
}

@unsafe private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    // SOUND: the caller vouches for `count` bytes.
    unsafe read(descriptor, bytes, count)
}

@unsafe private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    // SOUND: the caller vouches for `count` bytes.
    unsafe write(descriptor, bytes, count)
}

extension FileDescriptor {
    /// Events to wait for, or events that have happened.
    package struct Events: OptionSet, Sendable {
        package let rawValue: Int16

        package init(rawValue: Int16) { self.rawValue = rawValue }

        package static let readable = Events(rawValue: Int16(POLLIN))
        package static let writable = Events(rawValue: Int16(POLLOUT))
    }

    /// A descriptor, and the events of it that `poll` waits for.
    package struct PollRequest: Sendable {
        package let descriptor: FileDescriptor
        package let events: Events

        package init(_ descriptor: FileDescriptor, _ events: Events) {
            self.descriptor = descriptor
            self.events = events
        }
    }

    /// Waits until something happens to one of the descriptors, and returns the positions of those with an event, an error or a hang-up.
    ///
    /// - Parameter milliseconds: timeout; negative for none.
    /// - Returns: an empty array on timeout, without requests, or if a signal interrupts the call.
    package static func poll(_ requests: [PollRequest], milliseconds: Int32) -> [Int] {
        guard !requests.isEmpty else { return [] }
        var entries = requests.map { pollfd(fd: $0.descriptor.rawValue, events: $0.events.rawValue, revents: 0) }
        // SOUND: the call reads and writes `count` entries, the size of the array.
        guard unsafe systemPoll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return [] }
        return entries.indices.filter { entries[$0].revents != 0 }
    }

    /// True if a read would return immediately. Also true at the end of the input.
    package var isReadable: Bool { isReady(.readable, milliseconds: 0) }

    /// Waits until a read would return immediately, or a signal arrives.
    package func waitUntilReadable() { _ = isReady(.readable, milliseconds: -1) }

    /// Waits until a write would return immediately, or a signal arrives.
    package func waitUntilWritable() { _ = isReady(.writable, milliseconds: -1) }

    private func isReady(_ events: Events, milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: rawValue, events: events.rawValue, revents: 0)
        // SOUND: the call reads and writes one entry.
        return unsafe systemPoll(&entry, 1, milliseconds) > 0
    }
}

/// `poll(2)`, under a name that the method `poll` does not hide.
@unsafe private func systemPoll(_ entries: UnsafeMutablePointer<pollfd>, _ count: nfds_t, _ time: Int32) -> Int32 {
    // SOUND: the caller vouches for `count` entries.
    unsafe poll(entries, count, time)
}

/// The identity of a file, independent of its name.
package struct FileIdentity: Sendable, Hashable {
    package let device: UInt64
    package let inode: UInt64
}

package struct FileStatus: Sendable {
    package enum Kind: Sendable {
        case regular, directory, symbolicLink
        /// A pipe, socket or device.
        case other
    }

    package let kind: Kind
    /// True for a pipe, with or without a name.
    package let isPipe: Bool
    /// The size in bytes.
    package let size: Int64
    /// The lowest twelve bits of its mode.
    package let permissions: UInt32
    package let owner: UInt32
    package let group: UInt32
    package let identity: FileIdentity
    /// The time of the last change of its contents: nanoseconds since the epoch.
    package let modifiedNanoseconds: Int64

    /// - Parameter followsLinks: true to follow a symbolic link.
    package init(_ path: String, followsLinks: Bool = true) throws(SystemError) {
        var status = stat()
        // SOUND: the call writes one `stat`.
        guard unsafe (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { throw SystemError() }
        self.init(status)
    }

    package init(_ descriptor: FileDescriptor) throws(SystemError) {
        var status = stat()
        // SOUND: the call writes one `stat`.
        guard unsafe fstat(descriptor.rawValue, &status) == 0 else { throw SystemError() }
        self.init(status)
    }

    private init(_ status: stat) {
        isPipe = status.st_mode & S_IFMT == S_IFIFO
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .symbolicLink
            default: .other
            }
        size = Int64(status.st_size)
        permissions = UInt32(status.st_mode & 0o7777)
        owner = status.st_uid
        group = status.st_gid
        identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
        #if canImport(Darwin)
            let modified = status.st_mtimespec
        #else
            let modified = status.st_mtim
        #endif
        modifiedNanoseconds = Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec)
    }
}
