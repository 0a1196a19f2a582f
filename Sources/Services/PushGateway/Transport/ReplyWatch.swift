import PushServices
import Synchronization

/// The state of an answer that is sent in parts: the client's presence, and the bytes that it has not taken.
final class ReplyWatch: Sendable {
    private let ended = Atomic(false)
    private let waiting = Atomic(0)
    private let all: UnreadBytes
    private let wake: @Sendable () -> Void

    /// - Parameters:
    ///   - all: counts what waits for all clients.
    ///   - wake: called on the event loop when the client has taken most of what was sent, and when it is gone.
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
