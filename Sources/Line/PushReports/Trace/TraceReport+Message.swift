import PayloadJSON
import PushModel
import PushPipeline
import PushText

extension TraceReport {
    /// Facts that a message does not store: the name, and the payload locations by platform.
    private static let places: [Platform: [(name: String, pointers: [String])]] = [
        .ios: [
            ("sound", ["/aps/sound", "/notification/sound"]), ("category", ["/aps/category"]),
            ("interruption", ["/aps/interruption-level"]),
        ],
        .android: [
            ("sound", ["/android/notification/sound", "/notification/sound"]),
            ("priority", ["/android/priority", "/priority"]),
            ("collapse key", ["/android/collapse_key", "/collapse_key"]),
            ("time to live", ["/android/ttl", "/time_to_live"]),
        ],
        .web: [
            ("icon", ["/webpush/notification/icon", "/notification/icon"]),
            ("actions", ["/webpush/notification/actions"]),
            ("renotify", ["/webpush/notification/renotify"]), ("silent", ["/webpush/notification/silent"]),
            ("stays", ["/webpush/notification/requireInteraction"]),
            ("link", ["/webpush/fcm_options/link", "/webpush/fcmOptions/link", "/notification/click_action"]),
            ("urgency", ["/webpush/headers/Urgency", "/webpush/headers/urgency"]),
            ("queue topic", ["/webpush/headers/Topic", "/webpush/headers/topic", "/collapse_key"]),
            ("time to live", ["/webpush/headers/TTL", "/webpush/headers/ttl", "/time_to_live"]),
        ],
    ]

    func messageLines(_ message: DecodedMessage, _ trace: MessageTrace) -> [String] {
        let content = trace.decoded
        let headers = message.headers
        var facts: [(String, String)] = []
        func add(_ name: String, _ value: String?) {
            if let value { facts.append((name, value)) }
        }
        add("provider", "\(message.provider.name)" + (message.gateway.map { ", via \($0.name)" } ?? ""))
        add("push type", headers.pushTypeText?.string)
        add("device", "\(message.device.string) (\(message.platform.rawValue))")
        add("app", message.app.isEmpty ? nil : message.app.string)
        add("topic", message.topic == message.app ? nil : message.topic.string)
        add("collapse id", headers.collapseID?.string)
        add("priority", headers.priority?.string)
        add("expiration", headers.expiration?.string)
        add("channel", headers.channelID?.string)
        add("apns-id", headers.id?.string)
        add("dry run", message.isDryRun ? "yes" : nil)
        add("title", content.title?.string)
        add("subtitle", content.subtitle?.string)
        add("body", content.body?.string)
        add("badge", content.badge.map(String.init))
        add("thread", content.thread?.string)
        add("tag", content.tag?.string)
        add("custom id", content.customID.map { $0 == ReplacementRule.missingID ? "none" : $0.string })
        add("mutable", content.isMutable ? "yes" : nil)
        facts += self.facts(inPayload: trace.payload, message.platform)
        return [heading("message")] + lines(facts)
    }

    /// The device and app of an event; the record shows the rest.
    func eventLines(_ event: String, _ report: borrowing RecordReport) -> [String] {
        let facts = [("device", report.message.device.string), ("app", report.message.topic.string)]
        return [heading("event") + "  \(event)"] + lines(facts.filter { !$0.1.isEmpty })
    }

    func lines(_ facts: [(name: String, value: String)]) -> [String] {
        facts.flatMap { name, value in
            // A text of several lines continues below its first line.
            value.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, part in
                let label = style.dim((index == 0 ? name : "").padded(to: 13))
                return "  \(label)\(JSONLayout.shortened(TextStyle.clean(String(part)), room(15)))"
            }
        }
    }

    private func facts(inPayload payload: BorrowedText, _ platform: Platform) -> [(String, String)] {
        // SOUND: the tape was just made of the payload, which outlives the call.
        var scanner = JSONScanner()
        var tape = JSONTape()
        guard unsafe scanner.scan(payload.bytes, into: &tape) == nil, let root = unsafe tape.root(of: payload.bytes)
        else {
            return []
        }
        return (Self.places[platform] ?? []).compactMap { name, pointers in
            let value = pointers.lazy.compactMap { root[pointer: $0] }.first
            return value.map { (name, $0.string?.string ?? JSONLayout.line($0)) }
        }
    }
}
