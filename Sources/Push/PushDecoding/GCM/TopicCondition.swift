package import PushJSON
import PushSystem

/// A condition over topics: `'a' in topics && ('b' in topics || !('c' in topics))`.
///
/// Source: Firebase, "Send messages to topics"; at most five topics.
enum TopicCondition {
    static let maximumTopics = 5
    static let rule = "must be 'name' in topics, joined by &&, || and !, with at most \(maximumTopics) topics"

    /// True if the text is a condition with an allowed number of topics.
    static func isValid(_ text: JSONString) -> Bool {
        // SOUND: the bytes live until the parser is done.
        text.withDecoded { text in unsafe value(of: text.bytes) { _ in false } != nil }
    }

    /// The condition's value for a subscriber; nil for a text that is not a condition.
    ///
    /// Without parentheses `&&` and `||` apply from left to right. Source: Firebase, "Send messages to topics".
    ///
    /// - Parameter isSubscribed: returns true if the subscriber is subscribed to a topic. Called for every topic in the text.
    static func value(of text: UnsafeRawBufferPointer, isSubscribed: (_ topic: String) -> Bool) -> Bool? {
        // SOUND: the parser does not outlive the call, during which the text is alive.
        withoutActuallyEscaping(isSubscribed) { isSubscribed in
            var parser = unsafe Parser(text: text, isSubscribed: isSubscribed)
            guard let value = parser.expression(depth: 0), parser.isAtEnd,
                (1...maximumTopics).contains(parser.topicCount)
            else { return nil }
            return value
        }
    }

    @safe  // SOUND: every read is preceded by a comparison with the end of the text.
    private struct Parser {
        /// The most parentheses and negations around a topic. Five topics need no more.
        static let maximumDepth = 64

        let text: UnsafeRawBufferPointer
        let isSubscribed: (String) -> Bool
        var index = 0
        var topicCount = 0

        var isAtEnd: Bool {
            // SOUND: reads only the count.
            mutating get {
                skipSpaces()
                return unsafe index == text.count
            }
        }

        /// Nil for what is not an expression; so are the others.
        mutating func expression(depth: Int) -> Bool? {
            guard depth < Self.maximumDepth, var value = term(depth: depth) else { return nil }
            while true {
                let isBoth = take("&&")
                guard isBoth || take("||") else { return value }
                guard let next = term(depth: depth) else { return nil }
                value = isBoth ? value && next : value || next
            }
        }

        private mutating func term(depth: Int) -> Bool? {
            guard depth < Self.maximumDepth else { return nil }
            if take("!") { return term(depth: depth + 1).map { !$0 } }
            if take("(") {
                let value = expression(depth: depth + 1)
                return take(")") ? value : nil
            }
            guard let name = topic(), take("in"), take("topics") else { return nil }
            return isSubscribed(name)
        }

        /// A quoted name, in single or double quotes.
        private mutating func topic() -> String? {
            // SOUND: a quote was read before `index`; each other index is compared with `text.count` before it is read.
            guard take("'") || take("\"") else { return nil }
            let quote = unsafe text[index - 1]
            let start = index
            while unsafe index < text.count, unsafe TopicName.isAllowed(text[index]) { index += 1 }
            guard index > start, unsafe index < text.count, unsafe text[index] == quote else { return nil }
            guard index - start <= TopicName.maximumBytes else { return nil }
            let name = unsafe String(decoding: text[start..<index], as: UTF8.self)
            index += 1
            topicCount += 1
            return topicCount <= TopicCondition.maximumTopics ? name : nil
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
            while unsafe index < text.count, unsafe JSONScanner.isWhitespace(text[index]) { index += 1 }
        }
    }
}

/// `[a-zA-Z0-9-_.~%]{1,900}`. Sources: FCM v1, `Message.topic`, and of the length the discovery document, `TopicSubscription.topicName`.
package enum TopicName {
    static let maximumBytes = 900

    static func isValid(_ name: JSONString) -> Bool {
        // SOUND: the bytes of the name are alive during the call.
        name.withDecoded { unsafe isValid($0.buffer) }
    }

    /// True if the bytes are a name for a topic.
    package static func isValid(_ name: some Collection<UInt8>) -> Bool {
        (1...maximumBytes).contains(name.count) && name.allSatisfy(isAllowed)
    }

    /// True if a topic's name may have a byte.
    fileprivate static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isDigit || byte.isLetter || "-_.~%".utf8.contains(byte)
    }
}

/// Whom a message to a topic, or to a condition over topics, is for.
package struct TopicAudience {
    private enum Target {
        case topic(String)
        case condition(String)
    }

    private let target: Target
    /// The topics that it names. A subscriber of none of them may belong to it as well: see `mayHaveOthers`.
    package let topics: [String]
    /// True if somebody who is subscribed to none of the topics may belong to it: `!('a' in topics)`.
    package let mayHaveOthers: Bool

    /// - Parameter target: a topic, with or without `/topics/`, or a condition.
    package init(_ target: BorrowedText) {
        // SOUND: the text is alive during the call.
        var names: [String] = []
        let isCondition = unsafe TopicCondition.value(of: target.bytes) { name in
            names.append(name)
            return false
        }
        let text = target.string
        if let valueForNobody = isCondition {
            self.target = .condition(text)
            topics = names
            mayHaveOthers = valueForNobody
        } else {
            let name = Self.name(text)
            self.target = .topic(name)
            topics = [name]
            mayHaveOthers = false
        }
    }

    /// A topic's name without `/topics/`.
    package static func name(_ topic: String) -> String {
        topic.hasPrefix("/topics/") ? String(topic.dropFirst("/topics/".count)) : topic
    }

    /// True if an app that is subscribed to these topics belongs to it.
    package func contains(subscriberOf topics: Set<String>) -> Bool {
        switch target {
        case .topic(let topic): return topics.contains(topic)
        case .condition(let condition):
            var condition = condition
            return condition.withUTF8 { bytes in
                // SOUND: the bytes are alive during the call.
                unsafe TopicCondition.value(of: UnsafeRawBufferPointer(bytes)) { topics.contains($0) } ?? false
            }
        }
    }
}
