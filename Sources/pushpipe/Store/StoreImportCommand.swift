import ArgumentParser
import FileAccess
import NotificationStore
import PushPipeline
import SystemSupport

extension StoreCommand {
    /// `pushpipe store import`: makes a store of what `export` wrote.
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
            for case let input? in inputs { try RunPlan.checkReadable(input) }
            var counts = Counts()
            TemporaryFiles.keep(beside: path)
            try SQLiteStore(path: path).importing { importer in
                for input in inputs { try read(input, into: importer, &counts) }
            }
            if !quiet { StandardError.write(counts.text) }
        }

        private func read(_ path: String?, into importer: StoreImporter, _ counts: inout Counts) throws {
            let name = path ?? "<stdin>"
            let descriptor: FileDescriptor
            do throws(SystemError) {
                if let path { descriptor = try .open(path, .readOnly) } else { descriptor = .standardInput }
            } catch {
                throw Failure.trouble("\(name): \(error)")
            }
            defer { if path != nil { descriptor.close() } }
            let reader = ExportReader()
            var isFirst = true
            var lines = LineReader(descriptor: descriptor)
            do {
                while let text = try lines.next() {
                    let line = try reader.read(text)
                    if case .blank = line { continue }
                    if isFirst { try Self.adoptRedaction(of: line, importer) }
                    isFirst = false
                    try counts.add(line, to: importer)
                }
                try reader.finish()
            } catch let error as SystemError {
                throw Failure.trouble("\(name): \(error)")
            } catch let error as BadExport {
                throw Failure.trouble("\(name):\(max(lines.number, 1)): \(error.reason); nothing was imported")
            }
        }

        /// What is hidden stands in the first line of an export, unless it is a part of one, in which nothing is known to be hidden.
        private static func adoptRedaction(of line: ExportReader.Line, _ importer: StoreImporter) throws {
            var redaction: StoreRedaction?
            if case .start(_, let found) = line { redaction = found }
            guard try importer.adopt(redaction) else {
                throw BadExport(
                    redaction == nil
                        ? "the store is redacted, and the export is not; import it into another store"
                        : "the export is redacted, and not as the store is; import it into another store")
            }
        }
    }

    /// What was imported.
    private struct Counts {
        private var screens = 0
        private var notifications = 0
        private var events = 0
        private var devices = 0

        mutating func add(_ line: ExportReader.Line, to importer: StoreImporter) throws {
            switch line {
            case .start(let lastSequence, _): importer.continueNumbers(after: lastSequence)
            case .screen(let device, let app, let badge):
                screens += 1
                try importer.addScreen(device: device, app: app, badge: badge)
            case .device(let record):
                devices += 1
                try importer.add(record)
            case .notification(let notification):
                notifications += 1
                try importer.add(notification)
            case .event(let entry):
                events += 1
                try importer.add(entry)
            case .end, .blank: break
            }
        }

        var text: String {
            var parts = [SummaryText.counted(notifications, "notification")]
            if screens > 0 { parts.append(SummaryText.counted(screens, "app") + " on devices") }
            if devices > 0 { parts.append(SummaryText.counted(devices, "record") + " of devices") }
            if events > 0 { parts.append(SummaryText.counted(events, "line") + " of the journal") }
            return "imported " + parts.joined(separator: ", ") + "\n"
        }
    }
}
