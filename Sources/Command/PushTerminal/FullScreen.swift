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

    /// - Throws: `SystemError` if they are no terminal.
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
