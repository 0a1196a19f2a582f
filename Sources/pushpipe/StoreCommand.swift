import ArgumentParser
import PushPipeline

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// `pushpipe store`: looks into a store.
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Look at what a store keeps.",
        discussion: """
            The store is named by --store, else by the variable PUSHPIPE_STORE, else by the first argument. Output is text on a terminal and NDJSON \
            in a pipe; the sqlite3 tool reads the file too (views on_screen, events, badges).
            """,
        subcommands: [List.self, Show.self, Events.self, Export.self])

    /// Which store, and in which form.
    struct Options: ParsableArguments {
        @Option(help: ArgumentHelp("The store.", valueName: "file"), completion: .file())
        var store: String?

        @Option(help: "Form of the output: text or ndjson. (default: text on a terminal, else ndjson)")
        var format: Form?

        enum Form: String, ExpressibleByArgument, CaseIterable {
            case text, ndjson
        }

        var isText: Bool { (format ?? (StandardOutput.isTerminal ? .text : .ndjson)) == .text }

        /// Opens the store, and returns what is left of the arguments.
        func open(_ arguments: [String]) throws -> (store: SQLiteStore, rest: ArraySlice<String>) {
            var rest = arguments[...]
            let variable = getenv("PUSHPIPE_STORE").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
            let path = store ?? variable ?? rest.popFirst()
            guard let path else {
                throw Failure.trouble("name the store: --store FILE, or set PUSHPIPE_STORE (pushpipe help store)")
            }
            return (try SQLiteStore(path: path, access: .readOnly), rest)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Every app on every device, with the number of its notifications.")

        @OptionGroup var options: Options
        @Argument(help: ArgumentHelp("The store.", valueName: "file")) var arguments: [String] = []

        func run() throws {
            let (store, rest) = try options.open(arguments)
            try rejectRest(rest)
            let output = StandardOutput()
            let writer = CenterWriter(style: .forTerminal(StandardOutput.isTerminal), isText: options.isText)
            if options.isText {
                try writer.writeTable(store, to: output)
            } else {
                try store.forEachCenter { center in try output.append { writer.append(center, to: &$0) } }
            }
            try output.flush()
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "What is on the screens: newest first, grouped by thread.",
            discussion: "  pushpipe store show --store phone.db ab54\n  pushpipe store show phone.db ab54")

        @OptionGroup var options: Options
        @Option(help: "Only this app.") var app: String?
        @Argument(
            help: ArgumentHelp(
                "The store unless --store names it; then a device, all of them when there is none.", valueName: "device"
            ))
        var arguments: [String] = []

        func run() throws {
            var (store, rest) = try options.open(arguments)
            let device = rest.popFirst()
            try rejectRest(rest)
            let output = StandardOutput()
            if options.isText {
                let writer = ScreenWriter(style: .forTerminal(StandardOutput.isTerminal))
                try writer.write(store, device: device, app: app, to: output)
            } else {
                try store.forEachNotification(device: device, app: app) { notification in
                    try output.append { NotificationLine.append(notification, to: &$0) }
                }
            }
            try output.flush()
        }
    }

    struct Events: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "The journal, oldest first.")

        @OptionGroup var options: Options
        @Option(help: "Only this device.") var device: String?
        @Argument(help: ArgumentHelp("The store.", valueName: "file")) var arguments: [String] = []

        func run() throws {
            let (store, rest) = try options.open(arguments)
            try rejectRest(rest)
            let output = StandardOutput()
            let style = TextStyle.forTerminal(StandardOutput.isTerminal)
            try store.forEachEvent(device: device) { entry in
                try output.append {
                    options.isText ? EventLine.appendText(entry, style, to: &$0) : EventLine.append(entry, to: &$0)
                }
            }
            try output.flush()
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Every notification on every screen as NDJSON, newest last, payloads included.")

        @OptionGroup var options: Options
        @Argument(help: ArgumentHelp("The store.", valueName: "file")) var arguments: [String] = []

        func run() throws {
            let (store, rest) = try options.open(arguments)
            try rejectRest(rest)
            let output = StandardOutput()
            try store.forEachNotification(device: nil, app: nil) { notification in
                try output.append { NotificationLine.append(notification, to: &$0) }
            }
            try output.flush()
        }
    }
}

private func rejectRest(_ rest: ArraySlice<String>) throws {
    if let first = rest.first {
        throw Failure.trouble("one argument too many: \(first) (pushpipe help store)")
    }
}
