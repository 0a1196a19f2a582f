import FoundationEssentials
import PushSystem

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
        (searchPath ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/\(name)" }.first {
            FileSystem.hasAccess($0, .execution)
        }
    }

    /// Runs the program with empty standard input until it exits.
    ///
    /// - Parameter received: called with each piece of output as it arrives.
    /// - Returns: the exit status, or 128 plus the number of the signal that ended the program.
    /// - Throws: `SystemError` when it cannot be started.
    func run(_ arguments: [String], received: ([UInt8]) -> Void) throws(SystemError) -> Int32 {
        let (readEnd, writeEnd) = try FileDescriptor.pipe()
        defer { readEnd.close() }
        var launch = ProgramLaunch(
            executable: executable, arguments: [executable] + arguments,
            environment: environment.map { "\($0.key)=\($0.value)" })
        launch.input = .nothing
        launch.output = .descriptor(writeEnd)
        if errors == .merged { launch.errors = .descriptor(writeEnd) }
        let started = Result { () throws(SystemError) in try launch.start() }
        writeEnd.close()
        let process = try started.get()
        var piece: [UInt8] = []
        while (try? readEnd.appendPiece(to: &piece, atMost: 16 * 1024)) == true {
            received(piece)
            piece.removeAll(keepingCapacity: true)
        }
        return switch try process.wait() {
        case .exited(let status): status
        case .signalled(let number): 128 + number
        }
    }
}
