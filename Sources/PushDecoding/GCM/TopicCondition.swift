import PayloadJSON

/// A condition over topics: `'a' in topics && ('b' in topics || !('c' in topics))`.
///
/// Source: Firebase, "Send messages to topics"; at most five topics.
enum TopicCondition {
    static let maximumTopics = 5
    static let rule = "must be 'name' in topics, joined by &&, || and !, with at most \(maximumTopics) topics"

    /// Whether the text is a condition with an allowed number of topics.
    static func isValid(_ text: JSONString) -> Bool {
        if text.hasEscapes { return text.decodedBytes.withUnsafeBytes { isValid($0) } }
        return isValid(text.raw.bytes)
    }

    private static func isValid(_ text: UnsafeRawBufferPointer) -> Bool {
        var parser = Parser(text: text)
        return parser.expression(depth: 0) && parser.isAtEnd && (1...maximumTopics).contains(parser.topicCount)
    }

    private struct Parser {
        /// The most parentheses and negations around a topic. Five topics need no more.
        static let maximumDepth = 64

        let text: UnsafeRawBufferPointer
        var index = 0
        var topicCount = 0

        var isAtEnd: Bool {
            mutating get {
                skipSpaces()
                return index == text.count
            }
        }

        mutating func expression(depth: Int) -> Bool {
            guard depth < Self.maximumDepth, term(depth: depth) else { return false }
            while take("&&") || take("||") {
                guard term(depth: depth) else { return false }
            }
            return true
        }

        private mutating func term(depth: Int) -> Bool {
            guard depth < Self.maximumDepth else { return false }
            if take("!") { return term(depth: depth + 1) }
            if take("(") { return expression(depth: depth + 1) && take(")") }
            return topic() && take("in") && take("topics")
        }

        /// A quoted name, in single or double quotes.
        private mutating func topic() -> Bool {
            guard take("'") || take("\"") else { return false }
            let quote = text[index - 1]
            let start = index
            while index < text.count, TopicName.isAllowed(text[index]) { index += 1 }
            guard index > start, index < text.count, text[index] == quote else { return false }
            index += 1
            topicCount += 1
            return topicCount <= TopicCondition.maximumTopics
        }

        private mutating func take(_ token: StaticString) -> Bool {
            skipSpaces()
            let length = token.utf8CodeUnitCount
            guard index + length <= text.count else { return false }
            for position in 0..<length where text[index + position] != token.utf8Start[position] { return false }
            index += length
            return true
        }

        private mutating func skipSpaces() {
            while index < text.count,
                text[index] == 0x20 || text[index] == 0x09 || text[index] == 0x0A || text[index] == 0x0D
            {
                index += 1
            }
        }
    }
}

/// `[a-zA-Z0-9-_.~%]+`. Source: FCM v1, `Message.topic`.
enum TopicName {
    static func isValid(_ name: JSONString) -> Bool {
        // None of the allowed characters needs an escape, so a name with escapes is invalid.
        !name.hasEscapes && name.count > 0 && name.raw.buffer.allSatisfy(isAllowed)
    }

    static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "~"), UInt8(ascii: "%"):
            true
        default: false
        }
    }
}
