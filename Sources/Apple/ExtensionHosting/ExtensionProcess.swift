import DeviceScreens
import PayloadJSON
import PushModel
import PushSystem

/// A child process that runs an extension: its pipes, and the pushes that it works on.
///
/// It starts with the first push, and again after it ended or was ended. `ExtensionStateMachine` decides; this reads, writes, starts and
/// kills. Nothing here blocks; `nextDeadline` says when to call `checkDeadlines` again.
final class ExtensionProcess {
    private static let maximumLine = 16 << 20  // 16 MiB
    /// How much is read when a deadline has passed: the last piece, and what a pipe holds by default. Bytes.
    private static let maximumLateBytes = 128 << 10

    private let configuration: ExtensionConfiguration
    private let environment: [String]
    private let calls: CenterCalls
    private var machine: ExtensionStateMachine
    /// The pushes in the machine's queue, by their ids.
    private var pushes: [UInt64: PendingPush] = [:]
    private var child: ChildProcess?
    private var starts: Int32 = 0

    private var outgoing = ByteBuffer()
    private var outgoingStart = 0
    private var incoming = LineBuffer()
    private var scanner = JSONScanner()
    private var tape = JSONTape()

    init(_ configuration: ExtensionConfiguration, environment: [String], calls: CenterCalls) {
        self.configuration = configuration
        self.environment = environment
        self.calls = calls
        machine = ExtensionStateMachine(
            timeLimit: configuration.timeLimit.nanoseconds, memoryLimit: configuration.memoryLimit)
    }

    deinit { stop() }

    /// True if another push would be sent at once.
    var hasRoom: Bool { machine.hasRoom }
    var nextDeadline: Int64 { machine.nextDeadline }

    /// The descriptors to poll: the output of the process, and its input if there is something to write.
    var pollRequests: [FileDescriptor.PollRequest] {
        guard let child else { return [] }
        let output = FileDescriptor.PollRequest(child.output, .readable)
        return outgoingStart < outgoing.count ? [output, .init(child.input, .writable)] : [output]
    }

    func submit(_ push: PendingPush) {
        let isFirst = machine.head == nil
        pushes[push.id] = push
        perform(machine.submit(push.id))
        if isFirst { flush() }
    }

    /// Closes the pipes and waits for the process to exit.
    func stop() { endChild(patience: machine.afterlife) }

    @discardableResult
    private func endChild(patience: Int = 0) -> ChildProcess.Ending? {
        defer { child = nil }
        return child?.end(patience: patience)
    }

    // MARK: - Actions

    /// Performs an action and those that follow from it.
    private func perform(_ first: ExtensionStateMachine.Action?) {
        var action = first
        var writesAtOnce = false
        while let current = action {
            switch current {
            case .start:
                start()
                writesAtOnce = true
            case .send(let id): append(pushes[id]?.line ?? [])
            case .begin(let id):
                let now = SystemClock.monotonicNanoseconds()
                machine.didBegin(at: now)
                pushes[id]?.trace?.begin(at: now)
            case .expire(let id):
                pushes[id]?.trace?.add(.told, "serviceExtensionTimeWillExpire")
                outgoing.append("{\"method\":\"serviceExtensionTimeWillExpire\",\"id\":")
                outgoing.append(id)
                outgoing.append("}\n")
                writesAtOnce = true
            case .finish(let id, let failure): finish(id, failure)
            case .retry(let id):
                pushes[id]?.trace?.add(.event, "the extension ended without an answer, and is started again")
            case .replaceProcess: endChild()
            case .giveUp(let id, let failure):
                endChild()
                finish(id, failure)
            }
            action = machine.next()
        }
        if writesAtOnce { flush() }
    }

    private func start() {
        outgoing.removeAll()
        outgoingStart = 0
        incoming.removeAll()
        starts += 1
        do {
            child =
                try configuration.standIn.map { ChildProcess(standIn: $0(), number: starts) }
                ?? ChildProcess(
                    executable: configuration.executable, arguments: configuration.arguments, environment: environment)
            machine.didStart()
        } catch {
            machine.cannotStart("\(error)")
        }
    }

    private func finish(_ id: UInt64, _ failure: PendingPush.Failure?) {
        guard let push = pushes.removeValue(forKey: id) else { return }
        if let failure { push.fail(failure) }
        push.isFinished = true
    }

    // MARK: - Writing

