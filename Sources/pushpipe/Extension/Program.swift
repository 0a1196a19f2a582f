import FoundationEssentials
import PushPipeline

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Runs other programs.
enum Program {
    /// Starts a program, looked up on PATH, with nothing to read.
    ///
    /// - Parameter variables: its environment, each as `NAME=value`; this process's own unless given.
    static func start(
        _ arguments: [String], variables: [String]? = nil, output: Int32, errors: Int32 = STDERR_FILENO
    ) -> Result<pid_t, SystemError> {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        let argv = arguments.map { strdup($0) } + [nil]
        let variables = variables ?? ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        let environment = variables.map { strdup($0) } + [nil]
        defer { for text in argv + environment { free(text) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, arguments.first ?? "", &actions, nil, argv, environment)
        if code == 0 { return .success(process) }
        errno = code
        return .failure(SystemError())
    }

    /// Runs a program to its end, and collects what it writes to standard output.
    ///
    /// - Throws: `Failure.trouble` when it cannot be started.
    static func run(_ arguments: [String]) throws(Failure) -> (status: Int32, output: String) {
        let name = arguments.first ?? ""
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .trouble("\(name): \(SystemError())") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let started = start(arguments, output: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        guard case .success(let process) = started else { throw .trouble("\(name) cannot be started") }
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = systemRead(ends[0], &piece)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            output += piece[..<count]
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw .trouble("\(name): \(SystemError())") }
        }
        return (status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F, String(decoding: output, as: UTF8.self))
    }
}
