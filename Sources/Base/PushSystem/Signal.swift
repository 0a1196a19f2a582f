#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A signal, by number, and its disposition in this process.
package struct Signal: Sendable, Hashable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    /// From the terminal: Ctrl-C.
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
