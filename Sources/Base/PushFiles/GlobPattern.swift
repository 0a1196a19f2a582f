import PushSystem

/// A pattern of paths or names: `*` is anything but a slash, `?` one character or byte but a slash, `[a-z]` one of some characters, `**` whole
/// folders; a backslash makes the next character ordinary.
package struct GlobPattern: Sendable {
    /// The characters that `?` matches, and `**` when it is not a whole part of a path, as in `a**b`.
    package enum Dialect: Sendable {
        /// One byte, and the same as `*`. Source: gitignore(5), and wildmatch.c of git.
        case gitignore
        /// One character, and anything, with slashes: the patterns of a configuration.
        case configuration
    }

    private enum Token: Equatable, Sendable {
        case byte(UInt8)
        /// A byte but a slash.
        case one
        /// The first byte of a character but a slash.
        case first
        /// Any number of bytes of a character after its first one.
        case others
        /// A byte of a set.
        case set(ByteSet)
        /// Any number of characters but slashes.
        case some
        /// Any number of characters.
        case any
        /// `**/`: any number of whole folders, including none.
        case folders
        /// Within such folders.
        case insideFolders
    }

    /// No path is longer, so a longer pattern matches nothing that is honest: 4 KiB.
    fileprivate static let maximumBytes = 4096
    private static let slash = UInt8(ascii: "/")

    private var tokens: [Token] = []
    /// The bytes after the last token that is not a byte. Every match ends with them.
    private var tail: [UInt8] = []
    /// True if the pattern has a slash that is not its last byte, and is compared with paths; another one is compared with names.
    package let hasFolders: Bool

    /// Nil for a pattern that matches nothing: an empty one, a set that is not closed, a backslash at the end.
    ///
    /// - Parameter pattern: a slash at its beginning means nothing beyond `hasFolders`.
    package init?(_ pattern: some Sequence<UInt8>, _ dialect: Dialect) {
        var bytes = Array(pattern)[...]
        hasFolders = bytes.contains(Self.slash)
        if bytes.first == Self.slash { bytes = bytes.dropFirst() }
        guard !bytes.isEmpty, bytes.count <= Self.maximumBytes else { return nil }
        var isAtStart = true
        while let byte = bytes.popFirst() {
            let beginsPart = isAtStart
            isAtStart = byte == Self.slash
            switch byte {
            case UInt8(ascii: "*"):
                let isDouble = bytes.first == byte
                bytes = bytes.drop { $0 == byte }
                let isFolder = beginsPart || dialect == .configuration
                if isDouble, isFolder, bytes.first == Self.slash {
                    bytes = bytes.dropFirst()
                    tokens += [.folders, .insideFolders]
                    isAtStart = true
                } else if isDouble, isFolder, bytes.isEmpty || dialect == .configuration {
                    tokens.append(.any)
                } else {
                    tokens.append(.some)
                }
            case UInt8(ascii: "?"):
                switch dialect {
                case .gitignore: tokens.append(.one)
                case .configuration: tokens += [.first, .others]
                }
            case UInt8(ascii: "["):
                guard let set = ByteSet(parsing: &bytes) else { return nil }
                tokens.append(.set(set))
            case UInt8(ascii: "\\"):
                guard let escaped = bytes.popFirst() else { return nil }
                tokens.append(.byte(escaped))
            default: tokens.append(.byte(byte))
            }
        }
        for token in tokens.reversed() {
            guard case .byte(let byte) = token else { break }
            tail.append(byte)
        }
        tail.reverse()
    }

    /// True if the pattern matches all of a name or path. O(path × pattern), and O(pattern) for most that do not match.
    package func matches(_ path: ArraySlice<UInt8>) -> Bool {
        guard path.count >= tail.count, path.suffix(tail.count) == tail[...] else { return false }
        if tail.count == tokens.count { return path.count == tail.count }
        var places = [Bool](repeating: false, count: tokens.count + 1)
        enter(0, &places)
        for byte in path {
            var next = [Bool](repeating: false, count: tokens.count + 1)
            for place in tokens.indices where places[place] { step(place, byte, &next) }
            places = next
        }
        return places[tokens.count]
    }

    /// Adds a place in the pattern, and the places that can be reached from it without a byte.
    private func enter(_ start: Int, _ places: inout [Bool]) {
        var place = start
        while !places[place] {
            places[place] = true
            guard place < tokens.count else { return }
            switch tokens[place] {
            case .some, .any, .others: place += 1
            case .folders:
                places[place + 1] = true
                place += 2
            case .byte, .one, .first, .set, .insideFolders: return
            }
        }
    }

    private func step(_ place: Int, _ byte: UInt8, _ next: inout [Bool]) {
        switch tokens[place] {
        case .byte(let wanted): if byte == wanted { enter(place + 1, &next) }
        case .one: if byte != Self.slash { enter(place + 1, &next) }
        case .first: if byte != Self.slash, byte & 0xC0 != 0x80 { enter(place + 1, &next) }
        case .others: if byte & 0xC0 == 0x80 { enter(place, &next) }
        case .set(let set): if byte != Self.slash, set.contains(byte) { enter(place + 1, &next) }
        case .some: if byte != Self.slash { enter(place, &next) }
        case .any: enter(place, &next)
        case .folders: break
        case .insideFolders:
            if byte == Self.slash { enter(place - 1, &next) } else { next[place] = true }
        }
    }
}

