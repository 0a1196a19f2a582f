import Testing

@testable import PushGateway

/// What waits for a webhook.
struct WebhookQueueTests {
    private func body(_ number: Int) -> [UInt8] { Array("\(number)".utf8) }

    @Test func `messages are posted in order, one at a time`() {
        var queue = WebhookQueue()
        queue.add(body(1))
        queue.add(body(2))
        #expect(queue.begin() == body(1))
        #expect(queue.begin() == nil)
        #expect(queue.end(isTaken: true) == 0)
        #expect(queue.goOn() == body(2))
        #expect(queue.end(isTaken: true) == 0)
        #expect(queue.goOn() == nil)
        #expect(queue.lost == 0)
    }

    @Test func `a message is tried three times, and the next one follows`() {
        var queue = WebhookQueue()
        queue.add(body(1))
        queue.add(body(2))
        #expect(queue.begin() == body(1))
        for pause in WebhookQueue.pauses {
            #expect(queue.end(isTaken: false) == pause)
            // Another message does not end the pause.
            #expect(queue.begin() == nil)
            #expect(queue.goOn() == body(1))
        }
        #expect(queue.end(isTaken: false) == 0)
        #expect(queue.lost == 1)
        #expect(queue.goOn() == body(2))
        #expect(queue.end(isTaken: false) == WebhookQueue.pauses[0])
    }

    @Test func `at the end, a message has one more attempt`() {
        var queue = WebhookQueue()
        queue.add(body(1))
        _ = queue.begin()
        queue.isEnding = true
        #expect(queue.end(isTaken: false) == 0)
        #expect(queue.lost == 1)
        #expect(queue.count == 0)
    }

    @Test func `a queue holds so many messages, and no more`() {
        var queue = WebhookQueue()
        for number in 0..<WebhookQueue.maximumCount { queue.add(body(number)) }
        #expect(queue.lost == 0)
        queue.add(body(0))
        #expect(queue.lost == 1)
        #expect(queue.count == WebhookQueue.maximumCount)
        _ = queue.begin()
        _ = queue.end(isTaken: true)
        queue.add(body(0))
        #expect(queue.lost == 1)
    }

    @Test func `a queue holds so many bytes, and no more`() {
        var queue = WebhookQueue()
        queue.add([UInt8](repeating: 0, count: WebhookQueue.maximumBytes))
        #expect(queue.lost == 0)
        queue.add([0])
        #expect(queue.lost == 1)
        _ = queue.begin()
        _ = queue.end(isTaken: true)
        queue.add([UInt8](repeating: 0, count: WebhookQueue.maximumBytes + 1))
        #expect(queue.lost == 2)
        queue.add([0])
        #expect(queue.count == 1)
    }
}
