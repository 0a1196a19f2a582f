import DeviceScreens
import PayloadJSON
import PushModel
import PushSystem

/// A child process that runs an extension, and the queue of pushes that wait for it.
///
/// The process handles one push at a time. It starts with the first push, and again after it ended or was ended; only the push at the head
/// of the queue pays for such an end. Nothing here blocks; `nextDeadline` says when to call `checkDeadlines` again.
final class ExtensionProcess {
    /// Time for the content handler after `serviceExtensionTimeWillExpire`, and for the process to return from a push that is already
    /// finished. Nanoseconds.
    private static let grace: Int64 = 1_000_000_000
    /// How long a process that has closed its input may take to exit. Nanoseconds.
    private static let patience: Int64 = 100_000_000
    /// How long a process may take to end what it still does when there are no more pushes: longer than our runtime takes. Milliseconds.
    private static let afterlife = 6000
    private static let memoryInterval: Int64 = 5_000_000
    private static let maximumLine = 16 << 20  // 16 MiB
    /// How much is read when a deadline has passed: the last piece, and what a pipe holds by default. Bytes.
    private static let maximumLateBytes = 128 << 10
    private static let maximumStrayLines = 100
    private static let maximumQueue = 64
    private static let maximumFailedStarts = 3

    private let configuration: ExtensionConfiguration
    private let environment: [String]
    private let calls: CenterCalls
    private var child: ChildProcess?
    /// How many pushes the process accepts ahead; 1 until it announces more.
    private var queueLimit = 1
    private var announcesEnds = false
    private var hasSpoken = false
    /// True if it has closed its input, so that nothing more can be sent.
    private var hasClosedInput = false
    private var failedStarts = 0
    private var starts: Int32 = 0
    /// Why no further process is started.
    private var brokenBy: PendingPush.Failure?

    private var outgoing = ByteBuffer()
    private var outgoingStart = 0
    private var incoming = LineBuffer()
    /// Oldest first. The first `sentCount` have been sent.
    private var queue: [PendingPush] = []
    private var sentCount = 0
    /// Deadline for the push at the head of the queue, or for the process to return from the previous one.
    private var deadline = Int64.max
    private var nextMemoryCheck = Int64.max
    /// A finished push that the process is still working on.
    private var straggler: UInt64?

    private var scanner = JSONScanner()
    private var tape = JSONTape()

    init(_ configuration: ExtensionConfiguration, environment: [String], calls: CenterCalls) {
        self.configuration = configuration
        self.environment = environment
        self.calls = calls
    }

    deinit { stop() }

    var isIdle: Bool { queue.isEmpty }
    /// True if another push would be sent at once.
    var hasRoom: Bool { queue.count < queueLimit }
    var nextDeadline: Int64 { min(deadline, nextMemoryCheck) }

    /// What to poll; nil without a process.
    var pollRequest: (input: FileDescriptor.PollRequest?, output: FileDescriptor.PollRequest)? {
        guard let child else { return nil }
        let input = outgoingStart < outgoing.count ? FileDescriptor.PollRequest(child.input, .writable) : nil
        return (input, FileDescriptor.PollRequest(child.output, .readable))
    }

    func submit(_ push: PendingPush) {
        queue.append(push)
        let isFirst = queue.count == 1
        send()
        if isFirst { flush() }
    }

    /// Closes the pipes and waits for the process to exit.
    func stop() {
        endChild(patience: announcesEnds ? Self.afterlife : 500)
    }

    private func endChild(patience: Int = 0) {
        guard let child else { return }
        self.child = nil
        _ = child.end(patience: patience)
    }

    // MARK: - Sending

    /// Sends as many pushes as the process accepts, and starts a process if there is none.
    private func send() {
        // SOUND: the bytes live until the closure returns, and are copied.
        while sentCount < queue.count {
            if child == nil, brokenBy == nil { start() }
            if let brokenBy {
                for push in queue { push.fail(brokenBy) }
                queue.removeAll()
                sentCount = 0
                return
            }
            guard sentCount < queueLimit else { return }
            if sentCount == 0, straggler == nil { beginHead() }
            unsafe queue[sentCount].line.withUnsafeBytes { unsafe append($0) }
            sentCount += 1
        }
    }

    private func start() {
        do {
            starts += 1
            if let standIn = configuration.standIn {
                child = ChildProcess(standIn: standIn(), number: starts)
            } else {
                child = try ChildProcess(
                    executable: configuration.executable, arguments: configuration.arguments, environment: environment)
            }
        } catch {
            brokenBy = .cannotStart("\(error)")
        }
        queueLimit = 1
        announcesEnds = false
        hasSpoken = false
        hasClosedInput = false
        straggler = nil
        outgoing.removeAll()
        outgoingStart = 0
        incoming.removeAll()
    }

