import Synchronization

/// The messages of a server, and who waits for some. For any thread.
final class Inbox: Sendable {
    private struct Waiter {
        var isWanted: @Sendable (Message) -> Bool
        var continuation: CheckedContinuation<Message, any Error>
        /// Ends the wait.
        var timer: Task<Void, any Error>?
    }

    private struct State {
        var messages: [Message] = []
        var returned: Set<UInt64> = []
        var waiters: [UInt64: Waiter] = [:]
        var nextWaiter: UInt64 = 0
        var isOver = false
        /// The error that ended the server.
        var failure: (any Error)?
        var ends: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private static let maximumMessages = 10_000

    var messages: [Message] { state.withLock { Array($0.messages.suffix(Self.maximumMessages)) } }

    func add(_ message: Message) {
        let waiter = state.withLock { state -> Waiter? in
            // Rarely, because it copies the rest.
            if state.messages.count >= 2 * Self.maximumMessages { state.messages.removeFirst(Self.maximumMessages) }
            state.messages.append(message)
            guard
                let (number, waiter) = state.waiters.sorted(by: { $0.key < $1.key })
                    .first(where: { $0.value.isWanted(message) })
            else { return nil }
            state.returned.insert(message.id)
            state.waiters[number] = nil
            return waiter
        }
        waiter?.timer?.cancel()
        waiter?.continuation.resume(returning: message)
    }

    func removeAll() {
        state.withLock { state in
            state.messages = []
            state.returned = []
        }
    }

    func next(
        where isWanted: @escaping @Sendable (Message) -> Bool, within limit: Duration
    ) async throws -> Message {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(number, Waiter(isWanted: isWanted, continuation: continuation))
                startTimer(number, limit)
                // The handler may have run before there was a waiter.
                if Task.isCancelled { fail(number) { _ in CancellationError() } }
            }
        } onCancel: {
            fail(number) { _ in CancellationError() }
        }
    }

    /// Answers a waiter at once, or has it wait.
    private func wait(_ number: UInt64, _ waiter: Waiter) {
        let result = state.withLock { state -> Result<Message, any Error>? in
            let known = state.messages.suffix(Self.maximumMessages)
            if let message = known.first(where: { !state.returned.contains($0.id) && waiter.isWanted($0) }) {
                state.returned.insert(message.id)
                return .success(message)
            }
            if state.isOver { return .failure(Self.notReceived("before the server stopped", state)) }
            state.waiters[number] = waiter
            return nil
        }
        if let result { waiter.continuation.resume(with: result) }
    }

    /// Begins after the wait, so that it ends it however short the time is.
    private func startTimer(_ number: UInt64, _ limit: Duration) {
        let timer = Task {
            try await Task.sleep(for: limit)
            fail(number) { Self.notReceived("within \(limit)", $0) }
        }
        let isNeeded = state.withLock { state in
            state.waiters[number]?.timer = timer
            return state.waiters[number] != nil
        }
        if !isNeeded { timer.cancel() }
    }

    private func fail(_ number: UInt64, _ error: @Sendable (State) -> any Error) {
        let (waiter, reason) = state.withLock { state in (state.waiters.removeValue(forKey: number), error(state)) }
        waiter?.timer?.cancel()
        waiter?.continuation.resume(throwing: reason)
    }

    private static func notReceived(_ when: String, _ state: State) -> any Error {
        if let failure = state.failure { return failure }
        let others = state.messages.suffix(5).map { message in
            "\n  \(message.id): \(message.method) \(message.path) \(message.status) \(message.reason ?? message.outcome ?? "")"
        }
        let count = state.messages.count
        let rest = others.isEmpty ? "; none arrived" : "; \(count) arrived, the last of them:" + others.joined()
        return PushpipeServer.NotReceived(description: "no message that matches arrived \(when)\(rest)")
    }

    /// No more messages come.
    func finish(_ failure: (any Error)?) {
        let (waiters, ends, error) = state.withLock { state in
            state.isOver = true
            state.failure = failure
            defer { (state.waiters, state.ends) = ([:], []) }
            return (
                Array(state.waiters.values), state.ends,
                Self.notReceived("before the server stopped", state)
            )
        }
        for waiter in waiters {
            waiter.timer?.cancel()
            waiter.continuation.resume(throwing: error)
        }
        for end in ends { end.resume() }
    }

    /// Returns when no more messages come.
    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.ends.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }
}
