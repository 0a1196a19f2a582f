package import SystemSupport

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
        let names: [String]
        do throws(SystemError) { names = try FileSystem.names(in: directory) } catch {
            return [.unreadable(directory, error)]
        }
        var items: [Item] = []
        var directories: [String] = []
        for name in names.sorted() where !name.hasPrefix(".") {
            let path = FilePaths.joined(directory, name)
            let status: FileStatus
            do throws(SystemError) { status = try FileStatus(path, followsLinks: false) } catch {
                // Deleted meanwhile, or a name that is not UTF-8 and so cannot be passed on.
                if name.contains("\u{FFFD}") { items.append(.unreadable(path, error)) }
                continue
            }
            if status.kind == .directory {
                directories.append(path)
            } else if suffixes.contains(where: { name.hasSuffix($0) }) {
                // A link to a file is followed; opening a pipe would wait for its other end.
                if (try? FileStatus(path))?.kind == .regular { items.append(.file(path)) }
            }
        }
        for path in directories where try enters(path) {
            items += try files(below: path, endingIn: suffixes, enters: enters)
        }
        return items
    }

    /// Whether a path leads to a directory. Throws if it leads nowhere.
    package static func isDirectory(_ path: String) throws(SystemError) -> Bool {
        try FileStatus(path).kind == .directory
    }
}
