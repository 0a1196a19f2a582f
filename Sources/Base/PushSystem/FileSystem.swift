#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Operations on files and directories by path. None of them waits, so signals do not interrupt them.
package enum FileSystem {
    package enum Access: Sendable {
        /// The path exists.
        case existence
        case reading
        case writing
        case execution
    }

    package static func checkAccess(_ path: String, _ access: Access) throws(SystemError) {
        let mode =
            switch access {
            case .existence: F_OK
            case .reading: R_OK
            case .writing: W_OK
            case .execution: X_OK
            }
        _ = try checked { systemAccess(path, mode) }
    }

    package static func hasAccess(_ path: String, _ access: Access) -> Bool {
        (try? checkAccess(path, access)) != nil
    }

    /// The path of a program on a search path, by default `$PATH`; nil if it is not there.
    package static func program(
        _ name: String, on searchPath: String? = Environment.nonEmptyVariable("PATH")
    ) -> String? {
        (searchPath ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/\(name)" }.first {
            hasAccess($0, .execution)
        }
    }

    package static func isDirectory(_ path: String) -> Bool { (try? FileStatus(path))?.kind == .directory }

    /// The absolute path without links, `.` and `..`. Throws if the file does not exist.
    package static func resolved(_ path: String) throws(SystemError) -> String {
        // SOUND: `realpath` returns a terminated string that belongs to the caller, and it is freed after the copy.
        guard let resolved = unsafe realpath(path, nil) else { throw SystemError() }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Renames a file or directory, replacing a file at `target`.
    package static func rename(_ path: String, to target: String) throws(SystemError) {
        _ = try checked { systemRename(path, target) }
    }

    /// Creates a directory, unless there is one.
    package static func makeDirectory(_ path: String) throws(SystemError) {
        do throws(SystemError) { _ = try checked { unsafe mkdir(path, 0o777) } } catch {
            guard isDirectory(path) else { throw error }
        }
    }

    package static func removeFile(_ path: String) throws(SystemError) {
        _ = try checked { unsafe unlink(path) }
    }

    package static func setPermissions(_ path: String, _ permissions: UInt32) throws(SystemError) {
        _ = try checked { unsafe chmod(path, mode_t(permissions)) }
    }

    /// The names in a directory, without `.` and `..`, in no order. Bytes that are not UTF-8 become U+FFFD.
    package static func names(in directory: String) throws(SystemError) -> [String] {
        try entries(in: directory).map(\.name)
    }

    /// The entries of a directory.
    package struct Entry: Sendable {
        /// Bytes that are not UTF-8 are U+FFFD.
        package let name: String
        /// Links are not followed. Nil if the file system does not say it.
        package let kind: FileStatus.Kind?
    }

    /// The entries of a directory, without `.` and `..`, in no order.
    package static func entries(in directory: String) throws(SystemError) -> [Entry] {
        // SOUND: the stream is open until the end of this function, an entry is valid until the next `readdir`, and its name is terminated.
        guard let stream = unsafe opendir(directory) else { throw SystemError() }
        defer { unsafe closedir(stream) }
        var entries: [Entry] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { unsafe String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            entries.append(Entry(name: name, kind: kind(Int(unsafe entry.pointee.d_type))))
        }
        return entries
    }

    private static func kind(_ type: Int) -> FileStatus.Kind? {
        switch type {
        case Int(DT_REG): .regular
        case Int(DT_DIR): .directory
        case Int(DT_LNK): .symbolicLink
        case Int(DT_UNKNOWN): nil
        default: .other
        }
    }

    // MARK: - Temporary files

    /// Creates and opens a new file that only its owner can read.
    ///
    /// - Parameter prefix: the path, to which six characters are appended.
    package static func makeTemporaryFile(
        _ prefix: String
    ) throws(SystemError) -> (descriptor: FileDescriptor, path: String) {
        var template = Array((prefix + "XXXXXX").utf8CString)
        // SOUND: the call changes six characters of a terminated template, and keeps no pointer.
        let descriptor = try checked { unsafe mkstemp(&template) }
        return (FileDescriptor(rawValue: descriptor), text(template))
    }

    /// Creates a new directory that only its owner can enter, and returns its path.
    ///
    /// - Parameter prefix: the path, to which six characters are appended.
    package static func makeTemporaryDirectory(_ prefix: String) throws(SystemError) -> String {
        var template = Array((prefix + "XXXXXX").utf8CString)
        // SOUND: the call changes six characters of a terminated template, and keeps no pointer.
        guard unsafe mkdtemp(&template) != nil else { throw SystemError() }
        return text(template)
    }

    private static func text(_ terminated: [CChar]) -> String {
        String(decoding: terminated.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

// C's functions, under names that methods of the same name do not hide.
// SOUND: here and above, Swift passes paths as terminated strings that live as long as the call.

private func systemRename(_ path: String, _ target: String) -> Int32 { unsafe rename(path, target) }

private func systemAccess(_ path: String, _ mode: Int32) -> Int32 { unsafe access(path, mode) }
