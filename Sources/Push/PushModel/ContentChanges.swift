package import PayloadJSON

extension NotificationContent {
    /// Applies the changes of a service extension: a JSON object with the names of Apple's properties as members
    /// (`Documentation/reference/extension-protocol.md`). The texts are valid as long as those of the object.
    package mutating func apply(_ changes: JSONView) {
        func text(_ member: JSONView?, or old: JSONString?) -> JSONString? {
            guard let string = member?.string else { return old }
            return string.count == 0 ? nil : string
        }
        title = text(changes["title"], or: title)
        subtitle = text(changes["subtitle"], or: subtitle)
        body = text(changes["body"], or: body)
        thread = text(changes["threadIdentifier"], or: thread)
        if let number = changes["badge"] {
            badge = number.int64.flatMap { Int(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil }
        }
        hasAlert = title != nil || subtitle != nil || body != nil
    }
}
