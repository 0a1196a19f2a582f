import PushDevices
import PushJSON
import PushModel
import PushSystem
import Synchronization

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
    private var starts = 0
    /// The bytes of memory that the process used at its first message; nil before, and the most once it has been found to use much more.
    private var memoryAtStart: Int?

    private var outgoing = ByteBuffer()
    private var outgoingStart = 0
    private var incoming = LineBuffer()
    private var errors = ErrorOutput()
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

    /// The descriptors to poll: the outputs of the process, and its input if there is something to write.
    var pollRequests: [FileDescriptor.PollRequest] {
        guard let child else { return [] }
        var requests = [FileDescriptor.PollRequest(child.output, .readable)]
        if let place = child.errors, errors.isOpen { requests.append(.init(place, .readable)) }
        if outgoingStart < outgoing.count { requests.append(.init(child.input, .writable)) }
        return requests
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
        return child?.end(patience: patience, meanwhile: passErrors)
    }

    private func passErrors() {
        if let place = child?.errors { errors.pass(from: place) }
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
        errors = ErrorOutput()
        starts += 1
        memoryAtStart = nil
        do {
            child =
                try configuration.standIn.map { ChildProcess(standIn: $0()) }
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
    func receive(_ session: any DeliverySession) throws {
        // SOUND: a line lives until the closure returns.
        guard let child else { return }
        passErrors()
        let start = starts
        var late = 0
        while true {
            guard let count = try? incoming.read(from: child.output) else { break }
            // It has exited, or is about to.
            if count == 0 {
                let ending = endChild(patience: 1000)
                return perform(machine.outputEnded(ending, lastWords: errors.fatalError))
            }
            while let line = incoming.nextLine() {
                try unsafe line.withUnsafeBytes { try unsafe take($0, session) }
                // The rest of the output of a process that was ended does not concern the next one.
                guard self.child != nil, starts == start else { return }
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

    private func take(_ line: UnsafeRawBufferPointer, _ session: any DeliverySession) throws {
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
    func checkDeadlines(_ now: Int64, _ session: any DeliverySession) throws {
        checkMemory(now)
        guard now >= machine.deadline else { return }
        // It may have answered in time, while other processes were served.
        try receive(session)
        perform(machine.deadlinePassed(at: now))
    }

    private func checkMemory(_ now: Int64) {
        let isLimited = configuration.memoryLimit != nil
        guard machine.checksMemory, isLimited || memoryAtStart == nil || now >= machine.nextMemoryCheck else { return }
        let used = child?.ownMemory ?? 0
        if !isLimited, let start = memoryAtStart, used - start > ExtensionConfiguration.usualMemory {
            head?.noteMemory(used - start)
            memoryAtStart = .max
        }
        memoryAtStart = memoryAtStart ?? used
        perform(machine.memoryMeasured(used, at: now))
    }
}

/// A child process with pipes to its standard input and from its two outputs. None of them blocks on this side.
struct ChildProcess {
    /// Nil for pipes without a process behind them.
    private let process: ChildProcessID?
    let input: FileDescriptor
    let output: FileDescriptor
    let errors: FileDescriptor?

    /// The variable by which what a process has started is found. Its value tells the processes apart.
    static let markName = "PUSHPIPE_EXTENSION_PROCESS"
    private static let lastNumber = Atomic(0)
    /// Milliseconds between looks at what a process writes that is about to end.
    private static let pause = 20

    /// How a process ended.
    typealias Ending = ChildProcessID.Ending

    init(executable: String, arguments: [String], environment: [String]) throws(SystemError) {
        var pipes: [(readEnd: FileDescriptor, writeEnd: FileDescriptor)] = []
        do throws(SystemError) {
            for _ in 0..<3 { pipes.append(try FileDescriptor.pipe()) }
            var launch = ProgramLaunch(
                executable: executable, arguments: [executable] + arguments, environment: environment)
            launch.input = .descriptor(pipes[0].readEnd)
            launch.output = .descriptor(pipes[1].writeEnd)
            launch.errors = .descriptor(pipes[2].writeEnd)
            launch.isSeparate = true
            let number = Self.lastNumber.add(1, ordering: .relaxed).newValue
            launch.mark = "\(Self.markName)=\(CurrentProcess.id).\(number)"
            process = try launch.start()
        } catch {
            for pipe in pipes {
                pipe.readEnd.close()
                pipe.writeEnd.close()
            }
            throw error
        }
        pipes[0].readEnd.close()
        pipes[1].writeEnd.close()
        pipes[2].writeEnd.close()
        input = pipes[0].writeEnd
        output = pipes[1].readEnd
        let errors = pipes[2].readEnd
        for descriptor in [input, output, errors] { descriptor.setNonBlocking() }
        self.errors = errors
    }

    /// Pipes without a process behind them. It counts as ended with status 0.
    init(standIn: (input: Int32, output: Int32)) {
        process = nil
        input = FileDescriptor(rawValue: standIn.input)
        output = FileDescriptor(rawValue: standIn.output)
        errors = nil
    }

    /// Ends the process and everything it has started: its group, and the orphans that this process has adopted.
    ///
    /// - Parameters:
    ///   - patience: milliseconds to wait for it to end by itself.
    ///   - meanwhile: called every few milliseconds, and at the end: a process does not end while a pipe is full.
    /// - Returns: how it ended by itself; nil if it had to be killed.
    func end(patience: Int, meanwhile: () -> Void) -> Ending? {
        input.close()
        output.close()
        guard let process else { return .exited(0) }
        defer {
            meanwhile()
            errors?.close()
            ChildProcesses.endOrphans()
        }
        for start in stride(from: 0, to: patience, by: Self.pause) {
            meanwhile()
            if let ending = process.wait(milliseconds: min(patience - start, Self.pause)) {
                process.killGroup()
                return ending
            }
        }
        process.killGroup()
        _ = try? process.wait()
        return nil
    }

    /// Bytes of memory that belong to the process alone; nil where the system does not report them.
    var ownMemory: Int? {
        // SOUND: the call writes at most the size of the buffer, and the first `count` bytes are read before the
        // closure returns.
        #if os(Linux)
            guard let process, let file = try? FileDescriptor.open("/proc/\(process.rawValue)/status", .readOnly)
            else { return nil }
            defer { file.close() }
            return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { buffer -> Int? in
                guard let count = try? unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer)), count > 0 else {
                    return nil
                }
                let text = unsafe String(decoding: UnsafeBufferPointer(rebasing: buffer[..<count]), as: UTF8.self)
                // "RssAnon:	    1234 kB"
                guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }) else {
                    return nil
                }
                return Int(line.filter(\.isNumber)).map { $0 << 10 }
            }
        #else
            return nil
        #endif
    }
}

extension ChildProcessID.Ending {
    /// The ending in words, such as `exited with status 3`.
    var text: String {
        switch self {
        case .exited(let status): "exited with status \(status)"
        case .signalled(let number):
            "was ended by signal \(number) (\(Signal(number).description ?? "unknown"))"
        }
    }
}

/// The standard error of a process. Its lines are passed on, except for the stack that Swift for Linux prints of its own runtime.
struct ErrorOutput {
    /// The longest line in bytes; a longer one is passed on in pieces. So is what comes at once, so that no process keeps this one.
    private static let maximumBytes = 1 << 20  // 1 MiB
    /// The longest message that is kept, in bytes.
    private static let maximumMessage = 1000

    private var lines = LineBuffer()
    private var isInStack = false
    /// The line in which Swift says why it ends the process, such as `Push/Service.swift:12: Fatal error: …`.
    private(set) var fatalError: String?
    private(set) var isOpen = true

    mutating func pass(from descriptor: FileDescriptor) {
        var total = 0
        while isOpen, total < Self.maximumBytes, let count = try? lines.read(from: descriptor) {
            total += count
            isOpen = count > 0
            while let line = lines.nextLine() { take(line) }
            if !isOpen || lines.count >= Self.maximumBytes {
                try? FileDescriptor.standardError.writeAll(lines.takeRest())
            }
        }
    }

    private mutating func take(_ line: ArraySlice<UInt8>) {
        let text = String(decoding: line.prefix(Self.maximumMessage), as: UTF8.self)
        if text.contains("Fatal error: ") { fatalError = text }
        isInStack = text == "Current stack trace:" || isInStack && text.first?.isNumber == true
        if !isInStack { try? FileDescriptor.standardError.writeAll(line + [UInt8(ascii: "\n")]) }
    }
}

/// Splits what is read from a pipe into lines, and keeps the incomplete last one.
struct LineBuffer {
    private var piece = [UInt8](repeating: 0, count: 64 << 10)  // 64 KiB
    private var bytes: [UInt8] = []
    private var start = 0
    /// The place up to which there is no line feed.
    private var searched = 0

    var count: Int { bytes.count - start }

    mutating func removeAll() {
        bytes.removeAll()
        start = 0
        searched = 0
    }

    /// The incomplete last line, which is taken out.
    mutating func takeRest() -> [UInt8] {
        defer { removeAll() }
        return Array(bytes[start...])
    }

    /// Reads once, and returns the number of bytes, 0 at the end.
    mutating func read(from descriptor: FileDescriptor) throws(SystemError) -> Int {
        bytes.removeFirst(start)
        searched -= start
        start = 0
        let count = try descriptor.read(into: &piece)
        bytes += piece[..<count]
        return count
    }

    /// The next complete line, without its line feed.
    mutating func nextLine() -> ArraySlice<UInt8>? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            return nil
        }
        defer {
            start = end + 1
            searched = start
        }
        return bytes[start..<end]
    }
}
