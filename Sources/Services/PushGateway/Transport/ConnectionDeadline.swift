import NIOCore

/// Closes a connection at a time that is put off as long as something happens. Used on its event loop.
final class ConnectionDeadline {
    private let channel: any Channel
    private var due = NIODeadline.distantFuture
    private var timer: Scheduled<Void>?
    private var timerDue = NIODeadline.distantFuture

    init(_ channel: any Channel) { self.channel = channel }

    /// From now on; replaces the time that was set before. Costs no timer if the new time is later.
    func set(seconds: Int) {
        due = NIODeadline.now() + TimeAmount.seconds(Int64(seconds))
        guard timer == nil || due < timerDue else { return }
        schedule()
    }

    func cancel() {
        timer?.cancel()
        timer = nil
    }

    private func schedule() {
        timer?.cancel()
        timerDue = due
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        timer = channel.eventLoop.scheduleTask(deadline: due) { bound.value.fire() }
    }

    private func fire() {
        timer = nil
        if due > NIODeadline.now() { schedule() } else { channel.close(promise: nil) }
    }
}
