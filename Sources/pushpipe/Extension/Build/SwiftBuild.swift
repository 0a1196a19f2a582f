import FoundationEssentials
import PushPipeline
import TerminalStyle

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Runs `swift build`.
struct SwiftBuild {
    enum Configuration: String, CaseIterable {
        case debug, release
    }

    let package: ExtensionPackage
    let module: String
    let configuration: Configuration
    /// Shows everything that the compiler says.
    let isVerbose: Bool
    /// Puts the paths of the files that were named in the place of those that are compiled.
    let paths: [(String, String)]

    /// The executable, after `run`.
    var product: String { "\(package.folder)/.build/\(configuration.rawValue)/\(module)" }

    /// - Returns: what was said, and whether it worked.
    func run() throws(Failure) -> (log: String, succeeded: Bool) {
        let arguments = [
            "swift", "build", "--package-path", package.folder, "--configuration", configuration.rawValue, "--product",
            module,
        ]
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .trouble("swift build: \(SystemError())") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let started = Program.start(arguments, variables: Self.variables, output: ends[1], errors: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        let process: pid_t
        switch started {
        case .success(let id): process = id
        case .failure(let error) where error.code == ENOENT:
            throw .trouble(
                "extensions are built with Swift, and there is no swift on PATH: https://www.swift.org/install")
        case .failure(let error): throw .trouble("swift: \(error)")
        }
        let log = listen(ends[0])
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw .trouble("swift build: \(SystemError())") }
        }
        return (log, status == 0)
    }

    /// Ours without those that manifests of pushpipe read.
    private static var variables: [String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PUSHPIPE_") }.map { "\($0.key)=\($0.value)" }
    }

    // MARK: - What it says

    /// Collects all of it, line by line; shows all of it, or on a terminal what is being done.
    private func listen(_ descriptor: Int32) -> String {
        let showsProgress = !isVerbose && StandardError.isTerminal
        var log = ""
        var line: [UInt8] = []
        func take() {
            let text = mapped(String(decoding: line, as: UTF8.self)) + "\n"
            line.removeAll(keepingCapacity: true)
            log += text
            if isVerbose { StandardError.write(text) }
            if showsProgress, text.hasPrefix("[") {
                StandardError.write("\r\u{1B}[K" + TextStyle.clean(String(text.dropLast().prefix(78))))
            }
        }
        var piece = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = systemRead(descriptor, &piece)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            for byte in piece[..<count] {
                if byte == UInt8(ascii: "\n") { take() } else { line.append(byte) }
            }
        }
        if !line.isEmpty { take() }
        if showsProgress { StandardError.write("\r\u{1B}[K") }
        return log
    }

    private func mapped(_ line: String) -> String {
        var line = line
        for (compiled, named) in paths { line = line.replacing(compiled, with: named) }
        return line
    }
}
