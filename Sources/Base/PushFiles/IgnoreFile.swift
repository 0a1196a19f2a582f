/// The patterns of a `.gitignore` or a file like it, about what is below one folder. Source: gitignore(5).
package struct IgnoreFile: Sendable {
    private struct Line: Sendable {
        var pattern: GlobPattern
        var isNegated: Bool
        var isForFolders: Bool
    }

    private var lines: [Line] = []
    /// Number of bytes of the folder's absolute path, with a slash at its end.
    private let prefix: Int

    /// - Parameters:
    ///   - text: the contents of the file.
    ///   - folder: the absolute path of the folder that the patterns are relative to.
    package init(_ text: [UInt8], below folder: String) {
        prefix = folder == "/" ? 1 : folder.utf8.count + 1
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = text.starts(with: mark) ? mark.count : 0
        for line in text[start...].split(separator: UInt8(ascii: "\n")) {
            if let line = Self.line(line) { lines.append(line) }
        }
    }

    private static func line(_ text: ArraySlice<UInt8>) -> Line? {
        guard text.first != UInt8(ascii: "#") else { return nil }
        var text = text.last == UInt8(ascii: "\r") ? text.dropLast() : text
        text = withoutSpacesAtEnd(text)
        let isNegated = text.first == UInt8(ascii: "!")
        if isNegated { text = text.dropFirst() }
        let isForFolders = text.last == UInt8(ascii: "/")
        if isForFolders { text = text.dropLast() }
        guard let pattern = GlobPattern(text, .gitignore) else { return nil }
        return Line(pattern: pattern, isNegated: isNegated, isForFolders: isForFolders)
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
    /// - Parameters:
    ///   - path: absolute, below the folder.
    ///   - name: where the path's last part begins.
    package func verdict(on path: ArraySlice<UInt8>, name: Int, isFolder: Bool) -> Bool? {
        let last = lines.last { line in
            (isFolder || !line.isForFolders)
                && line.pattern.matches(path[(line.pattern.hasFolders ? prefix : name)...])
        }
        return last.map { !$0.isNegated }
    }
}
