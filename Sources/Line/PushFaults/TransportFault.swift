/// A fault of an answer on its way, so that a sender can be tested against it.
package struct TransportFault: Sendable, Equatable {
    package enum Ending: Sendable, Equatable {
        /// The answer is sent, and the connection says that it goes away, with this reason. Streams that are open are still answered.
        case goAway(reason: String)
        /// The stream is reset with this code of HTTP/2 in place of an answer. Over HTTP/1.1 the connection is cut.
        case reset(code: Int)
        /// The connection is cut in place of an answer.
        case cut
        /// No answer is sent. The stream stays open.
        case silence
        /// The answer is sent, and for some time nothing is read from the connection.
        case pause(milliseconds: Int64)
    }

    /// Before the answer is sent.
    package var delayMilliseconds: Int64 = 0
    package var ending: Ending?

    package init(delayMilliseconds: Int64 = 0, ending: Ending? = nil) {
        self.delayMilliseconds = delayMilliseconds
        self.ending = ending
    }
}
