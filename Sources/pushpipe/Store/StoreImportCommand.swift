import ArgumentParser
import FileAccess
import NotificationStore
import PushPipeline
import PushReports
import SystemSupport

extension StoreCommand {
    /// `pushpipe store import`: puts exports into a store.
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put what export wrote into a store, a new one as a rule.",
            discussion: """
                Reads EXPORT after EXPORT, or standard input; - stands for standard input. A new store goes on as the exported one would have: the same \
                screens, identifiers, badges and numbers, and the journal when it was exported.

                  pushpipe store export --events phone.db | pushpipe store import copy.db

                In a store that has something already, what is imported becomes the newest, and takes the place of a notification with the same identifier. \
                All of it is imported, or nothing: a line that cannot be read ends it with status 2.
                """)

        @OptionGroup var place: Place
        @Flag(name: .shortAndLong, help: "No summary on standard error.") var quiet = false
        @Argument(
            help: ArgumentHelp("The store unless --store names it; then files that export wrote.", valueName: "file"),
            completion: .file())
        var arguments: [String] = []

        func run() throws {
            let (path, rest) = try place.path(arguments)
            let inputs = rest.isEmpty ? [nil] : rest.map { $0 == "-" ? nil : $0 }
            for case let input? in inputs { try InputFile.checkReadable(input) }
            var counts = ImportCounts()
            TemporaryFiles.keep(beside: path)
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
