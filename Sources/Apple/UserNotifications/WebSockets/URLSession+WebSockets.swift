#if os(Linux)
    public import Foundation
    public import FoundationNetworking

    // Called by the overlay, in place of the methods of the same meaning.

    extension URLSession {
        /// A web socket that works whatever libcurl can do.
        @_spi(Overlay) public func webSocket(with request: URLRequest) -> URLSessionWebSocketTask {
            WebSocketTask(session: self, request: request)
        }

        /// A web socket, with the names of protocols that the server may choose from.
        @_spi(Overlay) public func webSocket(with url: URL, protocols: [String]) -> URLSessionWebSocketTask {
            var request = URLRequest(url: url)
            if !protocols.isEmpty {
                request.setValue(protocols.joined(separator: ", "), forHTTPHeaderField: "Sec-WebSocket-Protocol")
            }
            return webSocket(with: request)
        }

        /// Ends all tasks, those of web sockets too.
        @_spi(Overlay) public func cancelAllAndInvalidate() {
            for task in OpenSessions.webSockets() where task.session === self { task.cancel() }
            invalidateAndCancel()
        }
    }

    extension URLSessionWebSocketTask {
        /// Sends a message.
        @_spi(Overlay) public func sendMessage(
            _ message: Message, completionHandler: @escaping @Sendable ((any Error)?) -> Void
        ) {
            guard let task = self as? WebSocketTask else { return send(message, completionHandler: completionHandler) }
            task.sendMessage(message, done: completionHandler)
        }

        /// Sends a message.
        @_spi(Overlay) public func sendMessage(_ message: Message) async throws {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                sendMessage(message) { continuation.resume(with: $0.map(Result.failure) ?? .success(())) }
            }
        }

        /// Waits for a message.
        @_spi(Overlay) public func receiveMessage(
            completionHandler: @escaping @Sendable (Result<Message, any Error>) -> Void
        ) {
            guard let task = self as? WebSocketTask else { return receive(completionHandler: completionHandler) }
            task.receiveMessage(done: completionHandler)
        }

        /// Waits for a message.
        @_spi(Overlay) public func receiveMessage() async throws -> Message {
            try await withCheckedThrowingContinuation { continuation in
                receiveMessage { continuation.resume(with: $0) }
            }
        }
    }
#endif
