package import PushRPC

/// A server over a stream of bytes. Whoever owns the streams reads and writes them.
package struct AssistantConnection {
    private var framer: LineFramer
    private let server: AssistantServer

    /// Of one message: 16 MiB.
    package static let maximumLineBytes = 16 << 20

    package init(
        _ server: AssistantServer,
        framer: LineFramer = LineFramer(maximumLineBytes: AssistantConnection.maximumLineBytes)
    ) {
        self.server = server
        self.framer = framer
    }

    /// Takes bytes that were read.
    ///
    /// - Parameter write: is called with each answer when it is there, because the next call may take a while.
    package mutating func receive<Failure: Error>(
        _ bytes: some Collection<UInt8>, write: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        framer.append(bytes)
        var items: [MessageFramer.Item] = []
        while let item = framer.next() { items.append(item) }
        let messages = items.map(RPCMessage.read)
        // A request that is cancelled before its turn is neither worked on nor answered.
        let cancelled = messages.compactMap { message -> RPCValue? in
            guard case .success(let message) = message, message.method == "notifications/cancelled" else { return nil }
            return message.params["requestId"]
        }
        for message in messages {
            switch message {
            case .failure(let refusal):
                // An id is a string or a number, in each revision. One that could not be read is left out (2025-11-25, JSONRPCErrorResponse).
                let id = refusal.id == .null ? nil : refusal.id
                try write(LineFramer.framed(RPCMessage.failure(refusal.failure, to: id).text))
            case .success(let message):
                if let id = message.id, message.method != "initialize", cancelled.contains(id) { continue }
                for answer in server.handle(message) { try write(LineFramer.framed(answer.text)) }
            }
        }
    }
}
