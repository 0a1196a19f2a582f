import PushJSON
package import PushRPC

/// A language server over a stream of bytes. Whoever owns the streams reads and writes them.
package struct ServerConnection {
    private var framer: MessageFramer
    private let server: LanguageServer

    /// The status to end the process with, once the client has asked for that: 0 after `shutdown`, and otherwise 1.
    package var exitStatus: Int32? { server.exitStatus }

    /// The status to end the process with when the stream ends: also 0 after `shutdown`.
    package var statusAtEnd: Int32 { server.exitStatus ?? server.statusAtExit }

    package init(_ server: LanguageServer, framer: MessageFramer = MessageFramer()) {
        self.server = server
        self.framer = framer
    }

    /// Takes bytes that were read, and returns those to write.
    ///
    /// - Parameter hasMore: true if more bytes can be read at once. Then documents are not linted yet, because they may change.
    package mutating func receive(_ bytes: some Collection<UInt8>, hasMore: Bool = false) -> [UInt8] {
        framer.append(bytes)
        var items: [MessageFramer.Item] = []
        while let item = framer.next() { items.append(item) }
        let messages = items.map(RPCMessage.read)
        // A request that is cancelled before its turn is not worked on.
        let cancelled = messages.compactMap { message -> JSONValue? in
            guard case .success(let message) = message, message.method == "$/cancelRequest" else { return nil }
            return message.params["id"]
        }
        var answers: [JSONValue] = []
        for message in messages where server.exitStatus == nil {
            switch message {
            case .failure(let failure): answers.append(RPCMessage.failure(failure, to: failure.id))
            case .success(let message):
                if message.method != nil, let id = message.id, cancelled.contains(id) {
                    answers.append(RPCMessage.failure(.requestCancelled, to: id))
                } else {
                    answers += server.handle(message)
                }
            }
        }
        if !hasMore { answers += server.publishDiagnostics() }
        return answers.flatMap { MessageFramer.framed($0.text) }
    }
}

extension RPCMessage.Failure {
    // Source: Language Server Protocol 3.17, Response Message.
    static let serverNotInitialized = RPCMessage.Failure(code: -32_002, message: "initialize comes first")
    static let requestCancelled = RPCMessage.Failure(code: -32_800, message: "cancelled")
}
