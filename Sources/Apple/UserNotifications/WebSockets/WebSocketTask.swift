#if os(Linux)
    import Foundation
    import FoundationNetworking

    /// A web socket that works with every libcurl: URLSession's own needs one that has web sockets, and the libcurl of most systems has none.
    ///
    /// Only `send` and `receive` cannot be overridden; `URLSession+WebSockets` has them for the overlay.
    final class WebSocketTask: URLSessionWebSocketTask, @unchecked Sendable {
        private struct State {
            var phase = URLSessionTask.State.suspended
            var connection: WebConnection?
            var isOpen = false
            var response: URLResponse?
            var error: (any Error)?
            /// Why nothing can be sent or received any more.
            var failure: (any Error)?
            var closeCode = CloseCode.invalid
            var closeReason: Data?
            var maximumMessageSize = 1024 * 1024
            var received: [Message] = []
            var receivers: [@Sendable (Result<Message, any Error>) -> Void] = []
            var unsent: [(frame: Data, done: (@Sendable ((any Error)?) -> Void)?)] = []
            var pongs: [@Sendable ((any Error)?) -> Void] = []
            /// Frames that are not written yet.
            var writes = 0
            /// True while the reader waits for the app to receive messages.
            var isFull = false
        }

        /// Messages that are read before the app receives them.
        private static let queueLength = 64
        /// Seconds in which a server answers a close frame.
        private static let closeLimit = 1.0
        private static let numbers = Locked(0)

        let session: URLSession
        private let request: URLRequest
        private let number: Int
        private let values = Locked(State())
        private let writer = DispatchQueue(label: "pushpipe.websocket")
        private let room = DispatchSemaphore(value: 0)

        init(session: URLSession, request: URLRequest) {
            self.session = session
            self.request = request
            // Beyond those of the session.
            number = Self.numbers.withLock { numbers in
                numbers += 1
                return 1_000_000 + numbers
            }
            super.init()
        }

        // MARK: - The task

        override var taskIdentifier: Int { number }
        override var originalRequest: URLRequest? { request }
        override var currentRequest: URLRequest? { request }
        override var response: URLResponse? { values.response }
        override var state: URLSessionTask.State { values.phase }
        override var error: (any Error)? {
            get { values.error }
            set { values.error = newValue }
        }
        override var delegate: (any URLSessionTaskDelegate)? {
            get { super.delegate ?? session.delegate as? any URLSessionTaskDelegate }
            set { super.delegate = newValue }
        }
        override var closeCode: CloseCode { values.closeCode }
        override var closeReason: Data? { values.closeReason }
        override var maximumMessageSize: Int {
            get { values.maximumMessageSize }
            set { values.maximumMessageSize = newValue }
        }

        /// True if it is open and nothing is being sent. It may stay so for ever.
        var isIdle: Bool { values.withLock { $0.isOpen && $0.writes == 0 } }

        /// Without effect, because an open web socket cannot wait.
        override func suspend() {}

        override func resume() {
            let isFirst = values.withLock { values in
                guard values.phase == .suspended else { return false }
                values.phase = .running
                return true
            }
            guard isFirst else { return }
            OpenSessions.note(self)
            Thread { self.run() }.start()
        }

        /// Sends a close frame without a code. Source: Apple, `cancel(with:reason:)`.
        override func cancel() { close(.invalid, nil, URLError(.cancelled)) }

        override func cancel(with closeCode: CloseCode, reason: Data?) {
            close(closeCode, reason, POSIXError(.ENOTCONN))
        }

        override func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void) {
            let failure = values.withLock { values in
                if values.failure == nil { values.pongs.append(pongReceiveHandler) }
                return values.failure
            }
            if let failure { return call { pongReceiveHandler(failure) } }
            write(.ping, Data())
        }

        override func sendPing() async throws {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                sendPing { continuation.resume(with: $0.map(Result.failure) ?? .success(())) }
            }
        }

        // MARK: - Messages

        func sendMessage(_ message: Message, done: @escaping @Sendable ((any Error)?) -> Void) {
            switch message {
            case .string(let text): write(.text, Data(text.utf8), done)
            case .data(let data): write(.binary, data, done)
            @unknown default: call { done(URLError(.unknown)) }
            }
        }

        func receiveMessage(done: @escaping @Sendable (Result<Message, any Error>) -> Void) {
            let result: Result<Message, any Error>? = values.withLock { values in
                if !values.received.isEmpty {
                    if values.isFull { room.signal() }
                    values.isFull = false
                    return .success(values.received.removeFirst())
                }
                if let failure = values.failure { return .failure(failure) }
                values.receivers.append(done)
                return nil
            }
            if let result { call { done(result) } }
        }

        /// Calls the app, on the queue of the session's delegate.
        private func call(_ body: @escaping @Sendable () -> Void) { session.delegateQueue.addOperation(body) }

        /// Writes a frame, or keeps it until the web socket is open.
        private func write(
            _ kind: WebSocketFrames.Kind, _ body: Data, _ done: (@Sendable ((any Error)?) -> Void)? = nil
        ) {
            let (connection, failure) = values.withLock { values -> (WebConnection?, (any Error)?) in
                if let failure = values.failure { return (nil, failure) }
                guard values.isOpen else {
                    values.unsent.append((WebSocketFrames.encode(kind, body), done))
                    return (nil, nil)
                }
                return (values.connection, nil)
            }
            if let failure { return call { done?(failure) } }
            if let connection { write(WebSocketFrames.encode(kind, body), to: connection, done) }
        }

        private func write(_ frame: Data, to connection: WebConnection, _ done: (@Sendable ((any Error)?) -> Void)?) {
            values.withLock { $0.writes += 1 }
            enqueue(frame, to: connection, done)
        }

        /// Writes a frame that is counted already.
        private func enqueue(
            _ frame: Data, to connection: WebConnection, _ done: (@Sendable ((any Error)?) -> Void)?
        ) {
            writer.async { [self] in
                let isWritten = connection.write(frame)
                values.withLock { $0.writes -= 1 }
                guard let done else { return }
                call { done(isWritten ? nil : URLError(.networkConnectionLost)) }
            }
        }

        // MARK: - The connection

        private func run() {
            do {
                guard let handshake = WebSocketHandshake(request) else { throw URLError(.unsupportedURL) }
                let connection = try WebConnection(handshake.server, timeout: request.timeoutInterval)
                let isWanted = values.withLock { values in
                    if values.failure == nil { values.connection = connection }
                    return values.failure == nil
                }
                guard isWanted else { return }
                let rest = try open(handshake, connection)
                try read(rest, connection)
            } catch {
                finish(error, isClosed: false)
            }
        }

        /// Returns the bytes that have come after the server's answer.
        private func open(_ handshake: WebSocketHandshake, _ connection: WebConnection) throws -> Data {
            _ = connection.write(handshake.request(session.configuration))
            var bytes = Data()
            var answer = handshake.answer(bytes)
            while answer == nil {
                let more = try connection.read(timeout: request.timeoutInterval)
                bytes += more
                answer = handshake.answer(bytes)
                if answer == nil, more.isEmpty || bytes.count > 64 * 1024 { throw URLError(.badServerResponse) }
            }
            guard let (response, rest) = answer else { return Data() }
            values.response = response
            guard handshake.isAccepted(by: response) else { throw URLError(.badServerResponse) }
            let name = response.value(forHTTPHeaderField: "Sec-WebSocket-Protocol")
            if let delegate = delegate as? any URLSessionWebSocketDelegate {
                call { [self] in delegate.urlSession(session, webSocketTask: self, didOpenWithProtocol: name) }
            }
            values.withLock { values in
                values.isOpen = true
                values.writes += values.unsent.count
                // Before what is sent from now on.
                for (frame, done) in values.unsent { enqueue(frame, to: connection, done) }
                values.unsent = []
            }
            return rest
        }

        /// Reads until the web socket is closed.
        private func read(_ rest: Data, _ connection: WebConnection) throws {
            var frames = WebSocketFrames()
            frames.append(rest)
            do {
                while true {
                    while let event = try frames.next(limit: maximumMessageSize) {
                        if handle(event) { return }
                    }
                    let bytes = try connection.read(timeout: nil)
                    if bytes.isEmpty { throw URLError(.networkConnectionLost) }
                    frames.append(bytes)
                }
            } catch let violation as WebSocketFrames.Violation {
                let body = WebSocketFrames.closeBody(violation.code, nil)
                write(WebSocketFrames.encode(.close, body), to: connection, nil)
                throw violation == .tooLong ? POSIXError(.EMSGSIZE) : URLError(.badServerResponse) as any Error
            }
        }

        /// Returns true if the web socket is closed.
        private func handle(_ event: WebSocketFrames.Event) -> Bool {
            switch event {
            case .text(let text): deliver(.string(text))
            case .data(let data): deliver(.data(data))
            case .ping(let data): write(.pong, data)
            case .pong:
                let handler = values.withLock { values -> (@Sendable ((any Error)?) -> Void)? in
                    values.pongs.isEmpty ? nil : values.pongs.removeFirst()
                }
                if let handler { call { handler(nil) } }
            case .close(let code, let reason):
                answerClose(code, reason)
                return true
            }
            return false
        }

        private func deliver(_ message: Message) {
            let receiver = values.withLock { values -> (@Sendable (Result<Message, any Error>) -> Void)? in
                guard values.receivers.isEmpty else { return values.receivers.removeFirst() }
                if values.failure == nil { values.received.append(message) }
                values.isFull = values.failure == nil && values.received.count >= Self.queueLength
                return nil
            }
            if let receiver { return call { receiver(.success(message)) } }
            // Signaled once a message is received, or none can be any more.
            if values.isFull { room.wait() }
        }

        // MARK: - The end

        private func close(_ code: CloseCode, _ reason: Data?, _ failure: any Error) {
            let (connection, isFirst) = values.withLock { values -> (WebConnection?, Bool) in
                guard values.failure == nil else { return (nil, false) }
                values.phase = .canceling
                values.closeCode = code
                values.closeReason = reason
                return (values.isOpen ? values.connection : nil, true)
            }
            guard isFirst else { return }
            fail(failure)
            guard let connection else { return finish(failure, isClosed: false) }
            write(WebSocketFrames.encode(.close, WebSocketFrames.closeBody(code.rawValue, reason)), to: connection, nil)
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.closeLimit) { [self] in
                finish(failure, isClosed: false)
            }
        }

        private func answerClose(_ code: Int, _ reason: Data) {
            let connection = values.withLock { values -> WebConnection? in
                guard values.failure == nil else { return nil }
                values.closeCode = CloseCode(rawValue: code) ?? .unsupportedData
                values.closeReason = reason
                return values.connection
            }
            if let connection {
                let body = WebSocketFrames.closeBody(code == 1005 ? 0 : code, nil)
                write(WebSocketFrames.encode(.close, body), to: connection, nil)
            }
            finish(POSIXError(.ENOTCONN), isClosed: true)
        }

        /// Fails what waits, and all that comes.
        private func fail(_ failure: any Error) {
            let waiting = values.withLock { values -> State in
                let waiting = values
                if values.failure == nil { values.failure = failure }
                (values.receivers, values.unsent, values.pongs) = ([], [], [])
                if values.isFull { room.signal() }
                values.isFull = false
                return waiting
            }
            for receiver in waiting.receivers { call { receiver(.failure(failure)) } }
            for (_, done) in waiting.unsent { call { done?(failure) } }
            for handler in waiting.pongs { call { handler(failure) } }
        }

        /// - Parameter isClosed: true if the server has sent a close frame.
        private func finish(_ failure: any Error, isClosed: Bool) {
            let end: (connection: WebConnection?, error: (any Error)?)? = values.withLock { values in
                guard values.phase != .completed else { return nil }
                values.phase = .completed
                values.error = values.failure as? URLError ?? (isClosed ? nil : failure)
                defer { values.connection = nil }
                return (values.connection, values.error)
            }
            guard let end else { return }
            fail(failure)
            // After the frames that wait.
            writer.async { end.connection?.abort() }
            guard let delegate else { return }
            call { [self] in
                if isClosed, !(end.error is URLError), let delegate = delegate as? any URLSessionWebSocketDelegate {
                    delegate.urlSession(session, webSocketTask: self, didCloseWith: closeCode, reason: closeReason)
                }
                delegate.urlSession(session, task: self, didCompleteWithError: end.error)
            }
        }
    }
#endif
