/// Turns the bytes that a terminal sends into commands. Keeps the beginning of a sequence until the rest arrives.
struct KeyReader {
    private var pending: [UInt8] = []

    /// Sequences of `xterm`, which other terminals follow, and letters as `less` and `vi` have them.
    private static let keys: [(bytes: String, command: ScreenBrowser.Command)] = [
        ("\u{1B}[A", .scroll(-1)), ("\u{1B}OA", .scroll(-1)), ("k", .scroll(-1)),
        ("\u{1B}[B", .scroll(1)), ("\u{1B}OB", .scroll(1)), ("j", .scroll(1)), ("\n", .scroll(1)), ("\r", .scroll(1)),
        ("\u{1B}[C", .nextDevice), ("\u{1B}OC", .nextDevice), ("l", .nextDevice), ("\t", .nextDevice),
        ("n", .nextDevice),
        ("\u{1B}[D", .previousDevice), ("\u{1B}OD", .previousDevice), ("h", .previousDevice),
        ("\u{1B}[Z", .previousDevice),
        ("p", .previousDevice), ("\u{1B}[5~", .scrollPage(-1)), ("b", .scrollPage(-1)),
        ("\u{1B}[6~", .scrollPage(1)), (" ", .scrollPage(1)), ("f", .scrollPage(1)),
        ("\u{1B}[H", .top), ("\u{1B}OH", .top), ("\u{1B}[1~", .top), ("g", .top),
        ("\u{1B}[F", .bottom), ("\u{1B}OF", .bottom), ("\u{1B}[4~", .bottom), ("G", .bottom),
        ("<", .firstDevice), (">", .lastDevice), ("q", .quit), ("Q", .quit), ("\u{04}", .quit),
    ]

    private static let escape: UInt8 = 0x1B
    /// The longest sequence that is waited for, in bytes; xterm's are shorter.
    private static let longest = 16

    /// Takes what was read.
    ///
    /// - Parameter isEnd: true if nothing followed for a moment, so that an escape alone is the key of that name, which quits.
    mutating func commands(_ bytes: some Sequence<UInt8>, isEnd: Bool) -> [ScreenBrowser.Command] {
        pending += bytes
        var commands: [ScreenBrowser.Command] = []
        while !pending.isEmpty {
            guard let length = Self.length(of: pending) else {
                guard isEnd || pending.count > Self.longest else { break }
                if pending == [Self.escape] { commands.append(.quit) }
                pending = []
                break
            }
            let sequence = pending.prefix(length)
            if let key = Self.keys.first(where: { $0.bytes.utf8.elementsEqual(sequence) }) {
                commands.append(key.command)
            }
            pending.removeFirst(length)
        }
        return commands
    }

    /// The length of the key at the beginning; nil if it is not complete.
    private static func length(of bytes: [UInt8]) -> Int? {
        guard bytes[0] == escape else { return 1 }
        guard bytes.count > 1 else { return nil }
        switch bytes[1] {
        // SS3: one more.
        case UInt8(ascii: "O"): return bytes.count > 2 ? 3 : nil
        // CSI: up to the first byte from @ to ~ (ECMA-48, section 5.4).
        case UInt8(ascii: "["):
            return bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 }
        // Alt with a key.
        default: return 2
        }
    }
}
