package import PushSystem

/// A file as another program converts it, such as `gzip -dc`. Released with its last reference, which ends the program.
package final class ConvertedFile {
    /// The converted text: the end of a pipe, for reading.
    package let descriptor: FileDescriptor
    /// The name of the program.
    package let program: String
    private let process: ChildProcessID
    private var isFinished = false

    /// Starts the program, with the file as its standard input; nil if there is no such program on `PATH`.
    ///
    /// - Parameters:
    ///   - file: at its beginning.
    ///   - command: the name of the program, and its arguments.
    /// - Throws: `SystemError` if the program cannot be started.
    package init?(_ file: FileDescriptor, through command: [String]) throws(SystemError) {
        let path = Environment.nonEmptyVariable("PATH") ?? "/usr/bin:/bin"
        guard let name = command.first,
            let executable = path.split(separator: ":").map({ "\($0)/\(name)" })
                .first(where: { FileSystem.hasAccess($0, .execution) })
        else { return nil }
        let (readEnd, writeEnd) = try FileDescriptor.pipe()
        var launch = ProgramLaunch(
            executable: executable, arguments: command, environment: ["PATH=\(path)", "LC_ALL=C"])
        launch.input = .descriptor(file)
        launch.output = .descriptor(writeEnd)
        // What it says of a damaged file has no name in it.
        launch.errors = .nothing
        launch.isSeparate = true
        let started = Result { () throws(SystemError) in try launch.start() }
        writeEnd.close()
        do throws(SystemError) { process = try started.get() } catch {
            readEnd.close()
            throw error
        }
        descriptor = readEnd
        program = name
    }

    /// Call at the end of the text. False if the program could not convert all of the file.
    package func finish() -> Bool {
        guard !isFinished else { return true }
        isFinished = true
        return (try? process.wait()) == .exited(0)
    }

    deinit {
        // The program ends when nobody reads what it writes.
        descriptor.close()
        if !isFinished { _ = try? process.wait() }
    }
}
