#if os(Linux)
    import Dispatch
    import Synchronization

    /// The clock for an extension's time limit. `now` starts at zero.
    public protocol ExtensionClock: Sendable {
        /// Time since the clock started.
        var now: Duration { get }

        /// Calls `body` once, on any thread, when `now` reaches `deadline`, unless the result is canceled first.
        func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void) -> ScheduledCall
    }

    /// A scheduled call, which can be canceled.
    public final class ScheduledCall: Sendable {
        private let body: Mutex<(@Sendable () -> Void)?>

        init(_ body: @escaping @Sendable () -> Void) { self.body = Mutex(body) }

        /// Cancels the call, unless it has begun.
        public func cancel() { body.withLock { $0 = nil } }

        var isCancelled: Bool { body.withLock { $0 == nil } }

        func run() {
            let body = body.withLock { body in
                defer { body = nil }
                return body
            }
            body?()
        }
    }

    /// Real time.
    ///
    /// One timer serves all calls, and a canceled call is dropped when it reaches the front of the queue. So thousands of pushes per second
    /// leave nothing behind until their limits pass.
    public final class SystemExtensionClock: ExtensionClock {
        private struct Calls {
            /// Calls by deadline, earliest first.
            var pending: [(deadline: Duration, call: ScheduledCall)] = []
            /// When the timer fires next; nil if it is not set.
            var alarm: Duration?
        }

        private let start = ContinuousClock.now
        private let calls = Mutex(Calls())
        // SOUND: a dispatch source may be used from any thread; its type does not say so.
        nonisolated(unsafe) private let timer = DispatchSource.makeTimerSource(queue: .global())

        /// A clock that starts now.
        public init() {
            timer.setEventHandler { [weak self] in self?.ring() }
            timer.activate()
        }

        deinit { timer.cancel() }

        /// Time since the clock began.
        public var now: Duration { ContinuousClock.now - start }

        /// Calls `body` on a background queue.
        public func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void) -> ScheduledCall {
            let call = ScheduledCall(body)
            calls.withLock { calls in
                Self.dropCancelled(&calls)
                var index = calls.pending.endIndex
                while index > 0, calls.pending[index - 1].deadline > deadline { index -= 1 }
                calls.pending.insert((deadline, call), at: index)
                arm(&calls)
            }
            return call
        }

        private func ring() {
            let due = calls.withLock { calls in
                let now = now
                let count = calls.pending.firstIndex { $0.deadline > now } ?? calls.pending.endIndex
                let due = calls.pending[..<count].map(\.call)
                calls.pending.removeFirst(count)
                Self.dropCancelled(&calls)
                calls.alarm = nil
                arm(&calls)
                return due
            }
            for call in due { call.run() }
        }

        private static func dropCancelled(_ calls: inout Calls) {
            let count = calls.pending.firstIndex { !$0.call.isCancelled } ?? calls.pending.endIndex
            if count > 0 { calls.pending.removeFirst(count) }
        }

        /// Sets the timer, unless it fires early enough already.
        private func arm(_ calls: inout Calls) {
            guard let next = calls.pending.first?.deadline, calls.alarm.map({ next < $0 }) ?? true else { return }
            calls.alarm = next
            let (seconds, attoseconds) = max(next - now, .zero).components
            timer.schedule(deadline: .now() + Double(seconds) + Double(attoseconds) / 1e18)
        }
    }

    /// A clock that a test moves, so that thirty seconds pass at once.
    ///
    ///     let clock = ManualExtensionClock()
    ///     let harness = ServiceExtensionHarness(clock: clock) { NotificationService() }
    ///     async let result = harness.deliver(payload)
    ///     await clock.advance(by: .seconds(30))  // didReceive runs first: see `advance(by:)`
    public final class ManualExtensionClock: ExtensionClock {
        private struct State {
            var now = Duration.zero
            var calls: [(deadline: Duration, call: ScheduledCall)] = []
            var waiters: [CheckedContinuation<Void, Never>] = []
        }

        private let state = Mutex(State())

        /// A clock at zero.
        public init() {}

        /// The time that the clock has been moved to.
        public var now: Duration { state.withLock { $0.now } }

        /// Calls `body` on a background queue once the clock reaches `deadline`.
        public func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void) -> ScheduledCall {
            let call = ScheduledCall(body)
            let (isDue, waiters) = state.withLock { state in
                let isDue = deadline <= state.now
                if !isDue { state.calls.append((deadline, call)) }
                defer { state.waiters = [] }
                return (isDue, isDue ? [] : state.waiters)
            }
            if isDue { DispatchQueue.global().async { call.run() } }
            for waiter in waiters { waiter.resume() }
            return call
        }

        /// Waits until a call is scheduled, which means that an extension has started and its limit counts; then moves the clock.
        public func advance(by duration: Duration) async {
            await withCheckedContinuation { continuation in
                let isWaited = state.withLock { state in
                    state.calls.removeAll { $0.call.isCancelled }
                    if state.calls.isEmpty { state.waiters.append(continuation) }
                    return state.calls.isEmpty
                }
                if !isWaited { continuation.resume() }
            }
            move(by: duration)
        }

        /// Moves the clock at once, and makes the calls that are due, in the order of their deadlines, on a background queue.
        public func move(by duration: Duration) {
            let due = state.withLock { state in
                state.now += duration
                let due = state.calls.filter { $0.deadline <= state.now }.sorted { $0.deadline < $1.deadline }
                state.calls.removeAll { $0.deadline <= state.now }
                return due
            }
            guard !due.isEmpty else { return }
            DispatchQueue.global().async { for (_, call) in due { call.run() } }
        }
    }
#endif
