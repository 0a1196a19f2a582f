#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Whole files.
package enum FileBytes {
    private static let pieceBytes = 256 * 1024  // 256 KiB

    /// - Parameters:
    ///   - path: nil is standard input.
    ///   - limit: bytes; a file with more is an error. A file such as /dev/zero has no end.
    package static func read(_ path: String?, limit: Int = .max) throws(SystemError) -> [UInt8] {
        guard let path else { return try read(STDIN_FILENO, limit) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError() }
        defer { close(descriptor) }
        return try read(descriptor, limit)
    }

    private static func read(_ descriptor: Int32, _ limit: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        while try appendPiece(of: descriptor, to: &bytes, pieceBytes) {
            guard bytes.count <= limit else {
                errno = EFBIG
                throw SystemError()
            }
        }
        return bytes
    }

    /// Appends what can be read at once. False at the end.
    package static func appendPiece(of descriptor: Int32, to bytes: inout [UInt8], _ atMost: Int) throws(SystemError)
        -> Bool
    {
        var piece = [UInt8](repeating: 0, count: atMost)
        while true {
            let count = systemRead(descriptor, &piece)
            if count == 0 { return false }
            if count > 0 {
                bytes.append(contentsOf: piece[..<count])
                return true
            } else if errno == EAGAIN {
                // Whoever gave us this stream made it non-blocking; wait as a blocking one would.
                var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&request, 1, -1)
            } else if errno != EINTR {
                throw SystemError()
            }
        }
    }

    /// Whether there is a file, or a link that may lead nowhere.
    package static func isPresent(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether the path leads to a file.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Replaces a file at once: whoever reads it meanwhile sees the old one or the new one, whole.
    ///
    /// - Parameter path: of the old file, whose mode the new one gets. A symbolic link stays a link, and its target is replaced.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        guard let resolved = realpath(path, nil) else { throw SystemError() }
        defer { free(resolved) }
        let target = String(cString: resolved)
        var status = stat()
        guard stat(target, &status) == 0 else { throw SystemError() }
        guard status.st_mode & S_IFMT == S_IFREG else {
            // A pipe or device would be replaced by a file.
            errno = EINVAL
            throw SystemError()
        }
        try put(bytes, at: target, like: status)
    }

    /// Replaces a file, or makes one that only its owner can read if there is none.
    package static func replaceOrMake(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        var status = stat()
        // A link that leads nowhere exists, and stays as it is.
        if lstat(path, &status) == 0 || errno != ENOENT { return try replace(path, with: bytes) }
        try put(bytes, at: FilePaths.absolute(path), like: nil)
    }

    /// - Parameter old: of the file whose mode and owner the new one gets.
    private static func put(_ bytes: [UInt8], at target: String, like old: stat?) throws(SystemError) {
        // In the same directory, because a file can be renamed only within its file system.
        var template = Array((FilePaths.joined(FilePaths.parent(of: target), ".pushpipe-XXXXXX")).utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SystemError() }
        let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(SystemError) {
            defer { close(descriptor) }
            try write(bytes, to: descriptor)
            if let old {
                guard fchmod(descriptor, old.st_mode & 0o7777) == 0 else { throw SystemError() }
                // Only the superuser may do this for another owner's file, and only then is it needed.
                _ = fchown(descriptor, old.st_uid, old.st_gid)
            }
            guard fsync(descriptor) == 0 else { throw SystemError() }
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, target) == 0 else {
            let error = SystemError()
            unlink(temporary)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: $0[written...]))
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw SystemError()
            }
        }
    }
}

/// `read(2)`, under a name that the method `read` does not hide.
private func systemRead(_ descriptor: Int32, _ piece: inout [UInt8]) -> Int {
    piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
}

/// `write(2)`, under a name that a method called `write` does not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
