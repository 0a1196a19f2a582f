package import SystemSupport

/// Whole files.
package enum FileBytes {
    /// Reads a file to its end. Begins again when interrupted.
    ///
    /// - Parameters:
    ///   - path: nil is standard input.
    ///   - limit: bytes; a longer file is an error (`EFBIG`), which also ends reading from a file without an end such as /dev/zero.
    package static func read(_ path: String?, limit: Int = .max) throws(SystemError) -> [UInt8] {
        guard let path else { return try FileDescriptor.standardInput.readToEnd(limit: limit) }
        let file = try FileDescriptor.open(path, .readOnly)
        defer { file.close() }
        return try file.readToEnd(limit: limit)
    }

    /// Whether there is a file, or a link that may lead nowhere.
    package static func isPresent(_ path: String) -> Bool { (try? FileStatus(path, followsLinks: false)) != nil }

    /// Whether the path leads to a file.
    package static func exists(_ path: String) -> Bool { FileSystem.hasAccess(path, .existence) }

    /// Replaces a file in one step: a concurrent reader sees either the old file or the new one, complete.
    ///
    /// - Parameter path: the file, whose mode the new one gets. A symbolic link stays, and the file it leads to is replaced.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        let target = try FileSystem.resolved(path)
        let status = try FileStatus(target)
        // A pipe or device would become a file.
        guard status.kind == .regular else { throw .invalidArgument }
        try put(bytes, at: target, like: status)
    }

    /// Replaces a file in one step, or makes one that only its owner can read.
    package static func replaceOrMake(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        do throws(SystemError) {
            _ = try FileStatus(path, followsLinks: false)
        } catch {
            if error == .notFound { return try put(bytes, at: FilePaths.absolute(path), like: nil) }
        }
        // A dangling link exists, and is left alone.
        try replace(path, with: bytes)
    }

    /// - Parameter old: the file whose mode and owner the new one gets.
    private static func put(_ bytes: [UInt8], at target: String, like old: FileStatus?) throws(SystemError) {
        // In the same directory, because a file can be renamed only within its file system.
        let prefix = FilePaths.joined(FilePaths.parent(of: target), ".pushpipe-")
        let (file, temporary) = try FileSystem.makeTemporaryFile(prefix)
        do throws(SystemError) {
            do {
                defer { file.close() }
                try file.writeAll(bytes)
                if let old {
                    try file.setPermissions(old.permissions)
                    // Only the superuser may do this for another owner's file, and only then is it needed.
                    try? file.setOwner(old.owner, group: old.group)
                }
                try file.synchronize()
            }
            try FileSystem.rename(temporary, to: target)
        } catch {
            try? FileSystem.removeFile(temporary)
            throw error
        }
    }
}
