import PushFiles
import PushSystem

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
