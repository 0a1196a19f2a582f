package import PushRPC

/// A server over a stream of bytes. Whoever owns the streams reads and writes them.
package struct AssistantConnection {
    private var framer: LineFramer
    private let server: AssistantServer
    private let arrived: () -> [UInt8]

    /// Of one message: 16 MiB.
    package static let maximumLineBytes = 16 << 20

    /// - Parameter arrived: returns what can be read without waiting. Called after each request, which may have been cancelled meanwhile.
    package init(
        _ server: AssistantServer,
        framer: LineFramer = LineFramer(maximumLineBytes: AssistantConnection.maximumLineBytes),
        arrived: @escaping () -> [UInt8] = { [] }
    ) {
        self.server = server
        self.framer = framer
        self.arrived = arrived
    }

    /// Messages that wait for their turn, and the ids of requests that the client has cancelled.
    private struct Waiting {
        var messages: ArraySlice<Result<RPCMessage, RPCMessage.Refusal>> = []
        var cancelled: [RPCValue] = []

        func isCancelled(_ message: RPCMessage) -> Bool {
            guard let id = message.id, message.method != "initialize" else { return false }
            return cancelled.contains(id)
        }
    }

    /// Takes bytes that were read.
    ///
    /// - Parameter write: is called with each answer when it is there, because the next call may take a while.
    package mutating func receive<Failure: Error>(
        _ bytes: some Collection<UInt8>, write: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var waiting = Waiting()
        take(bytes, into: &waiting)
        while let message = waiting.messages.popFirst() {
            switch message {
            case .failure(let refusal):
                // An id is a string or a number, in each revision. One that could not be read is left out (2025-11-25, JSONRPCErrorResponse).
                let id = refusal.id == .null ? nil : refusal.id
                try write(LineFramer.framed(RPCMessage.failure(refusal.failure, to: id).text))
            case .success(let message):
                // It is not worked on before its turn, and not answered afterwards (2026-07-28, stdio, Cancellation).
                if waiting.isCancelled(message) { continue }
                let answers = server.handle(message)
                if !answers.isEmpty { take(arrived(), into: &waiting) }
                if waiting.isCancelled(message) { continue }
                for answer in answers { try write(LineFramer.framed(answer.text)) }
            }
        }
    }

    private mutating func take(_ bytes: some Collection<UInt8>, into waiting: inout Waiting) {
        framer.append(bytes)
        while let item = framer.next() {
            let message = RPCMessage.read(item)
            waiting.messages.append(message)
            guard case .success(let message) = message, message.method == "notifications/cancelled",
                let id = message.params["requestId"]
            else { continue }
            waiting.cancelled.append(id)
        }
    }
}
