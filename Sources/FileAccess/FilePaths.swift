import TerminalStyle

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Paths as texts; nothing here looks at a file.
package enum FilePaths {
    /// With the working directory in front, and without `.` and `..`.
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

    /// Below the working directory the name alone, which is how reports are matched with the files of a repository.
    package static func joined(_ directory: String, _ name: String) -> String {
        if directory == "." || directory == "./" { return name }
        return directory.hasSuffix("/") ? directory + name : directory + "/" + name
    }

    /// As messages name it: below the working directory without that, and nothing in it that disturbs a terminal.
    package static func shown(_ path: String) -> String {
        let prefix = workingDirectory + "/"
        return TextStyle.clean(path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path)
    }

    package static var workingDirectory: String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }
}
