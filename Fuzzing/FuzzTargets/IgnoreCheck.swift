import PushFiles

/// The patterns of an ignore file are read whatever they are, and the last one that matches decides.
enum IgnoreCheck {
    /// The input is a path below the folder, a line feed, and the file.
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            let end = bytes.firstIndex(of: 0x0A) ?? bytes.count
            let path = Array("/a/".utf8) + bytes[..<end]
            let text = bytes[min(end + 1, bytes.count)...]
            guard end > 0, path.last != UInt8(ascii: "/") else { return nil }
            func verdict(_ text: [UInt8], isFolder: Bool) -> Bool? {
                IgnoreFile(text, below: "/a").verdict(on: path[...], isFolder: isFolder)
            }
            for isFolder in [false, true] {
                let answer = verdict(Array(text), isFolder: isFolder)
                if answer != verdict(Array(text) + Array("\n# comment\n\n".utf8), isFolder: isFolder) {
                    return "a comment changes the answer"
                }
                for (line, expected) in [("*", true), ("!*", false), ("**", true), ("!/**", false)] {
                    if verdict(Array(text) + Array("\n\(line)".utf8), isFolder: isFolder) != expected {
                        return "\(line) does not match everything"
                    }
                }
                let quoted = path[3...].flatMap { [UInt8(ascii: "\\"), $0] }
                // A carriage return before a line feed is no part of the line.
                if !path.contains(0), path.last != 0x0D,
                    verdict([UInt8(ascii: "/")] + quoted, isFolder: isFolder) != true
                {
                    return "a path does not match itself"
                }
            }
            return nil
        }
    }
}
