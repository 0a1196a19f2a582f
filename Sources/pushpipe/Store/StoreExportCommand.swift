import ArgumentParser
import NotificationStore
import PayloadJSON
import PushPipeline

extension StoreCommand {
    /// `pushpipe store export`: writes everything for other programs and stores.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Every notification on every screen, newest last, payloads included.",
            discussion: """
                As NDJSON a notification is a line. With --complete there are further lines, for badges and numbers, and --events adds the journal: \
                `pushpipe store import` makes the same store of it.

                  pushpipe store export --complete phone.db | pushpipe store import copy.db

                With --redact what others get is redacted as a run with the same key would have done it.

                  pushpipe store export --redact all --redact-key-file key phone.db

                As CSV (RFC 4180, with a heading) it is the notifications alone. Nothing is done about texts that a spreadsheet takes for formulas.
                """)

        @OptionGroup var place: Place
        @Option(help: "Form of the output.") var format = Format.ndjson
        @Flag(help: "All that import needs to make the same store: badges and numbers too, on lines without a payload.")
        var complete = false
        @Flag(help: "The journal too; implies --complete.") var events = false
        @OptionGroup(title: "Privacy") var redaction: RedactionArguments
        @Argument(help: ArgumentHelp("The store.", valueName: "file")) var arguments: [String] = []

        enum Format: String, ExpressibleByArgument, CaseIterable {
            case ndjson, csv
        }

        func validate() throws {
            if format == .csv, events {
                throw ValidationError(
                    "--events needs other columns; pushpipe store events --format csv writes the journal.")
            }
            if format == .csv, complete { throw ValidationError("--complete needs lines of their own kinds: NDJSON.") }
        }

        func run() throws {
            let (store, rest) = try place.open(arguments)
            try rejectRest(rest)
            let extent: StoreExport.Extent = events ? .stateAndJournal : complete ? .state : .notifications
            let redaction = try redaction.redaction()
            let output = StandardOutput()
            do {
                try store.export(extent, isCSV: format == .csv, hiding: redaction) { try output.append($0) }
            } catch let error as RedactionMismatch {
                throw Failure.trouble("\(error)")
            }
            try output.flush()
        }
    }
}
