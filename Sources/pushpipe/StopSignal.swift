import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// SIGINT, SIGTERM and SIGHUP, which end a run behind the chunk that it is busy with. The second one ends it as it would have without this.
enum StopSignal {
    private static let received = Atomic<Int32>(0)

    /// The number of the signal that asked for an end; nil when none did.
    static var current: Int32? {
        let number = received.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// Such as `SIGTERM`.
    static func name(of number: Int32) -> String {
        number == SIGINT ? "SIGINT" : number == SIGTERM ? "SIGTERM" : "SIGHUP"
    }

    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    /// Begins to listen, unless whoever started this program wanted a signal ignored.
    static func listen() {
        // So that the handler finds it made.
        _ = current
        // Whoever is started by a thread that blocks them, as threads of Dispatch do, would never get them.
        var all = sigset_t()
        sigemptyset(&all)
        for number in numbers { sigaddset(&all, number) }
        pthread_sigmask(SIG_UNBLOCK, &all, nil)
        for number in numbers {
            var old = sigaction()
            guard sigaction(number, nil, &old) == 0, !isIgnored(old) else { continue }
            var new = sigaction()
            // Without SA_RESTART, so that a read that waits is interrupted.
            new.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
            set(&new) { StopSignal.received.store($0, ordering: .relaxed) }
            sigaction(number, &new, nil)
        }
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        // SIG_IGN is a function at address 1.
        return unsafeBitCast(handler, to: Int.self) == 1
    }

    private static func set(_ action: inout sigaction, _ handler: @escaping @convention(c) (Int32) -> Void) {
        #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = handler
        #else
            action.__sigaction_handler.sa_handler = handler
        #endif
    }
}