    /// Starts the clock of the push at the head of the queue.
    private func beginHead() {
        let now = SystemClock.monotonicNanoseconds()
        queue.first?.trace?.begin(at: now)
        deadline = now &+ configuration.timeLimit.nanoseconds
        nextMemoryCheck = configuration.memoryLimit == nil ? .max : now &+ Self.memoryInterval
    }

    private func append(_ bytes: UnsafeRawBufferPointer) {
        // SOUND: the caller vouches for the bytes, which are copied.
        guard let base = bytes.baseAddress else { return }
        unsafe outgoing.append(BorrowedText(start: base.assumingMemoryBound(to: UInt8.self), count: bytes.count))
    }

    /// Writes as much as the pipe takes.
    func flush() {
        // SOUND: `outgoingStart` counts bytes that were written, so it is within the buffer.
        guard let child else { return }
        while outgoingStart < outgoing.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: outgoing.bytes[outgoingStart...])
            do throws(SystemError) {
                unsafe outgoingStart += try child.input.write(rest)
            } catch .interrupted {
                continue
            } catch .brokenPipe {
                // It has exited, which its output will show soon, or it has only closed its input: then there is nothing to wait for.
                hasClosedInput = true
                deadline = min(deadline, SystemClock.monotonicNanoseconds() &+ Self.patience)
                return
            } catch {
                return
            }
        }
        outgoing.removeAll()
        outgoingStart = 0
    }

    // MARK: - Receiving

    /// Reads and handles the available output.
    func receive(_ session: any ScreenSession) throws {
        // SOUND: a line is done with before the next read.
        guard let child else { return }
        var late = 0
        while true {
            guard let count = try? incoming.read(from: child.output) else { break }
            if count == 0 { return endOfOutput() }
            while let line = unsafe incoming.nextLine() {
                try unsafe take(line, session)
                // The rest of the output of a process that was ended does not concern the next one.
                guard self.child?.pid == child.pid else { return }
            }
            // Its time passes although it writes all the time. What was in the pipe by then still counts.
            if SystemClock.monotonicNanoseconds() >= deadline { late += count }
            if late >= Self.maximumLateBytes { break }
            if incoming.count > Self.maximumLine {
                stray("a line of more than \(Self.maximumLine >> 20) MiB")
                return giveUp(.ended("wrote a line without an end"))
            }
        }
        checkMemory(SystemClock.monotonicNanoseconds())
    }

    private func take(_ line: UnsafeRawBufferPointer, _ session: any ScreenSession) throws {
        // SOUND: the caller vouches for the line, and the tape was just made of it.
        let text = unsafe line.last == UInt8(ascii: "\r") ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
        if unsafe text.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return }
        guard unsafe scanner.scan(text, into: &tape) == nil, let message = unsafe tape.root(of: text),
            let method = message["method"]?.string
        else { return unsafe stray(String(decoding: text.prefix(80), as: UTF8.self)) }
        hasSpoken = true
        failedStarts = 0
        if method == "ready" {
            queueLimit = Int(clamping: min(max(message["queue"]?.int64 ?? 1, 1), Int64(Self.maximumQueue)))
            // A push has its whole time, however long the program took to start. Only once: a program cannot prolong its time.
            if !announcesEnds, !hasClosedInput, sentCount > 0, deadline != .max {
                deadline = max(deadline, SystemClock.monotonicNanoseconds() &+ configuration.timeLimit.nanoseconds)
            }
            announcesEnds = true
            send()
            return flush()
        }
        guard let id = message["id"]?.int64.flatMap({ UInt64(exactly: $0) }) else {
            return unsafe stray(String(decoding: text.prefix(80), as: UTF8.self))
        }
        if method == "finished", id == straggler {
            straggler = nil
            return headHasChanged()
        }
        let position = queue[..<sentCount].firstIndex { $0.id == id }
        guard let position else {
            // Work that continues after its push is finished: a device would have suspended the process.
            if let call = message["call"]?.int64 { answer(call) }
            return
        }
        let push = queue[position]
        if method == "contentHandler" {
            handle(message, push)
        } else if method == "finished" {
            finish(push)
        } else if method == "timeExpired" {
            if push.handledAt == nil { giveUp(.handlerNotCalled) }
        } else if method == "unreadable" {
            push.fail(.unreadable)
            finish(push)
        } else if method == "finding" {
            push.takeFinding(message)
        } else if let answer = try calls.perform(method, message, for: push, session) {
            push.trace?.add(method, message, answer: answer)
            if let call = message["call"]?.int64 { self.answer(call, answer) }
        } else {
            stray("method \(method.string)")
        }
    }

    private func handle(_ message: JSONView, _ push: PendingPush) {
        guard push.takeContent(message["content"], at: SystemClock.monotonicNanoseconds()) else { return }
        if !announcesEnds {
            finish(push)
        } else if push.hasExpired {
            letGo(push)
        }
    }

    /// - Parameter members: each with a comma before it.
    private func answer(_ call: Int64, _ members: [UInt8] = []) {
        // SOUND: the bytes live until the closure returns, and are copied.
        outgoing.append("{\"method\":\"answer\",\"call\":")
        outgoing.append(call)
        unsafe members.withUnsafeBytes { unsafe append($0) }
        outgoing.append("}\n")
        flush()
    }

    /// A line that is no message.
    private func stray(_ text: String) {
        guard let push = queue.first else { return }
        push.noteStrayLine(text)
        if push.strayLines > Self.maximumStrayLines { giveUp(.ended("wrote only lines that are not messages")) }
    }

    // MARK: - Ends

    /// Finishes a push.
    private func finish(_ push: PendingPush) {
        guard let position = queue.firstIndex(where: { $0 === push }) else { return }
        if push.handledAt == nil, push.failure == nil { push.fail(.handlerNotCalled) }
        push.isFinished = true
        queue.remove(at: position)
        if position < sentCount { sentCount -= 1 }
        if position == 0 { headHasChanged() }
    }

    private func headHasChanged() {
        deadline = .max
        nextMemoryCheck = .max
        if straggler == nil, sentCount > 0 { beginHead() }
        send()
    }

    /// Finishes a push that the process may still be working on. The process gets some time to return for the next one.
    private func letGo(_ push: PendingPush) {
        straggler = push.id
        finish(push)
        deadline = SystemClock.monotonicNanoseconds() &+ Self.grace
    }

    /// Ends the process and fails the push at the head of the queue. The pushes after it go to the next process.
    private func giveUp(_ failure: PendingPush.Failure) {
        endChild()
        let head = queue.first
        sentCount = 0
        straggler = nil
        deadline = .max
        nextMemoryCheck = .max
        if let head {
            head.fail(failure)
            queue.removeFirst()
        }
        send()
        flush()
    }

    /// The process has closed its output: it has exited, or is about to.
    private func endOfOutput() {
        guard let child else { return }
        self.child = nil
        let ending = child.end(patience: 1000)
        let hadBegun = sentCount > 0 && straggler == nil
        sentCount = 0
        straggler = nil
        deadline = .max
        nextMemoryCheck = .max
        if !hasSpoken {
            failedStarts += 1
            if failedStarts == Self.maximumFailedStarts {
                brokenBy = .cannotStart("it \(ending?.text ?? "closed its output") \(failedStarts) times in a row")
            }
        }
        if hadBegun, let head = queue.first {
            if ending == .exited(0), head.handledAt == nil, head.retries == 0, hasSpoken {
                // It exited normally: a program may handle one push and exit.
                head.retries = 1
                head.trace?.add(.event, "the extension ended without an answer, and is started again")
            } else {
                head.fail(.ended(ending?.text ?? "closed its output"))
                queue.removeFirst()
            }
        }
        send()
        flush()
    }

    // MARK: - Time and memory

    /// Acts on deadlines that have passed.
    func checkDeadlines(_ now: Int64, _ session: any ScreenSession) throws {
        checkMemory(now)
        guard now >= deadline else { return }
        // It may have answered in time, while other processes were served.
        try receive(session)
        guard now >= deadline else { return }
        if straggler != nil {
            straggler = nil
            return restart()
        }
        guard let head = queue.first, sentCount > 0 else {
            deadline = .max
            return
        }
        if hasClosedInput {
            giveUp(.ended("closed its input"))
        } else if head.handledAt != nil {
            // It called its handler and is still in `didReceive`: there is nothing to wait for.
            letGo(head)
        } else if !head.hasExpired {
            head.hasExpired = true
            head.trace?.add(.told, "serviceExtensionTimeWillExpire", at: now)
            deadline = now &+ Self.grace
            outgoing.append("{\"method\":\"serviceExtensionTimeWillExpire\",\"id\":")
            outgoing.append(head.id)
            outgoing.append("}\n")
            flush()
        } else {
            giveUp(.handlerNotCalled)
        }
    }

    /// Ends a process that does not return from a finished push.
    private func restart() {
        endChild()
        sentCount = 0
        deadline = .max
        nextMemoryCheck = .max
        send()
        flush()
    }

    private func checkMemory(_ now: Int64) {
        guard let limit = configuration.memoryLimit, sentCount > 0, let used = child?.ownMemory else { return }
        nextMemoryCheck = now &+ Self.memoryInterval
        if used > limit { giveUp(.memoryLimit(used: used, limit: limit)) }
    }
}
