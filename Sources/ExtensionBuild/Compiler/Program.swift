import FileAccess
import FoundationEssentials
import PushPipeline

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Runs another program and reads what it writes.
struct Program {
    enum Errors {
        /// Standard error of this process.
        case inherited
        /// Read together with standard output.
        case merged
    }

    let executable: String
    var errors = Errors.inherited
    var environment = ProcessInfo.processInfo.environment

    /// The path of a program on a search path such as `$PATH`, or nil.
    static func find(_ name: String, on searchPath: String?) -> String? {
        (searchPath ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Runs the program with empty standard input until it exits.
    ///
    /// - Parameter received: called with each piece of output as it arrives.
    /// - Returns: the exit status, or 128 plus the number of the signal that ended the program.
    /// - Throws: `SystemError` when it cannot be started.
    func run(_ arguments: [String], received: ([UInt8]) -> Void) throws(SystemError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError() }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let started = Result { () throws(SystemError) in try start(arguments, output: ends[1]) }
        close(ends[1])
        let process = try started.get()
        var piece: [UInt8] = []
        while (try? FileBytes.appendPiece(of: ends[0], to: &piece, 16 * 1024)) == true {
            received(piece)
            piece.removeAll(keepingCapacity: true)
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw SystemError() }
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    private func start(_ arguments: [String], output: Int32) throws(SystemError) -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(
            &actions, errors == .merged ? output : STDERR_FILENO, STDERR_FILENO)
        let argv = ([executable] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in argv + variables { free(text) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, executable, &actions, nil, argv, variables)
        guard code == 0 else {
            errno = code
            throw SystemError()
        }
        return process
    }
}
