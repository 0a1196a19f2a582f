import ArgumentParser
import PushSQLite
import PushServices
import PushStreams
import PushSystem
import PushTerminal

struct ViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view", abstract: "Show a store in a browser or in the terminal, also while it is written.",
        discussion: """
            The page is that of pushpipe serve. Nothing is changed.

              pushpipe view phone.db
              pushpipe view --tui phone.db
            """)

    @OptionGroup var place: StoreCommand.Place
    @Option(help: ArgumentHelp("Address to listen on. (default: 127.0.0.1:2198)", valueName: "address:port"))
    var listen: String?
    @Option(help: ArgumentHelp("Require this access key, or the one in @FILE, for the API.", valueName: "key|@file"))
    var accessKey: String?
    @Flag(help: "Open the page in a browser.") var open = false
    @Flag(help: "Show one device after the other in this terminal: arrows move, q quits.") var tui = false
    @Option(help: "Begin with this device: its name, or the beginning of it.") var device: String?
    @Argument(help: ArgumentHelp("The store.", valueName: "file")) var arguments: [String] = []

    func validate() throws {
        if tui, listen != nil || accessKey != nil || open {
            throw ValidationError("--tui cannot be combined with --listen, --access-key and --open.")
        }
        _ = try address()
    }

    private func address() throws -> ListenAddress { try OptionValue.address(listen ?? "127.0.0.1:2198") }

    func run() throws {
        let path = try place.stores.only(arguments)
        if tui {
            StopSignal.listen()
            let output = StandardOutput()
            try ScreenBrowserJob.show(
                path, device: device, style: .standardOutput, isStopped: { StopSignal.current != nil },
                plain: { try output.write($0) })
        } else {
            StopSignal.heedInterrupt()
            let name = try device.map { try StoreArguments.open(path).device(named: $0) }
            let job = ViewJob(
                storePath: path, device: name, on: try address(), accessKey: accessKey, opens: open
            ) { try FollowedStore(path: $0) }
            try job.view(over: CommandProcess.neededNetwork(), to: ProcessStreams())
        }
        if let signal = StopSignal.current { throw Failure.stopped(signal) }
    }
}
