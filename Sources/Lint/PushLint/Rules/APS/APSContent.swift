import PayloadJSON

/// The parts of an `aps` that the device shows.
struct APSContent {
    var hasAlert = false
    var isContentAvailable = false
    var isMutable = false
    /// `alert`, `badge` or `sound`, whichever comes first.
    var firstVisible: String?

    /// True if there is an alert, a badge or a sound.
    var isVisible: Bool { firstVisible != nil }

    init(_ aps: LintNode?) {
        guard let aps, aps.isObject else { return }
        aps.forEachMember { member in
            switch member.key {
            case "alert":
                hasAlert = Self.hasText(member.value)
                if member.value.kind != .null { firstVisible = firstVisible ?? "alert" }
            case "badge": if member.value.kind != .null { firstVisible = firstVisible ?? "badge" }
            case "sound": if member.value.kind != .null { firstVisible = firstVisible ?? "sound" }
            case "content-available": isContentAvailable = Self.isMeantAsOne(member.value)
            case "mutable-content": isMutable = Self.isMeantAsOne(member.value)
            default: break
            }
        }
    }

    /// True if a flag is set, or was meant to be. It is not documented how devices read `true` and `"1"`.
    static func isMeantAsOne(_ value: LintNode) -> Bool {
        if value.view.isOne || value.kind == .true { return true }
        guard let string = value.string else { return false }
        return string.isInAnyCase("1") || string.isInAnyCase("true") || string.isInAnyCase("yes")
    }

    /// True if an alert has text.
    static func hasText(_ alert: LintNode) -> Bool {
        if let string = alert.string { return string.count > 0 }
        var found = false
        alert.forEachMember { member in
            switch member.key {
            case "title", "subtitle", "body", "loc-key", "title-loc-key", "subtitle-loc-key":
                if member.value.isObject || (member.value.string?.count ?? 0) > 0 { found = true }
            default: break
            }
        }
        return found
    }
}
