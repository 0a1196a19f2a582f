import PayloadJSON

/// An APNs payload with what a service extension changed in it, as if its sender had written it so.
enum PayloadAfterExtension {
    /// Members of `aps` and of its `alert` by the names in `Documentation/reference/extension-protocol.md`.
    private static let members: [(name: String, pointer: String)] = [
        ("badge", "/aps/badge"), ("threadIdentifier", "/aps/thread-id"), ("categoryIdentifier", "/aps/category"),
        ("interruptionLevel", "/aps/interruption-level"), ("relevanceScore", "/aps/relevance-score"),
        ("targetContentIdentifier", "/aps/target-content-id"), ("filterCriteria", "/aps/filter-criteria"),
        ("launchImageName", "/aps/alert/launch-image"), ("summaryArgument", "/aps/alert/summary-arg"),
        ("summaryArgumentCount", "/aps/alert/summary-arg-count"),
    ]

    /// Texts, and the keys of localized ones that would hide them.
    private static let texts: [(name: String, keys: [String])] = [
        ("title", ["title-loc-key", "title-loc-args"]), ("subtitle", ["subtitle-loc-key", "subtitle-loc-args"]),
        ("body", ["loc-key", "loc-args"]),
    ]

    /// - Parameters:
    ///   - payload: a JSON object.
    ///   - changes: the members that the extension returned, as a JSON object. Attachments and triggers have no place in a payload.
    /// - Throws: `JSONTree.Failure` for numbers and texts that cannot be represented.
    static func payload(_ payload: BorrowedText, _ changes: BorrowedText) throws -> [UInt8] {
        // SOUND: the tape was just made of the changes, which live as long as the message.
        var scanner = JSONScanner()
        var tape = JSONTape()
        var tree = unsafe try JSONTree(parsing: payload.bytes)
        guard unsafe scanner.scan(changes.bytes, into: &tape) == nil, let changed = unsafe tape.root(of: changes.bytes)
        else { return try tree.serialized() }
        if let userInfo = changed["userInfo"], userInfo.isObject {
            try replaceCustomMembers(of: &tree, payload, by: userInfo)
        }
        if !tree.has("/aps") { try tree.set(try .object(), at: "/aps") }
        if texts.contains(where: { changed[named: $0.name] != nil }) || changed["launchImageName"] != nil
            || changed["summaryArgument"] != nil || changed["summaryArgumentCount"] != nil
        {
            try makeAlertAnObject(in: &tree)
        }
        for (name, keys) in texts {
            guard let text = changed[named: name] else { continue }
            try set(text.string.flatMap { $0.count > 0 ? text : nil }, at: "/aps/alert/\(name)", in: &tree)
            for key in keys { try set(nil, at: "/aps/alert/\(key)", in: &tree) }
        }
        for (name, pointer) in members {
            guard let value = changed[named: name] else { continue }
            try set(value.kind == .null ? nil : value, at: pointer, in: &tree)
        }
        if let sound = changed["sound"] { try setSound(sound, in: &tree) }
        return try tree.serialized()
    }

    private static func set(_ value: JSONView?, at pointer: String, in tree: inout JSONTree) throws {
        if let value {
            try tree.set(try JSONTree(value), at: pointer)
        } else if tree.has(pointer) {
            try tree.remove(at: pointer)
        }
    }

    private static func makeAlertAnObject(in tree: inout JSONTree) throws {
        if let body = tree.string(at: "/aps/alert") {
            try tree.set(try .object(), at: "/aps/alert")
            try tree.set(try JSONTree(body), at: "/aps/alert/body")
        } else if !tree.has("/aps/alert") {
            try tree.set(try .object(), at: "/aps/alert")
        }
    }

    /// The protocol has booleans and a ringtone; a payload has a number, and no ringtone.
    private static func setSound(_ sound: JSONView, in tree: inout JSONTree) throws {
        guard sound.isObject else { return try set(sound.kind == .null ? nil : sound, at: "/aps/sound", in: &tree) }
        try tree.set(try .object(), at: "/aps/sound")
        if let name = sound["name"] { try set(name, at: "/aps/sound/name", in: &tree) }
        if let volume = sound["volume"] { try set(volume, at: "/aps/sound/volume", in: &tree) }
        if let critical = sound["critical"], critical.kind == .true || critical.isOne {
            try tree.set(try JSONTree(Int64(1)), at: "/aps/sound/critical")
        }
    }

    private static func replaceCustomMembers(
        of tree: inout JSONTree, _ payload: BorrowedText, by userInfo: JSONView
    ) throws {
        // SOUND: the tape was just made of the payload, which lives as long as the message.
        var scanner = JSONScanner()
        var tape = JSONTape()
        guard unsafe scanner.scan(payload.bytes, into: &tape) == nil, let root = unsafe tape.root(of: payload.bytes)
        else { return }
        var old = root.members
        while let (key, _) = old.next() {
            if key == "aps" { continue }
            try set(nil, at: "/" + JSONPointer.escape(key.string), in: &tree)
        }
        var new = userInfo.members
        while let (key, value) = new.next() {
            if key == "aps" { continue }
            try set(value, at: "/" + JSONPointer.escape(key.string), in: &tree)
        }
    }
}
