import NIOCore

/// The messages that wait for a webhook, one posted after the other.
///
/// A message is tried a few times, and what does not fit is lost: a receiver that is slow or gone costs a bounded amount of memory.
struct WebhookQueue {
    static let maximumCount = 1000
    static let maximumBytes = 8 << 20  // 8 MiB
    /// Milliseconds before the second attempt, and before the third, which is the last.
    static let pauses: [Int64] = [250, 1000]

    private var waiting = CircularBuffer<[UInt8]>()
    private var bytes = 0
    /// Attempts to post the first one that failed.
    private var failures = 0
    /// True while the first one is on its way, and in the pause before another attempt.
    private var isBusy = false
    /// True if each message has one more attempt, because the gateway ends.
    var isEnding = false
    private(set) var lost = 0

    var count: Int { waiting.count }

    mutating func add(_ message: [UInt8]) {
        guard waiting.count < Self.maximumCount, bytes + message.count <= Self.maximumBytes else {
            lost += 1
            return
        }
        waiting.append(message)
        bytes += message.count
    }

    /// The message to post now; nil if none waits, or one is on its way.
    mutating func begin() -> [UInt8]? {
        guard !isBusy, let first = waiting.first else { return nil }
        isBusy = true
        return first
    }

    /// Takes the result of an attempt.
    ///
    /// - Returns: the milliseconds to wait before `goOn`.
    mutating func end(isTaken: Bool) -> Int64 {
        if !isTaken {
            failures += 1
            if !isEnding, failures <= Self.pauses.count { return Self.pauses[failures - 1] }
            lost += 1
        }
        failures = 0
        if let first = waiting.popFirst() { bytes -= first.count }
        return 0
    }

    /// Drops what waits, so that nothing more is posted.
    ///
    /// - Returns: the number of messages that were lost.
    mutating func close() -> Int {
        lost += waiting.count
        waiting.removeAll()
        bytes = 0
        return lost
    }

    /// The next message to post; nil if none waits.
    mutating func goOn() -> [UInt8]? {
        isBusy = false
        return begin()
    }
}
