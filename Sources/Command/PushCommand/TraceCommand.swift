import ArgumentParser
import PushModel
import PushReports
import PushSQLite
import PushStore
import PushStreams
import PushText

/// `pushpipe trace`: delivers as `run` does, shows each message stage by stage, and leaves a store as it is.
struct TraceCommand: TextCommand, PlannedCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Say why each message appears or not, stage by stage, from the record to the screen.",
        discussion: CommandHelp.trace)

    @OptionGroup var source: SourceArguments
    @OptionGroup var arguments: RunArguments
    @OptionGroup var end: EndArguments
    @Option(
        help: ArgumentHelp(
            "Instead of reading payloads, show how the record with this number was delivered into the store, and what became of it.",
            valueName: "number"))
    var seq: UInt64?
    @Flag(help: "Accept 64 MiB of a pipe or device without a record and, with --fail-on, inputs without any record.")
    var allowEmpty = false
    @OptionGroup(title: "Appearance") var look: OutputArguments

    func plan() throws -> RunPlan {
        guard seq != nil else { return try RunPlan(self) }
        if storePath == nil { throw ValidationError("--seq needs --store, a store; for a file, say FILE:LINE.") }
        if !source.files.isEmpty { throw ValidationError("--seq asks the store, and takes no files.") }
        return try RunPlan(self)
    }

    private var storePath: String? { arguments.store ?? (seq == nil ? nil : StoreCommand.Place.fromEnvironment) }

    func run() throws {
        guard let seq, let storePath else { return try plan().execute() }
        let store = try StoreArguments.open(storePath)
        let device = try arguments.message.device.map { try store.device(named: $0) }
        guard let text = try TraceReport(style: .standardOutput).text(ofRecord: seq, on: device, in: store) else {
            let place = device.map { " on \(TerminalText.clean($0))" } ?? ""
            throw Failure.trouble(
                "store \(TerminalText.clean(storePath)) has nothing about record \(seq)\(place): it reached no screen, or was pruned; "
                    + "pushpipe trace FILE:LINE says why it does not appear")
        }
        try StandardOutput().write(text)
    }
}
