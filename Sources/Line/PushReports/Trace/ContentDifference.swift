import PayloadJSON
import PushModel

/// The changes that a service extension made to its content.
enum ContentDifference {
    /// Payload locations of the `UNNotificationContent` members that `NotificationContent` does not store.
    private static let places: [(member: String, pointer: String)] = [
        ("sound", "/aps/sound"), ("categoryIdentifier", "/aps/category"),
        ("interruptionLevel", "/aps/interruption-level"), ("relevanceScore", "/aps/relevance-score"),
        ("targetContentIdentifier", "/aps/target-content-id"), ("filterCriteria", "/aps/filter-criteria"),
        ("launchImageName", "/aps/alert/launch-image"), ("summaryArgument", "/aps/alert/summary-arg"),
        ("summaryArgumentCount", "/aps/alert/summary-arg-count"), ("userInfo", ""),
    ]

    /// Pointers refer to content in the format of `Documentation/reference/extension-protocol.md`.
    ///
    /// - Parameters:
    ///   - changes: the members that the extension returned.
    ///   - content: the content of the payload.
    static func changes(
        _ changes: [UInt8], over content: NotificationContent, of payload: BorrowedText
    ) -> [JSONDifference.Change] {
        // SOUND: each tape was just made of its bytes: those of the payload live as long as the record, those of arrays
        // until their closures return.
        var original: [String: String] = [:]
        original["title"] = content.title.map(quoted)
        original["subtitle"] = content.subtitle.map(quoted)
        original["body"] = content.body.map(quoted)
        original["threadIdentifier"] = content.thread.map(quoted)
        original["badge"] = content.badge.map(String.init)
        var scanner = JSONScanner()
        var tape = JSONTape()
        if unsafe scanner.scan(payload.bytes, into: &tape) == nil, let root = unsafe tape.root(of: payload.bytes) {
            for (member, pointer) in places { original[member] = root[pointer: pointer]?.text.string }
        }
        return unsafe changes.withUnsafeBytes { new in
            guard unsafe scanner.scan(new, into: &tape) == nil, let root = unsafe tape.root(of: new) else { return [] }
            // Members that the extension did not return have not changed.
            let old = original.filter { root[named: $0.key] != nil }.map { "\"\($0.key)\":\($0.value)" }.sorted()
            return unsafe Array("{\(old.joined(separator: ","))}".utf8).withUnsafeBytes { old in
                var oldTape = JSONTape()
                guard unsafe scanner.scan(old, into: &oldTape) == nil, let oldRoot = unsafe oldTape.root(of: old) else {
                    return []
                }
                return JSONDifference(from: oldRoot, to: root).changes
            }
        }
    }

    private static func quoted(_ string: JSONString) -> String {
        // SOUND: copies what the buffer holds.
        var text = ByteBuffer()
        text.appendJSONString(string.string)
        return unsafe String(decoding: text.bytes, as: UTF8.self)
    }
}
