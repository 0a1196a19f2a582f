import Dispatch
import Synchronization

/// SIGINT, SIGTERM and SIGHUP, which end a run after the current chunk. A second signal ends it at once.
package enum StopSignal {
    private static let received = Atomic<Int32>(0)
    /// True if the run stops by itself when a signal asks for it. If false, the first signal ends the process.
    private static let isListening = Atomic<Bool>(false)
    /// The descriptor that a byte is written to when a signal arrives; -1 for none.
    private static let wakeUp = Atomic<Int32>(-1)
    /// The same for a signal that ends the process at once; -1 if there is nothing to do before.
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

    private static func handle() {
        // Without this, a program started by a thread that blocks them, as Dispatch threads do, would never receive them.
        Signal.unblock(signals)
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
