package import ArgumentParser
import PushDevices
import PushJSON
import PushModel
package import PushPictures
import PushPipeline
import PushReports
import PushRuns
package import PushSQLite
import PushSettings
import PushStreams
package import PushSystem
import ScreenPictures

/// `pushpipe store`: reads, exports, imports and prunes a store.
package struct StoreCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Show the screens and the journal in a store; export, import and prune it.",
        discussion: """
            Name the store with --store, as the first argument, or with PUSHPIPE_STORE: a first argument that names a file is the store. \
            The stores of parts are read once they are merged (pushpipe merge --store). Output is text on a terminal and NDJSON in a \
            pipe. The sqlite3 tool can read the file, too (views on_screen, events, badges).
            """,
        subcommands: [
            List.self, Show.self, Events.self, Devices.self, Feedback.self, Held.self, Export.self, Import.self,
            Prune.self, Offsets.self,
        ])

    package init() {}

    /// The store that a command's arguments name: with --store, as the first argument, or in PUSHPIPE_STORE.
    package struct Place: ParsableArguments {
        static var fromEnvironment: String? { Environment.nonEmptyVariable("PUSHPIPE_STORE") }

        private static let several = "this command takes one store: merge those of parts with pushpipe merge --store"

        @Option(
            help: ArgumentHelp("The store.", valueName: "file"), completion: .file())
        var store: [String] = []

        package init() {}

        /// The only store, and the remaining arguments.
        ///
        /// - Throws: `PlainError` if no store is named, or several.
        func path(_ arguments: [String]) throws(PlainError) -> (path: String, rest: ArraySlice<String>) {
            guard store.count <= 1 else { throw PlainError("--store is given twice; \(Self.several)") }
            var rest = arguments[...]
            let fallback = Self.fromEnvironment
            // With a store in the environment, a first argument may be something else.
            let isNamed =
                store.isEmpty
                && (fallback == nil || rest.first.map { (try? FileStatus($0))?.kind == .regular } ?? false)
            guard let path = store.first ?? (isNamed ? rest.popFirst() : fallback) else {
                throw PlainError("name the store: --store FILE, or set PUSHPIPE_STORE (pushpipe help store)")
            }
            if let next = rest.first, SQLiteStore.isDatabase(next) {
                throw PlainError("unexpected argument: \(next); \(Self.several)")
            }
            return (path, rest)
        }

        /// The only store.
        ///
        /// - Throws: `PlainError`, also for an argument after the store.
        package func only(_ arguments: [String]) throws(PlainError) -> String {
            let (path, rest) = try path(arguments)
            try StoreCommand.rejectRest(rest)
            return path
        }
    }

    /// Opens a store to read it.
    ///
    /// - Parameter isByDevice: true if devices will be looked up; see `SQLiteStore.openByDevice`.
    /// - Throws: `StoreError`; `PlainError` if standard output is one of its files.
    package static func open(_ path: String, isByDevice: Bool = false) throws -> SQLiteStore {
        try InputFile.check(.standardOutput, isApartFrom: RunJob.files(ofStore: path))
        TemporaryFiles.keep(beside: path)
        return isByDevice ? try SQLiteStore.openByDevice(path: path) : try SQLiteStore(path: path, access: .readOnly)
    }

    /// - Throws: `PlainError` if there is an argument that nothing has taken.
    private static func rejectRest(_ rest: ArraySlice<String>) throws(PlainError) {
        if let first = rest.first {
            throw PlainError("unexpected argument: \(first); a device is chosen with --device, as for all of store")
        }
    }

    struct Choice: ParsableArguments {
        @OptionGroup var place: Place
        @Option(help: "Show only this device: its name, or the beginning of it.") var device: String?

        /// Opens the store, which must be the only argument, and finds the whole name of the device; nil for all devices.
        func open(_ arguments: [String], isByDevice: Bool = false) throws -> (store: SQLiteStore, device: String?) {
            let path = try place.only(arguments)
            let store = try StoreCommand.open(path, isByDevice: isByDevice || device != nil)
            return (store, try name(in: store))
        }

        /// The whole name; nil for all devices.
        func name(in store: SQLiteStore, typed: String? = nil) throws -> String? {
            if typed != nil, device != nil {
                throw PlainError("name the device once: with --device, or after the store")
            }
            if (typed ?? device) == "" { throw PlainError("a device needs a name, or the beginning of one") }
            return try (typed ?? device).map { try store.device(named: $0) }
        }
    }

    struct Form: ParsableArguments {
        @Option(
            help: """
                Output format: text, ndjson or csv; store show and events also draw svg, html, png or png-dark. (default: text on a terminal, \
                else ndjson)
                """)
        var format: OutputForm<StoreReportForm>?

        /// Writes a picture, or what `lines` writes.
        func write(picture: @autoclosure () throws -> Picture?, lines: (StoreReportForm, StandardOutput) throws -> Void)
            throws
        {
            let output = StandardOutput()
            switch format ?? .lines(StandardOutput.isTerminal ? .text : .ndjson) {
            case .lines(let form): try lines(form, output)
            case .picture(let form):
                let form = try form.checked(isTerminal: StandardOutput.isTerminal)
                guard let picture = try picture() else {
                    throw PlainError(
                        "store list has no picture; store show draws the screens, store events the journal")
                }
                try form.bytes(of: picture).withUnsafeBytes { try output.write($0) }
                if let note = picture.note { StandardError.write("pushpipe: \(note); --device chooses one\n") }
            }
            try output.flush()
        }
    }

    struct List: ConfiguredCommand {
        static let configuration = CommandConfiguration(
            named: "list",
            abstract: "List every app on every device with its number of notifications.")

        @OptionGroup var choice: Choice
        @OptionGroup var form: Form
        @OptionGroup var common: CommonArguments
        @Argument(help: ArgumentHelp("The store.", valueName: "file"), completion: .file()) var arguments: [String] = []

        func run(_ settings: Settings) throws {
            let (store, device) = try choice.open(arguments, isByDevice: true)
            try form.write(picture: nil) { form, output in
                let writer = CenterReport(style: .standardOutput, form: form)
                try output.append { writer.appendHeading(to: &$0) }
                try store.forEachCenter { center in
                    if device == nil || center.device == device { try output.append { writer.append(center, to: &$0) } }
                }
            }
        }
    }

    struct Show: ConfiguredCommand {
        static let configuration = CommandConfiguration(
            named: "show",
            abstract: "Show the screens: newest notification first, grouped by thread.",
            discussion: """
                  pushpipe store show --store phone.db ab54
                  pushpipe store show phone.db ab54
                """)

        @OptionGroup var choice: Choice
        @OptionGroup var form: Form
        @OptionGroup var common: CommonArguments
        @Option(help: "Show only this app.") var app: String?
        @Argument(
            help: ArgumentHelp(
                "The store, unless --store names it; then a device, or the beginning of its name. (default: all devices)",
                valueName: "device"
            ), completion: .file())
        var arguments: [String] = []

        func run(_ settings: Settings) throws {
            var (path, rest) = try choice.place.path(arguments)
            let typed = rest.popFirst()
            try StoreCommand.rejectRest(rest)
            let store = try StoreCommand.open(path, isByDevice: true)
            let device = try choice.name(in: store, typed: typed)
            if let app { try store.checkApp(app, on: device) }
            try form.write(picture: ScreensPicture.draw(ScreenContents(store, device: device, app: app))) {
                form, output in
                if form == .text {
                    let screens = ScreenReport(style: .standardOutput)
                    return try screens.write(store, device: device, app: app) { text in
                        try output.append { $0.appendText(text) }
                    }
                }
                let writer = NotificationWriter(isCSV: form == .csv)
                try output.append { writer.appendHeading(to: &$0) }
                var numbers = try IconNumbers(store, device: device, app: app)
                try store.forEachNotification(device: device, app: app, newestFirst: true) { notification in
                    numbers.show(notification)
                    try output.append { writer.append(notification, to: &$0) }
                }
                for activity in try ScreenReport.activities(store, device: device, app: app).joined() {
                    try output.append { writer.append(activity, to: &$0) }
                }
                for icon in numbers.rest {
                    try output.append {
                        writer.append(device: icon.device, app: icon.app, badge: icon.number, to: &$0)
                    }
                }
            }
        }
    }

    struct Events: ConfiguredCommand {
        static let configuration = CommandConfiguration(
            named: "events", abstract: "List the journal, oldest first.")

        @OptionGroup var choice: Choice
        @OptionGroup var form: Form
        @OptionGroup var common: CommonArguments
        @Argument(help: ArgumentHelp("The store.", valueName: "file"), completion: .file()) var arguments: [String] = []

        func run(_ settings: Settings) throws {
            let (store, device) = try choice.open(arguments)
            try form.write(picture: TimelinePicture.draw(Timeline(store, device: device))) { form, output in
                var writer = JournalReport(style: .standardOutput, form: form)
                try output.append { writer.appendHeading(to: &$0) }
                try store.forEachEvent(device: device) { entry in try output.append { writer.append(entry, to: &$0) } }
            }
        }
    }
}

