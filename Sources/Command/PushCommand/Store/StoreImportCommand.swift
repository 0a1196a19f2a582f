import ArgumentParser
import PushFiles
import PushPipeline
import PushReports
import PushRuns
import PushStore
import PushStreams
import PushSystem

extension StoreCommand {
    /// `pushpipe store import`: imports exports into a store.
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
