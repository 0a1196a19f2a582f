package import PushSystem

/// Reads and replaces whole files.
package enum FileBytes {
    /// The limit for configurations and keys: 1 MiB.
    package static let maximumConfigurationBytes = 1 << 20
    /// The limit for scenarios and property lists: 16 MiB.
    package static let maximumDocumentBytes = 16 << 20
    /// The limit for any other file that is read whole: 1 GiB.
    package static let maximumBytes = 1 << 30

    /// Reads a file to its end. Retries when interrupted.
    ///
    /// - Parameters:
    ///   - path: nil for standard input.
    ///   - limit: maximum size in bytes. A longer file is an error (`EFBIG`), so reading an endless file such as /dev/zero ends.
    package static func read(_ path: String?, limit: Int) throws(SystemError) -> [UInt8] {
        guard let path else { return try FileDescriptor.standardInput.readToEnd(limit: limit) }
        let file = try FileDescriptor.open(path, .readOnly)
        defer { file.close() }
        return try file.readToEnd(limit: limit)
    }

    /// Reads a configuration or a key; the error names the file.
    package static func readConfiguration(
        _ path: String, limit: Int = maximumConfigurationBytes
    ) throws(PlainError) -> [UInt8] {
        do throws(SystemError) { return try read(path, limit: limit) } catch {
            throw PlainError("\(path): \(message(for: error, limit: limit))")
        }
    }

    /// The message about a file that could not be read with a limit.
    ///
    /// - Parameter limit: in bytes: a whole number of KiB, MiB or GiB.
    package static func message(for error: SystemError, limit: Int) -> String {
        guard error == .fileTooLarge else { return "\(error)" }
        let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")]
        let (shift, unit) = units.first { limit >> $0.0 > 0 } ?? (0, "bytes")
        return "larger than \(limit >> shift) \(unit), the most that is read of such a file"
    }

    /// True if the path exists; true for a dangling link, too.
    package static func isPresent(_ path: String) -> Bool { (try? FileStatus(path, followsLinks: false)) != nil }

    /// True if the path is a link. Nothing is written through one that a folder of somebody else's brings.
    package static func isLink(_ path: String) -> Bool {
        (try? FileStatus(path, followsLinks: false))?.kind == .symbolicLink
    }

    /// True if the path exists, following links.
    package static func exists(_ path: String) -> Bool { FileSystem.hasAccess(path, .existence) }

    /// Replaces a file atomically: a concurrent reader sees the complete old file or the complete new one.
    ///
    /// - Parameter path: the file; the new one gets its mode and its extended attributes. A symbolic link is kept and its target replaced.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        let target = try FileSystem.resolved(path)
        let status = try FileStatus(target)
        // A pipe or device would be replaced by a file.
        guard status.kind == .regular else { throw .invalidArgument }
        let old = try? FileDescriptor.open(target, .readOnly)
        defer { old?.close() }
        try put(bytes, at: target, like: status, attributesOf: old)
    }

    /// Replaces a file atomically, or creates one with the process's mode for new files.
    package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        if isPresent(path) { return try replace(path, with: bytes) }
        let file = try FileDescriptor.open(path, .writeOnly, options: .create)
        defer { file.close() }
        try file.writeAll(bytes)
    }

    /// Replaces a file atomically, or creates one.
    ///
    /// - Parameter model: the status of a file whose mode a new file gets; nil for one that only its owner can read.
    package static func replaceOrMake(
        _ path: String, with bytes: [UInt8], like model: FileStatus? = nil
    ) throws(SystemError) {
        do throws(SystemError) {
            _ = try FileStatus(path, followsLinks: false)
        } catch {
            if error == .notFound { return try put(bytes, at: FilePaths.absolute(path), like: model) }
        }
        // A dangling link counts as existing and is left alone.
        try replace(path, with: bytes)
    }

    /// - Parameters:
    ///   - old: the status of the old file, or of a model; the new one gets its mode and owner.
    ///   - oldFile: the old file; nil if there is none, or it cannot be read.
    private static func put(
        _ bytes: [UInt8], at target: String, like old: FileStatus?, attributesOf oldFile: FileDescriptor? = nil
    ) throws(SystemError) {
        // In the same directory, because a rename works only within one file system.
        let prefix = FilePaths.joined(FilePaths.parent(of: target), ".pushpipe-")
        let (file, temporary) = try FileSystem.makeTemporaryFile(prefix)
        do throws(SystemError) {
            do {
                defer { file.close() }
                try file.writeAll(bytes)
                if let old {
                    try file.setPermissions(old.permissions)
                    // Needed only for a file of another owner, where only the superuser may do it.
                    try? file.setOwner(old.owner, group: old.group)
                }
                if let oldFile { file.copyAttributes(of: oldFile) }
                try file.synchronize()
            }
            try FileSystem.rename(temporary, to: target)
        } catch {
            try? FileSystem.removeFile(temporary)
            throw error
        }
    }
}
