import ArgumentParser
import PayloadJSON
import PushDevices
import PushReports
import PushSQLite
import PushStore
import PushStreams

/// `pushpipe store devices`, `feedback`, `held` and `offsets`: the registered apps, dead tokens, queued messages and offsets of a store.
extension StoreCommand {
    /// Of lists that are not screens: without pictures and CSV.
    struct ListForm: ParsableArguments {
        @Option(help: "Output format: text or ndjson. (default: text on a terminal, else ndjson)")
        var format: Name?

        enum Name: String, ExpressibleByArgument, CaseIterable {
            case text, ndjson
        }

        func write(_ body: (DeviceReport, StandardOutput) throws -> Void) throws {
            let output = StandardOutput()
            try body(DeviceReport(style: .standardOutput, isText: isText), output)
            try output.flush()
        }

        private var isText: Bool { (format ?? (StandardOutput.isTerminal ? .text : .ndjson)) == .text }
    }

    struct Devices: TextCommand {
        static let configuration = CommandConfiguration(
            commandName: "devices",
            abstract: "List every registered app on every device; as NDJSON, the events that register them.",
            discussion: CommandHelp.storeDevices)

        @OptionGroup var place: Place
        @OptionGroup var choice: Choice
        @OptionGroup var form: ListForm
        @OptionGroup(title: "Appearance") var look: OutputArguments
        @Argument(help: ArgumentHelp("The store.", valueName: "file")) var arguments: [String] = []

        func run() throws {
            let (store, device) = try choice.open(place, arguments)
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

    struct Feedback: TextCommand {
        static let configuration = CommandConfiguration(
            commandName: "feedback",
            abstract: "List the tokens that a provider must delete or replace.")

        @OptionGroup var place: Place
        @OptionGroup var choice: Choice
        @OptionGroup var form: ListForm
        @OptionGroup(title: "Appearance") var look: OutputArguments
        @Option(
            help: ArgumentHelp(
                "Only tokens that died since this time: epoch seconds or RFC 3339. (default: all)", valueName: "time"))
        var since: String?
        @Argument(help: ArgumentHelp("The store.", valueName: "file")) var arguments: [String] = []

        func validate() throws { _ = try time() }

        private func time() throws -> Int64 {
            try since.map { try OptionValue.eventTime($0, option: "--since") } ?? .min
        }

        func run() throws {
            let (store, device) = try choice.open(place, arguments)
            let since = try time()
            try form.write { report, output in
                try store.forEachDeadToken(since: since) { token in
                    if device == nil || token.device == device { try output.append { report.append(token, to: &$0) } }
                }
            }
        }
    }

    struct Held: TextCommand {
        static let configuration = CommandConfiguration(
            commandName: "held",
            abstract: "List the messages queued for offline devices, oldest first.")

        @OptionGroup var place: Place
        @OptionGroup var choice: Choice
        @OptionGroup var form: ListForm
        @OptionGroup(title: "Appearance") var look: OutputArguments
        @Argument(help: ArgumentHelp("The store.", valueName: "file")) var arguments: [String] = []

        func run() throws {
            let (store, device) = try choice.open(place, arguments)
            try form.write { report, output in
                try store.forEachHeld { message in
                    guard device == nil || message.device == device else { return }
                    try output.append { report.append(message, to: &$0) }
                }
            }
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
            let offsets = try StoreArguments.open(place.stores.only(arguments)).streamOffsets()
            try form.write { report, output in try output.append { report.append(offsets, to: &$0) } }
        }
    }
}
