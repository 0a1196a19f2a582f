import PayloadJSON

/// The content of a Live Activity as a person reads it.
package enum ContentText {
    /// `home: 2, away: 1` for `{"home":2,"away":1}`. A value that is an object or an array stays JSON, and so does a text that is not an object.
    package static func line(_ json: String) -> String {
        let members = BorrowedText.with(json) { $0.withJSON(members(of:)) } ?? []
        return members.isEmpty ? json : members.joined(separator: ", ")
    }

    private static func members(of root: JSONView) -> [String] {
        guard root.isObject else { return [] }
        return root.members.map { key, value in "\(key.string): \(value.string?.string ?? value.text.string)" }
    }
}
