import ArgumentParser
import PayloadJSON
import PushModel
import PushPipeline
import PushReports
import PushRuns
import PushSQLite
import PushStore
import PushStreams
import PushSystem

extension StoreCommand {
    /// `pushpipe store export`: writes everything for other programs and stores.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Export every notification on every screen with its payload, newest last.",
            discussion: CommandHelp.storeExport)

        @OptionGroup var place: Place
        @OptionGroup var choice: Choice
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
            let (store, device) = try choice.open(place, arguments)
            let extent: StoreExport.Extent = events ? .stateAndJournal : complete ? .state : .notifications
            let redaction = try redaction.request?.redaction()
            let output = StandardOutput()
            do {
                try store.export(extent, device: device, isCSV: format == .csv, hiding: redaction) {
                    try output.append($0)
                }
            } catch let error as RedactionMismatch {
                throw Failure.trouble("\(error)" + Advice.options(error.advice))
            }
            try output.flush()
        }
    }

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Import exported notifications into a store, usually a new one.",
            discussion: CommandHelp.storeImport)

        @OptionGroup var place: Place
        @Flag(name: .shortAndLong, help: "Print no summary on standard error.") var quiet = false
        @Argument(
            help: ArgumentHelp("The store, unless --store names it; then exported files.", valueName: "file"),
            completion: .file())
        var arguments: [String] = []

        func run() throws {
            let (path, rest) = try place.stores.path(arguments)
            let inputs = rest.isEmpty ? [nil] : rest.map { $0 == "-" ? nil : $0 }
            for case let input? in inputs { try InputFile.checkReadable(input) }
            var counts = ImportCounts()
            TemporaryFiles.keep(beside: path)
            if !quiet, inputs.contains(nil) { StandardInput.invite("exported notifications") }
            try SQLiteStore(path: path).importing { importer in
                for input in inputs { try add(input, to: importer, &counts) }
            }
            if !quiet { StandardError.write(SummaryText.line(counts)) }
        }

        private func add(_ path: String?, to importer: StoreImporter, _ counts: inout ImportCounts) throws {
            let input = try path.map { try InputFile($0) }
            let name = path ?? "<stdin>"
            do {
                try importer.add(exportFrom: input?.descriptor ?? .standardInput, &counts)
            } catch let error as SystemError {
                throw Failure.trouble("\(name): \(error)")
            } catch let error as ExportFailure {
                throw Failure.trouble("\(name):\(error.line): \(error.error); nothing was imported")
            }
        }
    }
}
