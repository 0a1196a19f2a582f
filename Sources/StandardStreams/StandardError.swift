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

/// Standard input, as far as people see it.
package enum StandardInput {
    /// Tells somebody at a terminal that the command waits, for what, and how to end it. Writes nothing if input or standard error are not
    /// a terminal.
    package static func invite(_ what: String) {
        guard Terminal.isTerminal(.standardInput), StandardError.isTerminal else { return }
        StandardError.write("pushpipe: reading \(what) from the terminal; Ctrl-D ends them, Ctrl-C the command\n")
    }
}

extension TextStyle {
    /// Colors on a terminal, as the environment has it.
    package static func forTerminal(_ isTerminal: Bool) -> TextStyle {
        TextStyle(hasColours: hasColors(onTerminal: isTerminal, Environment.variable))
    }

    /// Whether to use colors: never with `NO_COLOR` (no-color.org), always with `FORCE_COLOR` (force-color.org) or `CLICOLOR_FORCE`, and
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
