import DequeModule
import Dispatch
import FoundationEssentials
import PushSystem
import Synchronization

/// Hands messages to a receiver of the user's, one after the other, apart from the pipeline's thread.
package final class MessageHook: Sendable {
    private struct State {
        var queue: WebhookQueue
        var problem: String?
        var isProblemTaken = false

        /// Notes why a message was lost, if it is the first one. Returns true if somebody has to be called for it: at the end, `finish` asks.
        mutating func note(lostSince count: Int, _ problem: String?) -> Bool {
            guard queue.lost > count, self.problem == nil else { return false }
            self.problem = problem
            return !queue.isEnding
        }
    }

    /// Hands a message over, and calls back with why it was not taken, or nil. Returns at once.
    package typealias Send = @Sendable (_ message: [UInt8], _ done: @escaping @Sendable (String?) -> Void) -> Void

    private let state: Mutex<State>
    private let send: Send
    /// Called when the first message is lost, on any thread.
    private let didLose: @Sendable () -> Void
    /// Ends what hands a message over.
    private let stop: @Sendable () -> Void
    /// Signaled whenever nothing waits any more.
    private let isIdle = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - pauses: milliseconds before each further attempt at a message that was not taken.
    ///   - didLose: called when the first message is lost, on any thread; `takeProblem` then has the reason.
    ///   - stop: ends what hands a message over, when no more time is left.
    package init(
        pauses: [Int64] = WebhookQueue.pauses, didLose: @escaping @Sendable () -> Void,
        stop: @escaping @Sendable () -> Void = {}, _ send: @escaping Send
    ) {
        state = Mutex(State(queue: WebhookQueue(pauses: pauses)))
        self.didLose = didLose
        self.stop = stop
        self.send = send
    }

    /// Runs a program for each message, with it as standard input. Its output goes to standard error.
    convenience init(_ executable: String, _ arguments: [String], didLose: @escaping @Sendable () -> Void) {
        let program = RunningProgram()
        self.init(pauses: [], didLose: didLose, stop: program.stop) { message, done in
            DispatchQueue.global().async {
                do throws(SystemError) {
                    done(try program.run(executable, arguments, message))
                } catch {
                    done("\(error)")
                }
            }
        }
    }

    /// Takes a message, which is handed over later, or is lost if too many wait. Returns at once.
    func post(_ message: [UInt8]) {
        let (first, isLost) = state.withLock { state in
            let lost = state.queue.lost
            state.queue.add(message)
            let size = "\(WebhookQueue.maximumBytes >> 20) MiB"
            let isLost = state.note(
                lostSince: lost, "\(WebhookQueue.maximumCount) messages, or \(size), wait already")
            return (state.queue.begin(), isLost)
        }
        if isLost { didLose() }
        if let first { begin(first) }
    }

    /// Why the first message was lost, for people; nil if none was, and from the second call on.
    func takeProblem() -> String? {
        state.withLock { state in
            guard !state.isProblemTaken, let problem = state.problem else { return nil }
            state.isProblemTaken = true
            return problem
        }
    }

    /// Waits until no message waits any more, at most so long, and ends what still hands one over.
    ///
    /// - Returns: the number of messages that were lost, or still wait.
    func finish(seconds: Int) -> Int {
        let deadline = DispatchTime.now() + .seconds(seconds)
        state.withLock { $0.queue.isEnding = true }
        while state.withLock({ $0.queue.count > 0 }), isIdle.wait(timeout: deadline) == .success {}
        let lost = state.withLock { $0.queue.close() }
        stop()
        return lost
    }

    // MARK: - One message

    private func begin(_ message: [UInt8]) { send(message) { self.didEnd($0) } }

    private func didEnd(_ problem: String?) {
        let (pause, isLost) = state.withLock { state in
            let lost = state.queue.lost
            let pause = state.queue.end(isTaken: problem == nil)
            return (pause, state.note(lostSince: lost, problem))
        }
        if isLost { didLose() }
        guard pause > 0 else { return goOn() }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(pause))) { self.goOn() }
    }

    private func goOn() {
        if let next = state.withLock({ $0.queue.goOn() }) { begin(next) } else { isIdle.signal() }
    }
}

