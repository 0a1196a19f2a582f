import PushJSON
package import PushRPC

/// A server over a stream of bytes. Whoever owns the streams reads and writes them.
///
/// Messages are worked on one after the other, those that wait for senders last. While a call runs, what the client sends is taken: a `ping` is
/// answered, a cancelled call ends, and a wait for senders lets the other calls go first.
package final class AssistantConnection {
    private var framer: LineFramer
    private let server: AssistantServer
    /// Returns what can be read without waiting, nil at the end. Called while a call waits, and after each request.
    private let arrived: () -> [UInt8]?
    /// Called with each answer when it is there, because the next call may take a while.
    private let write: ([UInt8]) throws -> Void
    /// The messages of a line; those of a batch are answered in one.
    typealias Line = (messages: [Result<RPCMessage, RPCMessage.Failure>], areBatch: Bool)

    /// Lines that wait for their turn, and the ids of requests that the client has cancelled.
    private var waiting: ArraySlice<Line> = []
    private var cancelled: [JSONValue] = []
    /// The request that is worked on.
    private var current: RPCMessage?
    /// Why a `ping` could not be answered.
    private var failure: (any Error)?

    /// The longest message: 16 MiB.
    package static let maximumLineBytes = 16 << 20
    /// Messages that wait while a call does. What comes after them stays in the stream.
    private static let mostWaiting = 256

    package init(
        _ server: AssistantServer,
        framer: LineFramer = LineFramer(maximumLineBytes: AssistantConnection.maximumLineBytes),
        arrived: @escaping () -> [UInt8]? = { [] }, write: @escaping ([UInt8]) throws -> Void
    ) {
        self.server = server
        self.framer = framer
        self.arrived = arrived
        self.write = write
        server.listen { [unowned self] in hear() }
    }

    /// Takes bytes that were read, and works on the messages in them.
    ///
    /// - Throws: what `write` throws.
    package func receive(_ bytes: some Collection<UInt8>) throws {
        take(bytes)
        while !waiting.isEmpty {
            try workOnQuickMessages()
            if let wait = waiting.popFirst() { try work(wait) }
        }
        cancelled.removeAll()
    }

    /// Works on all messages that wait for their turn, but not for senders.
    private func workOnQuickMessages() throws {
        while let index = waiting.firstIndex(where: { !$0.messages.contains { Self.isWait(try? $0.get()) } }) {
            try work(waiting.remove(at: index))
        }
    }

    private static func isWait(_ message: RPCMessage?) -> Bool {
        message?.method == "tools/call" && message?.id != nil && message?.params["name"] == "wait_for_message"
    }

    private func work(_ line: Line) throws {
        let answers = try line.messages.flatMap(answers)
        let lines = line.areBatch && !answers.isEmpty ? [JSONValue.array(answers)] : answers
        for answer in lines { try write(LineFramer.framed(answer.text)) }
    }

    private func answers(to message: Result<RPCMessage, RPCMessage.Failure>) throws -> [JSONValue] {
        let request: RPCMessage
        switch message {
        // An id is a string or a number, in each revision. One that could not be read is left out (2025-11-25, JSONRPCErrorResponse).
        case .failure(let failure): return [RPCMessage.failure(failure, to: failure.id == .null ? nil : failure.id)]
        case .success(let known): request = known
        }
        // It is not worked on before its turn, and not answered afterwards (2026-07-28, stdio, Cancellation).
        if isCancelled(request) { return [] }
        let outer = current
        current = request
        let answers = server.handle(request)
        if !answers.isEmpty { _ = hear() }
        current = outer
        if let failure { throw failure }
        return isCancelled(request) ? [] : answers
    }

    /// Takes what the client has sent while a request is worked on.
    private func hear() -> Heard {
        guard waiting.count < Self.mostWaiting else { return .full }
        guard let bytes = arrived() else { return .end }
        take(bytes)
        do {
            try answerPings()
            if Self.isWait(current) { try workOnQuickMessages() }
        } catch {
            failure = error
            return .cancellation
        }
        return current.map(isCancelled) ?? false ? .cancellation : .other
    }

    /// The receiver of a `ping` responds promptly (2025-06-18, Ping).
    private func answerPings() throws {
        for case (let messages, false) in waiting {
            guard let ping = try? messages[0].get(), Self.isPing(ping), !isCancelled(ping) else { continue }
            for answer in server.handle(ping) { try write(LineFramer.framed(answer.text)) }
        }
        waiting.removeAll { line in !line.areBatch && Self.isPing(try? line.messages[0].get()) }
    }

    private static func isPing(_ message: RPCMessage?) -> Bool { message?.method == "ping" && message?.id != nil }

    private func isCancelled(_ message: RPCMessage) -> Bool {
        guard let id = message.id, message.method != "initialize" else { return false }
        return cancelled.contains(id)
    }

    private func take(_ bytes: some Collection<UInt8>) {
        framer.append(bytes)
        while let item = framer.next() {
            let line = server.messages(in: item)
            waiting.append(line)
            for message in line.messages {
                guard case .success(let message) = message, message.method == "notifications/cancelled",
                    let id = message.params["requestId"]
                else { continue }
                cancelled.append(id)
            }
        }
    }
}
