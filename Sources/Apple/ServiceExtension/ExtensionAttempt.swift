#if os(Linux)
    import Dispatch
    import PushModel
    import Synchronization
    import UserNotifications

    /// One push, handled by one instance of an extension.
    ///
    /// `didReceive` is called on the thread that runs the pushes. If it calls the content handler before it returns, that thread goes on, so a push
    /// that takes microseconds needs no other thread. Otherwise the attempt ends on another thread, by the handler or because the time is up,
    /// so that an extension that blocks its thread ends too. The first call of the handler counts, with a copy of the content as it is at
    /// that moment. An attempt also lasts until `didReceive` has returned, so that a second call within it is noticed.
    final class ExtensionAttempt: Sendable {
        /// How the attempt ended.
        struct Ending: Sendable {
            /// Nil if the content handler was not called in time.
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

        /// An extension is called from two threads, as on a device, and has to cope with that itself.
        private struct Instance: @unchecked Sendable {
            let value: UNNotificationServiceExtension
        }

        private let instance: Instance
        private let clock: any ExtensionClock
        private let grace: Duration
        /// The device's app groups, in tasks that the extension starts.
        private let scope: String
        private let willHandle: @Sendable () -> Void
        private let report: @Sendable (Finding) -> Void
        private let didEnd: @Sendable (Ending) -> Void
        private let state: Mutex<State>

        let startedAt: Duration

        /// - Parameters:
        ///   - willHandle: called when the content handler is called for the first time.
        ///   - report: receives findings that arise after the push is finished.
        ///   - didEnd: called on a background queue, unless `run` returns the ending.
        init(
            _ instance: UNNotificationServiceExtension, clock: any ExtensionClock, grace: Duration, scope: String,
            willHandle: @escaping @Sendable () -> Void, report: @escaping @Sendable (Finding) -> Void,
            didEnd: @escaping @Sendable (Ending) -> Void
        ) {
            self.instance = Instance(value: instance)
            self.clock = clock
            self.grace = grace
            self.scope = scope
            self.willHandle = willHandle
            self.report = report
            self.didEnd = didEnd
            startedAt = clock.now
            state = Mutex(State(ending: Ending(startedAt: startedAt)))
        }

        /// Runs `didReceive` on this thread. Returns the ending if the handler was called before it returned, else nil: then `didEnd` is
        /// called, or has been.
        func run(_ request: UNNotificationRequest) -> Ending? {
            AppGroupScope.$ofTask.withValue(scope) {
                instance.value.didReceive(request) { [self] content in handle(content) }
            }
            return state.withLock { state in
                state.hasReturned = true
                guard !state.isClosed, state.ending.handledAt != nil else { return nil }
                state.isClosed = true
                return state.ending
            }
        }

        private func handle(_ content: UNNotificationContent) {
            // A local value, because what is sent into the lock may not be used outside.
            let copy = Ending(content: content.copy() as? UNNotificationContent ?? content)
            let now = clock.now
            enum Call { case first, last, again, late }
            let call: Call = state.withLock { state in
                if state.ending.handledAt != nil { return .again }
                if state.isClosed { return .late }
                state.ending.content = copy.content
                state.ending.handledAt = now
                // Within the lock, so that the attempt cannot end before the device knows.
                willHandle()
                return state.hasReturned ? .last : .first
            }
            switch call {
            case .first: break
            case .last: close()
            case .again:
                note(
                    "extension.handler-called-twice", "the content handler was called again; only the first call counts"
                )
            case .late:
                note(
                    "extension.handler-too-late",
                    "the content handler was called after the time was up; the original content is shown")
            }
        }

        /// Tells the extension that its time is up. Not to be called on a thread that `didReceive` may block.
        func expire() {
            let (isClosed, isHandled) = state.withLock { state in
                if !state.isClosed, state.ending.handledAt == nil { state.ending.didExpire = true }
                return (state.isClosed, state.ending.handledAt != nil)
            }
            if isClosed { return }
            // It called its handler and is still in `didReceive`: there is nothing to wait for.
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

        /// Ends the attempt with the content so far, unless it has ended.
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
#endif