/// A program that a message is handed to, and nothing while none runs.
private final class RunningProgram: Sendable {
    private let running = Mutex<ChildProcessID?>(nil)

    /// How long a program may take for a message: 30 s.
    private static let milliseconds = 30_000

    /// Runs a program once. Returns why it failed; nil if it did not.
    func run(
        _ executable: String, _ arguments: [String], _ message: [UInt8]
    ) throws(SystemError) -> String? {
        let (input, toInput) = try FileDescriptor.pipe()
        var launch = ProgramLaunch(
            executable: executable, arguments: arguments,
            environment: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" })
        launch.input = .descriptor(input)
        launch.output = .descriptor(.standardError)
        launch.isSeparate = true
        let started = Result { () throws(SystemError) in try launch.start() }
        input.close()
        // What it did not read, its status says.
        try? toInput.writeAll(message)
        toInput.close()
        let process = try started.get()
        running.withLock { $0 = process }
        defer { running.withLock { $0 = nil } }
        switch process.wait(milliseconds: Self.milliseconds) {
        case .exited(0): return nil
        case .exited(let status): return "it ended with status \(status)"
        case .signalled(let signal): return "signal \(signal) ended it"
        case nil:
            process.killGroup()
            _ = try process.wait()
            return "it took more than \(Self.milliseconds / 1000) s"
        }
    }

    /// Ends it, and what it has started.
    func stop() { running.withLock { $0?.killGroup() } }
}

/// The messages that wait for a receiver, one handed over after the other.
///
/// A message is tried a few times, and what does not fit is lost: a receiver that is slow or gone costs a bounded amount of memory.
package struct WebhookQueue {
    static let maximumCount = 1000
    static let maximumBytes = 8 << 20  // 8 MiB
    /// Milliseconds before the second attempt, and before the third, which is the last.
    package static let pauses: [Int64] = [250, 1000]

    private let pauses: [Int64]

    private var waiting = Deque<[UInt8]>()
    private var bytes = 0
    /// Attempts to post the first one that failed.
    private var failures = 0
    /// True while the first one is on its way, and in the pause before another attempt.
    private var isBusy = false
    /// True if each message has one more attempt, because the gateway ends.
    var isEnding = false
    private(set) var lost = 0

    init(pauses: [Int64] = Self.pauses) { self.pauses = pauses }

    var count: Int { waiting.count }

    mutating func add(_ message: [UInt8]) {
        guard waiting.count < Self.maximumCount, bytes + message.count <= Self.maximumBytes else {
            lost += 1
            return
        }
        waiting.append(message)
        bytes += message.count
    }

    /// The message to post now; nil if none waits, or one is on its way.
    mutating func begin() -> [UInt8]? {
        guard !isBusy, let first = waiting.first else { return nil }
        isBusy = true
        return first
    }

    /// Takes the result of an attempt.
    ///
    /// - Returns: the milliseconds to wait before `goOn`.
    mutating func end(isTaken: Bool) -> Int64 {
        if !isTaken {
            failures += 1
            if !isEnding, failures <= pauses.count { return pauses[failures - 1] }
            lost += 1
        }
        failures = 0
        if let first = waiting.popFirst() { bytes -= first.count }
        return 0
    }

    /// Drops what waits, so that nothing more is posted.
    ///
    /// - Returns: the number of messages that were lost.
    mutating func close() -> Int {
        lost += waiting.count
        waiting.removeAll()
        bytes = 0
        return lost
    }

    /// The next message to post; nil if none waits.
    mutating func goOn() -> [UInt8]? {
        isBusy = false
        return begin()
    }
}
