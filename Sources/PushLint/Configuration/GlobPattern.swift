/// A pattern of paths, as in `.gitignore`: `*` stands for anything but a slash, `?` for one character but a slash, `**` for
/// anything. A pattern without a slash before its end is compared with every name on the path. What is below a match matches too.
package struct GlobPattern: Sendable {
    private enum Token: Equatable, Sendable {
        case byte(UInt8)
        /// A character but a slash.
        case one
        /// Any number of characters but slashes.
        case some
        /// Any number of characters.
        case any
        /// `**/`: any number of whole folders, including none.
        case folders
        /// Within such folders.
        case insideFolders
    }

    private let tokens: [Token]

    /// Nil when the pattern is empty.
    package init?(_ pattern: String) {
        var bytes = Array(pattern.utf8)[...]
        if bytes.starts(with: Array("./".utf8)) { bytes = bytes.dropFirst(2) }
        while bytes.last == Self.slash { bytes = bytes.dropLast() }
        var tokens: [Token] = bytes.contains(Self.slash) ? [] : [.folders, .insideFolders]
        if bytes.first == Self.slash { bytes = bytes.dropFirst() }
        guard !bytes.isEmpty else { return nil }
        while let byte = bytes.popFirst() {
            let isDouble = byte == UInt8(ascii: "*") && bytes.first == UInt8(ascii: "*")
            if isDouble { bytes = bytes.dropFirst() }
            switch byte {
            case UInt8(ascii: "*") where isDouble && bytes.first == Self.slash:
                bytes = bytes.dropFirst()
                tokens += [.folders, .insideFolders]
            case UInt8(ascii: "*"): tokens.append(isDouble ? .any : .some)
            case UInt8(ascii: "?"): tokens.append(.one)
            default: tokens.append(.byte(byte))
            }
        }
        self.tokens = tokens
    }

    private static let slash = UInt8(ascii: "/")

    /// Whether the pattern matches a path, or a directory on it. O(path × pattern).
    func matches(_ path: some Sequence<UInt8>) -> Bool {
        var places: Set<Int> = []
        enter(0, &places)
        for byte in path {
            // At the end of a folder's name: what is in a matching folder matches too.
            if byte == Self.slash, places.contains(tokens.count) { return true }
            var next: Set<Int> = []
            for place in places where place < tokens.count { step(place, byte, &next) }
            places = next
        }
        return places.contains(tokens.count)
    }

    /// Adds a place in the pattern, and the places that can be reached from it without a byte.
    private func enter(_ place: Int, _ places: inout Set<Int>) {
        guard places.insert(place).inserted, place < tokens.count else { return }
        switch tokens[place] {
        case .some, .any: enter(place + 1, &places)
        case .folders:
            places.insert(place + 1)
            enter(place + 2, &places)
        case .byte, .one, .insideFolders: break
        }
    }

    /// Adds the places that a byte can reach.
    private func step(_ place: Int, _ byte: UInt8, _ next: inout Set<Int>) {
        switch tokens[place] {
        case .byte(let wanted): if byte == wanted { enter(place + 1, &next) }
        // The bytes of one character count as one.
        case .one:
            if byte != Self.slash { byte & 0xC0 == 0x80 ? enter(place, &next) : enter(place + 1, &next) }
        case .some: if byte != Self.slash { enter(place, &next) }
        case .any: enter(place, &next)
        case .folders: break
        case .insideFolders:
            if byte == Self.slash { enter(place - 1, &next) } else { next.insert(place) }
        }
    }
}
