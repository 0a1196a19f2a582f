import Synchronization
import SystemSupport

/// SIGINT, SIGTERM and SIGHUP, which end a run after the current chunk. A second signal ends it at once.
enum StopSignal {
    private static let received = Atomic<Int32>(0)

    /// The number of the signal that requested the stop; nil if none did.
    static var current: Int32? {
        let number = received.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// Such as `SIGTERM`.
    static func name(of number: Int32) -> String {
        number == Signal.interrupt.number ? "SIGINT" : number == Signal.terminate.number ? "SIGTERM" : "SIGHUP"
    }

    private static let signals: [Signal] = [.interrupt, .terminate, .hangUp]

    /// Starts listening, except for signals that were ignored when this program started.
    static func listen() {
        // Makes sure that the atomic exists before a handler runs.
        _ = current
        // Without this, a program started by a thread that blocks them, as Dispatch threads do, would never receive them.
        Signal.unblock(signals)
        for signal in signals where !signal.isIgnored {
            signal.catchOnce { StopSignal.received.store($0, ordering: .relaxed) }
        }
    }
}
