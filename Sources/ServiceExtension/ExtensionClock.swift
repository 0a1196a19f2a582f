import Dispatch
import Synchronization

/// The time that an extension's limit is counted in. `now` begins at zero.
public protocol ExtensionClock: Sendable {
    /// Time since the clock began.
    var now: Duration { get }

    /// Calls `body` once, on a thread of its own choosing, when `now` has reached `deadline`, unless the result is cancelled before.
    func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void) -> ScheduledCall
}

/// A call that may still be called off.
public final class ScheduledCall: Sendable {
    private let body: Mutex<(@Sendable () -> Void)?>

    init(_ body: @escaping @Sendable () -> Void) { self.body = Mutex(body) }

    /// Makes sure that the call will not begin any more.
    public func cancel() { body.withLock { $0 = nil } }

    func run() {
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        body?()
    }
}

/// The clock on the wall.
public final class SystemExtensionClock: ExtensionClock {
    private let start = ContinuousClock.now

    /// A clock that begins now.
    public init() {}

    /// Time since the clock began.
    public var now: Duration { ContinuousClock.now - start }

    /// Calls `body` on a background queue.
    public func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void) -> ScheduledCall {
        let call = ScheduledCall(body)
        let (seconds, attoseconds) = max(deadline - now, .zero).components
        let delay = Double(seconds) + Double(attoseconds) / 1e18
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) { call.run() }
        return call
    }
}

/// A clock that a test moves, so that thirty seconds take no time.
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

    /// Where the clock has been moved to.
    public var now: Duration { state.withLock { $0.now } }

    /// Calls `body` on a background queue once the clock has been moved far enough.
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

    /// Moves the clock, after waiting until something has been scheduled: an extension has been started, and its limit runs.
    public func advance(by duration: Duration) async {
        await withCheckedContinuation { continuation in
            let isWaited = state.withLock { state in
                if state.calls.isEmpty { state.waiters.append(continuation) }
                return state.calls.isEmpty
            }
            if !isWaited { continuation.resume() }
        }
        move(by: duration)
    }

    /// Moves the clock at once, and makes every call that is due, in the order of their deadlines.
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
