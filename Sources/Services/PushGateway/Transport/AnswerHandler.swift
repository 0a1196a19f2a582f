import NIOCore
import PushFaults
import PushModel
import PushServices
import PushSystem
import Synchronization

/// Sends answers to one stream or connection. Used on its event loop.
protocol AnswerHandler: AnyObject {
    var connection: GatewayConnection { get }

    /// Sends a part of the answer to the request that came last. It may wait for `flush`.
    func send(_ part: AnswerPart)

    /// Has everything leave that was sent.
    func flush()

    /// Takes the task that sends a delayed answer, to cancel it when nobody waits for the answer any more.
    func willSend(_ answer: Scheduled<Void>)

    /// Has a watch told what becomes of the answer to the request that came last.
    func watch(_ watch: ReplyWatch)
}

extension AnswerHandler {
    /// Does nothing: each part leaves at once.
    func flush() {}

    /// Does nothing: requests need not wait for each other's answers, so there may be several tasks.
    func willSend(_ answer: Scheduled<Void>) {}

    /// Ends the watch: no answer comes bit by bit.
    func watch(_ watch: ReplyWatch) { watch.end() }
}

/// The destination of the answer to a request, from any thread.
struct Reply: Sendable {
    private let handler: NIOLoopBound<any AnswerHandler>
    fileprivate let eventLoop: any EventLoop

    /// - Parameter eventLoop: that of the handler, on which this is called.
    init(_ handler: any AnswerHandler, on eventLoop: any EventLoop) {
        self.handler = NIOLoopBound(handler, eventLoop: eventLoop)
        self.eventLoop = eventLoop
    }

    /// Sends a part of the answer, later if a fault delays it. Called on the event loop.
    fileprivate func send(_ part: AnswerPart) {
        guard case .whole(let answer) = part, let delay = answer.fault?.delayMilliseconds, delay > 0 else {
            return handler.value.send(part)
        }
        let task = eventLoop.scheduleTask(in: .milliseconds(delay)) {
            handler.value.send(part)
            handler.value.flush()
        }
        handler.value.willSend(task)
    }

    /// Has everything leave that was sent. Called on the event loop.
    fileprivate func flush() { handler.value.flush() }

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

/// The answers that are not complete. Used on the pipeline's thread.
struct PendingReplies {
    private struct Item {
        var reply: Reply
        var watch: ReplyWatch
        var answer: any PendingAnswer
    }

    private var items: [Item] = []
    /// Counts what waits for all clients.
    private let unread: UnreadBytes
    /// True if `advance` has not asked all of them.
    private(set) var hasMore = false

    /// 1 MiB: other requests take their turn before more is composed.
    static let turnBytes = 1 << 20

    init(_ unread: UnreadBytes) { self.unread = unread }

    mutating func add(_ answer: any PendingAnswer, _ reply: Reply, wake: @escaping @Sendable () -> Void) {
        let watch = ReplyWatch(unread, wake: wake)
        reply.watch(watch)
        items.append(Item(reply: reply, watch: watch, answer: answer))
    }

    /// Sends what there is to send, up to `turnBytes`, and forgets answers that are complete, and clients that are gone. The next call begins
    /// with those that were not asked.
    mutating func advance(isStopping: Bool) {
        hasMore = false
        guard !items.isEmpty else { return }
        let now = SystemClock.monotonicSeconds()
        var parts = ReplyBatch()
        var kept: [Item] = []
        var (asked, bytes) = (0, 0)
        while asked < items.count, isStopping || bytes < Self.turnBytes {
            let item = items[asked]
            asked += 1
            if item.watch.isGone || advance(item, now, isStopping, &parts, &bytes) {
                item.answer.didEnd()
            } else {
                kept.append(item)
            }
        }
        hasMore = asked < items.count
        items = Array(items[asked...]) + kept
        parts.send()
    }

    /// Returns true if the answer is complete.
    private func advance(
        _ item: Item, _ now: Double, _ isStopping: Bool, _ parts: inout ReplyBatch,
        _ bytes: inout Int
    ) -> Bool {
        while let part = item.answer.next(
            now: now, unread: item.watch.unread, hasRoom: unread.hasRoom, isStopping: isStopping)
        {
            bytes += part.count
            item.watch.willSend(part.count)
            parts.append(item.reply, part)
            if part.isLast { return true }
        }
        return false
    }

    /// The time at which the next of them has to be asked again, in seconds of `SystemClock.monotonicSeconds`; nil for never.
    var deadline: Double? { items.lazy.compactMap(\.answer.deadline).min() }
}

/// The state of an answer that is sent in parts: the client's presence, and the bytes that it has not taken.
final class ReplyWatch: Sendable {
    private let ended = Atomic(false)
    private let waiting = Atomic(0)
    /// Counts what waits for all clients.
    private let all: UnreadBytes
    /// Called on the event loop when the client has taken most of what was sent, and when it is gone.
    private let wake: @Sendable () -> Void

    init(_ all: UnreadBytes, wake: @escaping @Sendable () -> Void) {
        self.all = all
        self.wake = wake
    }

    deinit { all.remove(unread) }

    /// True if nobody takes the answer any more.
    var isGone: Bool { ended.load(ordering: .acquiring) }

    /// Bytes that were sent, and that the system has not taken yet.
    var unread: Int { waiting.load(ordering: .relaxed) }

    /// Counts bytes that are about to be sent.
    func willSend(_ count: Int) {
        waiting.add(count, ordering: .relaxed)
        all.add(count)
    }

    /// Counts bytes that the system has taken.
    func didSend(_ count: Int) {
        let left = waiting.subtract(count, ordering: .relaxed).newValue
        all.remove(count)
        if left < Self.lowWater, left + count >= Self.lowWater { wake() }
    }

    /// The connection or the stream is closed.
    func end() {
        if !ended.exchange(true, ordering: .acquiringAndReleasing) { wake() }
    }

    /// 64 KiB: below it, there is room for more.
    static let lowWater = 64 << 10
}