    private func append(_ bytes: [UInt8]) {
        // SOUND: the bytes live until the closure returns, and are copied.
        unsafe bytes.withUnsafeBufferPointer {
            guard let base = $0.baseAddress else { return }
            unsafe outgoing.append(BorrowedText(start: base, count: $0.count))
        }
    }

    /// - Parameter members: each with a comma before it.
    private func answer(_ call: Int64, _ members: [UInt8] = []) {
        outgoing.append("{\"method\":\"answer\",\"call\":")
        outgoing.append(call)
        append(members)
        outgoing.append("}\n")
        flush()
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
                return machine.inputClosed(at: SystemClock.monotonicNanoseconds())
            } catch {
                return
            }
        }
        outgoing.removeAll()
        outgoingStart = 0
    }

    // MARK: - Reading

    /// Reads and handles the available output.
    func receive(_ session: any ScreenSession) throws {
        // SOUND: a line is done with before the next read.
        guard let child else { return }
        var late = 0
        while true {
            guard let count = try? incoming.read(from: child.output) else { break }
            // It has exited, or is about to.
            if count == 0 { return perform(machine.outputEnded(endChild(patience: 1000))) }
            while let line = unsafe incoming.nextLine() {
                try unsafe take(line, session)
                // The rest of the output of a process that was ended does not concern the next one.
                guard self.child?.pid == child.pid else { return }
            }
            // Its time passes although it writes all the time. What was in the pipe by then still counts.
            if SystemClock.monotonicNanoseconds() >= machine.deadline { late += count }
            if late >= Self.maximumLateBytes { break }
            if incoming.count > Self.maximumLine {
                head?.noteStrayLine("a line of more than \(Self.maximumLine >> 20) MiB")
                return perform(machine.lineTooLong())
            }
        }
        checkMemory(SystemClock.monotonicNanoseconds())
    }

    private var head: PendingPush? { machine.head.flatMap { pushes[$0] } }

    private func take(_ line: UnsafeRawBufferPointer, _ session: any ScreenSession) throws {
        // SOUND: the caller vouches for the line, and the tape was just made of it.
        let text = unsafe line.last == UInt8(ascii: "\r") ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
        if unsafe text.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return }
        guard unsafe scanner.scan(text, into: &tape) == nil, let message = unsafe tape.root(of: text),
            let method = message["method"]?.string
        else { return unsafe stray(String(decoding: text.prefix(80), as: UTF8.self)) }
        machine.messageArrived()
        if method == "ready" {
            perform(machine.ready(queue: message["queue"]?.int64, at: SystemClock.monotonicNanoseconds()))
            return flush()
        }
        guard let id = message["id"]?.int64.flatMap({ UInt64(exactly: $0) }) else {
            return unsafe stray(String(decoding: text.prefix(80), as: UTF8.self))
        }
        if method == "finished", let action = machine.finished(id) { return perform(action) }
        guard let sent = machine.sentPush(id), let push = pushes[id] else {
            // Work that continues after its push is finished: a device would have suspended the process.
            if let call = message["call"]?.int64 { answer(call) }
            return
        }
        if method == "contentHandler" {
            let now = SystemClock.monotonicNanoseconds()
            push.takeContent(message["content"], at: now, hasExpired: sent.hasExpired)
            perform(machine.handlerCalled(id, at: now))
        } else if method == "timeExpired" {
            perform(machine.timeExpired(id))
        } else if method == "unreadable" {
            perform(machine.unreadable(id))
        } else if method == "finding" {
            push.takeFinding(message)
        } else if let answer = try calls.perform(method, message, for: push, session) {
            push.trace?.add(method, message, answered: answer.list?.map(\.identifier))
            if let call = message["call"]?.int64 { self.answer(call, answer.members) }
        } else {
            stray("method \(method.string)")
        }
    }

    private func stray(_ text: String) {
        head?.noteStrayLine(text)
        perform(machine.strayLine())
    }

    // MARK: - Time and memory

    /// Acts on deadlines that have passed.
    func checkDeadlines(_ now: Int64, _ session: any ScreenSession) throws {
        checkMemory(now)
        guard now >= machine.deadline else { return }
        // It may have answered in time, while other processes were served.
        try receive(session)
        perform(machine.deadlinePassed(at: now))
    }

    private func checkMemory(_ now: Int64) {
        guard machine.checksMemory, let used = child?.ownMemory else { return }
        perform(machine.memoryMeasured(used, at: now))
    }
}
