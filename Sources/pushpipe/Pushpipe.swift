import ArgumentParser
import ExtensionBuild
import ExtensionHost
import NotificationStore
import PreferenceFiles
import PushLint
import PushPipeline
import SystemSupport
import TerminalStyle

/// The command: arguments, then a validated plan, then the run, then one exit status.
struct Pushpipe: ParsableCommand {
    static let version = ToolVersion.current

    static let configuration = CommandConfiguration(
        commandName: "pushpipe",
        abstract: "A Unix filter for push notifications, and a stand-in for the phone behind them.",
        discussion: """
            APNs, GCM and FCM payloads come in; each is parsed, held against its byte budget and its provider's rules, delivered \
            to a simulated Notification Center, and reported in one line.

              echo '{"aps":{"alert":"Hi"}}' | pushpipe run
              pushpipe lint payload.json

            Exit status: 0 when the work was done, 1 when --fail-on asked for it, the linter found errors, a scenario did not pass, an \
            extension could not be built or a switch of the preferences went back, 2 for wrong usage, unreadable input or a store that cannot be used; 128 and its number when SIGHUP, \
            SIGINT or SIGTERM ended it in order.
            """,
        version: version,
        subcommands: [
            RunCommand.self, TraceCommand.self, ExtensionCommand.self, LintCommand.self, RulesCommand.self,
            ExplainCommand.self, TestCommand.self,
            StoreCommand.self, DevicesCommand.self, PreferencesCommand.self, GenerateCommand.self,
        ])
}

/// Why a command does not end with status 0. Only `Main` decides exit statuses.
enum Failure: Error {
    /// The work is done, and a condition holds: `--fail-on`, errors of the linter or compiler, a scenario that did not pass. Its output has said
    /// so.
    case conditionMet
    /// Wrong usage that only the work can find, unreadable input, unwritable output. One line for standard error.
    case trouble(String)
    /// The same for an input that has changed or cannot be resumed, so that `--resume` does not help.
    case unfitInput(String)
    /// The same, already reported on standard error, for instance because the linter went on with the next file.
    case troubleTold
    /// A signal ended the run after a whole chunk.
    case stopped(Int32)
    /// The reader of standard output has closed it. Exit status 0.
    case readerGone
}

@main
enum Main {
    static func main() {
        // `write` reports a reader that has gone, so no signal is needed.
        Signal.brokenPipe.ignore()
        // The same for a file that would grow over a limit (ulimit -f): it is then treated like a full disk.
        Signal.fileSizeExceeded.ignore()
        StandardStreams.fillGaps()
        CurrentProcess.exit(run())
    }

    /// On one line, escaped: a message may name a file, and file names may hold anything.
    private static func complain(_ message: String) {
        StandardError.write("pushpipe: \(TerminalText.clean(message))\n")
    }

    private static func run() -> Int32 {
        do {
            var command = try Pushpipe.parseAsRoot()
            try command.run()
            return 0
        } catch Failure.conditionMet {
            return 1
        } catch Failure.stopped(let signal) {
            return 128 + signal
        } catch Failure.readerGone {
            return 0
        } catch Failure.trouble(let message), Failure.unfitInput(let message) {
            complain(message)
            return 2
        } catch let error as ExtensionBuildError {
            complain(error.message)
            return 2
        } catch Failure.troubleTold {
            return 2
        } catch let error as ConfigurationError {
            complain("\(error)")
            return 2
        } catch let error as PreferenceFileError {
            complain("\(error)")
            return 2
        } catch let error as InputError {
            complain("\(error)")
            return 2
        } catch let error as StoreError {
            complain("store \(error)")
            return 2
        } catch let error as SandboxError {
            complain("\(error)")
            return 2
        } catch {
            let message = Pushpipe.fullMessage(for: error)
            guard Pushpipe.exitCode(for: error).isSuccess else {
                StandardError.write(TerminalText.cleanLines(message) + "\n")
                return 2
            }
            // Help, the version, a completion script.
            do { try StandardOutput().write(message.isEmpty ? "" : message + "\n") } catch { return 0 }
            return 0
        }
    }
}
