import PushSystem
import PushText

protocol BrowserTerminal {
    /// Asked before each frame, so that a window may change its size.
    var size: (columns: Int, rows: Int) { get }

    /// Waits for keys.
    ///
    /// - Parameter other: something else to wait for, which is not read; nil for nothing.
    /// - Returns: empty when the time is over, a signal came, or `other` may be read; nil at the end of input.
    func read(milliseconds: Int32, orUntil other: FileDescriptor?) throws -> [UInt8]?

    /// Shows a frame in place of the one before: as many lines as the window has rows.
    func show(_ lines: [String]) throws
}

/// A terminal whose whole window is drawn on. What it showed before comes back when the value goes.
final class FullScreen: BrowserTerminal {
    private let input: FileDescriptor
    private let output: FileDescriptor
    private let keys: Terminal.KeyMode

    // DEC private modes, as xterm has them: the alternate screen, the cursor, and lines that do not wrap.
    private static let begin = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
    private static let end = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// - Throws: `SystemError` if they are not a terminal.
    init(input: FileDescriptor, output: FileDescriptor) throws(SystemError) {
        keys = try Terminal.KeyMode(input)
        self.input = input
        self.output = output
        try output.writeAll(Array(Self.begin.utf8))
    }

    deinit {
        try? output.writeAll(Array(Self.end.utf8))
    }

    var size: (columns: Int, rows: Int) { (Terminal.columns(output), Terminal.rows(output)) }

    func read(milliseconds: Int32, orUntil other: FileDescriptor?) throws -> [UInt8]? {
        let both = [FileDescriptor.PollRequest(input, .readable)] + (other.map { [.init($0, .readable)] } ?? [])
        guard FileDescriptor.poll(both, milliseconds: milliseconds).contains(0) else { return [] }
        do throws(SystemError) {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = try input.read(into: &bytes, retriesOnInterrupt: false)
            return count == 0 ? nil : Array(bytes.prefix(count))
        } catch {
            guard error == .interrupted else { throw error }
            return []
        }
    }

    func show(_ lines: [String]) throws {
        try output.writeAll(Array(Self.frame(lines, columns: size.columns).utf8))
    }

    /// The text that draws lines over the frame before, line by line, so that nothing flickers.
    ///
    /// After a line that fills the window, the cursor stays on its last column, where erasing to the end of the line (EL) would erase the
    /// line's own last character. Such a line has nothing to erase after it.
    static func frame(_ lines: [String], columns: Int) -> String {
        let texts = lines.map { TerminalText.width(ofStyled: $0) < columns ? $0 + "\u{1B}[K" : $0 }
        return "\u{1B}[H" + texts.joined(separator: "\r\n")
    }
}

/// Turns the bytes that a terminal sends into commands. Keeps the beginning of a sequence until the rest arrives.
struct KeyReader {
    private var pending: [UInt8] = []
    /// True while a name is typed, as after `/` in `less`.
    private var isTyping = false

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
        ("/", .find),
    ]

    static let escape: UInt8 = 0x1B
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
                if isTyping {
                    commands.append(.type(Self.escape))
                } else if pending == [Self.escape] {
                    commands.append(.quit)
                }
                isTyping = false
                pending = []
                break
            }
            let sequence = pending.prefix(length)
            let key = Self.keys.first { $0.bytes.utf8.elementsEqual(sequence) }?.command
            if isTyping, key != .quit || pending[0] >= 0x20 {
                if length == 1 { commands.append(.type(pending[0])) }
                isTyping = sequence != [UInt8(ascii: "\n")] && sequence != [UInt8(ascii: "\r")]
            } else if let key {
                commands.append(key)
                isTyping = key == .find
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
