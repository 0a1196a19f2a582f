#if os(Linux)
    import Dispatch
    import Synchronization
    import UserNotifications

    /// A call of the app's delegate on the main queue, as on a device. The first answer counts, if it comes in time.
    final class DelegateQuestion<Answer: Sendable>: Sendable {
        enum Reply: Sendable {
            case answer(Answer)
            /// The delegate does not implement the method.
            case missing
            /// The delegate did not call its handler in time.
            case late
        }

        private let reply = Mutex<Reply?>(nil)
        private let isOver = DispatchSemaphore(value: 0)

        private init() {}

        /// Calls the delegate and waits for its answer. Not on the main queue, which it would block.
        static func ask(
            _ delegate: any UNUserNotificationCenterDelegate, clock: any ExtensionClock, limit: Duration,
            _ call:
                @escaping @Sendable (any UNUserNotificationCenterDelegate, @escaping @Sendable (Answer) -> Void) -> Void
        ) -> Reply {
            let question = DelegateQuestion()
            // SOUND: the delegate is used on the main queue only.
            nonisolated(unsafe) let delegate = delegate
            DispatchQueue.main.async {
                let method = MissingMethod()
                method.whileAsking {
                    call(delegate) { question.end(method.isMissing ? .missing : .answer($0)) }
                }
            }
            let call = clock.schedule(at: clock.now + limit) { question.end(.late) }
            question.isOver.wait()
            call.cancel()
            return question.reply.withLock { $0 } ?? .late
        }

        private func end(_ answer: Reply) {
            let isFirst = reply.withLock { reply in
                defer { reply = reply ?? answer }
                return reply == nil
            }
            if isFirst { isOver.signal() }
        }
    }
#endif
