import PushSystem
package import PushText

/// Standard error, for everything that is not data.
package enum StandardError {
    package static var isTerminal: Bool { Terminal.isTerminal(.standardError) }
    package static var columns: Int { Terminal.columns(.standardError) }

    /// Writes prose. On a terminal, lines are wrapped at its width, unless `--wide` is given.
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
