import SystemSupport
package import TerminalStyle

/// Standard error, for everything that is not data.
package enum StandardError {
    package static var isTerminal: Bool { Terminal.isTerminal(.standardError) }
    package static var columns: Int { Terminal.columns(.standardError) }

    package static func write(_ text: String) {
        var text = text
        // A failure could not be reported anywhere.
        text.withUTF8 { try? FileDescriptor.standardError.writeAll(UnsafeRawBufferPointer($0)) }
    }
}

extension TextStyle {
    /// Colors on a terminal, unless `NO_COLOR` is set (no-color.org) or `TERM` is `dumb`.
    package static func forTerminal(_ isTerminal: Bool) -> TextStyle {
        let isUnwanted = Environment.nonEmptyVariable("NO_COLOR") != nil
        let isDumb = Environment.variable("TERM") == "dumb"
        return TextStyle(hasColours: isTerminal && !isUnwanted && !isDumb)
    }
}
