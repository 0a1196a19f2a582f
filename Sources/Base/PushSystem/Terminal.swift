#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

package enum Terminal {
    /// Number of columns without a terminal.
    package static let defaultColumns = 120

    package static func isTerminal(_ descriptor: FileDescriptor) -> Bool { isatty(descriptor.rawValue) == 1 }

    /// False if the terminal can only print one line after another.
    package static var movesCursor: Bool { Environment.variable("TERM") != "dumb" }

    /// Columns of the terminal; `defaultColumns` if it is not a terminal or does not know.
    package static func columns(_ descriptor: FileDescriptor) -> Int {
        size(descriptor).flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } ?? defaultColumns
    }

    /// Rows of the terminal; `defaultRows` if it is not a terminal or does not know.
    package static func rows(_ descriptor: FileDescriptor) -> Int {
        size(descriptor).flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } ?? defaultRows
    }

    private static func size(_ descriptor: FileDescriptor) -> winsize? {
        var size = winsize()
        // SOUND: `TIOCGWINSZ` writes one `winsize`.
        return unsafe ioctl(descriptor.rawValue, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }

    /// Number of rows without a terminal.
    package static let defaultRows = 24

    /// A terminal that hands over each key at once and does not show it. As before again when the object goes. Ctrl-C still sends its
    /// signal; Ctrl-Z does not, because the shell would find the terminal in this mode.
    package final class KeyMode {
        private let descriptor: FileDescriptor
        private let before: termios

        /// - Throws: `SystemError` if it is no terminal.
        package init(_ descriptor: FileDescriptor) throws(SystemError) {
            var settings = termios()
            // SOUND: the call writes one `termios`.
            guard unsafe tcgetattr(descriptor.rawValue, &settings) == 0 else { throw SystemError() }
            before = settings
            self.descriptor = descriptor
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
            // A read returns as soon as there is a byte (POSIX, "Non-Canonical Mode Input Processing").
            // The value that stands for no character (POSIX, `_PC_VDISABLE`).
            let none = UInt8(truncatingIfNeeded: fpathconf(descriptor.rawValue, Int32(_PC_VDISABLE)))
            // SOUND: the constants are places in `c_cc`.
            unsafe withUnsafeMutableBytes(of: &settings.c_cc) { characters in
                unsafe characters[Int(VMIN)] = 1
                unsafe characters[Int(VTIME)] = 0
                unsafe characters[Int(VSUSP)] = none
            }
            // SOUND: the call reads one `termios`.
            guard unsafe tcsetattr(descriptor.rawValue, TCSAFLUSH, &settings) == 0 else { throw SystemError() }
        }

        deinit {
            // SOUND: the call reads one `termios`.
            var settings = before
            _ = unsafe tcsetattr(descriptor.rawValue, TCSAFLUSH, &settings)
        }
    }
}
