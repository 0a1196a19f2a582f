#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Finds files below a directory: its files by name, then those of its directories. Hidden ones are skipped, and links to directories are
/// not followed, because they may form a cycle.
package enum DirectoryWalk {
    package enum Item {
        case file(String)
        /// What cannot be read, and why.
        case unreadable(String, SystemError)
    }

    /// - Parameters:
    ///   - suffixes: of the files to find.
    ///   - enters: whether to search a directory.
    package static func files<Failure: Error>(
        below directory: String, endingIn suffixes: [String], enters: (String) throws(Failure) -> Bool
    ) throws(Failure) -> [Item] {
        guard let names = names(in: directory) else { return [.unreadable(directory, SystemError())] }
        var items: [Item] = []
        var directories: [String] = []
        for name in names.sorted() where !name.hasPrefix(".") {
            let path = FilePaths.joined(directory, name)
            var status = stat()
            guard lstat(path, &status) == 0 else {
                // Gone meanwhile, or of a name that is not UTF-8 and so cannot be passed on.
                if name.contains("\u{FFFD}") { items.append(.unreadable(path, SystemError())) }
                continue
            }
            if status.st_mode & S_IFMT == S_IFDIR {
                directories.append(path)
            } else if suffixes.contains(where: { name.hasSuffix($0) }) {
                // A link to a file is followed; a pipe would have to be waited for.
                if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG { items.append(.file(path)) }
            }
        }
        for path in directories where try enters(path) {
            items += try files(below: path, endingIn: suffixes, enters: enters)
        }
        return items
    }

    /// Whether a path leads to a directory. Throws if it leads nowhere.
    package static func isDirectory(_ path: String) throws(SystemError) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemError() }
        return status.st_mode & S_IFMT == S_IFDIR
    }

    private static func names(in directory: String) -> [String]? {
        guard let stream = opendir(directory) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
