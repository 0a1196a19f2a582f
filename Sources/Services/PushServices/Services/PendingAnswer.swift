/// A part of an answer, as it is sent.
package enum AnswerPart: Sendable, Equatable {
    /// All of it.
    case whole(GatewayAnswer)
    /// The status, the headers and the first bytes of an answer whose rest follows.
    case begin(GatewayAnswer)
    /// More bytes of its body.
    case more([UInt8])
    /// The end of its body.
    case end
    /// Closes the stream or the connection, without the rest.
    case cut

    /// True if nothing follows.
    package var isLast: Bool {
        switch self {
        case .whole, .end, .cut: true
        case .begin, .more: false
        }
    }

    /// Bytes of the body.
    package var count: Int {
        switch self {
        case .whole(let answer), .begin(let answer): answer.body.count
        case .more(let bytes): bytes.count
        case .end, .cut: 0
        }
    }
}

/// An answer that is given later, or bit by bit.
///
/// Everything here is called on the pipeline's thread.
package protocol PendingAnswer: AnyObject {
    /// When to ask again even if nothing has happened, in seconds of `SystemClock.monotonicSeconds`; nil for never.
    var deadline: Double? { get }

    /// The next part to send; nil to wait. Called until it returns nil or the last part: after each group of requests, at the deadline, and
    /// when the client has taken what was sent before.
    ///
    /// - Parameters:
    ///   - now: in seconds, as `deadline`.
    ///   - unread: bytes that were sent before, and that the client has not taken yet.
    ///   - hasRoom: false if clients have taken too little of all answers together. Called again when there is room.
    ///   - isStopping: true if the gateway stops. Then the answer ends at once.
    func next(now: Double, unread: Int, hasRoom: Bool, isStopping: Bool) -> AnswerPart?

    /// Called once, when the answer is complete or the client is gone.
    func didEnd()
}

extension PendingAnswer {
    /// The same with room.
    package func next(now: Double, unread: Int, isStopping: Bool) -> AnswerPart? {
        next(now: now, unread: unread, hasRoom: true, isStopping: isStopping)
    }
}
