import PushServices
import PushSystem

/// The answers that are not complete. Used on the pipeline's thread.
struct PendingReplies {
    private struct Item {
        var reply: Reply
        var watch: ReplyWatch
        var answer: any PendingAnswer
    }

    private var items: [Item] = []
    private let unread: UnreadBytes
    /// True if `advance` has not asked all of them.
    private(set) var hasMore = false

    /// 1 MiB: other requests take their turn before more is composed.
    static let turnBytes = 1 << 20

    /// - Parameter unread: counts what waits for all clients.
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

    /// When the next of them has to be asked again, in seconds of `SystemClock.monotonicSeconds`; nil for never.
    var deadline: Double? { items.lazy.compactMap(\.answer.deadline).min() }
}