extension OutputForm: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }

    package static var allValueStrings: [String] { names }
    package static var defaultCompletionKind: CompletionKind { .list(names) }
}

/// `pushpipe store devices`, `feedback`, `held` and `offsets`: the registered apps, dead tokens, queued messages and offsets of a store.
extension StoreCommand {
    /// The format of a list that is not a screen: it has neither pictures nor CSV.
    struct ListForm: ParsableArguments {
        @Option(help: "Output format: text or ndjson. (default: text on a terminal, else ndjson)")
        var format: ListFormat?

        func write(_ body: (DeviceReport, StandardOutput) throws -> Void) throws {
            let output = StandardOutput()
            try body(DeviceReport(style: .standardOutput, isText: (format ?? .default) == .text), output)
            try output.flush()
        }
    }

    struct Devices: ConfiguredCommand {
        static let configuration = CommandConfiguration(
            named: "devices",
            abstract: "List every registered app on every device; as NDJSON, the events that register them.",
            discussion: """
                Events in the stream and run --devices register devices.

                  pushpipe store devices phone.db > devices.ndjson
                  pushpipe run --devices devices.ndjson payloads.ndjson
                """)

        @OptionGroup var choice: Choice
        @OptionGroup var form: ListForm
        @OptionGroup var common: CommonArguments
        @Argument(help: ArgumentHelp("The store.", valueName: "file"), completion: .file()) var arguments: [String] = []

