import Testing

@testable import PushServices

/// The queue of messages to a webhook.
struct WebhookQueueTests {
    /// A queue, and its answer to each call.
    private struct Trial {
        var queue = WebhookQueue()
        private(set) var steps: [String] = []

        init(adding count: Int = 0) {
            for number in 0..<count { queue.add(Array("\(number)".utf8)) }
        }

        mutating func begin() { steps.append(Self.text(queue.begin())) }

        mutating func goOn() { steps.append(Self.text(queue.goOn())) }

        mutating func end(isTaken: Bool) { steps.append("\(queue.end(isTaken: isTaken)) ms") }

        private static func text(_ message: [UInt8]?) -> String {
            message.map { String(decoding: $0, as: UTF8.self) } ?? "none"
        }
    }

    @Test func `messages are posted in order, one at a time`() {
        var trial = Trial(adding: 2)
        trial.begin()
        trial.begin()
        trial.end(isTaken: true)
        trial.goOn()
        trial.end(isTaken: true)
        trial.goOn()
        #expect(trial.steps == ["0", "none", "0 ms", "1", "0 ms", "none"])
        #expect(trial.queue.lost == 0)
    }

    @Test func `a message is tried three times, and the next one follows`() {
        var trial = Trial(adding: 2)
        trial.begin()
        for _ in WebhookQueue.pauses {
            trial.end(isTaken: false)
            // Another message does not end the pause.
            trial.begin()
            trial.goOn()
        }
        trial.end(isTaken: false)
        trial.goOn()
        trial.end(isTaken: false)
        #expect(
            trial.steps == ["0", "250 ms", "none", "0", "1000 ms", "none", "0", "0 ms", "1", "250 ms"])
        #expect(trial.queue.lost == 1)
    }

    @Test func `at the end, a message has one more attempt`() {
        var trial = Trial(adding: 1)
        trial.begin()
        trial.queue.isEnding = true
        trial.end(isTaken: false)
        #expect(trial.steps == ["0", "0 ms"])
        #expect(trial.queue.lost == 1)
        #expect(trial.queue.count == 0)
    }

    @Test func `a closed queue posts nothing more, also after the message that is on its way`() {
        var trial = Trial(adding: 3)
        trial.begin()
        trial.queue.isEnding = true
        #expect(trial.queue.close() == 3)
        trial.end(isTaken: false)
        trial.goOn()
        #expect(trial.steps == ["0", "0 ms", "none"])
        #expect(trial.queue.count == 0)
    }

    @Test func `a queue holds so many messages, and no more`() {
        var trial = Trial(adding: WebhookQueue.maximumCount)
        #expect(trial.queue.lost == 0)
        trial.queue.add([0])
        #expect(trial.queue.lost == 1)
        #expect(trial.queue.count == WebhookQueue.maximumCount)
        trial.begin()
        trial.end(isTaken: true)
        trial.queue.add([0])
        #expect(trial.queue.lost == 1)
    }

    @Test func `a queue holds so many bytes, and no more`() {
        var trial = Trial()
        trial.queue.add([UInt8](repeating: 48, count: WebhookQueue.maximumBytes))
        #expect(trial.queue.lost == 0)
        trial.queue.add([48])
        #expect(trial.queue.lost == 1)
        trial.begin()
        trial.end(isTaken: true)
        trial.queue.add([UInt8](repeating: 48, count: WebhookQueue.maximumBytes + 1))
        #expect(trial.queue.lost == 2)
        trial.queue.add([48])
        #expect(trial.queue.count == 1)
    }
}
