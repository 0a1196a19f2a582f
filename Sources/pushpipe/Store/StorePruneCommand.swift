import ArgumentParser
import NotificationStore
import PushPipeline
import PushReports
import SystemSupport

extension StoreCommand {
    /// `pushpipe store prune`: removes old notifications.
    struct Prune: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove notifications that are old, or that have enough newer ones above them.",
            discussion: """
                A notification goes when --older-than or --keep says so; either is enough. The journal gets no line of it, and keeps its own unless \
                --events is there. An app on a device of which nothing is left, no badge and no line of the journal either, is no longer listed.

                  pushpipe store prune phone.db --older-than 30d --keep 100 --dry-run

                A run may go on meanwhile. The file keeps its size, and what is freed is used again; --vacuum makes it smaller, which takes as much \
                room again for the moment. A line on standard error tells what went; with --format ndjson it is on standard output, as JSON.
                """)

        @OptionGroup var place: Place
        @Option(
            help: ArgumentHelp(
                "Remove what was delivered longer ago than 90s, 45m, 12h, 30d or 8w, or before a time as RFC 3339.",
                valueName: "age"))
        var olderThan: String?
        @Option(help: ArgumentHelp("Keep this many of each app on each device, the newest.", valueName: "n"))
        var keep: Int?
        @Flag(help: "Remove lines of the journal too, those that --older-than says.") var events = false
        @Option(help: "Only on this device.") var device: String?
        @Option(help: "Only of this app.") var app: String?
        @Option(
            help: ArgumentHelp("What time it is: wall, epoch seconds or RFC 3339.", valueName: "time"))
        var now = "wall"
        @Flag(name: [.customShort("n"), .long], help: "Tell what would go, and leave it.") var dryRun = false
        @Flag(help: "Give what is freed back to the file system. Enough by itself.") var vacuum = false
        @Option(help: "Form of the summary.") var format = Format.text
        @Flag(name: .shortAndLong, help: "No summary on standard error.") var quiet = false
        @Argument(help: ArgumentHelp("The store.", valueName: "file")) var arguments: [String] = []

        enum Format: String, ExpressibleByArgument, CaseIterable {
            case text, ndjson
        }

        /// Validates here, so that errors come with the usage of this command.
        func validate() throws {
            _ = try pruning()
            if olderThan == nil, keep == nil, !vacuum {
                throw ValidationError("Say what is to go: --older-than, --keep, or both.")
            }
            if dryRun, vacuum { throw ValidationError("--vacuum does not go with --dry-run.") }
        }

        private func pruning() throws -> Pruning {
            if let keep, keep < 0 { throw ValidationError("--keep takes a number from 0.") }
            if events, olderThan == nil { throw ValidationError("--events needs --older-than.") }
            let now: Int64 =
                switch try RunPlan.clock(now, option: "--now") {
                case .wall: SystemClock.wallMilliseconds()
                case .fixed(let milliseconds): milliseconds
                }
            return Pruning(
                before: try olderThan.map { try Self.time($0, now: now) }, keep: keep, device: device, app: app,
                includesEvents: events)
        }

        /// The time before which notifications are old enough to go.
        private static func time(_ text: String, now: Int64) throws -> Int64 {
            if let time = PruningAge.time(text, before: now) { return time }
            guard Int64(text) == nil, let time = try RunPlan.rfc3339(text, option: "--older-than") else {
                throw ValidationError("--older-than takes an age such as 30d, or a time such as 2026-11-03T20:00:00Z.")
            }
            return time
        }

        func run() throws {
            let pruning = try pruning()
            let (store, rest) = try place.open(arguments, access: .existing)
            try rejectRest(rest)
            let summary = try dryRun ? store.rehearse(pruning) : store.prune(pruning)
            if vacuum { try store.compact() }
            if format == .ndjson {
                try StandardOutput().write(
                    "{\"notifications\":\(summary.notifications),\"events\":\(summary.events),\"dry_run\":\(dryRun)}\n")
            } else if !quiet, olderThan != nil || keep != nil {
                StandardError.write(SummaryText.line(summary, of: pruning, isRehearsal: dryRun))
            }
        }
    }
}
