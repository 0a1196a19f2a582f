import ArgumentParser
import PayloadJSON
import PushModel
import PushPipeline
import PushRuns
import PushStore
import PushStreams

extension StoreCommand {
    /// `pushpipe store export`: writes everything for other programs and stores.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Export every notification on every screen with its payload, newest last.",
            discussion: CommandHelp.storeExport)

        @OptionGroup var place: Place
        @Option(help: "Output format.") var format = Format.ndjson
        @Flag(
            help:
                "Include everything that import needs to recreate the store: badges and counters, on lines without a payload."
        )
        var complete = false
        @Flag(help: "Include the journal; implies --complete.") var events = false
        @OptionGroup(title: "Privacy") var redaction: RedactionArguments
        @Argument(help: ArgumentHelp("The store.", valueName: "file")) var arguments: [String] = []

        enum Format: String, ExpressibleByArgument, CaseIterable {
            case ndjson, csv
        }

        func validate() throws {
            if format == .csv, events {
                throw ValidationError(
                    "--events cannot be combined with --format csv; use pushpipe store events --format csv.")
            }
            if format == .csv, complete { throw ValidationError("--complete needs --format ndjson.") }
        }

        func run() throws {
            let store = try StoreArguments.open(place.stores.all(arguments))
            let extent: StoreExport.Extent = events ? .stateAndJournal : complete ? .state : .notifications
            let redaction = try redaction.request?.redaction()
            let output = StandardOutput()
            do {
                try store.export(extent, isCSV: format == .csv, hiding: redaction) { try output.append($0) }
            } catch let error as RedactionMismatch {
                throw Failure.trouble("\(error)" + Advice.options(error.advice))
            }
            try output.flush()
        }
    }
}
