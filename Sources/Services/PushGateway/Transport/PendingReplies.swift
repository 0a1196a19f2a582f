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

    mutating func add(_ answer: any PendingAnswer, _ reply: Reply, wake: @escaping @Sendable () -> Void) {
        let watch = ReplyWatch(wake: wake)
        reply.watch(watch)
        items.append(Item(reply: reply, watch: watch, answer: answer))
    }

    /// Sends what there is to send, and forgets answers that are complete, and clients that are gone.
    mutating func advance(isStopping: Bool) {
        guard !items.isEmpty else { return }
        let now = SystemClock.monotonicSeconds()
        var parts: [(reply: Reply, part: AnswerPart)] = []
        items.removeAll { item in
            let isOver = item.watch.isGone || Self.advance(item, now, isStopping, &parts)
            if isOver { item.answer.didEnd() }
            return isOver
        }
        Reply.send(parts)
    }

    /// Returns true if the answer is complete.
    private static func advance(
        _ item: Item, _ now: Double, _ isStopping: Bool, _ parts: inout [(reply: Reply, part: AnswerPart)]
    ) -> Bool {
        while let part = item.answer.next(now: now, unread: item.watch.unread, isStopping: isStopping) {
            item.watch.willSend(part.count)
            parts.append((item.reply, part))
            if part.isLast { return true }
        }
        return false
    }

    /// When the next of them has to be asked again, in seconds of `SystemClock.monotonicSeconds`; nil for never.
    var deadline: Double? { items.lazy.compactMap(\.answer.deadline).min() }
}
