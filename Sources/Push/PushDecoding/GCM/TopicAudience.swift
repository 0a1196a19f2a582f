package import PayloadJSON

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
