import PushSystem

/// The protocol with the processes that run an extension, one after another, and the queue of pushes that wait for them.
///
/// A pure state machine: `ExtensionProcess` reports each event with one call, performs the action that it returns, and asks for the `next`
/// one until there is none. Times are nanoseconds of a monotonic clock.
struct ExtensionStateMachine {
    typealias Failure = PendingPush.Failure

    /// Time for the content handler after `serviceExtensionTimeWillExpire`, and for the process to return from a push that is already
    /// finished. Nanoseconds.
    static let grace: Int64 = 1_000_000_000
    /// How long a process that has closed its input may take to exit. Nanoseconds.
    static let patience: Int64 = 100_000_000
    static let memoryInterval: Int64 = 5_000_000
    private static let maximumStrayLines = 100
    private static let maximumQueue: Int64 = 64
    private static let maximumFailedStarts = 3

    enum State: Equatable {
        /// There is no process; the next push starts one.
        case stopped
        /// The process waits for a push.
        case idle
        /// It handles the push at the head of the queue.
        case handling
        /// It is still working on a push that is finished. The push at the head of the queue has not begun.
        case returning(from: UInt64)
        /// No further process is started.
        case broken(Failure)
    }

    /// How a process takes pushes.
    private enum Pace: Equatable {
        /// It has not sent a message yet.
        case silent
        case oneAtATime
        /// It has sent `ready`: it accepts pushes ahead, and reports when each is finished.
        case ahead(queue: Int)
    }

    struct Push {
        let id: UInt64
        var isHandled = false
        var hasExpired = false
        /// True once a process exited normally without an answer to it.
        var isSecondAttempt = false
        var strayLines = 0
    }

    enum Action: Equatable {
        /// Start a process, and report `didStart` or `cannotStart`.
        case start
        case send(UInt64)
        /// The process gets to a push that was sent: report `didBegin`.
        case begin(UInt64)
        /// Tell the process that the time for this push is up.
        case expire(UInt64)
        case finish(UInt64, Failure?)
        /// Note that the push is sent again, because the process exited without an answer.
        case retry(UInt64)
        /// Kill the process, unless it has ended, and fail the push if there is one.
        case replaceProcess
        case giveUp(UInt64, Failure)
    }

    /// Nanoseconds for each push.
    let timeLimit: Int64
    /// Bytes; nil for no limit, where it is only noted how much more a process uses than at its first message.
    let memoryLimit: Int?

    private(set) var state = State.stopped
    private var pace = Pace.silent
    private var hasClosedInput = false
    private var failedStarts = 0
    /// Oldest first. The first `sentCount` have been sent.
    private var queue: [Push] = []
    private var sentCount = 0
    /// Deadline for the push at the head of the queue, or for the process to return from the previous one.
    private(set) var deadline = Int64.max
    private(set) var nextMemoryCheck = Int64.max

    init(timeLimit: Int64, memoryLimit: Int?) {
        self.timeLimit = timeLimit
        self.memoryLimit = memoryLimit
    }

    var head: UInt64? { queue.first?.id }
    /// True if another push would be sent at once.
    var hasRoom: Bool { queue.count < queueLimit }
    /// True if the process is to be measured now and then. Without a limit only one that has sent a message.
    var checksMemory: Bool { sentCount > 0 && (memoryLimit != nil || pace != .silent) }
    var nextDeadline: Int64 { min(deadline, checksMemory ? nextMemoryCheck : .max) }
    /// How long the process may take to end what it still does when there are no more pushes: longer than our runtime takes. Milliseconds.
    var afterlife: Int { announcesEnds ? 6000 : 500 }

    /// A push that has been sent and is not finished.
    func sentPush(_ id: UInt64) -> Push? { position(of: id).map { queue[$0] } }

    private func position(of id: UInt64) -> Int? { queue[..<sentCount].firstIndex { $0.id == id } }
    private var announcesEnds: Bool { if case .ahead = pace { true } else { false } }
    private var queueLimit: Int { if case .ahead(let limit) = pace { limit } else { 1 } }

    // MARK: - Sending

    mutating func submit(_ id: UInt64) -> Action? {
        queue.append(Push(id: id))
        return next()
    }

    /// The next action for the pushes in the queue; nil when there is nothing to do before the next event.
    mutating func next() -> Action? {
        if state == .idle, sentCount > 0 { return .begin(queue[0].id) }
        guard sentCount < queue.count else { return nil }
        switch state {
        case .stopped: return .start
        case .broken(let failure):
            return .finish(queue.removeFirst().id, failure)
        case .idle, .handling, .returning:
            guard sentCount < queueLimit else { return nil }
            sentCount += 1
            return .send(queue[sentCount - 1].id)
        }
    }

    mutating func didStart() {
        state = .idle
        pace = .silent
        hasClosedInput = false
    }

    mutating func cannotStart(_ reason: String) { state = .broken(.cannotStart(reason)) }

    mutating func didBegin(at now: Int64) {
        state = .handling
        deadline = now &+ timeLimit
        nextMemoryCheck = now &+ Self.memoryInterval
    }

