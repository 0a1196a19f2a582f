package import PushModel

/// The style of text for people: with or without colors, and safe for a terminal.
package struct TextStyle: Sendable {
    package let hasColours: Bool

    package init(hasColours: Bool) { self.hasColours = hasColours }

    package func dim(_ text: String) -> String { paint("2", text) }
    package func bold(_ text: String) -> String { paint("1", text) }

    package func outcome(_ outcome: Outcome, _ text: String) -> String {
        switch outcome {
        case .delivered, .presented, .started: paint("32", text)
        case .replaced, .reposted, .updated, .ended: paint("36", text)
        case .silent, .held, .suppressed, .expired, .discarded, .ignored: paint("33", text)
        case .applied, .fannedOut: paint("2", text)
        case .rejected, .malformed: paint("31", text)
        }
    }

    package func severity(_ severity: Finding.Severity, _ text: String) -> String {
        switch severity {
        case .info: paint("36", text)
        case .warning: paint("33", text)
        case .error: paint("31", text)
        }
    }

    /// Styles text that was added, removed or changed.
    package func added(_ text: String) -> String { paint("32", text) }
    package func removed(_ text: String) -> String { paint("31", text) }
    package func changed(_ text: String) -> String { paint("33", text) }

    /// A finding on one line.
    package func line(_ finding: Finding) -> String {
        let place = finding.pointer.isEmpty ? "" : "\(Self.clean(finding.pointer)): "
        return "\(severity(finding.severity, finding.severity.rawValue)) \(place)\(Self.clean(finding.message))"
            + dim("  \(finding.rule)")
    }

    private func paint(_ code: String, _ text: String) -> String {
        hasColours ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    /// The text on one line, with escapes for characters that would disturb a terminal; see `TerminalText`.
    package static func clean(_ text: String) -> String { TerminalText.clean(text) }

    /// A token in at most 13 columns: its beginning and its end.
    package static func shortened(_ token: String) -> String {
        TerminalText.shortened(clean(token), to: 13, keepingEnd: 4)
    }
}

extension String {
    /// Padded with spaces to a number of columns, and with at least one after it.
    package func padded(to width: Int, right: Bool = false) -> String {
        if right { return TerminalText.padded(self, to: width, right: true) }
        return TerminalText.padded(self, to: max(width, TerminalText.width(self) + 1))
    }
}
