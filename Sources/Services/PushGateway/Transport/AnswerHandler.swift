import NIOCore
import PushFaults
import PushModel
import PushServices

/// Sends answers to one stream or connection. Used on its event loop.
protocol AnswerHandler: AnyObject {
    var connection: GatewayConnection { get }

    /// Sends a part of the answer to the request that came last. It may wait for `flush`.
    func send(_ part: AnswerPart)

    /// Has everything leave that was sent.
    func flush()

    /// Sends a whole answer after some time, unless nobody waits for it any more.
    func send(_ answer: GatewayAnswer, after delay: TimeAmount)

    /// Has a watch told what becomes of the answer to the request that came last.
    func watch(_ watch: ReplyWatch)
}

extension AnswerHandler {
    /// Does nothing: each part leaves at once.
    func flush() {}
}

/// Of a connection whose requests need not wait for each other's answers, and are answered as a whole.
extension AnswerHandler {
    func send(_ answer: GatewayAnswer, after delay: TimeAmount) {
        Reply(self, on: connection.channel.eventLoop).schedule(answer, in: delay)
    }

    /// Ends it: no answer comes bit by bit.
    func watch(_ watch: ReplyWatch) { watch.end() }
}

/// Where the answer to a request goes, from any thread.
struct Reply: Sendable {
    private let handler: NIOLoopBound<any AnswerHandler>
    fileprivate let eventLoop: any EventLoop

    /// - Parameter eventLoop: that of the handler, on which this is called.
    init(_ handler: any AnswerHandler, on eventLoop: any EventLoop) {
        self.handler = NIOLoopBound(handler, eventLoop: eventLoop)
        self.eventLoop = eventLoop
    }

    /// On the event loop.
    fileprivate func send(_ part: AnswerPart) {
        guard case .whole(let answer) = part, let delay = answer.fault?.delayMilliseconds, delay > 0 else {
            return handler.value.send(part)
        }
        handler.value.send(answer, after: .milliseconds(delay))
    }

    /// On the event loop.
    fileprivate func flush() { handler.value.flush() }

    /// Sends a whole answer after some time. On the event loop.
    func schedule(_ answer: GatewayAnswer, in delay: TimeAmount) {
        eventLoop.scheduleTask(in: delay) {
            handler.value.send(.whole(answer))
            handler.value.flush()
        }
    }

    /// Has a watch told what becomes of the answer, of which nothing was sent yet.
    func watch(_ watch: ReplyWatch) {
        eventLoop.execute { handler.value.watch(watch) }
    }
}

/// Parts of answers that are sent with one visit to each event loop.
struct ReplyBatch {
    private typealias Group = (eventLoop: any EventLoop, parts: [(reply: Reply, part: AnswerPart)])

    /// There are a few event loops, so a search through them costs less than a dictionary.
    private var groups: [Group] = []

    mutating func append(_ reply: Reply, _ part: AnswerPart) {
        if let index = groups.firstIndex(where: { $0.eventLoop === reply.eventLoop }) {
            groups[index].parts.append((reply, part))
        } else {
            groups.append((reply.eventLoop, [(reply, part)]))
        }
    }

    func send() {
        for (eventLoop, parts) in groups {
            eventLoop.execute {
                for (reply, part) in parts { reply.send(part) }
                // The first stream of a connection flushes it, and the others find nothing to do.
                for (reply, _) in parts { reply.flush() }
            }
        }
    }
}

typealias GatewayQueue = RequestQueue<Reply>

extension GatewayQueue {
    /// Hands a complete request to the pipeline, or answers that there is too much to do.
    func submit(_ arriving: ArrivingRequest, for handler: some AnswerHandler, on eventLoop: any EventLoop) {
        let request = arriving.request
        if !arriving.hasRoom || !submit(request, Reply(handler, on: eventLoop)) {
            handler.send(.whole(APNsAnswer.refusal(.serviceUnavailable, of: request)))
            handler.flush()
        }
    }
}
