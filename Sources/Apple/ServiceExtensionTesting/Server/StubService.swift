#if os(Linux)
    import Dispatch
    import Synchronization

    /// The connections of a stub server. Its threads keep it as long as one of them runs.
    final class StubService: Sendable {
        typealias Responder = @Sendable (StubServer.Request) -> StubServer.Response?

        private struct State {
            /// Oldest first; the newest that answers counts.
            var responders: [Responder] = []
            var connections: [ObjectIdentifier: StubConnection] = [:]
            /// Answers that wait for a clock.
            var delayed: [ObjectIdentifier: DispatchSemaphore] = [:]
            var isStopped = false
        }

        let log = RequestLog()
        private let identity: StubIdentity?
        private let state = Mutex(State())

        /// - Parameter identity: nil without TLS.
        init(identity: StubIdentity?) { self.identity = identity }

        func add(_ responder: @escaping Responder) { state.withLock { $0.responders.append(responder) } }

        /// Closes all connections, and serves no other.
        func stop() {
            let (connections, delayed) = state.withLock { state in
                state.isStopped = true
                return (Array(state.connections.values), Array(state.delayed.values))
            }
            for connection in connections { connection.abort() }
            for due in delayed { due.signal() }
            log.finish()
        }

        /// Serves one client, on a thread of its own.
        func serve(_ connection: StubConnection) {
            let isOpen = state.withLock { state in
                if !state.isStopped { state.connections[ObjectIdentifier(connection)] = connection }
                return !state.isStopped
            }
            defer {
                state.withLock { $0.connections[ObjectIdentifier(connection)] = nil }
                connection.close()
            }
            guard isOpen, identity.map(connection.startTLS) ?? true, let message = read(connection) else { return }
            let request = StubServer.Request(message, host: nil)
            let response = response(to: request)
            let due = response.delay.map { delay in
                let due = DispatchSemaphore(value: 0)
                let isStopped = state.withLock { state in
                    if !state.isStopped { state.delayed[ObjectIdentifier(connection)] = due }
                    return state.isStopped
                }
                // `stop` signals only those that it knows.
                if isStopped {
                    due.signal()
                } else {
                    _ = delay.clock.schedule(at: delay.clock.now + delay.time) { due.signal() }
                }
                return due
            }
            log.add(request)
            due?.wait()
            state.withLock { $0.delayed[ObjectIdentifier(connection)] = nil }
            switch response.delivery {
            case .answer: connection.write(response.bytes)
            case .never: while !connection.read().isEmpty {}
            case .disconnect: break
            }
        }

        private func response(to request: StubServer.Request) -> StubServer.Response {
            // Not under the lock, because the test's closures may set other answers.
            for responder in state.withLock({ $0.responders }).reversed() {
                if let response = responder(request) { return response }
            }
            return .status(404)
        }

        private func read(_ connection: StubConnection) -> RequestReader.Request? {
            var reader = RequestReader()
            while true {
                let bytes = connection.read()
                if bytes.isEmpty { return nil }
                switch reader.add(bytes) {
                case .needsMore: continue
                case .needsContinue: connection.write("HTTP/1.1 100 Continue\r\n\r\n".utf8)
                case .request(let request): return request
                case .invalid(let reason):
                    connection.write(StubServer.Response.text(reason).status(400).bytes)
                    return nil
                }
            }
        }
    }
#endif
