import SystemSupport
import TerminalStyle

/// Paths as texts. Nothing here accesses a file.
package enum FilePaths {
    /// The path after the working directory, without `.` and `..`.
    package static func absolute(_ path: String) -> String {
        var parts: [Substring] = []
        for part in (path.hasPrefix("/") ? path : workingDirectory + "/" + path).split(separator: "/") {
            if part == ".." {
                _ = parts.popLast()
            } else if part != "." {
                parts.append(part)
            }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// The directory that an absolute path is in.
    package static func parent(of path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        return "/" + parts.joined(separator: "/")
    }

    /// In the working directory, the name alone: reports are matched with the files of a repository by it.
    package static func joined(_ directory: String, _ name: String) -> String {
        if directory == "." || directory == "./" { return name }
        return directory.hasSuffix("/") ? directory + name : directory + "/" + name
    }

    /// The path as messages name it: relative to the working directory if it is below it, and safe for a terminal.
    package static func shown(_ path: String) -> String {
        let prefix = workingDirectory + "/"
        return TextStyle.clean(path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path)
    }

    package static var workingDirectory: String { CurrentProcess.workingDirectory ?? "/" }
}
