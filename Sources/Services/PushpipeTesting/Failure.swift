extension PushpipeServer {
    /// An error of a server or a message.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        /// The kinds of failure.
        #if hasAttribute(nonexhaustive)
            @nonexhaustive
        #endif
        public enum Code: Sendable {
            /// The server cannot listen on its port, or cannot read its key.
            case notStarted
            /// The server does not run any more: `stop` was called, or it failed.
            case stopped
            /// The time of `next` is over, and no message matched.
            case notReceived
            /// A record is malformed, or has a member that its event does not have.
            case invalidRecords
            /// A fault rule cannot be read.
            case invalidFaults
            /// The body of a message does not have the form of a type.
            case invalidPayload
        }

        /// The kind of failure.
        public let code: Code
        /// The problem, its place, and what to do, for people.
        public let description: String
    }
}
