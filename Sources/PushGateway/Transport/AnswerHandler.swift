import NIOCore
import PushModel

/// Sends answers to one stream or connection. Used on its event loop.
protocol AnswerHandler: AnyObject {
    func send(_ answer: GatewayAnswer)
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

    /// Sends answers, with one visit to each event loop.
    static func send(_ answers: [(reply: Reply, answer: GatewayAnswer)]) {
        for group in Dictionary(grouping: answers, by: { ObjectIdentifier($0.reply.eventLoop) }).values {
            group.first?.reply.eventLoop.execute {
                for (reply, answer) in group { reply.send(answer) }
            }
        }
    }

    /// On the event loop.
    private func send(_ answer: GatewayAnswer) {
        guard let delay = answer.fault?.delayMilliseconds, delay > 0 else { return handler.value.send(answer) }
        eventLoop.scheduleTask(in: .milliseconds(delay)) { handler.value.send(answer) }
    }
}

typealias GatewayQueue = RequestQueue<Reply>

extension GatewayQueue {
    /// Hands a complete request to the pipeline, or answers that there is too much to do.
    func submit(_ arriving: ArrivingRequest, for handler: some AnswerHandler, on eventLoop: any EventLoop) {
        let request = arriving.request
        if !arriving.hasRoom || !submit(request, Reply(handler, on: eventLoop)) {
            handler.send(APNsAnswer.refusal(.serviceUnavailable, of: request))
        }
    }
}
