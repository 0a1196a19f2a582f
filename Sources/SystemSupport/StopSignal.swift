import Synchronization

/// SIGINT, SIGTERM and SIGHUP, which end a run after the current chunk. A second signal ends it at once.
package enum StopSignal {
    private static let received = Atomic<Int32>(0)
    /// The descriptor that a byte is written to when a signal arrives; -1 for none.
    private static let wakeUp = Atomic<Int32>(-1)

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

    /// Starts listening, except for signals that were ignored when this program started.
    package static func listen() {
        // Makes sure that the atomics exist before a handler runs.
        _ = current
        _ = wakeUp.load(ordering: .relaxed)
        // Without this, a program started by a thread that blocks them, as Dispatch threads do, would never receive them.
        Signal.unblock(signals)
        for signal in signals where !signal.isIgnored {
            signal.catchOnce { number in
                StopSignal.received.store(number, ordering: .relaxed)
                FileDescriptor(rawValue: StopSignal.wakeUp.load(ordering: .relaxed)).writeWakeUp()
            }
        }
    }

    /// Has the next signal also wake a thread that waits for a descriptor, whichever thread the signal interrupts.
    ///
    /// - Parameter descriptor: the write end of a pipe, non-blocking; nil from when it is closed.
    package static func wake(_ descriptor: FileDescriptor?) {
        wakeUp.store(descriptor?.rawValue ?? -1, ordering: .relaxed)
    }
}
