import Synchronization

/// The messages of a server, and who waits for some. For any thread.
///
/// Predicates are called outside of the lock, and one at a time: whoever adds a message, a waiter or the end calls `serve`, and the first
/// of them asks for all until nothing is left to ask.
final class Inbox: Sendable {
    typealias Message = PushpipeServer.Message

    fileprivate struct Waiter {
        let number: UInt64
        let limit: Duration
        let isWanted: @Sendable (Message) throws -> Bool
        let continuation: CheckedContinuation<Message, any Error>
        /// Ends the wait.
        var timer: Task<Void, any Error>?
        /// The position of the first message that it was not asked about.
        var position = 0
        /// True if its time is over. It is still asked about the messages that have arrived.
        var isDue = false
    }

    fileprivate enum Step {
        case ask(Waiter, Message)
        case end(Waiter, any Error)
    }

    fileprivate struct State {
        var entries: [(message: Message, isReturned: Bool)] = []
        /// The position of the first entry: how many messages have been removed.
        var start = 0
        /// The oldest first.
        var waiters: [Waiter] = []
        var lastWaiter: UInt64 = 0
        /// True if a thread is in `serve`.
        var isServing = false
        var isOver = false
        /// The error that ended the server.
        var failure: (any Error)?
        var ends: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    fileprivate static let maximumMessages = 10_000

    var messages: [Message] { state.withLock { $0.entries.suffix(Self.maximumMessages).map(\.message) } }

    /// The error that ended the server; nil if it runs or was stopped.
    var failure: (any Error)? { state.withLock { $0.failure } }

    func add(_ message: Message) {
        state.withLock { state in
            // Rarely, because it copies the rest.
            if state.entries.count >= 2 * Self.maximumMessages { state.remove(Self.maximumMessages) }
            state.entries.append((message, false))
        }
        serve()
    }

    func removeAll() { state.withLock { $0.remove($0.entries.count) } }

    func next(
        where isWanted: @escaping @Sendable (Message) throws -> Bool, within limit: Duration
    ) async throws -> Message {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = Waiter(number: number, limit: limit, isWanted: isWanted, continuation: continuation)
                state.withLock { $0.waiters.append(waiter) }
                serve()
                startTimer(number, limit)
                // The handler may have run before there was a waiter.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// Asks waiters about messages, and ends their waits.
    private func serve() {
        let isFirst = state.withLock { state in
            defer { state.isServing = true }
            return !state.isServing
        }
        guard isFirst else { return }
        while let step = state.withLock({ $0.nextStep() }) {
            switch step {
            case .ask(let waiter, let message):
                let answer = Result { try waiter.isWanted(message) }
                let ended = state.withLock { $0.settle(waiter, answer) }
                ended?.end(with: answer.map { _ in message })
            case .end(let waiter, let error): waiter.end(with: .failure(error))
            }
        }
    }

    private func startTimer(_ number: UInt64, _ limit: Duration) {
        let timer = Task {
            try await Task.sleep(for: limit)
            _ = state.withLock { $0.update(number) { $0.isDue = true } }
            serve()
        }
        if !state.withLock({ $0.update(number) { $0.timer = timer } }) { timer.cancel() }
    }

    private func cancel(_ number: UInt64) {
        state.withLock { $0.removeWaiter(number) }?.end(with: .failure(CancellationError()))
    }

    /// No more messages come.
    func finish(_ failure: (any Error)?) {
        let ends = state.withLock { state in
            state.isOver = true
            state.failure = failure
            defer { state.ends = [] }
            return state.ends
        }
        serve()
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

extension Inbox.State {
    /// The oldest waiter that was not asked about all messages, with the oldest of these; or a waiter whose wait is over. Nil, and the
    /// thread leaves `serve`, if there is none.
    fileprivate mutating func nextStep() -> Inbox.Step? {
        let end = start + entries.count
        for index in waiters.indices {
            var position = max(waiters[index].position, start, end - Inbox.maximumMessages)
            while position < end, entries[position - start].isReturned { position += 1 }
            waiters[index].position = position
            if position < end { return .ask(waiters[index], entries[position - start].message) }
            if isOver || waiters[index].isDue {
                let waiter = waiters.remove(at: index)
                return .end(waiter, isOver ? stopped : notReceived(.notReceived, "within \(waiter.limit)"))
            }
        }
        isServing = false
        return nil
    }

    /// Notes the answer of a waiter about the message at its position. Returns it, without a place here, if that ends its wait.
    fileprivate mutating func settle(_ waiter: Inbox.Waiter, _ answer: Result<Bool, any Error>) -> Inbox.Waiter? {
        let position = waiter.position
        update(waiter.number) { $0.position = position + 1 }
        guard case .success(let isWanted) = answer else { return removeWaiter(waiter.number) }
        // A message that was removed meanwhile is not returned, and neither is one to a waiter that was cancelled.
        guard isWanted, position >= start, let waiter = removeWaiter(waiter.number) else { return nil }
        entries[position - start].isReturned = true
        return waiter
    }

    @discardableResult
    fileprivate mutating func update(_ number: UInt64, _ change: (inout Inbox.Waiter) -> Void) -> Bool {
        guard let index = waiters.firstIndex(where: { $0.number == number }) else { return false }
        change(&waiters[index])
        return true
    }

    fileprivate mutating func removeWaiter(_ number: UInt64) -> Inbox.Waiter? {
        waiters.firstIndex { $0.number == number }.map { waiters.remove(at: $0) }
    }

    /// Removes the oldest messages.
    fileprivate mutating func remove(_ count: Int) {
        entries.removeFirst(count)
        start += count
    }

    private var stopped: PushpipeServer.Failure {
        notReceived(.stopped, failure.map { "before the server failed (\($0))" } ?? "before the server stopped")
    }

    private func notReceived(_ code: PushpipeServer.Failure.Code, _ when: String) -> PushpipeServer.Failure {
        let others = entries.suffix(5).map { entry in
            let message = entry.message
            let result = message.reason ?? message.outcome?.description ?? ""
            return "\n  \(message.id): \(message.method) \(message.path) \(message.status) \(result)"
        }
        let count = entries.count
        let rest = others.isEmpty ? "; none arrived" : "; \(count) arrived, the last of them:" + others.joined()
        return .init(code: code, description: "no message that matches arrived \(when)\(rest)")
    }
}

extension Inbox.Waiter {
    fileprivate func end(with result: Result<PushpipeServer.Message, any Error>) {
        timer?.cancel()
        continuation.resume(with: result)
    }
}
