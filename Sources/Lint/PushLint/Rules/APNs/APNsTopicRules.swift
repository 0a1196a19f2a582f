import PayloadJSON
import PushModel

/// `apns-topic`, whose suffix depends on the push type.
struct APNsTopicRules: RuleCheck {
    static let rules = [topicSuffix, topicSuffixUnexpected]
    let run: LintRun

    func check(_ around: APNsSurroundings) {
        guard let type = around.pushType, type != .mdm, let node = around.topicNode, let string = node.string,
            string.count > 0
        else { return }
        let suffix = type.row.topicSuffix.description
        if suffix.isEmpty, string.isPlain, !Self.hasSuffix(string.raw) { return }
        let topic = string.string
        if suffix.isEmpty {
            guard let row = Self.suffixed(topic) else { return }
            report(
                Self.topicSuffixUnexpected,
                "\(row.topicSuffix) belongs to apns-push-type \(row.wireName); with \(type.row.wireName) the topic is the bundle identifier",
                at: node)
        } else if !topic.hasSuffix(suffix) {
            // A topic with another suffix, or with this one in capitals, is left to its author.
            let isBare = Self.suffixed(topic) == nil && !topic.lowercased().hasSuffix(suffix)
            report(
                Self.topicSuffix, "the topic of apns-push-type \(type.row.wireName) ends with \(suffix)", at: node,
                edits: isBare ? [TextEdit(node.range.upperBound - 1..<node.range.upperBound - 1, suffix)] : [])
        }
    }

    static let topicSuffix = Rule(
        "apns.topic-suffix", .error, "a topic that does not fit the push type",
        "Most special push types add a suffix to the bundle identifier, such as .voip or .push-type.liveactivity; alert and background take it bare. Which error APNs answers is not documented.",
        source: .sending, failing: Example.request(#""apns-push-type":"voip","apns-expiration":"0""#, #"{"call":7}"#),
        passing: Example.request(
            #""apns-push-type":"voip","apns-expiration":"0""#, #"{"call":7}"#, topic: "org.example.news.voip"),
        isFixable: true)
    static let topicSuffixUnexpected = Rule(
        "apns.topic-suffix-unexpected", .warning, "a topic with the suffix of another push type",
        "alert and background take the bundle identifier as it is. A suffix such as .voip belongs to another type, unless the identifier itself ends so.",
        source: .sending,
        failing: Example.request(#""apns-push-type":"alert""#, Example.alert, topic: "org.example.news.voip"),
        passing: Example.alertRequest)

    private static func hasSuffix(_ topic: BorrowedText) -> Bool {
        PushType.table.contains { $0.topicSuffix.utf8CodeUnitCount > 0 && topic.hasSuffix($0.topicSuffix) }
    }

    /// The push type whose suffix a topic ends with.
    private static func suffixed(_ topic: String) -> PushType.Row? {
        PushType.table.first { !$0.topicSuffix.description.isEmpty && topic.hasSuffix($0.topicSuffix.description) }
    }
}
