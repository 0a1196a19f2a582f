import PushSystem

protocol BrowserTerminal {
    /// Asked before each frame, so that a window may change its size.
    var size: (columns: Int, rows: Int) { get }

    /// Waits for keys.
    ///
    /// - Parameter other: something else to wait for, which is not read; nil for nothing.
    /// - Returns: empty when the time is over, a signal came, or `other` may be read; nil at the end of input.
    func read(milliseconds: Int32, orUntil other: FileDescriptor?) throws -> [UInt8]?

    /// Shows a frame in place of the one before.
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
        // Line by line over the frame before, so that nothing flickers.
        let text = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
        try output.writeAll(Array("\u{1B}[H\(text)\u{1B}[J".utf8))
    }
}
