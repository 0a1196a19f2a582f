import PushSystem

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A program that shows standard output page by page.
package struct Pager {
    /// Calls the pager, or `cat` if there is none of that name, so that nothing is lost.
    private static let script = #"eval "$1"; status=$?; [ $status -eq 127 ] && exec cat; exit $status"#

    private let process: ChildProcessID
    private let terminal: FileDescriptor

    /// Starts the pager that the variable `PAGER` names, a command of the shell, or else `less`, and makes it the reader of standard output.
    ///
    /// Nil if standard output is no terminal, if `PAGER` is `cat`, or if no process can be started: then the terminal shows everything,
    /// as it does if there is no program of that name. From then on Ctrl-C is for the pager. A pager that ends closes the pipe, which
    /// ends the output.
    package static func start() -> Pager? {
        guard Terminal.isTerminal(.standardOutput) else { return nil }
        let command = Environment.nonEmptyVariable("PAGER") ?? "less"
        guard command != "cat" else { return nil }
        let columns = Terminal.columns(.standardOutput)
        do throws(SystemError) {
            let terminal = try FileDescriptor.standardOutput.duplicated()
            let (readEnd, writeEnd) = try FileDescriptor.pipe()
            defer {
                readEnd.close()
                writeEnd.close()
            }
            // As git does: less shows colors and ends at once if everything fits, unless its user wants something else.
            let variables = ["LESS": "FRX", "LV": "-c"].merging(ProcessInfo.processInfo.environment) { $1 }
            var launch = ProgramLaunch(
                executable: "/bin/sh", arguments: ["sh", "-c", Self.script, "sh", command],
                environment: variables.map { "\($0.key)=\($0.value)" })
            launch.input = .descriptor(readEnd)
            let process = try launch.start()
            try writeEnd.duplicate(as: .standardOutput)
            Signal.interrupt.ignore()
            OutputSettings.current.columnsOfPager = columns
            return Pager(process: process, terminal: terminal)
        } catch {
            return nil
        }
    }

    /// Ends the text, and waits until the reader leaves the pager.
    package func finish() {
        try? terminal.duplicate(as: .standardOutput)
        terminal.close()
        OutputSettings.current.columnsOfPager = nil
        _ = try? process.wait()
    }
}
