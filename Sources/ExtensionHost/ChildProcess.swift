#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A child process with pipes to its standard input and from its standard output. Neither blocks on this side.
struct ChildProcess {
    /// Negative without a process; see `init(standIn:number:)`.
    let pid: pid_t
    let input: Int32
    let output: Int32

    /// The operating system's error for a call that failed.
    struct Trouble: Error {
        let message: String
    }

    /// How a process ended.
    enum Ending: Equatable {
        case exited(Int32)
        case signalled(Int32)

        /// For example `exited with status 3`.
        var text: String {
            switch self {
            case .exited(let status): "exited with status \(status)"
            case .signalled(let number):
                "was ended by signal \(number) (\(strsignal(number).map { String(cString: $0) } ?? "unknown"))"
            }
        }
    }

    private static let maximumAttempts = 40

    /// Starts a program. It shares this process's standard error.
    ///
    /// - Throws: `Trouble`.
    init(executable: String, arguments: [String], environment: [String]) throws {
        var toChild: [Int32] = [-1, -1]
        var fromChild: [Int32] = [-1, -1]
        guard pipe(&toChild) == 0 else { throw Trouble(message: Self.reason(errno)) }
        guard pipe(&fromChild) == 0 else {
            let reason = Self.reason(errno)
            for descriptor in toChild { close(descriptor) }
            throw Trouble(message: reason)
        }
        // The child gets its two ends by dup2, which leaves them open; all four are closed in it otherwise.
        for descriptor in toChild + fromChild { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO)
        // This process may ignore these signals, and a new program inherits that.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        sigaddset(&defaults, SIGXFSZ)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        // A new program also inherits the signals that this thread blocks.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // A process group of its own, so that ending it ends what it has started too.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))

        var child = pid_t()
        var code: Int32 = 0
        for attempt in 0... {
            code = Self.withCStrings([executable] + arguments) { arguments in
                Self.withCStrings(environment) { variables in
                    posix_spawn(&child, executable, &actions, &attributes, arguments, variables)
                }
            }
            // The program was just written, and a process forked meanwhile still has it open.
            guard code == ETXTBSY, attempt < Self.maximumAttempts else { break }
            usleep(5000)
        }
        close(toChild[0])
        close(fromChild[1])
        guard code == 0 else {
            close(toChild[1])
            close(fromChild[0])
            throw Trouble(message: Self.reason(code))
        }
        for descriptor in [toChild[1], fromChild[0]] {
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        }
        pid = child
        input = toChild[1]
        output = fromChild[0]
    }

    /// Pipes without a process behind them. It counts as ended with status 0.
    init(standIn: (input: Int32, output: Int32), number: pid_t) {
        pid = -max(number, 1)
        input = standIn.input
        output = standIn.output
    }

    /// Ends the process and everything it has started. Returns how it ended by itself; nil if it had to be killed.
    ///
    /// - Parameter patience: milliseconds to wait for it to end by itself.
    func end(patience: Int) -> Ending? {
        close(input)
        close(output)
        guard pid > 0 else { return .exited(0) }
        var status: Int32 = 0
        for _ in 0..<max(patience, 0) {
            if waitpid(pid, &status, WNOHANG) == pid {
                kill(-pid, SIGKILL)
                return Self.ending(status)
            }
            usleep(1000)
        }
        kill(-pid, SIGKILL)
        while waitpid(pid, &status, 0) < 0 { if errno != EINTR { return nil } }
        return nil
    }

    private static func ending(_ status: Int32) -> Ending {
        // WIFEXITED and the like are macros.
        status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
    }

    /// Bytes of memory that belong to the process alone; nil where the system does not report them.
    var ownMemory: Int? {
        #if os(Linux)
            guard pid > 0 else { return nil }
            let descriptor = open("/proc/\(pid)/status", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { buffer -> Int? in
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return nil }
                let text = String(decoding: UnsafeBufferPointer(rebasing: buffer[..<count]), as: UTF8.self)
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

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// Passes an array of C strings with a null pointer at its end.
    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
