/// The requests of a connection of HTTP/2 that wait because its client has not taken its answers.
///
/// A connection cannot stop reading, as the windows that the client opens come over it. So its requests wait: all of them while too much is
/// unread, and one whose answer may be long until the one before it is composed, because nobody knows how long that will be.
struct StreamTurns<Stream> {
    /// The most unread bytes with which a request is passed on.
    let limit: Int
    /// Bytes of bodies that were sent, and that the client has not taken.
    private(set) var unread = 0
    /// True while a request is being answered whose answer may be long.
    private var isComposing = false
    private var waiting: [(stream: Stream, isLong: Bool)] = []

    init(limit: Int) { self.limit = limit }

    /// True if the client has not taken as much as it must.
    var isBlocked: Bool { unread > limit }

    var isEmpty: Bool { waiting.isEmpty }

    /// Returns true if a request may be passed on now. If not, `next` returns it when it may.
    ///
    /// - Parameters:
    ///   - isLong: true if the answer may be long.
    ///   - isWritable: false if the client does not read from the connection.
    mutating func admits(_ stream: Stream, isLong: Bool, isWritable: Bool) -> Bool {
        guard isWritable, !isBlocked, !(isLong && isComposing) else {
            waiting.append((stream, isLong))
            return false
        }
        if isLong { isComposing = true }
        return true
    }

    /// The answer that may be long is composed, or nobody waits for it.
    mutating func didCompose() { isComposing = false }

    mutating func didSend(_ bytes: Int) { unread += bytes }

    mutating func didTake(_ bytes: Int) { unread -= bytes }

    /// The first request that may be passed on now; nil if there is none.
    mutating func next() -> Stream? {
        guard !isBlocked, let index = waiting.firstIndex(where: { !($0.isLong && isComposing) }) else { return nil }
        let next = waiting.remove(at: index)
        if next.isLong { isComposing = true }
        return next.stream
    }

    /// Forgets the requests of a stream.
    mutating func removeAll(where isGone: (Stream) -> Bool) { waiting.removeAll { isGone($0.stream) } }
}
