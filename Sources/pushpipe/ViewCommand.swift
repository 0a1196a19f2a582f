import ArgumentParser
import PushGateway
import SystemSupport

/// `pushpipe view`.
struct ViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view", abstract: "Show a store in a browser, also while it is written.",
        discussion: "  pushpipe view phone.db\n\nThe page is that of pushpipe serve. Nothing is changed.")

    @OptionGroup var place: StoreCommand.Place
    @Option(help: ArgumentHelp("Where to listen. (default: 127.0.0.1:2198)", valueName: "address:port"))
    var listen: String?
    @Option(help: ArgumentHelp("Demand this key, or that in a file, of clients of the API.", valueName: "key|@file"))
    var accessKey: String?
    @Flag(help: "Open the page in a browser.") var open = false
    @Argument(help: ArgumentHelp("The store.", valueName: "file")) var arguments: [String] = []

    func run() throws {
        let (path, rest) = try place.path(arguments)
        try rejectRest(rest)
        let job = try validated(ViewJob(storePath: path, listen: listen, accessKey: accessKey, opens: open))
        try job.view(to: ProcessStreams())
        if let signal = StopSignal.current { throw Failure.stopped(signal) }
    }
}