        func run(_ settings: Settings) throws {
            let (store, device) = try choice.open(arguments)
            var isEmpty = true
            try form.write { report, output in
                try store.forEachRegisteredApp(device: device) { app in
                    if isEmpty { try output.append { report.appendHeading(to: &$0) } }
                    isEmpty = false
                    try output.append { report.append(app, to: &$0) }
                }
            }
            if isEmpty { StandardError.complain(DeviceReport.nothing(about: device)) }
        }
    }

    struct Feedback: ConfiguredCommand {
        static let configuration = CommandConfiguration(
            named: "feedback",
            abstract: "List the tokens that a provider must delete or replace.")

        @OptionGroup var choice: Choice
        @OptionGroup var form: ListForm
        @OptionGroup var common: CommonArguments
        @Option(
            help: ArgumentHelp(
                "Only tokens that died since this time: epoch seconds or RFC 3339. (default: all)", valueName: "time"))
        var since: String?
        @Argument(help: ArgumentHelp("The store.", valueName: "file"), completion: .file()) var arguments: [String] = []

        func validate() throws { _ = try time() }

        private func time() throws -> Int64 {
            try since.map { try OptionValue.eventTime($0, option: "--since") } ?? .min
        }

        func run(_ settings: Settings) throws {
            let (store, device) = try choice.open(arguments)
            let since = try time()
            try form.write { report, output in
                try store.forEachDeadToken(since: since) { token in
                    if device == nil || token.device == device { try output.append { report.append(token, to: &$0) } }
                }
            }
        }
    }

    struct Held: ConfiguredCommand {
        static let configuration = CommandConfiguration(
            named: "held",
            abstract: "List the messages queued for offline devices, oldest first.")

        @OptionGroup var choice: Choice
        @OptionGroup var form: ListForm
        @OptionGroup var common: CommonArguments
        @Argument(help: ArgumentHelp("The store.", valueName: "file"), completion: .file()) var arguments: [String] = []

        func run(_ settings: Settings) throws {
            let (store, device) = try choice.open(arguments)
            try form.write { report, output in
                try store.forEachHeld { message in
                    guard device == nil || message.device == device else { return }
                    try output.append { report.append(message, to: &$0) }
                }
            }
        }
    }

    /// `pushpipe store offsets`: how far a store has read the streams of an engine.
    struct Offsets: ConfiguredCommand {
        static let configuration = CommandConfiguration(
            named: "offsets", abstract: "List the last offset that a store has of each stream of an engine.")

