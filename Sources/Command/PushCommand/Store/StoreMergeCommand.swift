import ArgumentParser
import PushReports
import PushRuns
import PushSQLite
import PushStreams

extension StoreCommand {
    /// The name of `pushpipe merge --store` until 0.2, which works for one more release.
    struct Merge: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "merge", abstract: "The old name of pushpipe merge --store.", shouldDisplay: false)

        @OptionGroup var place: Place
        @Flag(help: "Merge what is there, even if parts are missing or incomplete.") var partial = false
        @Flag(name: .shortAndLong, help: "Print no progress and no summary on standard error.") var quiet = false
        @Argument(help: ArgumentHelp("Stores of parts, or folders of them.", valueName: "part"), completion: .file())
        var parts: [String]

        func run() throws {
            try StoreMergeJob(parts, into: place.stores.target(), isPartial: partial).run(isQuiet: quiet)
        }
    }

    /// `pushpipe store offsets`: how far a store has read the streams of an engine.
    struct Offsets: TextCommand {
        static let configuration = CommandConfiguration(
            commandName: "offsets", abstract: "List the last offset that a store has of each stream of an engine.")

        @OptionGroup var place: Place
        @OptionGroup var form: ListForm
        @OptionGroup(title: "Appearance") var look: OutputArguments
        @Argument(help: ArgumentHelp("The store.", valueName: "file")) var arguments: [String] = []

        func run() throws {
            let offsets = try StoreArguments.open(place.stores.all(arguments)).streamOffsets()
            try form.write { report, output in try output.append { report.append(offsets, to: &$0) } }
        }
    }
}
