package import PushSystem

/// Finds files below a directory, in the same order each time: first its own files by name, then those of its subdirectories.
///
/// Links are not followed, so that a walk has no cycles.
package struct DirectoryWalk {
    package enum Item {
        case file(String)
        /// A path that cannot be read, and why.
        case unreadable(String, SystemError)
    }

    package struct Entry {
        /// The path for messages: the walk's directory, and what is below it.
        package let path: String
        /// The absolute path in UTF-8.
        package let absolute: ArraySlice<UInt8>
        /// True if a pattern of `globs` includes it.
        package let isWanted: Bool
    }

    /// True to find hidden files and directories, too. `.git` never is.
    package var includesHidden = false
    /// True to leave out what `.gitignore`, `.ignore` and a repository's `info/exclude` name.
    package var honoursIgnoreFiles = true
    /// Patterns relative to the working directory. One that matches counts more than ignore files, and than being hidden.
    package var globs = GlobList()

    package init() {}

    /// - Parameters:
    ///   - enters: returns true to search a directory.
    ///   - takes: returns true for a file that is looked for.
    package func files<Failure: Error>(
        below directory: String, enters: (Entry) throws(Failure) -> Bool, takes: (Entry) throws(Failure) -> Bool
    ) throws(Failure) -> [Item] {
        var search = Search(self)
        let absolute = FilePaths.absolute(directory)
        let folder = honoursIgnoreFiles ? IgnoreFolder.at(absolute) { search.note($0, $1) } : nil
        try search.add(directory, absolute, folder, enters, takes)
        return search.items
    }

    /// All files with a suffix, except hidden ones.
    package static func files(below directory: String, endingIn suffix: String) -> [Item] {
        var walk = DirectoryWalk()
        walk.honoursIgnoreFiles = false
        return walk.files(below: directory) { _ in
            true
        } takes: {
            $0.path.utf8.hasSuffix(suffix)
        }
    }
}

private struct Search {
    private let walk: DirectoryWalk
    private let workingDirectory = Array(FilePaths.workingDirectory.utf8) + [UInt8(ascii: "/")]
    private(set) var items: [DirectoryWalk.Item] = []

    init(_ walk: DirectoryWalk) { self.walk = walk }

    mutating func note(_ path: String, _ error: SystemError) { items.append(.unreadable(FilePaths.shown(path), error)) }

    mutating func add<Failure: Error>(
        _ directory: String, _ absolute: String, _ folder: IgnoreFolder?,
        _ enters: (DirectoryWalk.Entry) throws(Failure) -> Bool, _ takes: (DirectoryWalk.Entry) throws(Failure) -> Bool
    ) throws(Failure) {
        var entries: [FileSystem.Entry]
        do throws(SystemError) { entries = try FileSystem.entries(in: directory) } catch {
            return items.append(.unreadable(directory, error))
        }
        entries.sort { $0.name < $1.name }
        var directories: [(path: String, name: String)] = []
        let start = Array((absolute == "/" ? "/" : absolute + "/").utf8)
        for entry in entries where entry.name != ".git" {
            let path = FilePaths.joined(directory, entry.name)
            guard let kind = kind(of: entry, at: path), kind == .regular || kind == .directory else { continue }
            let isFolder = kind == .directory
            let place = (start + entry.name.utf8)[...]
            let glob = walk.globs.isEmpty ? nil : walk.globs.verdict(on: relative(place))
            if glob == false || (glob == nil && walk.globs.includes && !isFolder) { continue }
            if glob == nil {
                let isIgnored = folder?.verdict(on: place, isFolder: isFolder)
                // A file that an ignore file includes is meant, although it is hidden.
                let isHidden = !walk.includesHidden && entry.name.utf8.first == UInt8(ascii: ".") && isIgnored == nil
                if isIgnored == true || isHidden { continue }
            }
            let found = DirectoryWalk.Entry(path: path, absolute: place, isWanted: glob == true)
            if isFolder {
                if try enters(found) { directories.append((path, entry.name)) }
            } else if try takes(found) {
                items.append(.file(path))
            }
        }
        for (path, name) in directories {
            let absolute = FilePaths.joined(absolute, name)
            // Read first: what cannot be read has no ignore files either.
            let inner = folder.map { folder in IgnoreFolder(absolute, in: folder) { note($0, $1) } }
            try add(path, absolute, inner, enters, takes)
        }
    }

    /// Nil for what was deleted in the meantime.
    private mutating func kind(of entry: FileSystem.Entry, at path: String) -> FileStatus.Kind? {
        let isNamedInUTF8 = !entry.name.contains("\u{FFFD}")
        if let kind = entry.kind, isNamedInUTF8 { return kind }
        do throws(SystemError) { return try FileStatus(path, followsLinks: false).kind } catch {
            // A name that is not UTF-8 cannot be used as a path.
            if !isNamedInUTF8 { items.append(.unreadable(path, error)) }
            return nil
        }
    }

    private func relative(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        path.starts(with: workingDirectory) ? path.dropFirst(workingDirectory.count) : path.dropFirst()
    }
}

extension String.UTF8View {
    /// True if the text ends in another one. Compares bytes, which costs less than comparing characters.
    package func hasSuffix(_ suffix: String) -> Bool {
        count >= suffix.utf8.count && self.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }
}
