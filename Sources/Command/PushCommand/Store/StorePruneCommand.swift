import ArgumentParser
import PushPipeline
import PushReports
import PushRuns
import PushSQLite
import PushStore
import PushStreams
import PushSystem

extension StoreCommand {
    /// `pushpipe store prune`: removes old notifications.
    struct Prune: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prune",
            abstract: "Remove old notifications, or all but the newest of each app.",
            discussion: CommandHelp.storePrune)

        @OptionGroup var place: Place
        @Option(
            help: ArgumentHelp(
                "Remove notifications older than an age such as 90s, 45m, 12h, 30d or 8w, or delivered before an RFC 3339 time.",
                valueName: "age"))
        var olderThan: String?
        @Option(help: ArgumentHelp("Keep the newest n notifications of each app on each device.", valueName: "n"))
        var keep: Int?
        @Flag(help: "Also remove journal lines older than --older-than.") var events = false
        @Option(help: "Prune only this device.") var device: String?
        @Option(help: "Prune only this app.") var app: String?
        @Option(
            help: ArgumentHelp("Current time: wall, epoch seconds or RFC 3339.", valueName: "time"))
        var now = "wall"
        @Flag(name: [.customShort("n"), .long], help: "Report what would be removed, and remove nothing.") var dryRun =
            false
        @Flag(help: "Return free space to the file system. Can be used alone.") var vacuum = false
        @Option(help: "Summary format.") var format = Format.text
        @Flag(name: .shortAndLong, help: "Print no summary on standard error.") var quiet = false
        @Argument(help: ArgumentHelp("The store.", valueName: "file")) var arguments: [String] = []

        enum Format: String, ExpressibleByArgument, CaseIterable {
            case text, ndjson
        }

        /// Validates here, so that errors come with the usage of this command.
        func validate() throws {
            _ = try pruning()
            if olderThan == nil, keep == nil, !vacuum {
                throw ValidationError("Say what to remove: --older-than, --keep, or both.")
            }
            if dryRun, vacuum { throw ValidationError("--vacuum cannot be combined with --dry-run.") }
        }

        private func pruning() throws -> Pruning {
            if let keep, keep < 0 { throw ValidationError("--keep takes a number, at least 0.") }
            if events, olderThan == nil { throw ValidationError("--events needs --older-than.") }
            let now: Int64 =
                switch try OptionValue.clock(now, option: "--now") {
                case .wall: SystemClock.wallMilliseconds()
                case .fixed(let milliseconds): milliseconds
                }
            return Pruning(
                before: try olderThan.map { try OptionValue.age($0, before: now, option: "--older-than") },
                keep: keep, device: device, app: app,
                includesEvents: events)
        }

        func run() throws {
            let pruning = try pruning()
            let path = try place.stores.only(arguments)
            TemporaryFiles.keep(beside: path)
            let progress = PruningProgress()
            let summary: Pruning.Summary
            do {
                let store = try SQLiteStore(path: path, access: .existing)
                summary = try dryRun ? store.rehearse(pruning, progress) : store.prune(pruning, progress)
                if vacuum { try store.compact() }
            } catch {
                if !dryRun, progress.summary != Pruning.Summary() {
                    StandardError.write(SummaryText.failedLine(progress.summary, of: pruning))
                }
                throw error
            }
            if format == .ndjson {
                try StandardOutput().write(
                    "{\"notifications\":\(summary.notifications),\"events\":\(summary.events),\"live_activities\":\(summary.activities),\"dry_run\":\(dryRun)}\n"
                )
            } else if !quiet, olderThan != nil || keep != nil {
                StandardError.write(SummaryText.line(summary, of: pruning, isRehearsal: dryRun))
            }
        }
    }
}
