import ArgumentParser
import PayloadJSON
package import PushPictures
import PushReports
import PushRuns
import PushSQLite
import PushStore
import PushStreams
import PushSystem
import ScreenPictures

/// `pushpipe store`: reads, exports, imports and prunes a store.
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Show the screens and the journal in a store; export, import and prune it.",
        discussion: CommandHelp.store,
        subcommands: [
            List.self, Show.self, Events.self, Devices.self, Feedback.self, Held.self, Export.self, Import.self,
            Prune.self, Offsets.self,
        ])

    /// The store to open.
    struct Place: ParsableArguments {
        static var fromEnvironment: String? { Environment.nonEmptyVariable("PUSHPIPE_STORE") }

        @Option(
            help: ArgumentHelp("The store.", valueName: "file"), completion: .file())
        var store: [String] = []

        var stores: StoreArguments { StoreArguments(named: store, fallback: Self.fromEnvironment) }
    }

    struct Choice: ParsableArguments {
        @Option(help: "Show only this device: its name, or the beginning of it.") var device: String?

        /// Opens the store, which must be the only argument, and finds the whole name of the device; nil for all devices.
        func open(
            _ place: Place, _ arguments: [String], isByDevice: Bool = false
        ) throws -> (store: SQLiteStore, device: String?) {
            let path = try place.stores.only(arguments)
            let store = try StoreArguments.open(path, isByDevice: isByDevice || device != nil)
            return (store, try name(in: store))
        }

        /// The whole name; nil for all devices.
        func name(in store: SQLiteStore, typed: String? = nil) throws -> String? {
            if typed != nil, device != nil {
                throw Failure.trouble("name the device once: with --device, or after the store")
            }
            if (typed ?? device) == "" { throw Failure.trouble("a device needs a name, or the beginning of one") }
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
                guard let picture = try picture() else { throw PictureError.list }
                try form.bytes(of: picture).withUnsafeBytes { try output.write($0) }
                if let note = picture.note { StandardError.write("pushpipe: \(note); --device chooses one\n") }
            }
            try output.flush()
        }
    }

    struct List: TextCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List every app on every device with its number of notifications.")

        @OptionGroup var place: Place
        @OptionGroup var choice: Choice
        @OptionGroup var form: Form
        @OptionGroup(title: "Appearance") var look: OutputArguments
        @Argument(help: ArgumentHelp("The store.", valueName: "file")) var arguments: [String] = []

        func run() throws {
            let (store, device) = try choice.open(place, arguments, isByDevice: true)
            try form.write(picture: nil) { form, output in
                let writer = CenterReport(style: .standardOutput, form: form)
                try output.append { writer.appendHeading(to: &$0) }
                try store.forEachCenter { center in
                    if device == nil || center.device == device { try output.append { writer.append(center, to: &$0) } }
                }
            }
        }
    }

    struct Show: TextCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the screens: newest notification first, grouped by thread.",
            discussion: CommandHelp.storeShow)

        @OptionGroup var place: Place
        @OptionGroup var choice: Choice
        @OptionGroup var form: Form
        @OptionGroup(title: "Appearance") var look: OutputArguments
        @Option(help: "Show only this app.") var app: String?
        @Argument(
            help: ArgumentHelp(
                "The store, unless --store names it; then a device, or the beginning of its name. (default: all devices)",
                valueName: "device"
            ))
        var arguments: [String] = []

        func run() throws {
            var (path, rest) = try place.stores.path(arguments)
            let typed = rest.popFirst()
            try StoreArguments.rejectRest(rest)
            let store = try StoreArguments.open(path, isByDevice: true)
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

    struct Events: TextCommand {
        static let configuration = CommandConfiguration(
            commandName: "events", abstract: "List the journal, oldest first.")

        @OptionGroup var place: Place
        @OptionGroup var choice: Choice
        @OptionGroup var form: Form
        @OptionGroup(title: "Appearance") var look: OutputArguments
        @Argument(help: ArgumentHelp("The store.", valueName: "file")) var arguments: [String] = []

        func run() throws {
            let (store, device) = try choice.open(place, arguments)
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
}
