import Dispatch
import Synchronization
import UserNotifications

/// Something that the app's delegate is asked on the main queue, as on a device. The first answer counts, if it comes in time.
final class DelegateQuestion<Answer: Sendable>: Sendable {
    enum Reply: Sendable {
        case answer(Answer)
        /// The delegate leaves the method out.
        case missing
        /// It did not call its handler in time.
        case late
    }

    private let reply = Mutex<Reply?>(nil)
    private let isOver = DispatchSemaphore(value: 0)

    private init() {}

    /// Asks, and waits: on a thread that may be kept, which that of the main queue may not.
    static func ask(
        _ delegate: any UNUserNotificationCenterDelegate, clock: any ExtensionClock, limit: Duration,
        _ call: @escaping @Sendable (any UNUserNotificationCenterDelegate, @escaping @Sendable (Answer) -> Void) -> Void
    ) -> Reply {
        let question = DelegateQuestion()
        // SOUND: a delegate is called on the main queue, and only held here.
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
