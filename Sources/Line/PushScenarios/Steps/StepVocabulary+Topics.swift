import PushGherkinRunner
import PushModel

/// Subscriptions to the topics of FCM and GCM.
extension StepVocabulary {
    static func addTopics(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "{string} is subscribed to the topic {string}",
            summary: "The app on the device; messages to the topic reach it.",
            example: "Given \"anna\" is subscribed to the topic \"news\""
        ) { world, step in
            try world.happen(StepEvent(.subscribe, device: try step.text(0), "topic", try step.text(1)).text)
        }
        try library.add(
            .when, "{string} unsubscribes from the topic {string}",
            summary: "The app on the device.", example: "When \"anna\" unsubscribes from the topic \"news\""
        ) { world, step in
            try world.happen(StepEvent(.unsubscribe, device: try step.text(0), "topic", try step.text(1)).text)
        }
        try library.add(
            .then, "record {int} reaches {int} subscriber(s)",
            summary: "Of a message to a topic or a condition: the devices that it is sent to, whatever their state.",
            example: "Then record 3 reaches 2 subscribers"
        ) { world, step in
            let lines = try world.messages(ofRecord: try step.int(0))
            // The first line is about the message itself.
            let count = lines.first?.outcome == .fannedOut ? lines.count - 1 : 0
            guard count == (try step.int(1)) else {
                throw StepFailure("record \(try step.int(0)) reaches \(count == 0 ? "no subscriber" : String(count))")
            }
        }
    }
}
