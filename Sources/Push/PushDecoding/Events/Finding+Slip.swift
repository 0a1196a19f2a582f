package import PushModel

extension Finding {
    /// True if an event does not do what its author wrote.
    package var isSlip: Bool { severity >= .warning }

    /// The message, with the nearest member or a list of all members.
    ///
    /// - Parameter event: the name of the event that has the finding.
    package func words(of event: String) -> String {
        guard rule == "event.unknown-member" else { return "\(pointer): \(message) (\(rule))" }
        let token = String(pointer.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
        let typed = token.replacing("~1", with: "/").replacing("~0", with: "~")
        let members = EventMember.table.filter { $0.events.contains { $0.rawValue == event } }.map(\.name.description)
        let near = NameSuggestion.nearest(to: typed, among: members)
        return "\(event) events have no member \"\(typed.prefix(NameSuggestion.longest))\""
            + (near.map { "; did you mean \"\($0)\"?" } ?? "; they have \(members.joined(separator: ", "))")
    }
}
