import Dispatch
import FoundationEssentials
package import PushJSON
package import PushSystem
package import PushText
import Synchronization

/// Standard output, or another stream, with a buffer. Use it on one thread.
package final class StandardOutput {
    private static let flushBytes = 64 * 1024  // 64 KiB
    /// Usually more than the reports of a chunk, because each hand-over wakes the writing thread.
    private static let backgroundFlushBytes = 1 << 20  // 1 MiB

    // Exclusivity is not checked, because `append` runs once per report line and its closures do not call back.
    @exclusivity(unchecked) private var buffer = ByteBuffer(capacity: 2 * flushBytes)
    private let background: BackgroundWriter?
    private let flushBytes: Int
    private let descriptor: FileDescriptor
    private let name: String

    /// True if a terminal shows it, also through a pager.
    package static var isTerminal: Bool {
        OutputSettings.current.columnsOfPager != nil || Terminal.isTerminal(.standardOutput)
    }

    /// Columns of the terminal; 120 without one.
    package static var columns: Int { OutputSettings.current.columnsOfPager ?? Terminal.columns(.standardOutput) }

    /// - Parameter writesInBackground: true if a separate thread writes, so that the caller need not wait for the reader. At
    ///   most one buffer is being written; the next call throws its error.
    package init(
        _ descriptor: FileDescriptor = .standardOutput, name: String = "standard output",
        writesInBackground: Bool = false
    ) {
        self.descriptor = descriptor
        self.name = name
        background = writesInBackground ? BackgroundWriter(descriptor, name) : nil
        flushBytes = writesInBackground ? Self.backgroundFlushBytes : Self.flushBytes
    }

    /// Lets `body` append to the buffer, and writes the buffer once it is large enough.
    package func append(_ body: (inout ByteBuffer) -> Void) throws(PlainError) {
        body(&buffer)
        if buffer.count >= flushBytes { try flush() }
    }

    /// Appends bytes, or writes them at once if nothing is before them and nobody else could.
    package func append(_ bytes: BorrowedText) throws(PlainError) {
        guard background == nil, buffer.count == 0, bytes.count >= flushBytes else {
            return try append { $0.append(bytes) }
        }
        // SOUND: a borrowed text has `count` readable bytes.
        try Self.writeAll(unsafe UnsafeRawBufferPointer(start: bytes.start, count: bytes.count), to: descriptor, name)
    }

    /// Writes the buffer and then these bytes, and returns when both are written.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(PlainError) {
        try finish()
        try Self.writeAll(bytes, to: descriptor, name)
    }

    /// Appends text and writes the buffer.
    package func write(_ text: String) throws(PlainError) {
        buffer.appendText(text)
        try flush()
    }

    /// Writes the buffer, or hands it to the writing thread.
    ///
    /// - Throws: `PlainError`, with `isReaderGone` if the reader has closed the pipe.
    package func flush() throws(PlainError) {
        if let background {
            if buffer.count > 0 { try background.write(&buffer) }
        } else {
            try Self.writeAll(&buffer, to: descriptor, name)
        }
    }

    /// Writes the buffer, and returns once everything is written.
    package func finish() throws(PlainError) {
        try flush()
        try background?.wait()
    }

    static func writeAll(
        _ buffer: inout ByteBuffer, to descriptor: FileDescriptor, _ name: String
    ) throws(PlainError) {
        defer { buffer.removeAll() }
        try writeAll(buffer.bytes, to: descriptor, name)
    }

    private static func writeAll(
        _ bytes: UnsafeRawBufferPointer, to descriptor: FileDescriptor, _ name: String
    ) throws(PlainError) {
        do throws(SystemError) {
            try descriptor.writeAll(bytes, waits: true)
        } catch {
            throw PlainError.unwritable(name, error)
        }
    }
}

/// Writes buffers to a stream one after the other, on a separate thread.
final class BackgroundWriter: Sendable {
    private struct Outbox: ~Copyable {
        var buffer = ByteBuffer()
        var failure: PlainError?
    }

    private let descriptor: FileDescriptor
    private let name: String
    private let outbox = Mutex(Outbox())
    /// Signaled while the buffer is free to be filled.
    private let isFree = DispatchSemaphore(value: 1)
    private let queue = DispatchQueue(label: "pushpipe.output")

