import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// SIGINT, SIGTERM and SIGHUP, which end a run after the current chunk. A second signal ends it at once.
package enum StopSignal {
    private static let received = Atomic<Int32>(0)
    /// True if the run stops by itself when a signal asks for it. If false, the first signal ends the process.
    private static let isListening = Atomic<Bool>(false)
    /// The descriptor that a byte is written to when a signal arrives; -1 for none.
    private static let wakeUp = Atomic<Int32>(-1)
    /// The descriptor that a byte is written to when a signal is to end the process at once; -1 if there is nothing to do before.
    private static let cleanUp = Atomic<Int32>(-1)
    private static let cleanUpSource = Mutex<(any DispatchSourceRead)?>(nil)

    /// The number of the signal that requested the stop; nil if none did.
    package static var current: Int32? {
        let number = received.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// Such as `SIGTERM`.
    package static func name(of number: Int32) -> String {
        number == Signal.interrupt.number ? "SIGINT" : number == Signal.terminate.number ? "SIGTERM" : "SIGHUP"
    }

    private static let signals: [Signal] = [.interrupt, .terminate, .hangUp]

    /// Heeds SIGINT even if it was ignored when this program started. A shell has it ignored in what it starts with `&`, so that Ctrl-C ends only
    /// what is in the foreground; but `kill -INT` is how a server is stopped, and Ctrl-C in the script that started it should leave none behind.
    package static func heedInterrupt() {
        if Signal.interrupt.isIgnored { Signal.interrupt.restoreDefault() }
    }

    /// Starts listening, except for signals that were ignored when this program started.
    package static func listen() {
        isListening.store(true, ordering: .relaxed)
        handle()
    }

    /// Lets the signals through. A program that a thread starts that blocks them, as Dispatch threads do, would never receive them.
    package static func unblock() { Signal.unblock(signals) }

    private static func handle() {
        unblock()
        // Makes sure that the atomics exist before a handler runs.
        _ = (current, wakeUp.load(ordering: .relaxed), cleanUp.load(ordering: .relaxed))
        for signal in signals where !signal.isIgnored {
            signal.handle { number in
                let earlier = StopSignal.received.exchange(number, ordering: .relaxed)
                if earlier == 0, StopSignal.isListening.load(ordering: .relaxed) {
                    FileDescriptor(rawValue: StopSignal.wakeUp.load(ordering: .relaxed)).writeWakeUp()
                } else if case let descriptor = StopSignal.cleanUp.load(ordering: .relaxed), descriptor >= 0 {
                    FileDescriptor(rawValue: descriptor).writeWakeUp()
                } else {
                    Signal(number).endProcess()
                }
            }
        }
    }

    /// Has the next signal also wake a thread that waits for a descriptor, whichever thread the signal interrupts.
    ///
    /// - Parameter descriptor: the write end of a pipe, non-blocking; nil from when it is closed.
    package static func wake(_ descriptor: FileDescriptor?) {
        wakeUp.store(descriptor?.rawValue ?? -1, ordering: .relaxed)
    }

    /// Has a signal that ends the process at once call a function before: the second one, or the first if nobody listens.
    ///
    /// - Parameter body: runs on a thread of its own, while the others go on. It ends the process with the function that it gets.
    /// - Throws: `SystemError` if there are no descriptors. Only the first call has an effect.
    package static func beforeEnd(_ body: @escaping @Sendable (_ end: () -> Never) -> Void) throws(SystemError) {
        let result = cleanUpSource.withLock { kept in
            Result { () throws(SystemError) in
                guard kept == nil else { return }
                let (readEnd, writeEnd) = try FileDescriptor.pipe()
                writeEnd.setNonBlocking()
                let source = DispatchSource.makeReadSource(
                    fileDescriptor: readEnd.rawValue, queue: DispatchQueue(label: "pushpipe.end"))
                source.setEventHandler {
                    body {
                        let signal = Signal(StopSignal.current ?? Signal.terminate.number)
                        signal.endProcess()
                        // It takes a moment.
                        for _ in 0..<1000 { CurrentProcess.pause(microseconds: 1000) }
                        CurrentProcess.exit(128 + signal.number)
                    }
                }
                source.activate()
                kept = source
                cleanUp.store(writeEnd.rawValue, ordering: .relaxed)
            }
        }
        try result.get()
        handle()
    }
}

/// A signal, by number, and its disposition in this process.
package struct Signal: Sendable, Hashable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    /// Ctrl-C at the terminal.
    package static let interrupt = Signal(SIGINT)
    /// A request to terminate.
    package static let terminate = Signal(SIGTERM)
    /// The terminal was closed.
    package static let hangUp = Signal(SIGHUP)
    /// A write to a pipe without a reader.
    package static let brokenPipe = Signal(SIGPIPE)
    /// A file would exceed its size limit (`ulimit -f`).
    package static let fileSizeExceeded = Signal(SIGXFSZ)

    /// The system's description, such as `Terminated`.
    package var description: String? {
        // SOUND: `strsignal` returns a terminated string, and it is copied before the next call.
        unsafe strsignal(number).map { unsafe String(cString: $0) }
    }

    /// Ignores it from now on. What would have raised it fails instead: a write to a pipe without a reader with `.brokenPipe`.
    package func ignore() { signal(number, SIG_IGN) }

    /// Gives it its default action, for example if it was ignored when this program started.
    package func restoreDefault() { signal(number, SIG_DFL) }

    /// True if the signal has its default action, neither handled nor ignored.
    package var hasDefaultAction: Bool { Self.handlerAddress(of: number) == 0 }

    /// True if the signal is ignored, for example as inherited from the parent process.
    package var isIgnored: Bool {
        // SIG_IGN is a function at address 1.
        Self.handlerAddress(of: number) == 1
    }

    /// Calls a function whenever it arrives. Calls that wait are interrupted (`EINTR`).
    ///
    /// - Parameter handler: runs on any thread, between any two instructions: it may only use atomics, and call
    ///   `FileDescriptor.writeWakeUp` and `endProcess`.
    package func handle(_ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        // Without SA_RESTART, so that a read that waits is interrupted.
        action.sa_flags = 0
        #if canImport(Darwin)
            unsafe action.__sigaction_u.__sa_handler = handler
        #else
            unsafe action.__sigaction_handler.sa_handler = handler
        #endif
        // SOUND: the call copies the action.
        unsafe sigaction(number, &action, nil)
    }

    /// Has the signal end the process, as it does where nobody handles it: within a handler, when that returns.
    package func endProcess() {
        signal(number, SIG_DFL)
        // To the process and not to this thread, which may have blocked it.
        kill(getpid(), number)
    }

    /// Sends it to this process, which handles it as one that came from elsewhere.
    package func sendToThisProcess() { kill(getpid(), number) }

    /// Lets this thread, and those that it starts, receive signals. A thread that was started with them blocked would never get them.
    package static func unblock(_ signals: [Signal]) {
        var set = sigset_t()
        // SOUND: `set` is initialized by `sigemptyset`, and the last call copies it.
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal.number) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// The address of the handler: 0 for the default action, 1 for ignored, -1 if the system does not tell.
    private static func handlerAddress(of number: Int32) -> Int {
        var action = sigaction()
        // SOUND: the call writes one `sigaction`.
        guard unsafe sigaction(number, nil, &action) == 0 else { return -1 }
        #if canImport(Darwin)
            let handler = unsafe action.__sigaction_u.__sa_handler
        #else
            let handler = unsafe action.__sigaction_handler.sa_handler
        #endif
        // SOUND: a C function pointer has the size of an address, and is only looked at.
        return unsafe unsafeBitCast(handler, to: Int.self)
    }
}
