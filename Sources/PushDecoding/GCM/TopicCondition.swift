import PayloadJSON

/// A condition over topics: `'a' in topics && ('b' in topics || !('c' in topics))`.
///
/// Source: Firebase, "Send messages to topics"; at most five topics.
enum TopicCondition {
    static let maximumTopics = 5
    static let rule = "must be 'name' in topics, joined by &&, || and !, with at most \(maximumTopics) topics"

    /// Whether the text is a condition with an allowed number of topics.
    static func isValid(_ text: JSONString) -> Bool {
        // SOUND: the bytes live until the parser is done.
        if text.hasEscapes { return unsafe text.decodedBytes.withUnsafeBytes { unsafe isValid($0) } }
        return unsafe isValid(text.raw.bytes)
    }

    private static func isValid(_ text: UnsafeRawBufferPointer) -> Bool {
        // SOUND: the parser does not outlive the call, during which the text is alive.
        var parser = unsafe Parser(text: text)
        return parser.expression(depth: 0) && parser.isAtEnd && (1...maximumTopics).contains(parser.topicCount)
    }

    @safe  // SOUND: every read is preceded by a comparison with the end of the text.
    private struct Parser {
        /// The most parentheses and negations around a topic. Five topics need no more.
        static let maximumDepth = 64

        let text: UnsafeRawBufferPointer
        var index = 0
        var topicCount = 0

        var isAtEnd: Bool {
            // SOUND: reads only the count.
            mutating get {
                skipSpaces()
                return unsafe index == text.count
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
            // SOUND: a quote was read before `index`; each other index is compared with `text.count` before it is read.
            guard take("'") || take("\"") else { return false }
            let quote = unsafe text[index - 1]
            let start = index
            while unsafe index < text.count, unsafe TopicName.isAllowed(text[index]) { index += 1 }
            guard index > start, unsafe index < text.count, unsafe text[index] == quote else { return false }
            index += 1
            topicCount += 1
            return topicCount <= TopicCondition.maximumTopics
        }

        private mutating func take(_ token: StaticString) -> Bool {
            // SOUND: the length is compared with `text.count` before the bytes are read.
            skipSpaces()
            let length = token.utf8CodeUnitCount
            guard unsafe index + length <= text.count else { return false }
            for position in 0..<length where unsafe text[index + position] != token.utf8Start[position] { return false }
            index += length
            return true
        }

        private mutating func skipSpaces() {
            // SOUND: `index` is compared with `text.count` before each read.
            while unsafe index < text.count,
                unsafe text[index] == 0x20 || text[index] == 0x09 || text[index] == 0x0A || text[index] == 0x0D
            {
                index += 1
            }
        }
    }
}

/// `[a-zA-Z0-9-_.~%]+`. Source: FCM v1, `Message.topic`.
enum TopicName {
    static func isValid(_ name: JSONString) -> Bool {
        // SOUND: the bytes of the name are alive during the call.
        // None of the allowed characters needs an escape, so a name with escapes is invalid.
        unsafe !name.hasEscapes && name.count > 0 && name.raw.buffer.allSatisfy(isAllowed)
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
