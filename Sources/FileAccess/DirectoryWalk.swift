package import SystemSupport

/// Finds files below a directory: first its own files by name, then those of its subdirectories. Skips hidden files and directories, and does
/// not follow links to directories, because they may form a cycle.
package enum DirectoryWalk {
    package enum Item {
        case file(String)
        /// A path that cannot be read, and why.
        case unreadable(String, SystemError)
    }

    /// - Parameters:
    ///   - suffixes: suffixes of the files to find.
    ///   - enters: returns whether to search a directory.
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
                // Deleted in the meantime, or the name is not UTF-8 and cannot be used as a path.
                if name.contains("\u{FFFD}") { items.append(.unreadable(path, error)) }
                continue
            }
            if status.kind == .directory {
                directories.append(path)
            } else if suffixes.contains(where: { name.hasSuffix($0) }) {
                // Links to files are followed. Pipes are skipped, because opening one waits for its other end.
                if (try? FileStatus(path))?.kind == .regular { items.append(.file(path)) }
            }
        }
        for path in directories where try enters(path) {
            items += try files(below: path, endingIn: suffixes, enters: enters)
        }
        return items
    }

    /// Whether a path is a directory. Throws if it does not exist.
    package static func isDirectory(_ path: String) throws(SystemError) -> Bool {
        try FileStatus(path).kind == .directory
    }
}
