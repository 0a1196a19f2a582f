#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Properties of a terminal.
package enum Terminal {
    /// Number of columns without a terminal.
    package static let defaultColumns = 120

    /// Whether the descriptor is a terminal.
    package static func isTerminal(_ descriptor: FileDescriptor) -> Bool { isatty(descriptor.rawValue) == 1 }

    /// Columns of the terminal; `defaultColumns` if it is not a terminal or does not know.
    package static func columns(_ descriptor: FileDescriptor) -> Int {
        var size = winsize()
        // SOUND: `TIOCGWINSZ` writes one `winsize`.
        guard isTerminal(descriptor), unsafe ioctl(descriptor.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
        else { return defaultColumns }
        return Int(size.ws_col)
    }
}
