package import PushSystem
import PushText

/// Operations on paths as text. None of them accesses the file system.
package enum FilePaths {
    /// The absolute form of a path, based on the working directory, with `.` and `..` removed.
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

    /// The parent directory of an absolute path.
    package static func parent(of path: String) -> String {
        let slash = UInt8(ascii: "/")
        var rest = path.utf8[...]
        // What is at the end: slashes, a name, and slashes again.
        while rest.last == slash { rest = rest.dropLast() }
        while let last = rest.last, last != slash { rest = rest.dropLast() }
        while rest.last == slash { rest = rest.dropLast() }
        return rest.isEmpty ? "/" : String(Substring(rest))
    }

    /// Joins a directory and a name. In the working directory, the name alone, so that reports match the files of a repository.
    package static func joined(_ directory: String, _ name: String) -> String {
        if directory == "." || directory == "./" { return name }
        return directory.hasSuffix("/") ? directory + name : directory + "/" + name
    }

    /// The path for messages: relative if it is below the working directory, and safe for a terminal.
    package static func shown(_ path: String) -> String {
        let prefix = workingDirectory + "/"
        return TextStyle.clean(path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path)
    }

    package static var workingDirectory: String { CurrentProcess.workingDirectory ?? "/" }
}

extension PlainError {
    /// An error of the system about a file.
    package init(_ path: String, _ error: SystemError) { self.init("\(FilePaths.shown(path)): \(error)") }

    /// The result of calls of the system, whose errors name the path.
    package static func naming<Value>(
        _ path: String, _ calls: @autoclosure () throws(SystemError) -> Value
    ) throws(PlainError) -> Value {
        do throws(SystemError) { return try calls() } catch { throw PlainError(path, error) }
    }
}