    /// The process has exited, which its output will show soon, or it has only closed its input: then there is nothing to wait for.
    mutating func inputClosed(at now: Int64) {
        hasClosedInput = true
        if state != .idle { deadline = min(deadline, now &+ Self.patience) }
    }

    // MARK: - Messages

    /// Any message, before what it says.
    mutating func messageArrived() {
        failedStarts = 0
        if pace == .silent { pace = .oneAtATime }
    }

    mutating func ready(queue limit: Int64?, at now: Int64) -> Action? {
        // A push has its whole time, however long the program took to start. Only once: a program cannot prolong its time.
        if !announcesEnds, !hasClosedInput, sentCount > 0 { deadline = max(deadline, now &+ timeLimit) }
        pace = .ahead(queue: Int(clamping: min(max(limit ?? 1, 1), Self.maximumQueue)))
        return next()
    }

    mutating func handlerCalled(_ id: UInt64, at now: Int64) -> Action? {
        guard let position = position(of: id), !queue[position].isHandled else { return nil }
        queue[position].isHandled = true
        if !announcesEnds { return finish(position) }
        return queue[position].hasExpired ? letGo(at: now) : nil
    }

    /// Nil if the process is not working on the push.
    mutating func finished(_ id: UInt64) -> Action? {
        if state == .returning(from: id) {
            rest(.idle)
            return next()
        }
        return position(of: id).map { finish($0, queue[$0].isHandled ? nil : .handlerNotCalled) }
    }

    mutating func unreadable(_ id: UInt64) -> Action? { position(of: id).map { finish($0, .unreadable) } }

    /// `serviceExtensionTimeWillExpire` has returned.
    mutating func timeExpired(_ id: UInt64) -> Action? {
        sentPush(id)?.isHandled == false ? giveUp(.handlerNotCalled) : nil
    }

    /// A line that is no message.
    mutating func strayLine() -> Action? {
        guard !queue.isEmpty else { return nil }
        queue[0].strayLines += 1
        guard queue[0].strayLines > Self.maximumStrayLines else { return nil }
        return giveUp(.ended("wrote only lines that are not messages"))
    }

    mutating func lineTooLong() -> Action { giveUp(.ended("wrote a line without an end")) }

    // MARK: - Ends

    private mutating func finish(_ position: Int, _ failure: Failure? = nil) -> Action {
        let push = queue.remove(at: position)
        sentCount -= 1
        if position == 0, state == .handling { rest(.idle) }
        return .finish(push.id, failure)
    }

    /// Finishes the push at the head of the queue, on which the process may still be working: it gets some time to return for the next one.
    private mutating func letGo(at now: Int64) -> Action {
        state = .returning(from: queue[0].id)
        deadline = now &+ Self.grace
        return finish(0)
    }

    /// Ends the process and fails the push at the head of the queue. The pushes after it go to the next process.
    private mutating func giveUp(_ failure: Failure) -> Action {
        rest(.stopped)
        return queue.isEmpty ? .replaceProcess : .giveUp(queue.removeFirst().id, failure)
    }

    private mutating func rest(_ state: State) {
        self.state = state
        deadline = .max
        if state == .stopped { sentCount = 0 }
    }

    /// The process has closed its output, and has exited or been killed.
    ///
    /// - Parameters:
    ///   - ending: how it ended by itself; nil if it was killed.
    ///   - lastWords: why it did, as it says itself.
    mutating func outputEnded(_ ending: ChildProcess.Ending?, lastWords: String? = nil) -> Action {
        var how = ending?.text ?? "closed its output"
        if case .signalled = ending, let lastWords { how += ": " + lastWords }
        let hadBegun = state == .handling
        rest(.stopped)
        if pace == .silent {
            failedStarts += 1
            if failedStarts == Self.maximumFailedStarts { cannotStart("it \(how) \(failedStarts) times in a row") }
        }
        guard hadBegun else { return .replaceProcess }
        if ending == .exited(0), !queue[0].isHandled, !queue[0].isSecondAttempt, pace != .silent {
            // It exited normally: a program may handle one push and exit.
            queue[0].isSecondAttempt = true
            return .retry(queue[0].id)
        }
        return .giveUp(queue.removeFirst().id, .ended(how))
    }

    // MARK: - Time and memory

    mutating func deadlinePassed(at now: Int64) -> Action? {
        guard now >= deadline else { return nil }
        if case .returning = state {
            rest(.stopped)
            return .replaceProcess
        }
        if hasClosedInput { return giveUp(.ended("closed its input")) }
        // It called its handler and is still in `didReceive`: there is nothing to wait for.
        if queue[0].isHandled { return letGo(at: now) }
        if queue[0].hasExpired { return giveUp(.handlerNotCalled) }
        queue[0].hasExpired = true
        deadline = now &+ Self.grace
        return .expire(queue[0].id)
    }

    mutating func memoryMeasured(_ used: Int, at now: Int64) -> Action? {
        nextMemoryCheck = now &+ Self.memoryInterval
        guard let memoryLimit, sentCount > 0 else { return nil }
        return used > memoryLimit ? giveUp(.memoryLimit(used: used, limit: memoryLimit)) : nil
    }
}
