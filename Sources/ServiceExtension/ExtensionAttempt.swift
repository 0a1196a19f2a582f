import Dispatch
import PushModel
import Synchronization
import UserNotifications

/// One push in the hands of one instance of an extension.
///
/// `didReceive` is called on the thread that runs the pushes, which goes on when it has returned and the content handler has been called
/// meanwhile: no other thread is asked for what nearly always takes microseconds. Otherwise the attempt ends on another thread, by
/// the handler or because the time is up, so that an extension that blocks its thread is over all the same. The first call of the
/// handler counts, with a copy of the content as it is at that moment; an attempt lasts until `didReceive` has returned too, so
/// that a second call within it is seen.
final class ExtensionAttempt: Sendable {
    /// What came of it.
    struct Ending: Sendable {
        /// Nil when the content handler was not called in time.
        var content: UNNotificationContent?
        var startedAt = Duration.zero
        var handledAt: Duration?
        var didExpire = false
        var findings: [Finding] = []
    }

    private struct State {
        var ending: Ending
        var hasReturned = false
        var isClosed = false
    }

    /// An extension is called from two threads, as on a device; what it does about that is its own affair.
    private struct Instance: @unchecked Sendable {
        let value: UNNotificationServiceExtension
    }

    private let instance: Instance
    private let clock: any ExtensionClock
    private let grace: Duration
    private let willHandle: @Sendable () -> Void
    private let report: @Sendable (Finding) -> Void
    private let didEnd: @Sendable (Ending) -> Void
    private let state: Mutex<State>

    /// When it began.
    let startedAt: Duration

    /// - Parameters:
    ///   - willHandle: called when the content handler is called for the first time.
    ///   - report: takes what is found after the push has been done with.
    ///   - didEnd: called, on a background queue, when the attempt ends in another way than that `run` returns its ending.
    init(
        _ instance: UNNotificationServiceExtension, clock: any ExtensionClock, grace: Duration,
        willHandle: @escaping @Sendable () -> Void, report: @escaping @Sendable (Finding) -> Void,
        didEnd: @escaping @Sendable (Ending) -> Void
    ) {
        self.instance = Instance(value: instance)
        self.clock = clock
        self.grace = grace
        self.willHandle = willHandle
        self.report = report
        self.didEnd = didEnd
        startedAt = clock.now
        state = Mutex(State(ending: Ending(startedAt: startedAt)))
    }

    /// Runs `didReceive` on this thread. Returns the ending if the handler was called before it returned, else nil: then `didEnd` is
    /// called, or was.
    func run(_ request: UNNotificationRequest) -> Ending? {
        instance.value.didReceive(request) { [self] content in handle(content) }
        return state.withLock { state in
            state.hasReturned = true
            guard !state.isClosed, state.ending.handledAt != nil else { return nil }
            state.isClosed = true
            return state.ending
        }
    }

    private func handle(_ content: UNNotificationContent) {
        // In a value, because what is sent into the lock may not be used outside.
        let copy = Ending(content: content.copy() as? UNNotificationContent ?? content)
        let now = clock.now
        enum Call { case first, last, again, late }
        let call: Call = state.withLock { state in
            if state.ending.handledAt != nil { return .again }
            if state.isClosed { return .late }
            state.ending.content = copy.content
            state.ending.handledAt = now
            // Within the lock, so that nobody ends the attempt before the device knows.
            willHandle()
            return state.hasReturned ? .last : .first
        }
        switch call {
        case .first: break
        case .last: close()
        case .again:
            note("extension.handler-called-twice", "the content handler was called again; only the first call counts")
        case .late:
            note(
                "extension.handler-too-late",
                "the content handler was called after the time was up; the original content is shown")
        }
    }

    /// Tells the extension that its time is up. To be called off the threads that `didReceive` may block.
    func expire() {
        let (isClosed, isHandled) = state.withLock { state in
            if !state.isClosed, state.ending.handledAt == nil { state.ending.didExpire = true }
            return (state.isClosed, state.ending.handledAt != nil)
        }
        if isClosed { return }
        // It has called its handler, and goes on in `didReceive`: there is nothing to wait for.
        if isHandled { return close() }
        DispatchQueue.global().async { [self] in
            instance.value.serviceExtensionTimeWillExpire()
            if grace == .zero {
                close()
            } else {
                _ = clock.schedule(at: clock.now + grace) { [self] in close() }
            }
        }
    }

    /// Ends the attempt with what there is, unless it has ended.
    private func close() {
        let ending: Ending? = state.withLock { state in
            if state.isClosed { return nil }
            state.isClosed = true
            return state.ending
        }
        if let ending { DispatchQueue.global().async { [didEnd] in didEnd(ending) } }
    }

    private func note(_ rule: String, _ message: String) {
        let finding = Finding(rule: rule, severity: .warning, pointer: "", message: message)
        let isOpen = state.withLock { state in
            if !state.isClosed { state.ending.findings.append(finding) }
            return !state.isClosed
        }
        if !isOpen { report(finding) }
    }
}
