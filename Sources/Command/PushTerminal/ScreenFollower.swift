package import PushDevices
import PushRuns
package import PushSystem
package import PushText

/// Shows the screens of a run in the terminal while it goes on, and lets a person look through them. When the run has read everything, the
/// screens stay until the person quits; a person who quits before that leaves the run to itself.
package final class ScreenFollower: RunFollower {
    /// The terminal that is drawn on; called once.
    private let open: () throws -> any BrowserTerminal
    private let style: TextStyle
    /// A monotonic clock.
    private let seconds: () -> Double
    private var terminal: (any BrowserTerminal)?
    private var session: BrowserSession?
    private var isStopped: () -> Bool = { false }
    /// Grows whenever the run may have delivered something.
    private var version: Int64 = 0
    /// The time to draw again, although there is something to read.
    private var due = 0.0

    /// A run that is faster than this is drawn ten times per second.
    private static let secondsBetweenFrames = 0.1

    init(
        style: TextStyle, seconds: @escaping () -> Double = SystemClock.monotonicSeconds,
        open: @escaping () throws -> any BrowserTerminal
    ) {
        self.style = style
        self.seconds = seconds
        self.open = open
    }

    /// A follower on the terminal of standard output, with the keys of the terminal that the process belongs to: standard input may have the
    /// records. Nil without such a terminal, or if it can only print lines.
    package static func onTerminal(_ style: TextStyle) -> ScreenFollower? {
        guard Terminal.isTerminal(.standardOutput), Terminal.movesCursor,
            let keys = try? FileDescriptor.open("/dev/tty", .readOnly)
        else { return nil }
        return ScreenFollower(style: TextStyle(hasColors: style.hasColors)) {
            try FullScreen(input: keys, output: .standardOutput)
        }
    }

    package func begin(_ store: any BrowsableStore, isStopped: @escaping () -> Bool) {
        self.isStopped = isStopped
        guard let terminal = try? open() else { return }
        self.terminal = terminal
        session = BrowserSession(
            store, version: { [weak self] in self?.version ?? 0 }, title: "running", device: nil, style: style,
            size: terminal.size)
        attempt { try self.session?.draw(on: terminal) }
    }

    package func pause(before input: FileDescriptor) {
        guard session != nil else { return }
        version += 1
        while !isStopped() {
            let isReadable = input.isReadable
            if isReadable, seconds() < due { return }
            session?.look()
            due = seconds() + Self.secondsBetweenFrames
            guard turn(isReadable ? 0 : BrowserSession.milliseconds, orUntil: input) else { return }
            if isReadable { return }
        }
    }

    package func end() {
        version += 1
        session?.readAgain()
        session?.browser.title = "ended"
        while !isStopped(), turn(BrowserSession.milliseconds, orUntil: nil) {}
        leave()
    }

    package func leave() {
        session = nil
        terminal = nil
    }

    /// Draws, and waits for keys. Returns true while the person still looks.
    private func turn(_ milliseconds: Int32, orUntil input: FileDescriptor?) -> Bool {
        guard let terminal else { return false }
        attempt {
            try session?.draw(on: terminal)
            guard let bytes = try terminal.read(milliseconds: milliseconds, orUntil: input),
                session?.take(bytes) == false
            else { return leave() }
            try session?.draw(on: terminal)
        }
        return session != nil
    }

    /// Losing the terminal does not end the run.
    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch { leave() }
    }
}
