#if os(Linux)
    import Dispatch
    import Synchronization
    import UserNotifications

    /// Pushes that arrive one right after another.
    ///
    /// They run on one thread of a background queue as long as the extension calls its handler within `didReceive`. When it does not, that
    /// thread is released, and ending the attempt runs the rest on another one. One timer serves all of them: when it fires, it is set again
    /// for the limit of the attempt that is running then.
    final class ExtensionTurn: Sendable {
        private struct State {
            var results: [ServiceExtensionResult] = []
            var attempt: ExtensionAttempt?
            var isWatched = false
            var watch: ScheduledCall?
            var continuation: CheckedContinuation<Void, Never>?
        }

        private let harness: ServiceExtensionHarness
        private let pushes: PushQueue
        private let state = Mutex(State())

        private init(_ pushes: PushQueue, of harness: ServiceExtensionHarness) {
            self.pushes = pushes
            self.harness = harness
        }

        static func run(_ pushes: PushQueue, of harness: ServiceExtensionHarness) async -> [ServiceExtensionResult] {
            let turn = ExtensionTurn(pushes, of: harness)
            await withCheckedContinuation { continuation in
                turn.state.withLock { state in
                    state.continuation = continuation
                    state.results.reserveCapacity(pushes.count)
                }
                DispatchQueue.global().async { turn.work(from: 0) }
            }
            // Through the lock and not through the continuation, which the thread sanitizer does not understand.
            return turn.state.withLock { $0.results }
        }

        private func work(from first: Int) {
            for index in first..<pushes.count {
                let push = pushes.read(index)
                if let reason = harness.whyNotStarted(push) {
                    add(harness.showUnchanged(push, reason))
                    continue
                }
                let attempt = harness.begin { [self] ending in
                    add(harness.finish(push.request, ending))
                    work(from: index + 1)
                }
                watch(attempt)
                guard let ending = attempt.run(push.request) else { return }
                add(harness.finish(push.request, ending))
            }
            let (watch, continuation) = state.withLock { state in
                defer { (state.watch, state.continuation, state.attempt) = (nil, nil, nil) }
                return (state.watch, state.continuation)
            }
            watch?.cancel()
            continuation?.resume()
        }

        private func add(_ result: ServiceExtensionResult) { state.withLock { $0.results.append(result) } }

        /// Ends the attempt when its time is up.
        private func watch(_ attempt: ExtensionAttempt) {
            let isWatched = state.withLock { state in
                state.attempt = attempt
                defer { state.isWatched = true }
                return state.isWatched
            }
            if !isWatched { setWatch(at: attempt.startedAt + harness.options.timeLimit) }
        }

        private func setWatch(at deadline: Duration) {
            let call = harness.clock.schedule(at: deadline) { [self] in look() }
            state.withLock { $0.watch = call }
        }

        private func look() {
            let now = harness.clock.now
            let (attempt, next): (ExtensionAttempt?, Duration?) = state.withLock { state in
                let next = state.attempt.map { $0.startedAt + harness.options.timeLimit }.flatMap {
                    $0 > now ? $0 : nil
                }
                state.isWatched = next != nil
                return (state.attempt, next)
            }
            if let next { setWatch(at: next) } else { attempt?.expire() }
        }
    }
#endif
