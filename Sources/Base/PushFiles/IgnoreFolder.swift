import PushSystem

/// The ignore files that apply to a folder, its own and those of all folders above it, as ripgrep reads them: `.ignore` files of all
/// folders count more than the repository's `.gitignore` files and `info/exclude`, and a file counts more than those above it.
final class IgnoreFolder {
    /// Takes a file that cannot be read.
    typealias Reporter = (String, SystemError) -> Void

    private let parent: IgnoreFolder?
    private let ignore: IgnoreFile?
    private let gitignore: IgnoreFile?
    /// The patterns of a repository's `info/exclude`.
    private let exclude: IgnoreFile?
    /// True if this is the root of a repository. What is above says nothing about what git ignores in it.
    private let isRepository: Bool

    /// - Parameter path: absolute.
    init(_ path: String, in parent: IgnoreFolder?, report: Reporter) {
        self.parent = parent
        let git = FilePaths.joined(path, ".git")
        isRepository = FileBytes.isPresent(git)
        ignore = Self.read(FilePaths.joined(path, ".ignore"), for: path, report)
        gitignore = Self.read(FilePaths.joined(path, ".gitignore"), for: path, report)
        exclude =
            isRepository
            ? Self.read(FilePaths.joined(Self.directory(of: git), "info/exclude"), for: path, report) : nil
    }

    /// A folder with all folders above it.
    ///
    /// - Parameter path: absolute.
    static func at(_ path: String, report: Reporter) -> IgnoreFolder {
        var folder = IgnoreFolder("/", in: nil, report: report)
        var current = ""
        for part in path.split(separator: "/") {
            current += "/" + part
            folder = IgnoreFolder(current, in: folder, report: report)
        }
        return folder
    }

    /// The patterns of a file; nil if there is none. What is not a regular file has none, because reading it might not end.
    private static func read(_ path: String, for folder: String, _ report: Reporter) -> IgnoreFile? {
        guard let status = try? FileStatus(path), status.kind == .regular else { return nil }
        do throws(SystemError) {
            return IgnoreFile(try FileBytes.read(path, limit: FileBytes.maximumConfigurationBytes), below: folder)
        } catch {
            report(path, error)
            return nil
        }
    }

    /// The directory that a repository's folders share. In a worktree or a submodule, `.git` is a file that names another directory.
    private static func directory(of git: String) -> String {
        func line(of path: String) -> String? {
            guard let status = try? FileStatus(path), status.kind == .regular,
                let bytes = try? FileBytes.read(path, limit: FileBytes.maximumConfigurationBytes)
            else { return nil }
            return String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        }
        func resolve(_ path: Substring, in directory: String) -> String {
            path.hasPrefix("/") ? String(path) : FilePaths.joined(directory, String(path))
        }
        guard let link = line(of: git), link.hasPrefix("gitdir: ") else { return git }
        let own = resolve(link.dropFirst("gitdir: ".count), in: FilePaths.parent(of: git))
        return line(of: FilePaths.joined(own, "commondir")).map { resolve($0[...], in: own) } ?? own
    }

    /// True to ignore something in this folder; nil if no pattern matches.
    ///
    /// - Parameter path: absolute.
    func verdict(on path: ArraySlice<UInt8>, isFolder: Bool) -> Bool? {
        var fromGit: Bool?
        var repository: IgnoreFolder?
        var folder: IgnoreFolder? = self
        while let current = folder {
            if let verdict = current.ignore?.verdict(on: path, isFolder: isFolder) { return verdict }
            if repository == nil {
                fromGit = fromGit ?? current.gitignore?.verdict(on: path, isFolder: isFolder)
                if current.isRepository { repository = current }
            }
            folder = current.parent
        }
        guard let repository else { return nil }
        return fromGit ?? repository.exclude?.verdict(on: path, isFolder: isFolder)
    }
}

/// The patterns of a `.gitignore` or a file like it, about what is below one folder. Source: gitignore(5).
package struct IgnoreFile: Sendable {
    private var globs = GlobList()
    /// Number of bytes of the folder's absolute path, with a slash at its end.
    private let prefix: Int

    /// - Parameters:
    ///   - text: the contents of the file.
    ///   - folder: the absolute path of the folder that the patterns are relative to.
    package init(_ text: [UInt8], below folder: String) {
        prefix = folder == "/" ? 1 : folder.utf8.count + 1
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = text.starts(with: mark) ? mark.count : 0
        for line in text[start...].split(separator: UInt8(ascii: "\n")) { add(line) }
    }

    private mutating func add(_ line: ArraySlice<UInt8>) {
        guard line.first != UInt8(ascii: "#") else { return }
        var text = Self.withoutSpacesAtEnd(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        let isNegated = text.first == UInt8(ascii: "!")
        if isNegated { text = text.dropFirst() }
        let isForFolders = text.last == UInt8(ascii: "/")
        if isForFolders { text = text.dropLast() }
        guard let pattern = GlobPattern(text, .gitignore) else { return }
        globs.add(pattern, isNegated: isNegated, isForFolders: isForFolders)
    }

    /// A space after a backslash stays.
    private static func withoutSpacesAtEnd(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = text.startIndex
        var isEscaped = false
        for (index, byte) in zip(text.indices, text) {
            if byte != UInt8(ascii: " ") || isEscaped { end = index + 1 }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return text[..<end]
    }

    /// True to ignore a path; nil if no pattern matches it. The last pattern that matches decides.
    ///
    /// - Parameter path: absolute, below the folder.
    package func verdict(on path: ArraySlice<UInt8>, isFolder: Bool) -> Bool? {
        globs.verdict(on: path[prefix...], isFolder: isFolder)
    }
}
