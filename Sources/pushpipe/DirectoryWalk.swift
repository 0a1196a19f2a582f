import FileAccess
import PushPipeline

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Finds files below a directory: those of a directory by name, then its directories. Hidden ones are left out, and links to directories are
/// not followed, because they may lead round.
enum DirectoryWalk {
    enum Item {
        case file(String)
        /// What cannot be looked at, and why.
        case trouble(String, SystemError)
    }

    /// - Parameter enters: whether to look below a directory.
    static func files(
        below directory: String, endingIn suffixes: [String], enters: (String) throws -> Bool
    ) rethrows -> [Item] {
        guard let names = names(in: directory) else { return [.trouble(directory, SystemError())] }
        var items: [Item] = []
        var directories: [String] = []
        for name in names.sorted() where !name.hasPrefix(".") {
            let path = FilePaths.joined(directory, name)
            var status = stat()
            guard lstat(path, &status) == 0 else {
                // Gone meanwhile, or of a name that is not UTF-8 and so cannot be passed on.
                if name.contains("\u{FFFD}") { items.append(.trouble(path, SystemError())) }
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
