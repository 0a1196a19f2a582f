extension Rejection {
    /// The rule of the finding that goes with the rejection: `apns.bad-collapse-id`, `fcm.invalid-argument`.
    public var rule: String { Self.rules[Int(rawValue)] }

    /// The rules, by raw value. Composing one takes as long as ten messages.
    private static let rules = table.map { $0.composeRule() }
}

extension Rejection.Row {
    fileprivate func composeRule() -> String {
        let reason = reason.description
        var kebab = ""
        var previousIsLower = false
        for character in reason {
            if character == "_" || character == " " {
                kebab += "-"
                previousIsLower = false
            } else {
                if character.isUppercase, previousIsLower { kebab += "-" }
                kebab += character.lowercased()
                previousIsLower = character.isLowercase
            }
        }
        return "\(speaker).\(kebab)"
    }
}
