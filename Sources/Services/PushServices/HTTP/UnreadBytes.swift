import Synchronization

/// The bytes of answers that their clients have not taken, of all connections together. Used on any thread.
package final class UnreadBytes: Sendable {
    /// The bytes of one answer, which count until this is released.
    package final class Share: Sendable, Equatable {
        private let owner: UnreadBytes
        private let bytes: Int

        fileprivate init(_ owner: UnreadBytes, _ bytes: Int) {
            self.owner = owner
            self.bytes = bytes
            owner.add(bytes)
        }

        deinit { owner.remove(bytes) }

        /// True: answers are the same whether they count or not.
        package static func == (one: Share, other: Share) -> Bool { true }
    }

    private let count = Atomic(0)
    private let limit: Int
    private let wake: @Sendable () -> Void

    /// Shorter answers are not counted: there is one per request, and these have limits of their own. 1 KiB.
    package static let shortest = 1024

    /// - Parameters:
    ///   - limit: the most bytes with which there is room for another long answer.
    ///   - wake: called on any thread when there is room again.
    package init(limit: Int = .max, wake: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        self.wake = wake
    }

    package var bytes: Int { count.load(ordering: .relaxed) }

    /// True if another long answer may be composed.
    package var hasRoom: Bool { bytes <= limit }

    package func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }

    package func remove(_ bytes: Int) {
        let left = count.subtract(bytes, ordering: .relaxed).newValue
        if left <= limit, left + bytes > limit { wake() }
    }

    /// An answer that counts until its body is released, unless it is short.
    package func counted(_ answer: GatewayAnswer) -> GatewayAnswer {
        guard answer.body.count >= Self.shortest else { return answer }
        var answer = answer
        answer.unread = Share(self, answer.body.count)
        return answer
    }
}
