import ArgumentParser
import NotificationStore
import PayloadJSON
import PushPipeline

extension StoreCommand {
    /// `pushpipe store export`: everything, for other programs and other stores.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Every notification on every screen, newest last, payloads included.",
            discussion: """
                As NDJSON a notification is a line. With --complete there are further lines, for badges and numbers, and --events adds the journal: \
                `pushpipe store import` makes the same store of it.

                  pushpipe store export --complete phone.db | pushpipe store import copy.db

                With --redact what others get is redacted as a run with the same key would have done it.

                  pushpipe store export --redact all --redact-key-file key phone.db

                As CSV (RFC 4180, with a heading) it is the notifications alone. Nothing is done about texts that a spreadsheet takes for formulas.
                """)

        @OptionGroup var place: Place
        @Option(help: "Form of the output.") var format = Format.ndjson
        @Flag(help: "All that import needs to make the same store: badges and numbers too, on lines without a payload.")
        var complete = false
        @Flag(help: "The journal too; implies --complete.") var events = false
        @OptionGroup(title: "Privacy") var redaction: RedactionArguments
        @Argument(help: ArgumentHelp("The store.", valueName: "file")) var arguments: [String] = []

        enum Format: String, ExpressibleByArgument, CaseIterable {
            case ndjson, csv
        }

        func validate() throws {
            if format == .csv, events {
                throw ValidationError(
                    "--events needs other columns; pushpipe store events --format csv writes the journal.")
            }
            if format == .csv, complete { throw ValidationError("--complete needs lines of their own kinds: NDJSON.") }
        }

        func run() throws {
            let (store, rest) = try place.open(arguments)
            try rejectRest(rest)
            let output = StandardOutput()
            let writer = NotificationWriter(isCSV: format == .csv)
            let redaction = try redaction.redaction()
            let redactor = redaction.map { NotificationRedactor($0) }
            // The lines have to fit each other, also while a run is going on.
            try store.atOneMoment {
                let redaction = try redaction.map { try Self.united($0, with: store.redaction) } ?? store.redaction
                try output.append { writer.appendHeading(to: &$0) }
                if complete || events { try writeState(of: store, redaction, redactor, to: output) }
                if complete || events {
                    let writer = DeviceRecordLine(redactor)
                    try store.forEachDeviceRecord { record in try output.append { writer.append(record, to: &$0) } }
                }
                try store.forEachNotification(device: nil, app: nil) { notification in
                    let notification = redactor?.redact(notification) ?? notification
                    try output.append { writer.append(notification, to: &$0) }
                }
                if events {
                    try store.forEachEvent(device: nil) { entry in
                        let entry = redactor?.redact(entry) ?? entry
                        try output.append { EventLine.append(entry, to: &$0) }
                    }
                }
                if complete || events { try output.append { $0.append("{\"end\":true}\n") } }
            }
            try output.flush()
        }

        /// What is hidden in the end, when something was before.
        private static func united(_ redaction: Redaction, with known: StoreRedaction?) throws -> StoreRedaction {
            let wanted = StoreRedaction(redaction)
            guard let known, known.parts != wanted.parts || known.keyMark != wanted.keyMark else { return wanted }
            guard known.keyMark == wanted.keyMark else {
                throw Failure.trouble(
                    "the store was redacted with another key; give that one with --redact-key-file or PUSHPIPE_REDACT_KEY"
                )
            }
            return StoreRedaction(parts: Redaction.Parts.all.rawValue, keyMark: known.keyMark)
        }

        /// What the notifications do not tell: how far the numbers are, in which order apps on devices were first seen, and their badges.
        private func writeState(
            of store: SQLiteStore, _ redaction: StoreRedaction?, _ redactor: NotificationRedactor?,
            to output: StandardOutput
        ) throws {
            let last = try store.lastSequence
            try output.append { out in
                out.append("{\"export\":")
                out.append(UInt64(ExportReader.version))
                out.append(",\"last_sequence\":")
                out.append(last)
                NotificationLine.append("redacted", redaction?.parts, to: &out)
                NotificationLine.append("redaction_key", redaction?.keyMark, to: &out)
                out.append("}\n")
            }
            try store.forEachBadge { device, app, badge in
                let device = redactor?.device(device) ?? device
                try output.append { out in
                    out.append("{\"device\":")
                    out.appendJSONString(device)
                    NotificationLine.append("app", app, to: &out)
                    if let badge { NotificationLine.append("badge", badge, to: &out) }
                    out.append("}\n")
                }
            }
        }
    }
}