        @OptionGroup var place: Place
        @OptionGroup var form: ListForm
        @OptionGroup var common: CommonArguments
        @Argument(help: ArgumentHelp("The store.", valueName: "file"), completion: .file()) var arguments: [String] = []

        func run(_ settings: Settings) throws {
            let offsets = try StoreCommand.open(place.only(arguments)).streamOffsets()
            try form.write { report, output in try output.append { report.append(offsets, to: &$0) } }
        }
    }
}

extension StoreCommand {
    /// `pushpipe store prune`: removes old notifications.
    struct Prune: ParsableCommand {
        static let configuration = CommandConfiguration(
            named: "prune",
            abstract: "Remove old notifications, or all but the newest of each app.",
            discussion: """
                Removes a notification if --older-than or --keep selects it; either is enough. The removal is not journaled, and the journal \
                stays unless --events is given. An app on a device with no notification, badge or journal line left is no longer listed.

                  pushpipe store prune phone.db --older-than 30d --keep 100 --dry-run

                A run may use the store at the same time. The file keeps its size and reuses freed space; --vacuum shrinks it, which \
                temporarily needs as much space again. Prints a summary to standard error; with --format ndjson, as JSON to standard output.
                """)

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
        @Option(help: "Summary format.") var format = ListFormat.text
        @Flag(name: .shortAndLong, help: "Print no summary on standard error.") var quiet = false
        @Argument(help: ArgumentHelp("The store.", valueName: "file"), completion: .file()) var arguments: [String] = []

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
            let path = try place.only(arguments)
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

extension StoreCommand {
    /// `pushpipe store export`: writes everything for other programs and stores.
    struct Export: ConfiguredCommand {
        static let configuration = CommandConfiguration(
            named: "export",
            abstract: "Export every notification on every screen with its payload, newest last.",
            discussion: """
                Writes NDJSON, one line per notification. --complete adds lines for badges and counters, and --events adds the journal. \
                pushpipe store import recreates the store from them.

                  pushpipe store export --complete phone.db | pushpipe store import copy.db

                With --redact, redacts the export as a run with the same key does.

                  pushpipe store export --redact all --set redact.key-file=key phone.db

                CSV (RFC 4180, with a header) contains only notifications. Texts that a spreadsheet may read as formulas are not escaped.
                """)

        @OptionGroup var choice: Choice
        @Option(help: "Output format.") var format = Format.ndjson
        @Flag(
            help:
                "Include everything that import needs to recreate the store: badges and counters, on lines without a payload."
        )
        var complete = false
        @Flag(help: "Include the journal; implies --complete.") var events = false
        @Option(help: "Replace device tokens, content (texts, data, identifiers), or both with keyed digests.")
        var redact: Redaction.Parts?
        @OptionGroup var common: CommonArguments
        @Argument(help: ArgumentHelp("The store.", valueName: "file"), completion: .file()) var arguments: [String] = []

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

        func run(_ settings: Settings) throws {
            let (store, device) = try choice.open(arguments)
            let extent: StoreExport.Extent = events ? .stateAndJournal : complete ? .state : .notifications
            let redaction = try redact.map { RedactionRequest($0, keyPath: settings.redactionKey) }?.redaction()
            let output = StandardOutput()
            try store.export(
                extent, device: device, isCSV: format == .csv, hiding: redaction, advice: Advice.options
            ) {
                try output.append($0)
            }
            try output.flush()
        }
    }

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            named: "import",
            abstract: "Import exported notifications into a store, usually a new one.",
            discussion: """
                Reads each EXPORT in turn, or standard input if there is none or EXPORT is -. A new store continues as the exported one \
                would: with the same screens, identifiers, badges and counters, and with the journal if it was exported.

                  pushpipe store export --events phone.db | pushpipe store import copy.db

                In a store that is not empty, imported notifications become the newest and replace those with the same identifier. The \
                import is all or nothing: an unreadable line ends it with status 2.
                """)

        @OptionGroup var place: Place
        @Flag(name: .shortAndLong, help: "Print no summary on standard error.") var quiet = false
        @Argument(
            help: ArgumentHelp("The store, unless --store names it; then exported files.", valueName: "file"),
            completion: .file())
        var arguments: [String] = []

        func run() throws {
            let (path, rest) = try place.path(arguments)
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
                throw PlainError("\(name): \(error)")
            } catch let error as PlainError {
                throw PlainError("\(error.located(in: name)); nothing was imported")
            }
        }
    }
}