    init(_ descriptor: FileDescriptor, _ name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Takes the bytes and leaves an empty buffer in their place.
    func write(_ buffer: inout ByteBuffer) throws(PlainError) {
        try takeTurn { swap(&$0.buffer, &buffer) }
        queue.async { [self] in writeOutbox() }
    }

    private func writeOutbox() {
        outbox.withLock { outbox in
            do throws(PlainError) {
                try StandardOutput.writeAll(&outbox.buffer, to: descriptor, name)
            } catch {
                outbox.failure = error
            }
        }
        isFree.signal()
    }

    /// Returns once everything is written.
    func wait() throws(PlainError) {
        try takeTurn { _ in }
        isFree.signal()
    }

    /// Waits until the outbox is free, and throws the error of its last write.
    private func takeTurn(_ body: (inout Outbox) -> Void) throws(PlainError) {
        isFree.wait()
        let failure = outbox.withLock { outbox in
            if outbox.failure == nil { body(&outbox) }
            return outbox.failure
        }
        guard let failure else { return }
        isFree.signal()
        throw failure
    }
}

/// Standard error, for everything that is not data.
package enum StandardError {
    package static var isTerminal: Bool { Terminal.isTerminal(.standardError) }
    package static var columns: Int { Terminal.columns(.standardError) }
    /// True on a terminal that can write over a line.
    package static var showsProgress: Bool { isTerminal && Terminal.movesCursor }

    /// Writes prose. On a terminal, lines are wrapped at its width, unless wide output is asked for.
    package static func write(_ text: String) {
        let isWrapped = isTerminal && !OutputSettings.current.isWide
        writeUnwrapped(isWrapped ? TerminalText.wrappedLines(text, to: columns) : text)
    }

    /// Writes a message as `pushpipe: …` on one line: it may contain a file name, which may contain anything.
    package static func complain(_ message: String) { write("pushpipe: \(TerminalText.clean(message))\n") }

    /// Writes text whose lines stay as they are, such as a compiler's.
    package static func writeUnwrapped(_ text: String) {
        var text = text
        // A failure could not be reported anywhere.
        text.withUTF8 { try? FileDescriptor.standardError.writeAll(UnsafeRawBufferPointer($0)) }
    }
}

/// Standard input, as far as people see it.
package enum StandardInput {
    /// Tells somebody at a terminal that the command waits, for what, and how to end it. Writes nothing if input or standard error are not
    /// a terminal.
    package static func invite(_ what: String) {
        guard Terminal.isTerminal(.standardInput), StandardError.isTerminal else { return }
        StandardError.write("pushpipe: reading \(what) from the terminal; Ctrl-D ends them, Ctrl-C cancels\n")
    }
}

extension TextStyle {
    /// The style of standard output: colors and the width of the terminal, as the options and the environment have it.
    package static var standardOutput: TextStyle {
        style(isTerminal: StandardOutput.isTerminal, columns: StandardOutput.columns)
    }

    /// The style of standard error, likewise.
    package static var standardError: TextStyle {
        style(isTerminal: StandardError.isTerminal, columns: StandardError.columns)
    }

    private static func style(isTerminal: Bool, columns: Int) -> TextStyle {
        let settings = OutputSettings.current
        let hasColors =
            switch settings.colors {
            case .always: true
            case .never: false
            case .auto: hasColors(onTerminal: isTerminal, Environment.variable)
            }
        // Not every pager passes links on.
        let hasLinks =
            hasColors && settings.columnsOfPager == nil && hasLinks(onTerminal: isTerminal, Environment.variable)
        return TextStyle(
            hasColors: hasColors, hasLinks: hasLinks, columns: isTerminal && !settings.isWide ? columns : nil)
    }

    /// True to write links (OSC 8): on a terminal that shows them, where colors are on. `FORCE_HYPERLINK` says that it does, or, as 0, that it
    /// does not. screen and tmux pass links on only if they are set up for it, so there they are off.
    package static func hasLinks(onTerminal isTerminal: Bool, _ variable: (String) -> String?) -> Bool {
        guard isTerminal, hasColors(onTerminal: true, variable) else { return false }
        func value(_ name: String) -> String { variable(name) ?? "" }
        if !value("FORCE_HYPERLINK").isEmpty { return value("FORCE_HYPERLINK") != "0" }
        let terminal = value("TERM")
        if ["TMUX", "STY"].contains(where: { !value($0).isEmpty }) { return false }
        if terminal.hasPrefix("screen") || terminal.hasPrefix("tmux") { return false }
        return linkingTerminals.contains { terminal.hasPrefix($0) } || linkingPrograms.contains(value("TERM_PROGRAM"))
            || Int(value("VTE_VERSION")) ?? 0 >= 5000 || Int(value("KONSOLE_VERSION")) ?? 0 >= 201_200
            || ["WT_SESSION", "DOMTERM"].contains { !value($0).isEmpty }
    }

