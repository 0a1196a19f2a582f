import PayloadJSON

/// A text that an app makes of a message: `/data/title` is the value at a JSON Pointer into the payload, `{/data/sender} wrote` has one in it,
/// and anything else is the text itself.
package struct MessageText: Sendable, Equatable {
    private enum Part: Sendable, Equatable {
        case text(String)
        case pointer(String)
    }

    private let parts: [Part]

    /// Nil for a JSON Pointer that cannot be one, and for braces that look as if there were one in them: `{data/type}`, `{/data/type`.
    package init?(_ text: String) {
        if text.hasPrefix("/") {
            guard JSONPointer.tokens(text) != nil else { return nil }
            parts = [.pointer(text)]
            return
        }
        var parts: [Part] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "{/") {
            guard let end = rest[start.upperBound...].firstIndex(of: "}") else { return nil }
            let pointer = "/" + rest[start.upperBound..<end]
            guard JSONPointer.tokens(pointer) != nil else { return nil }
            if Self.lacksSlash(rest[..<start.lowerBound]) { return nil }
            if start.lowerBound > rest.startIndex { parts.append(.text(String(rest[..<start.lowerBound]))) }
            parts.append(.pointer(pointer))
            rest = rest[rest.index(after: end)...]
        }
        if Self.lacksSlash(rest) { return nil }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
    }

    /// True if braces in a text hold a path, as in `{data/type}`, which lacks the slash of a JSON Pointer.
    private static func lacksSlash(_ text: Substring) -> Bool {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().contains { part in
            guard let end = part.firstIndex(of: "}") else { return false }
            let inner = part[..<end]
            return inner.contains("/") && !inner.contains(where: \.isWhitespace)
        }
    }

    /// The text; nil if a value in it is missing, or is an object or a list.
    func text(in payload: JSONView?) -> String? {
        var text = ""
        for part in parts {
            switch part {
            case .text(let words): text += words
            case .pointer(let pointer):
                guard let value = payload?[pointer: pointer].flatMap(PreferenceMapping.text) else { return nil }
                text += value
            }
        }
        return text
    }

    /// The texts of a list, which GCM and FCM can only send as JSON in a string; or one text. Empty ones are left out.
    func texts(in payload: JSONView?) -> [String] {
        if parts.count == 1, case .pointer(let pointer) = parts[0], let value = payload?[pointer: pointer] {
            if value.kind == .array { return Self.elements(value) }
            if let string = value.string?.string, string.hasPrefix("["),
                let list = Array(string.utf8).withJSON({ $0.kind == .array ? Self.elements($0) : nil }) ?? nil
            {
                return list
            }
        }
        return text(in: payload).flatMap { $0.isEmpty ? nil : [$0] } ?? []
    }

    private static func elements(_ list: JSONView) -> [String] {
        var texts: [String] = []
        for element in list.elements {
            if let text = PreferenceMapping.text(element), !text.isEmpty { texts.append(text) }
        }
        return texts
    }
}
