#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A program to start, with its arguments, environment and streams.
package struct ProgramLaunch: Sendable {
    /// Where one of the program's three streams comes from or goes to.
    package enum Stream: Sendable {
        /// The stream of this process.
        case inherited
        /// `/dev/null`, for reading.
        case nothing
        case descriptor(FileDescriptor)
    }

    package var executable: String
    /// All arguments, starting with the program's name.
    package var arguments: [String]
    /// Each as `NAME=value`.
    package var environment: [String]
    package var input = Stream.inherited
    package var output = Stream.inherited
    package var errors = Stream.inherited
    /// True if the program starts with no signal blocked, with the default actions for `SIGPIPE` and `SIGXFSZ`, and in a process group of
    /// its own, so that what it starts ends with it.
    package var isSeparate = false
    /// An entry of its environment by which what it starts is found: see `ChildProcesses`. No other program may have the same.
    package var mark: String?

    /// Number of attempts, and microseconds between them, to start a program that is still open for writing.
    private static let busyAttempts = 40
    private static let busyPause: UInt32 = 5000

    package init(executable: String, arguments: [String], environment: [String]) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
    }

    /// Starts it. An executable that was just written can still be open in a process forked meanwhile (`ETXTBSY`): then a separate program
    /// is tried again for a fifth of a second.
    package func start() throws(SystemError) -> ChildProcessID {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        // SOUND: both are initialized here and destroyed at the end; the calls between copy what they are given.
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        for (stream, number) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
            switch stream {
            case .inherited: break
            case .nothing: unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDONLY, 0)
            case .descriptor(let descriptor):
                unsafe posix_spawn_file_actions_adddup2(&actions, descriptor.rawValue, number)
            }
        }
        if isSeparate {
            // This process may ignore them, and what is ignored stays so in a new program.
            var defaults = sigset_t()
            unsafe sigemptyset(&defaults)
            unsafe sigaddset(&defaults, SIGPIPE)
            unsafe sigaddset(&defaults, SIGXFSZ)
            unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
            // Signals blocked in this thread would also stay blocked.
            var none = sigset_t()
            unsafe sigemptyset(&none)
            unsafe posix_spawnattr_setsigmask(&attributes, &none)
            unsafe posix_spawnattr_setpgroup(&attributes, 0)
            unsafe posix_spawnattr_setflags(
                &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        }
        var attempt = 0
        while true {
            let (code, process) = ChildProcesses.start(mark: mark.map { Array($0.utf8) }) {
                // SOUND: the arrays of arguments and variables end in a null pointer and live as long as the call.
                var process = pid_t()
                let code = unsafe Self.withCStrings(arguments) { arguments in
                    unsafe Self.withCStrings(environment + (mark.map { [$0] } ?? [])) { variables in
                        unsafe posix_spawn(&process, executable, &actions, &attributes, arguments, variables)
                    }
                }
                return (code, process)
            }
            if code == 0 { return ChildProcessID(rawValue: process) }
            let error = SystemError(code: code)
            guard isSeparate, error == .executableBusy, attempt < Self.busyAttempts else { throw error }
            attempt += 1
            usleep(Self.busyPause)
        }
    }

    /// Passes an array of C strings with a null pointer at its end.
    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        // SOUND: the copies are freed after the call that reads them.
        let copies = unsafe strings.map { unsafe strdup($0) }
        defer { for index in strings.indices { unsafe free(copies[index]) } }
        return unsafe body(copies + [nil])
    }
}

/// A child process that has not been waited for.
package struct ChildProcessID: Sendable, Hashable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// How a process ended.
    package enum Ending: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)
    }

    /// Waits for the process to end. Retries when interrupted.
    package func wait() throws(SystemError) -> Ending {
        var status: Int32 = 0
        // SOUND: the call writes one number.
        while unsafe waitpid(rawValue, &status, 0) < 0 {
            let error = SystemError()
            guard error == .interrupted else { throw error }
        }
        ChildProcesses.didEnd(rawValue)
        return Self.ending(status)
    }

    /// Waits for the process to end, at most this many milliseconds; nil if it is still running.
    package func wait(milliseconds: Int) -> Ending? {
        var status: Int32 = 0
        for _ in 0..<max(milliseconds, 0) {
            // SOUND: the call writes one number.
            if unsafe waitpid(rawValue, &status, WNOHANG) == rawValue {
                ChildProcesses.didEnd(rawValue)
                return Self.ending(status)
            }
            usleep(1000)
        }
        return nil
    }

    /// Kills the process and all processes of its group (`SIGKILL`). Only for a process with its own group.
    package func killGroup() { kill(-rawValue, SIGKILL) }

    private static func ending(_ status: Int32) -> Ending {
        // WIFEXITED and the like are macros.
        status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
    }
}