    /// Beginnings of `TERM`, and values of `TERM_PROGRAM`, of terminals that show links.
    private static let linkingTerminals = ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour"]
    private static let linkingPrograms = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "rio"]

    /// True to use colors: never with `NO_COLOR` (no-color.org), always with `FORCE_COLOR` (force-color.org) or `CLICOLOR_FORCE`, and
    /// otherwise on a terminal, unless `CLICOLOR` is 0 (bixense.com/clicolors) or `TERM` is `dumb`.
    ///
    /// An empty variable counts as absent. `FORCE_COLOR` and `CLICOLOR_FORCE` mean nothing as 0.
    package static func hasColors(onTerminal isTerminal: Bool, _ variable: (String) -> String?) -> Bool {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        if value("NO_COLOR") != nil { return false }
        if ["FORCE_COLOR", "CLICOLOR_FORCE"].contains(where: { value($0) ?? "0" != "0" }) { return true }
        return isTerminal && value("CLICOLOR") != "0" && value("TERM") != "dumb"
    }
}

extension FileDescriptor {
    /// Opens /dev/null for each closed standard stream, in the direction in which its use fails. Otherwise the next opened
    /// file, such as the store, would get the stream's number, and with it whatever is written to the stream.
    package static func fillStandardGaps() {
        let streams: [FileDescriptor] = [.standardInput, .standardOutput, .standardError]
        for stream in streams where !stream.isOpen {
            // A new descriptor gets the lowest free number, which is this one.
            _ = try? FileDescriptor.open(
                "/dev/null", stream == .standardInput ? .writeOnly : .readOnly, options: .inherited)
        }
    }
}

/// How text for people looks, as the options of the command have it. For the whole process: set before anything is written.
package struct OutputSettings: Sendable {
    package enum Colors: String, Sendable, CaseIterable {
        /// Colors if the environment asks for them, or else on a terminal.
        case auto
        case always, never
    }

    package var colors = Colors.auto
    /// True if lines may be longer than the terminal is wide.
    package var isWide = false
    /// Columns of the terminal on which a pager shows standard output; nil without a pager.
    var columnsOfPager: Int?

    package init(colors: Colors = .auto, isWide: Bool = false) {
        self.colors = colors
        self.isWide = isWide
    }

    private static let settings = Mutex(OutputSettings())

    package static var current: OutputSettings {
        get { settings.withLock(\.self) }
        set { settings.withLock { $0 = newValue } }
    }
}

/// A program that shows standard output page by page.
package struct Pager {
    /// Calls the pager, or `cat` if there is none of that name, so that nothing is lost.
    private static let script = #"eval "$1"; status=$?; [ $status -eq 127 ] && exec cat; exit $status"#

    private let process: ChildProcessID
    private let terminal: FileDescriptor

    /// Starts the pager that the variable `PAGER` names, a command of the shell, or else `less`, and makes it the reader of standard output.
    ///
    /// Nil if standard output is not a terminal, if `PAGER` is `cat`, or if no process can be started: then the terminal shows everything,
    /// as it does if there is no program of that name. From then on Ctrl-C is for the pager. A pager that ends closes the pipe, which
    /// ends the output.
    package static func start() -> Pager? {
        guard Terminal.isTerminal(.standardOutput) else { return nil }
        let command = Environment.nonEmptyVariable("PAGER") ?? "less"
        guard command != "cat" else { return nil }
        let columns = Terminal.columns(.standardOutput)
        do throws(SystemError) {
            let terminal = try FileDescriptor.standardOutput.duplicated()
            let (readEnd, writeEnd) = try FileDescriptor.pipe()
            defer {
                readEnd.close()
                writeEnd.close()
            }
            // As git does: less shows colors and ends at once if everything fits, unless its user wants something else.
            let variables = ["LESS": "FRX", "LV": "-c"].merging(ProcessInfo.processInfo.environment) { $1 }
            var launch = ProgramLaunch(
                executable: "/bin/sh", arguments: ["sh", "-c", Self.script, "sh", command],
                environment: variables.map { "\($0.key)=\($0.value)" })
            launch.input = .descriptor(readEnd)
            let process = try launch.start()
            try writeEnd.duplicate(as: .standardOutput)
            Signal.interrupt.ignore()
            OutputSettings.current.columnsOfPager = columns
            return Pager(process: process, terminal: terminal)
        } catch {
            return nil
        }
    }

    /// Ends the text, and waits until the reader leaves the pager.
    package func finish() {
        try? terminal.duplicate(as: .standardOutput)
        terminal.close()
        OutputSettings.current.columnsOfPager = nil
        _ = try? process.wait()
    }
}
