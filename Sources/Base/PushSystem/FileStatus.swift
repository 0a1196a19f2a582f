#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

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
    /// In bytes.
    package let size: Int64
    /// The lowest twelve bits of its mode.
    package let permissions: UInt32
    package let owner: UInt32
    package let group: UInt32
    package let identity: FileIdentity
    /// When its contents changed last: nanoseconds since the epoch.
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
