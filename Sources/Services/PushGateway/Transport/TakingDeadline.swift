import NIOCore

/// Closes a connection whose client takes nothing of what is sent to it for too long. Used on its event loop.
final class TakingDeadline {
    /// The progress of a client; nil once its connection is gone.
    typealias Progress = () -> (isUnread: Bool, taken: Int)?

    private let channel: any Channel
    private let limit: TimeAmount
    private var isRunning = false

    /// - Parameter seconds: how long the client may take nothing.
    init(_ channel: any Channel, seconds: Int) {
        self.channel = channel
        limit = .seconds(Int64(seconds))
    }

    /// Begins to watch, unless it does already. Ends when everything was taken.
    ///
    /// - Parameter progress: its number grows when something is taken.
    func begin(_ progress: @escaping Progress) {
        guard !isRunning else { return }
        isRunning = true
        schedule(progress)
    }

    /// Bytes that the system has not taken.
    private var unsent: Int { (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0 }

    private func schedule(_ progress: @escaping Progress) {
        let before = (taken: progress()?.taken, unsent: unsent)
        let bound = NIOLoopBound((self, progress), eventLoop: channel.eventLoop)
        channel.eventLoop.scheduleTask(in: limit) {
            let (deadline, progress) = bound.value
            guard let now = progress(), now.isUnread || deadline.unsent > 0 else {
                deadline.isRunning = false
                return
            }
            if now.taken == before.taken, deadline.unsent >= before.unsent {
                deadline.channel.close(promise: nil)
            } else {
                deadline.schedule(progress)
            }
        }
    }
}