private struct ByteSet: Equatable, Sendable {
    private var members = [Bool](repeating: false, count: 256)
    private var isNegated = false

    func contains(_ byte: UInt8) -> Bool { members[Int(byte)] != isNegated }

    /// Reads what follows an opening bracket, with the closing one; nil if there is none.
    init?(parsing bytes: inout ArraySlice<UInt8>) {
        if bytes.first == UInt8(ascii: "!") || bytes.first == UInt8(ascii: "^") {
            isNegated = true
            bytes = bytes.dropFirst()
        }
        let start = bytes.startIndex
        var previous: UInt8?
        while let byte = bytes.popFirst() {
            // A closing bracket that comes first is one of the characters.
            if byte == UInt8(ascii: "]"), bytes.startIndex > start + 1 { return }
            // As in git, a class ends at the next closing bracket, which follows a colon.
            if byte == UInt8(ascii: "["), bytes.first == UInt8(ascii: ":"),
                let end = bytes.firstIndex(of: UInt8(ascii: "]")), end > bytes.startIndex + 1,
                bytes[end - 1] == UInt8(ascii: ":")
            {
                guard insert(class: bytes[(bytes.startIndex + 1)..<(end - 1)]) else { return nil }
                bytes = bytes[(end + 1)...]
                previous = nil
                continue
            }
            if byte == UInt8(ascii: "-"), let low = previous, let next = bytes.first, next != UInt8(ascii: "]") {
                bytes = bytes.dropFirst()
                guard let high: UInt8 = next == UInt8(ascii: "\\") ? bytes.popFirst() : next else { return nil }
                if low <= high { for member in low...high { members[Int(member)] = true } }
                previous = nil
                continue
            }
            guard let member: UInt8 = byte == UInt8(ascii: "\\") ? bytes.popFirst() : byte else { return nil }
            members[Int(member)] = true
            previous = member
        }
        return nil
    }

    /// `[:digit:]` and others, of ASCII. False if there is no such class.
    private mutating func insert(class name: ArraySlice<UInt8>) -> Bool {
        let matches: (UInt8) -> Bool
        func isAlphanumeric(_ byte: UInt8) -> Bool { byte.isDigit || byte.isLetter }
        switch String(decoding: name, as: UTF8.self) {
        case "alnum": matches = isAlphanumeric
        case "alpha": matches = { $0.isLetter }
        case "blank": matches = { $0 == 32 || $0 == 9 }
        case "cntrl": matches = { $0 < 32 || $0 == 127 }
        case "digit": matches = { $0.isDigit }
        case "graph": matches = { $0 > 32 && $0 < 127 }
        case "lower": matches = { $0.isLetter && $0 & 0x20 != 0 }
        case "print": matches = { $0 >= 32 && $0 < 127 }
        case "punct": matches = { $0 > 32 && $0 < 127 && !isAlphanumeric($0) }
        case "space": matches = { $0 == 32 || (9...13).contains($0) }
        case "upper": matches = { $0.isLetter && $0 & 0x20 == 0 }
        case "xdigit": matches = { $0.hexadecimalDigit != nil }
        default: return false
        }
        for byte in 0..<UInt8(128) where matches(byte) { members[Int(byte)] = true }
        return true
    }
}

