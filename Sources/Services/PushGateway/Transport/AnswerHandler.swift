import NIOCore
import PushFaults
import PushModel
import PushServices

/// Sends answers to one stream or connection. Used on its event loop.
protocol AnswerHandler: AnyObject {
    var connection: GatewayConnection { get }

    /// Sends a part of the answer to the request that came last.
    func send(_ part: AnswerPart)

    /// Sends a whole answer after some time, unless nobody waits for it any more.
    func send(_ answer: GatewayAnswer, after delay: TimeAmount)

    /// Has a watch told what becomes of the answer to the request that came last.
    func watch(_ watch: ReplyWatch)
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
    private let eventLoop: any EventLoop

    /// - Parameter eventLoop: that of the handler, on which this is called.
    init(_ handler: any AnswerHandler, on eventLoop: any EventLoop) {
        self.handler = NIOLoopBound(handler, eventLoop: eventLoop)
        self.eventLoop = eventLoop
    }

    /// Sends parts of answers, with one visit to each event loop.
    static func send(_ parts: [(reply: Reply, part: AnswerPart)]) {
        // There are a few event loops, so a search through them costs less than a dictionary.
        var groups: [(eventLoop: any EventLoop, parts: [(reply: Reply, part: AnswerPart)])] = []
        for part in parts {
            if let index = groups.firstIndex(where: { $0.eventLoop === part.reply.eventLoop }) {
                groups[index].parts.append(part)
            } else {
                groups.append((part.reply.eventLoop, [part]))
            }
        }
        for (eventLoop, parts) in groups {
            eventLoop.execute {
                for (reply, part) in parts { reply.send(part) }
            }
        }
    }

    /// On the event loop.
    private func send(_ part: AnswerPart) {
        guard case .whole(let answer) = part, let delay = answer.fault?.delayMilliseconds, delay > 0 else {
            return handler.value.send(part)
        }
        handler.value.send(answer, after: .milliseconds(delay))
    }

    /// Sends a whole answer after some time. On the event loop.
    func schedule(_ answer: GatewayAnswer, in delay: TimeAmount) {
        eventLoop.scheduleTask(in: delay) { handler.value.send(.whole(answer)) }
    }

    /// Has a watch told what becomes of the answer, of which nothing was sent yet.
    func watch(_ watch: ReplyWatch) {
        eventLoop.execute { handler.value.watch(watch) }
    }
}

typealias GatewayQueue = RequestQueue<Reply>

extension GatewayQueue {
    /// Hands a complete request to the pipeline, or answers that there is too much to do.
    func submit(_ arriving: ArrivingRequest, for handler: some AnswerHandler, on eventLoop: any EventLoop) {
        let request = arriving.request
        if !arriving.hasRoom || !submit(request, Reply(handler, on: eventLoop)) {
            handler.send(.whole(APNsAnswer.refusal(.serviceUnavailable, of: request)))
        }
    }
}
