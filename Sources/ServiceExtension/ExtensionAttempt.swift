import Dispatch
import PushModel
import Synchronization
import UserNotifications

/// One push in the hands of one instance of an extension.
///
/// `didReceive` and `serviceExtensionTimeWillExpire` are called on background threads, so that an extension that blocks one is over when
/// its time is up all the same. The first call of the content handler counts, with a copy of the content as it is at that moment; the
/// attempt ends once `didReceive` has returned too, so that a second call within it is seen.
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
        var ending = Ending()
        var limit: ScheduledCall?
        var hasReturned = false
        var isClosed = false
        var continuation: CheckedContinuation<Ending, Never>?
    }

    /// An extension is called from two queues, as on a device; what it does about that is its own affair.
    private struct Instance: @unchecked Sendable {
        let value: UNNotificationServiceExtension
    }

    private let instance: Instance
    private let clock: any ExtensionClock
    private let limit: Duration
    private let grace: Duration
    private let willHandle: @Sendable () -> Void
    private let report: @Sendable (Finding) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - willHandle: called when the content handler is called for the first time.
    ///   - report: takes what is found after the push has been done with.
    init(
        _ instance: UNNotificationServiceExtension, clock: any ExtensionClock, limit: Duration, grace: Duration,
        willHandle: @escaping @Sendable () -> Void, report: @escaping @Sendable (Finding) -> Void
    ) {
        self.instance = Instance(value: instance)
        self.clock = clock
        self.limit = limit
        self.grace = grace
        self.willHandle = willHandle
        self.report = report
    }

    /// Runs the extension, and returns when its content handler has been called or its time is up.
    func run(_ request: UNNotificationRequest) async -> Ending {
        await withCheckedContinuation { continuation in
            let now = clock.now
            state.withLock { state in
                state.ending.startedAt = now
                state.continuation = continuation
            }
            DispatchQueue.global().async { [self] in
                instance.value.didReceive(request) { [self] content in handle(content) }
                let isDone = state.withLock { state in
                    state.hasReturned = true
                    return state.ending.handledAt != nil
                }
                if isDone { close() }
            }
            let call = clock.schedule(at: now + limit) { [self] in expire() }
            let isClosed = state.withLock { state in
                state.limit = call
                return state.isClosed
            }
            if isClosed { call.cancel() }
        }
    }

    private func handle(_ content: UNNotificationContent) {
        let copy = Ending(content: content.copy() as? UNNotificationContent ?? content)
        let now = clock.now
        enum Call { case first, again, late }
        let (call, isDone): (Call, Bool) = state.withLock { state in
            if state.ending.handledAt != nil { return (.again, false) }
            if state.isClosed { return (.late, false) }
            state.ending.content = copy.content
            state.ending.handledAt = now
            // Within the lock, so that nobody ends the attempt before the device knows.
            willHandle()
            return (.first, state.hasReturned)
        }
        switch call {
        case .first:
            if isDone { close() }
        case .again:
            note("extension.handler-called-twice", "the content handler was called again; only the first call counts")
        case .late:
            note(
                "extension.handler-too-late",
                "the content handler was called after the time was up; the original content is shown")
        }
    }

    private func expire() {
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

    /// Ends the attempt with what there is.
    private func close() {
        let (continuation, ending) = state.withLock { state in
            state.isClosed = true
            state.limit?.cancel()
            defer { state.continuation = nil }
            return (state.continuation, state.ending)
        }
        continuation?.resume(returning: ending)
    }

    private func note(_ rule: String, _ message: String) {
        let finding = Finding(rule: rule, severity: .warning, pointer: "", message: message)
        let isOpen = state.withLock { state in
            guard state.continuation != nil else { return false }
            state.ending.findings.append(finding)
            return true
        }
        if !isOpen { report(finding) }
    }
}