/// A list of patterns: of those that match, the last one decides.
package struct GlobList: Sendable {
    private var globs: [(pattern: GlobPattern, isNegated: Bool, isForFolders: Bool)] = []
    /// True if there is a pattern that includes, so that whatever matches none is left out.
    package private(set) var includes = false

    package init() {}

    package var isEmpty: Bool { globs.isEmpty }

    /// Adds a pattern, with `!` before one that excludes. Returns false for one that matches nothing.
    ///
    /// - Parameter dialect: a pattern of a configuration without a slash is compared with names, as in `.gitignore`.
    package mutating func add(_ text: String, _ dialect: GlobPattern.Dialect = .gitignore) -> Bool {
        let (bytes, isNegated) = Self.parts(of: text)
        guard let pattern = GlobPattern(bytes, dialect) else { return false }
        add(pattern, isNegated: isNegated)
        return true
    }

    /// - Parameter isForFolders: true if it matches folders alone.
    mutating func add(_ pattern: GlobPattern, isNegated: Bool, isForFolders: Bool = false) {
        globs.append((pattern, isNegated, isForFolders))
        if !isNegated { includes = true }
    }

    private static func parts(of text: String) -> (pattern: ArraySlice<UInt8>, isNegated: Bool) {
        var bytes = Array(text.utf8)[...]
        let isNegated = bytes.first == UInt8(ascii: "!")
        if isNegated { bytes = bytes.dropFirst() }
        if bytes.starts(with: "./".utf8) { bytes = bytes.dropFirst(2) }
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes = bytes.dropLast() }
        return (bytes, isNegated)
    }

    /// The problem of a text that `add` refuses: `is empty`.
    package static func complaint(about text: String) -> String {
        let pattern = parts(of: text).pattern.drop { $0 == UInt8(ascii: "/") }
        if pattern.isEmpty { return "is empty" }
        if pattern.count > GlobPattern.maximumBytes { return "is longer than \(GlobPattern.maximumBytes) bytes" }
        return "has a bracket that is not closed, or a backslash at its end"
    }

    /// True if a path is included, false if it is excluded; nil if no pattern matches.
    ///
    /// - Parameters:
    ///   - path: relative to where the patterns were written, without a slash at its end.
    ///   - isFolder: true if it is a folder.
    package func verdict(on path: ArraySlice<UInt8>, isFolder: Bool = false) -> Bool? {
        let name = path.suffix { $0 != UInt8(ascii: "/") }
        let last = globs.last { glob in
            (isFolder || !glob.isForFolders) && glob.pattern.matches(glob.pattern.hasFolders ? path : name)
        }
        return last.map { !$0.isNegated }
    }

    /// The verdict on a path or a folder above it. Everything below a match matches, too.
    package func verdictOnPathOrParents(_ path: ArraySlice<UInt8>) -> Bool? {
        if globs.isEmpty { return nil }
        for index in path.indices where path[index] == UInt8(ascii: "/") {
            if let verdict = verdict(on: path[..<index]) { return verdict }
        }
        return verdict(on: path)
    }
}

extension ArraySlice {
    /// The elements after the last one that does not fit.
    fileprivate func suffix(while fits: (Element) -> Bool) -> ArraySlice {
        self[(lastIndex { !fits($0) }.map { $0 + 1 } ?? startIndex)...]
    }
}
