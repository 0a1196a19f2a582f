import PushSystem
import Synchronization

/// A child process with pipes to its standard input and from its standard output. Neither blocks on this side.
struct ChildProcess {
    /// Negative without a process; see `init(standIn:number:)`.
    let pid: Int32
    let input: FileDescriptor
    let output: FileDescriptor

    /// The variable by which what a process has started is found. Its value tells the processes apart.
    static let markName = "PUSHPIPE_EXTENSION_PROCESS"
    private static let lastNumber = Atomic(0)

    /// How a process ended.
    typealias Ending = ChildProcessID.Ending

    /// Starts a program. It shares this process's standard error.
    init(executable: String, arguments: [String], environment: [String]) throws(SystemError) {
        let toChild = try FileDescriptor.pipe()
        let fromChild: (readEnd: FileDescriptor, writeEnd: FileDescriptor)
        do throws(SystemError) {
            fromChild = try FileDescriptor.pipe()
        } catch {
            toChild.readEnd.close()
            toChild.writeEnd.close()
            throw error
        }
        var launch = ProgramLaunch(
            executable: executable, arguments: [executable] + arguments, environment: environment)
        launch.input = .descriptor(toChild.readEnd)
        launch.output = .descriptor(fromChild.writeEnd)
        launch.isSeparate = true
        let number = Self.lastNumber.add(1, ordering: .relaxed).newValue
        launch.mark = "\(Self.markName)=\(CurrentProcess.id).\(number)"
        let started = Result { () throws(SystemError) in try launch.start() }
        toChild.readEnd.close()
        fromChild.writeEnd.close()
        do throws(SystemError) {
            pid = try started.get().rawValue
        } catch {
            toChild.writeEnd.close()
            fromChild.readEnd.close()
            throw error
        }
        toChild.writeEnd.setNonBlocking()
        fromChild.readEnd.setNonBlocking()
        input = toChild.writeEnd
        output = fromChild.readEnd
    }

    /// Pipes without a process behind them. It counts as ended with status 0.
    init(standIn: (input: Int32, output: Int32), number: Int32) {
        pid = -max(number, 1)
        input = FileDescriptor(rawValue: standIn.input)
        output = FileDescriptor(rawValue: standIn.output)
    }

    /// Ends the process and everything it has started: its group, and the orphans that this process has adopted. Returns how it ended by itself; nil if it had to be killed.
    ///
    /// - Parameter patience: milliseconds to wait for it to end by itself.
    func end(patience: Int) -> Ending? {
        input.close()
        output.close()
        guard pid > 0 else { return .exited(0) }
        defer { ChildProcesses.endOrphans() }
        let process = ChildProcessID(rawValue: pid)
        if let ending = process.wait(milliseconds: patience) {
            process.killGroup()
            return ending
        }
        process.killGroup()
        _ = try? process.wait()
        return nil
    }

    /// Bytes of memory that belong to the process alone; nil where the system does not report them.
    var ownMemory: Int? {
        // SOUND: the call writes at most the size of the buffer, and the first `count` bytes are read before the
        // closure returns.
        #if os(Linux)
            guard pid > 0, let file = try? FileDescriptor.open("/proc/\(pid)/status", .readOnly) else { return nil }
            defer { file.close() }
            return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { buffer -> Int? in
                guard let count = try? unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer)), count > 0 else {
                    return nil
                }
                let text = unsafe String(decoding: UnsafeBufferPointer(rebasing: buffer[..<count]), as: UTF8.self)
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
}

extension ChildProcessID.Ending {
    /// For example `exited with status 3`.
    var text: String {
        switch self {
        case .exited(let status): "exited with status \(status)"
        case .signalled(let number):
            "was ended by signal \(number) (\(Signal(number).description ?? "unknown"))"
        }
    }
}
