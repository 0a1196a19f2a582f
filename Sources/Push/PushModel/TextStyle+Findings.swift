package import PushText

extension TextStyle {
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

    /// A finding, indented: its severity, place, message and rule, and where its record is, if that is given.
    package func line(_ finding: Finding, indent: Int, place source: String? = nil) -> String {
        var line = FlowingLine(self, indent: indent + 2, startingAt: indent)
        line.appendCell(finding.severity.rawValue, to: 0) { severity(finding.severity, $0) }
        let place = finding.pointer.isEmpty ? "" : "\(Self.clean(finding.pointer)): "
        line.appendWords(place + Self.clean(finding.message))
        line.append(finding.rule, dim)
        if let source { line.append(source, dim) }
        return line.text
    }
}
