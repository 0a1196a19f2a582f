package import PushModel

extension Finding {
    /// True if an event is not written as its author meant it: a warning about its text, or an error. What a device makes of the event, such
    /// as `android.no-activity`, is no mistake in it.
    package var isSlip: Bool {
        severity == .error || severity == .warning && (rule.hasPrefix("event.") || rule.hasPrefix("json."))
    }

    /// The message, with the nearest member or a list of all members.
    ///
    /// - Parameter event: the name of the event that has the finding.
    package func words(of event: String) -> String {
        guard rule == "event.unknown-member" else {
            return (pointer.isEmpty ? "" : "\(pointer): ") + "\(message) (\(rule))"
        }
        let token = String(pointer.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
        let typed = token.replacing("~1", with: "/").replacing("~0", with: "~")
        let members = EventMember.table.filter { $0.events.contains { $0.rawValue == event } }.map(\.name.description)
        let near = NameSuggestion.nearest(to: typed, among: members)
        return "\(event) events have no member \"\(typed.prefix(NameSuggestion.longest))\""
            + (near.map { "; did you mean \"\($0)\"?" } ?? "; they have \(members.joined(separator: ", "))")
    }
}
