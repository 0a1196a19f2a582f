#if os(Linux)
    import Synchronization

    /// The requests of a stub server, and who waits for one.
    final class RequestLog: Sendable {
        private struct Waiter {
            let isWanted: @Sendable (StubServer.Request) -> Bool
            let continuation: CheckedContinuation<StubServer.Request, any Error>
        }

        private struct State {
            var requests: [StubServer.Request] = []
            /// Positions of those that were returned.
            var returned: Set<Int> = []
            var waiters: [Int: Waiter] = [:]
            var nextWaiter = 0
            var isOver = false
        }

        private let state = Mutex(State())

        var requests: [StubServer.Request] { state.withLock { $0.requests } }

        func add(_ request: StubServer.Request) {
            let waiter = state.withLock { state -> Waiter? in
                state.requests.append(request)
                let first = state.waiters.sorted { $0.key < $1.key }.first { $0.value.isWanted(request) }
                guard let (number, waiter) = first else { return nil }
                state.returned.insert(state.requests.count - 1)
                state.waiters[number] = nil
                return waiter
            }
            waiter?.continuation.resume(returning: request)
        }

        func next(
            within limit: Duration, where isWanted: @escaping @Sendable (StubServer.Request) -> Bool
        ) async throws -> StubServer.Request {
            let number = state.withLock { state in
                state.nextWaiter += 1
                return state.nextWaiter
            }
            let timer = Mutex<Task<Void, any Error>?>(nil)
            defer { timer.withLock { $0?.cancel() } }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    wait(number, Waiter(isWanted: isWanted, continuation: continuation))
                    // Begins after the wait, so that it ends it however short the time is.
                    let task = Task {
                        try await Task.sleep(for: limit)
                        fail(number) { Self.notRequested("within \(limit)", $0) }
                    }
                    timer.withLock { $0 = task }
                    // The handler may have run before there was a waiter.
                    if Task.isCancelled { fail(number) { _ in CancellationError() } }
                }
            } onCancel: {
                fail(number) { _ in CancellationError() }
            }
        }

        /// Answers a waiter at once, or has it wait.
        private func wait(_ number: Int, _ waiter: Waiter) {
            let result = state.withLock { state -> Result<StubServer.Request, any Error>? in
                let position = state.requests.indices.first {
                    !state.returned.contains($0) && waiter.isWanted(state.requests[$0])
                }
                if let position {
                    state.returned.insert(position)
                    return .success(state.requests[position])
                }
                if state.isOver { return .failure(Self.notRequested("before the server stopped", state)) }
                state.waiters[number] = waiter
                return nil
            }
            if let result { waiter.continuation.resume(with: result) }
        }

        private func fail(_ number: Int, _ error: @Sendable (State) -> any Error) {
            let (waiter, reason) = state.withLock { ($0.waiters.removeValue(forKey: number), error($0)) }
            waiter?.continuation.resume(throwing: reason)
        }

        private static func notRequested(_ when: String, _ state: State) -> any Error {
            let others = state.requests.suffix(5).map { "\n  \($0)" }
            let count = state.requests.count
            let rest = count == 0 ? "; none arrived" : "; \(count) arrived, the last of them:" + others.joined()
            return StubServer.NotRequested(description: "no request that matches arrived \(when)\(rest)")
        }

        /// No more requests come.
        func finish() {
            let (waiters, error) = state.withLock { state in
                state.isOver = true
                defer { state.waiters = [:] }
                return (Array(state.waiters.values), Self.notRequested("before the server stopped", state))
            }
            for waiter in waiters { waiter.continuation.resume(throwing: error) }
        }
    }
#endif
