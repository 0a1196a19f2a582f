import FoundationEssentials
import PushFiles
import PushSystem

/// The folder whose files a project may name. Anyone can have written the project, and its paths may lead anywhere.
struct ProjectScope {
    /// The path of the folder, without symbolic links.
    let root: String

    /// The repository around a folder, else the folder above it, because projects share files with their neighbours.
    ///
    /// - Parameter folder: an absolute path.
    init(around folder: String) {
        let folder = (try? FileSystem.resolved(folder)) ?? folder
        var place = folder
        while place != "/", !FileBytes.exists(place + "/.git") { place = FilePaths.parent(of: place) }
        if place == "/" {
            let above = FilePaths.parent(of: folder)
            place = above == "/" || above == ProcessInfo.processInfo.environment["HOME"] ? folder : above
        }
        root = place
    }

    /// - Parameter root: the folder itself.
    init(root: String) { self.root = (try? FileSystem.resolved(root)) ?? root }

    /// True if a path is in the folder, also after its symbolic links are followed.
    func contains(_ path: String) -> Bool {
        let place = (try? FileSystem.resolved(path)) ?? path
        return place == root || root == "/" || place.utf8.starts(with: (root + "/").utf8)
    }

    /// True for a regular file in the folder. A pipe might never end, and a device neither.
    func hasFile(_ path: String) -> Bool { (try? FileStatus(path))?.kind == .regular && contains(path) }

    /// The bytes of a regular file in the folder; nil for anything else.
    func read(_ path: String, limit: Int) -> [UInt8]? {
        hasFile(path) ? try? FileBytes.read(path, limit: limit) : nil
    }
}

/// Names of files as a project writes them. The file system of a Mac does not tell `a.swift` from `A.swift`, and Linux does.
enum FileNames {
    /// A file that a project writes with other letters.
    struct Renamed {
        let written: String
        let found: String

        var notice: String {
            "\(FilePaths.shown(found)): the project writes \(FilePaths.shown(written)), which is the same file on a Mac alone"
        }
    }

    /// Replaces paths by those on disk.
    static func correct(_ paths: inout [String], in scope: ProjectScope, _ renamed: inout [Renamed]) {
        for index in paths.indices where !FileBytes.exists(paths[index]) {
            guard let found = existing(paths[index], in: scope) else { continue }
            renamed.append(Renamed(written: paths[index], found: found))
            paths[index] = found
        }
    }

    /// The path of the file as it is on disk: the same if it exists, else the only one that differs in case. Nil if there is none.
    ///
    /// - Parameter scope: no other folder is listed.
    static func existing(_ path: String, in scope: ProjectScope) -> String? {
        if FileBytes.exists(path) { return path }
        var place = ""
        for part in path.split(separator: "/").map(String.init) {
            if FileBytes.exists(place + "/" + part) {
                place += "/" + part
                continue
            }
            let folder = place.isEmpty ? "/" : place
            guard scope.contains(folder), let names = try? FileSystem.names(in: folder) else { return nil }
            let found = names.filter { $0.lowercased() == part.lowercased() }
            guard found.count == 1 else { return nil }
            place += "/" + found[0]
        }
        return place
    }
}
