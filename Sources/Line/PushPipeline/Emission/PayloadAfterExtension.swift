import PushJSON

/// An APNs payload with what a service extension changed in it, as if its sender had written it so. Custom members stay as they were
/// written, unless the extension changed `userInfo`.
enum PayloadAfterExtension {
    /// Members of `aps` by the names in `Documentation/reference/extension-protocol.md`.
    private static let members = [
        ("badge", "badge"), ("threadIdentifier", "thread-id"), ("categoryIdentifier", "category"),
        ("interruptionLevel", "interruption-level"), ("relevanceScore", "relevance-score"),
        ("targetContentIdentifier", "target-content-id"), ("filterCriteria", "filter-criteria"),
    ]

    /// Members of its `alert`.
    private static let alertMembers = [
        ("launchImageName", "launch-image"), ("summaryArgument", "summary-arg"),
        ("summaryArgumentCount", "summary-arg-count"),
    ]

    /// Texts, and the keys of localized ones that would hide them.
    private static let texts: [(name: String, keys: [String])] = [
        ("title", ["title-loc-key", "title-loc-args"]), ("subtitle", ["subtitle-loc-key", "subtitle-loc-args"]),
        ("body", ["loc-key", "loc-args"]),
    ]

    /// - Parameters:
    ///   - payload: a JSON object.
    ///   - changes: the members that the extension returned, as a JSON object. Attachments and triggers have no place in a payload.
    /// - Throws: `JSONError` if `aps` or its alert is not what can be changed, or has numbers or texts that not every reader of JSON understands.
    static func payload(_ payload: BorrowedText, _ changes: BorrowedText) throws -> [UInt8] {
        // SOUND: the text lives as long as the message, and is copied.
        let changed = try payload.withJSON { root in try changes.withJSON { try self.payload(payload, root, $0) } }
        return unsafe (changed ?? nil) ?? Array(payload.buffer)
    }

    private static func payload(_ payload: BorrowedText, _ root: JSONView, _ changed: JSONView) throws -> [UInt8] {
        // SOUND: the texts live as long as the message, and are copied.
        let aps = try aps(root["aps"], changed)
        if let userInfo = changed["userInfo"], userInfo.isObject {
            return .composed { out in
                out.append("{\"aps\":")
                out.appendJSON(aps)
                out.appendMembers(of: userInfo) { !($0 == "aps") }
                out.append("}")
            }
        }
        guard let old = root["aps"] else {
            var members = root.members
            let isEmpty = members.next() == nil
            return unsafe Array("{\"aps\":".utf8) + aps.text + (isEmpty ? [] : [UInt8(ascii: ",")])
                + Array(root.text.buffer.dropFirst())
        }
        let end = old.offset + old.text.count
        return unsafe Array(payload.buffer[..<old.offset]) + aps.text + Array(payload.buffer[end...])
    }

    private static func aps(_ old: JSONView?, _ changed: JSONView) throws(JSONError) -> JSONValue {
        var aps = try old.map { view throws(JSONError) in try JSONValue(parsing: view) } ?? .object([])
        guard aps.isObject else { throw JSONError("aps is not an object") }
        let names = texts.map { $0.name } + alertMembers.map { $0.0 }
        if names.contains(where: { changed[named: $0] != nil }) { aps["alert"] = try alert(aps["alert"], changed) }
        try set(members, of: &aps, to: changed)
        if let sound = changed["sound"] { aps["sound"] = try self.sound(sound) }
        return aps
    }

    private static func alert(_ old: JSONValue?, _ changed: JSONView) throws(JSONError) -> JSONValue {
        var alert = old ?? .object([])
        if case .string = alert { alert = .members(["body": alert]) }
        guard alert.isObject else { throw JSONError("alert is neither a string nor an object") }
        for (name, keys) in texts {
            guard let text = changed[named: name] else { continue }
            alert[name] = try (text.string?.count ?? 0) > 0 ? JSONValue(parsing: text) : nil
            for key in keys { alert[key] = nil }
        }
        try set(alertMembers, of: &alert, to: changed)
        return alert
    }

    private static func set(
        _ members: [(String, String)], of object: inout JSONValue, to changed: JSONView
    ) throws(JSONError) {
        for (name, member) in members {
            guard let value = changed[named: name] else { continue }
            object[member] = try value.kind == .null ? nil : JSONValue(parsing: value)
        }
    }

    /// The protocol has booleans and a ringtone; a payload has a number, and no ringtone.
    private static func sound(_ sound: JSONView) throws(JSONError) -> JSONValue? {
        guard sound.isObject else { return try sound.kind == .null ? nil : JSONValue(parsing: sound) }
        var object = JSONValue.object([])
        for name in ["name", "volume"] {
            if let value = sound[named: name] { object[name] = try JSONValue(parsing: value) }
        }
        if let critical = sound["critical"], critical.kind == .true || critical.isOne { object["critical"] = 1 }
        return object
    }
}
