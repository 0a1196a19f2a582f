import PayloadJSON

/// An APNs payload with what a service extension changed in it, as if its sender had written it so. Custom members stay as they were
/// written, unless the extension changed `userInfo`.
enum PayloadAfterExtension {
    /// Members of `aps` and of its `alert` by the names in `Documentation/reference/extension-protocol.md`.
    private static let members: [(name: String, pointer: String)] = [
        ("badge", "/badge"), ("threadIdentifier", "/thread-id"), ("categoryIdentifier", "/category"),
        ("interruptionLevel", "/interruption-level"), ("relevanceScore", "/relevance-score"),
        ("targetContentIdentifier", "/target-content-id"), ("filterCriteria", "/filter-criteria"),
        ("launchImageName", "/alert/launch-image"), ("summaryArgument", "/alert/summary-arg"),
        ("summaryArgumentCount", "/alert/summary-arg-count"),
    ]

    /// Texts, and the keys of localized ones that would hide them.
    private static let texts: [(name: String, keys: [String])] = [
        ("title", ["title-loc-key", "title-loc-args"]), ("subtitle", ["subtitle-loc-key", "subtitle-loc-args"]),
        ("body", ["loc-key", "loc-args"]),
    ]

    /// - Parameters:
    ///   - payload: a JSON object.
    ///   - changes: the members that the extension returned, as a JSON object. Attachments and triggers have no place in a payload.
    /// - Throws: `JSONTree.Failure` for numbers and texts in `aps` that cannot be represented.
    static func payload(_ payload: BorrowedText, _ changes: BorrowedText) throws -> [UInt8] {
        // SOUND: the tapes were just made of these texts, which live as long as the message, and are copied.
        var scanner = JSONScanner()
        var tape = JSONTape()
        var changeTape = JSONTape()
        guard unsafe scanner.scan(payload.bytes, into: &tape) == nil, let root = unsafe tape.root(of: payload.bytes),
            unsafe scanner.scan(changes.bytes, into: &changeTape) == nil,
            let changed = unsafe changeTape.root(of: changes.bytes)
        else { return unsafe Array(payload.buffer) }
        let aps = try aps(root["aps"], changed)
        if let userInfo = changed["userInfo"], userInfo.isObject { return object(aps, userInfo) }
        guard let old = root["aps"] else {
            var members = root.members
            let isEmpty = members.next() == nil
            return unsafe Array("{\"aps\":".utf8) + aps + (isEmpty ? [] : [UInt8(ascii: ",")])
                + Array(root.text.buffer.dropFirst())
        }
        let start = old.offset
        let end = old.offset + old.text.count
        return unsafe Array(payload.buffer[..<start]) + aps + Array(payload.buffer[end...])
    }

    /// The object with `aps` and the custom members of `userInfo`.
    private static func object(_ aps: [UInt8], _ userInfo: JSONView) -> [UInt8] {
        // SOUND: the texts are copied.
        var out = Array("{\"aps\":".utf8) + aps
        var members = userInfo.members
        while let (key, value) = members.next() {
            if key == "aps" { continue }
            unsafe out += Array(",\"".utf8) + Array(key.raw.buffer) + Array("\":".utf8) + Array(value.text.buffer)
        }
        return out + [UInt8(ascii: "}")]
    }

    private static func aps(_ old: JSONView?, _ changed: JSONView) throws -> [UInt8] {
        var aps = try old.map { try JSONTree($0) } ?? .object()
        let namesAlert =
            texts.contains { changed[named: $0.name] != nil }
            || members.contains { $0.pointer.hasPrefix("/alert/") && changed[named: $0.name] != nil }
        if namesAlert { try makeAlertAnObject(in: &aps) }
        for (name, keys) in texts {
            guard let text = changed[named: name] else { continue }
            try set(text.string.flatMap { $0.count > 0 ? text : nil }, at: "/alert/\(name)", in: &aps)
            for key in keys { try set(nil, at: "/alert/\(key)", in: &aps) }
        }
        for (name, pointer) in members {
            guard let value = changed[named: name] else { continue }
            try set(value.kind == .null ? nil : value, at: pointer, in: &aps)
        }
        if let sound = changed["sound"] { try setSound(sound, in: &aps) }
        return try aps.serialized()
    }

    private static func set(_ value: JSONView?, at pointer: String, in tree: inout JSONTree) throws {
        if let value {
            try tree.set(try JSONTree(value), at: pointer)
        } else if tree.has(pointer) {
            try tree.remove(at: pointer)
        }
    }

    private static func makeAlertAnObject(in aps: inout JSONTree) throws {
        if let body = aps.string(at: "/alert") {
            try aps.set(try .object(), at: "/alert")
            try aps.set(try JSONTree(body), at: "/alert/body")
        } else if !aps.has("/alert") {
            try aps.set(try .object(), at: "/alert")
        }
    }

    /// The protocol has booleans and a ringtone; a payload has a number, and no ringtone.
    private static func setSound(_ sound: JSONView, in aps: inout JSONTree) throws {
        guard sound.isObject else { return try set(sound.kind == .null ? nil : sound, at: "/sound", in: &aps) }
        try aps.set(try .object(), at: "/sound")
        if let name = sound["name"] { try set(name, at: "/sound/name", in: &aps) }
        if let volume = sound["volume"] { try set(volume, at: "/sound/volume", in: &aps) }
        if let critical = sound["critical"], critical.kind == .true || critical.isOne {
            try aps.set(try JSONTree(Int64(1)), at: "/sound/critical")
        }
    }
}
