package import PayloadJSON
import PushModel

/// The differences between two JSON values. Objects are compared by member, in any order; arrays of the same length by element. Numbers are
/// equal if they are spelled the same, strings if they decode to the same text.
package struct JSONDifference {
    /// A difference between the two values.
    package struct Change: Equatable {
        /// JSON Pointer (RFC 6901).
        package var pointer: String
        /// The old value on one line; nil if there was none.
        package var old: String?
        /// The new value on one line; nil if there is none.
        package var new: String?
    }

    /// In the order of the old value; new members of an object come after its other members.
    package private(set) var changes: [Change] = []

    /// Compares two values. O(bytes).
    package init(from old: JSONView, to new: JSONView) { compare(old, new, at: "") }

    /// Compares two texts; nil if one of them is not JSON.
    package init?(from old: BorrowedText, to new: BorrowedText) {
        // SOUND: the tapes were just made of the texts, which outlive the call.
        var scanner = JSONScanner()
        var oldTape = JSONTape()
        var newTape = JSONTape()
        guard unsafe scanner.scan(old.bytes, into: &oldTape) == nil,
            unsafe scanner.scan(new.bytes, into: &newTape) == nil,
            let oldRoot = unsafe oldTape.root(of: old.bytes), let newRoot = unsafe newTape.root(of: new.bytes)
        else { return nil }
        self.init(from: oldRoot, to: newRoot)
    }

    /// Recurses as deep as the nesting limit of the scanner.
    private mutating func compare(_ old: JSONView, _ new: JSONView, at pointer: String) {
        switch (old.kind, new.kind) {
        case (.object, .object): compareMembers(old, new, at: pointer)
        case (.array, .array): compareElements(old, new, at: pointer)
        case (.string, .string):
            if let left = old.string, let right = new.string, !(left == right) { add(old, new, pointer) }
        default:
            if !(old.text == new.text) { add(old, new, pointer) }
        }
    }

    private mutating func add(_ old: JSONView?, _ new: JSONView?, _ pointer: String) {
        changes.append(
            Change(pointer: pointer, old: old.map { JSONLayout.line($0) }, new: new.map { JSONLayout.line($0) }))
    }

    private mutating func compareMembers(_ old: JSONView, _ new: JSONView, at pointer: String) {
        // Compared by bytes, because Swift strings ignore normalization. The last of several duplicates counts.
        let (oldNames, oldValues) = Self.members(of: old)
        let (newNames, newValues) = Self.members(of: new)
        for name in oldNames {
            guard let value = oldValues[name] else { continue }
            let place = Self.place(of: name, below: pointer)
            if let other = newValues[name] { compare(value, other, at: place) } else { add(value, nil, place) }
        }
        for name in newNames where oldValues[name] == nil {
            add(nil, newValues[name], Self.place(of: name, below: pointer))
        }
    }

    /// Names in the order of their first occurrence, and their values.
    private static func members(of object: JSONView) -> (names: [[UInt8]], values: [[UInt8]: JSONView]) {
        var names: [[UInt8]] = []
        var values: [[UInt8]: JSONView] = [:]
        for (key, value) in object.members {
            let name = key.decodedBytes
            if values.updateValue(value, forKey: name) == nil { names.append(name) }
        }
        return (names, values)
    }

    private static func place(of name: [UInt8], below pointer: String) -> String {
        "\(pointer)/\(JSONPointer.escape(String(decoding: name, as: UTF8.self)))"
    }

    private mutating func compareElements(_ old: JSONView, _ new: JSONView, at pointer: String) {
        let left = Array(old.elements)
        let right = Array(new.elements)
        guard left.count == right.count else { return add(old, new, pointer) }
        for (index, pair) in zip(left, right).enumerated() { compare(pair.0, pair.1, at: "\(pointer)/\(index)") }
    }
}

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
