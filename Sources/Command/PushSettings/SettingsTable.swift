import ExtensionHosting
import PushDecoding
import PushDevices
import PushFraming
import PushLint
import PushLintYAML
import PushModel
import PushPipeline
import PushSystem
import PushText

/// The keys of the configuration: their names, values and words. The reader, the JSON Schema for editors, the page of keys, and what an old
/// option is answered with, follow from these rows.
package enum SettingsTable {
    /// The values that a key takes.
    struct Form {
        /// The words after "takes" in messages.
        let takes: String
        /// The members of the value's JSON Schema.
        var schema = #""type":["string","null"]"#
        var isFlag = false
        var isFile = false
        /// True if the text is a secret, or `@` and the name of the file that has it.
        var isSecret = false
        /// True if there may be several values; each is set by itself.
        var isList = false
        /// Removes the values of a list, which those of another source replace.
        var reset: ((_ settings: inout Settings) -> Void)?
        /// Returns false for a value that is not allowed.
        let set: (_ settings: inout Settings, _ text: String) -> Bool
    }

    package struct Row {
        package let name: String
        /// `extension.memory`
        package fileprivate(set) var key = ""
        let form: Form
        package let words: String
        /// The commands that read the key; nil for all.
        package fileprivate(set) var commands: [String]?
        /// True if the key counts only in a file that somebody named, and in `--set`.
        package let isRestricted: Bool
        /// The option that people may look for instead, without dashes.
        package let option: String
        package var isFlag: Bool { form.isFlag }
        /// The values that it takes, for messages.
        package var takes: String { form.takes }

        /// - Parameter commands: if they are not those of the section.
        init(
            _ name: String, _ form: Form, _ words: String, restricted: Bool = false, option: String? = nil,
            commands: [String]? = nil
        ) {
            self.name = name
            self.form = form
            self.words = words
            self.commands = commands
            isRestricted = restricted
            self.option = option ?? name
        }

        /// - Parameter folder: the folder that the name of a file is relative to; empty for the working directory.
        func set(_ text: String, _ folder: String, in settings: inout Settings) -> Bool {
            guard form.isFile || form.isSecret && text.hasPrefix("@") else { return form.set(&settings, text) }
            // The files of `GROUP=FILE` and of `@FILE` are relative, too.
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if form.isList, parts.count < 2 { return false }
            let start = form.isSecret ? "@" : form.isList && parts.count == 2 ? "\(parts[0])=" : ""
            let name = String(text.dropFirst(start.count))
            guard !name.isEmpty else { return false }
            let path = name.hasPrefix("/") || folder.isEmpty ? name : "\(folder)/\(name)"
            return form.set(&settings, start + path)
        }

        /// - Parameter command: nil for one that takes the keys of all commands.
        func isRead(by command: String?) -> Bool { command.flatMap { commands?.contains($0) } ?? true }

        /// The value as it may be shown.
        func shown(_ value: String) -> String { form.isSecret && !value.hasPrefix("@") ? "(hidden)" : value }
    }

    package struct Section {
        package let name: String
        let words: String
        package let rows: [Row]

        /// - Parameter commands: those that read the keys; nil for all.
        init(name: String, words: String, commands: [String]? = nil, rows: [Row]) {
            self.name = name
            self.words = words
            self.rows = rows.map { row in
                var row = row
                row.key = "\(name).\(row.name)"
                row.commands = row.commands ?? commands
                return row
            }
        }
    }

    private static var rows: [Row] { sections.flatMap(\.rows) }

    /// All keys, such as `extension.memory`.
    package static var keys: [String] { rows.map(\.key) }

    package static func row(_ key: String) -> Row? { rows.first { $0.key == key } }

    /// The key that somebody who wrote another may mean: one that is spelled alike, or the one of this name in another section.
    static func key(like typed: String) -> String? {
        let name = typed.split(separator: ".").last.map(String.init) ?? typed
        return NameSuggestion.nearest(to: typed, among: keys)
            ?? rows.first { $0.name == name }?.key ?? row(ofOption: name)?.key
    }

    /// The key in place of an option.
    ///
    /// - Parameters:
    ///   - option: without dashes.
    ///   - command: the command that reads the key; nil for any.
    package static func row(ofOption option: String, in command: String? = nil) -> Row? {
        rows.first { $0.option == option && $0.isRead(by: command) }
    }

    // MARK: - Forms

    private static func flag(_ path: WritableKeyPath<Settings, Bool>) -> Form {
        Form(takes: "true or false", schema: #""type":["boolean","null"]"#, isFlag: true) { settings, text in
            guard let flag = Bool(text) else { return false }
            settings[keyPath: path] = flag
            return true
        }
    }

    private static func number(_ range: ClosedRange<Int>, _ set: @escaping (inout Settings, Int) -> Void) -> Form {
        Form(
            takes: "a number from \(range.lowerBound) to \(range.upperBound)",
            schema: #""type":["integer","null"],"minimum":\#(range.lowerBound),"maximum":\#(range.upperBound)"#
        ) { settings, text in
            guard let number = Int(text), range.contains(number) else { return false }
            set(&settings, number)
            return true
        }
    }

    private static func rate(_ path: WritableKeyPath<DevicePolicy, Int?>) -> Form {
        number(DevicePolicy.limits) { $0.configuration.devicePolicy[keyPath: path] = $1 }
    }

    private static func size(_ set: @escaping (inout Settings, Int) -> Void) -> Form {
        Form(
            takes: "a number of bytes from 1 to 1G, such as 65536, 64K or 1MiB",
            schema: #""type":["string","integer","null"]"#
        ) { settings, text in
            guard let bytes = ByteSize.bytes(text), 1...PipelineConfiguration.largestMaximumRecordBytes ~= bytes
            else { return false }
            set(&settings, bytes)
            return true
        }
    }

    /// A time of at most a day, in milliseconds.
    private static func time(from least: Int64, _ set: @escaping (inout Settings, Int64) -> Void) -> Form {
        Form(takes: "a time of at most a day, such as 500ms, 1.5s or 5m", schema: #""type":["string","number","null"]"#)
        {
            settings, text in
            let time = EventTime.duration(text) ?? Double(text).flatMap { Int64(exactly: ($0 * 1000).rounded()) }
            guard let time, least...86_400_000 ~= time else { return false }
            set(&settings, time)
            return true
        }
    }

    private static func text(_ path: WritableKeyPath<Settings, String?>, _ takes: String) -> Form {
        Form(takes: takes) { settings, text in
            guard !text.isEmpty else { return false }
            settings[keyPath: path] = text
            return true
        }
    }

    private static func pointer(
        _ path: WritableKeyPath<Settings, String?>, _ example: String, emptyIsNone: Bool = false
    ) -> Form {
        Form(takes: "a JSON Pointer (RFC 6901), such as \(example)") { settings, text in
            guard RecordLocation(pointer: text, skipsPrefix: false) != nil else { return false }
            settings[keyPath: path] = emptyIsNone && text.isEmpty ? nil : text
            return true
        }
    }

    private static func secret(_ path: WritableKeyPath<Settings, String?>, _ what: String) -> Form {
        var form = text(path, "\(what), or @ and the name of the file that has it")
        form.isSecret = true
        return form
    }

    private static func file(_ path: WritableKeyPath<Settings, String?>, _ takes: String = "the name of a file") -> Form
    {
        Form(takes: takes, schema: #""type":["string","null"],"minLength":1"#, isFile: true) { settings, text in
            settings[keyPath: path] = text
            return true
        }
    }

    private static func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ set: @escaping (inout Settings, Value) -> Void
    ) -> Form {
        let names = Value.allCases.map(\.rawValue)
        return choice(names) { settings, text in if let value = Value(rawValue: text) { set(&settings, value) } }
    }

    private static func choice(_ names: [String], _ set: @escaping (inout Settings, String) -> Void) -> Form {
        let list = names.map { "\"\($0)\"" }.joined(separator: ",")
        return Form(takes: "one of \(names.joined(separator: ", "))", schema: "\"enum\":[\(list),null]") {
            settings, text in
            guard names.contains(text) else { return false }
            set(&settings, text)
            return true
        }
    }

    private static func list(
        _ path: WritableKeyPath<Settings, [String]>, _ takes: String, isFile: Bool = false, schema: String
    ) -> Form {
        Form(
            takes: takes, schema: schema, isFile: isFile, isList: true, reset: { $0[keyPath: path] = [] },
            set: { settings, text in
                guard !text.isEmpty else { return false }
                settings[keyPath: path].append(text)
                return true
            })
    }

    // MARK: - Rows

    package static var sections: [Section] {
        [
            input, devices, limits, replace, fit, serviceExtension, redact, report, answers, airnotifier, wikimedia,
            serve, bench,
        ]
    }

    private static let delivering = ["run", "trace", "snapshot", "bench", "serve"]
    /// The commands that read files whose records may have more than a payload.
    private static let reading = ["run", "trace", "bench", "lint", "infer", "partition"]

    private static var input: Section {
        Section(
            name: "input", words: "How records are read.", commands: reading + ["snapshot"],
            rows: [
                Row(
                    "at", pointer(\.payloadPlace, "/log/payload", emptyIsNone: true),
                    "Take each payload from this place in its record, such as /log/payload: an object, or a string that holds it.",
                    commands: reading),
                Row(
                    "framing", choice { $0.configuration.framing = $1 as Framing },
                    "How to split the input into records."),
                Row(
                    "skip-prefix", flag(\.skipsPrefix),
                    "Skip text before the object on each line, as in the output of kubectl logs, and after it.",
                    commands: reading),
                Row(
                    "time",
                    Form(takes: "line, or a JSON Pointer (RFC 6901) such as /time") { settings, text in
                        settings.configuration.recordTime = RecordTimePlace(text)
                        return settings.configuration.recordTime != nil
                    },
                    "Deliver each record at the time in this place of its line, such as /time, or at its beginning with line: RFC 3339, epoch seconds or milliseconds, or as date and loggers write it; UTC without a zone.",
                    commands: ["run", "trace", "snapshot"]),
                Row(
                    "relaxed", flag(\.configuration.decoding.acceptsRelaxedJSON),
                    "Accept single quotes, bare keys and trailing commas, and report each correction."),
                Row(
                    "max-record", size { $0.configuration.maximumRecordBytes = $1 },
                    "Longest record in bytes, 1M by default."),
                Row(
                    "max-ratio", number(1...1_000_000) { $0.configuration.decoding.mostExpansion = $1 },
                    "Bytes of text that are read for each byte of a compressed file, beyond 64 MiB; 100 by default.",
                    commands: ["run", "trace", "lint", "partition"]),
                Row(
                    "platform", choice { $0.configuration.decoding.platform = $1 as Platform },
                    "Device platform of GCM and FCM tokens: android by default, and ios for messages with only an apns block.",
                    commands: reading + ["snapshot", "serve"]),
                Row(
                    "placed", flag(\.configuration.expectsPlaces),
                    "Read records with places although the first line of their part is missing, as from the middle of an engine's stream.",
                    commands: ["run"]),
                Row(
                    "allow-empty", flag(\.allowsEmpty),
                    "Accept inputs without any record, and 64 MiB of a pipe or device without one.",
                    commands: ["run", "trace", "snapshot", "lint"]),
                Row(
                    "skip-others", flag(\.skipsOthers),
                    "Skip files that are not payloads even if they are named, as for a commit's files.",
                    commands: ["lint"]),
                Row(
                    "hidden", flag(\.includesHidden), "In directories, also read hidden files.",
                    restricted: true, commands: ["lint"]),
                Row(
                    "ignore-files", flag(\.honoursIgnoreFiles),
                    "In directories, skip files that .gitignore or .ignore excludes; true by default.",
                    restricted: true, option: "no-ignore", commands: ["lint"]),
            ])
    }

    private static var devices: Section {
        Section(
            name: "devices", words: "Devices that nothing has registered.", commands: delivering,
            rows: [
                Row(
                    "unknown",
                    choice(["accept", "reject"]) {
                        $0.configuration.devicePolicy.rejectsUnknownDevices = $1 == "reject"
                    },
                    "Accept an unregistered token, which is the default, or reject it as its provider would.",
                    option: "unknown-devices")
            ])
    }

    private static var limits: Section {
        Section(
            name: "limits", words: "Limits of services, senders and devices. Most are off by default.",
            commands: delivering,
            rows: [
                Row(
                    "pushes-per-minute", rate(\.pushesPerMinute),
                    "Reject pushes to a token beyond this number per minute."),
                Row(
                    "app-pushes-per-minute", rate(\.pushesPerMinuteOfSender),
                    "Reject pushes of an app beyond this number per minute."),
                Row(
                    "background-pushes-per-hour", rate(\.backgroundPushesPerHour),
                    "Deliver at most this many background pushes to an app per hour."),
                Row(
                    "collapsible-bursts", flag(\.configuration.devicePolicy.delaysCollapsibleBursts),
                    "Delay collapsible messages to an Android app after a burst of 20, as FCM does; one more passes every 3 minutes."
                ),
                Row(
                    "activity-updates-per-hour", rate(\.activityUpdatesPerHour),
                    "Drop updates of priority 10 to a Live Activity beyond this number per hour."),
                Row(
                    "android-notifications",
                    number(DevicePolicy.limits) { $0.configuration.devicePolicy.notificationsPerAndroidApp = $1 },
                    "Drop notifications of an Android app that shows this many: 50 by default, 25 in some versions of Android."
                ),
            ])
    }

    private static var replace: Section {
        Section(
            name: "replace", words: "How the extension that --replace-by emulates finds the notifications to remove.",
            commands: delivering,
            rows: [
                Row(
                    "match", choice { $0.replacement.match = $1 as ReplacementRule.Match },
                    "Which notifications with the same id to remove: all, which is the default, or only the first, the oldest.",
                    option: "replace-match"),
                Row(
                    "missing", choice { $0.replacement.missing = $1 as ReplacementRule.Missing },
                    "Whether two notifications without an id count as equal; never by default.",
                    option: "replace-missing"),
                Row(
                    "compare", choice { $0.replacement.comparison = $1 as ReplacementRule.Comparison },
                    "How to compare ids, by text by default; string ignores ids that are not strings.",
                    option: "replace-compare"),
            ])
    }

    private static var fit: Section {
        let order = Form(takes: "body, subtitle and title, each at most once, separated by commas") { settings, text in
            let names = text.split(separator: ",", omittingEmptySubsequences: false)
            let order = names.compactMap { AlertText(rawValue: String($0)) }
            guard order.count == names.count, Set(order).count == order.count else { return false }
            settings.fitOrder = order
            return true
        }
        return Section(
            name: "fit", words: "How --fit shortens texts.", commands: delivering,
            rows: [
                Row(
                    "order", order, "Texts that may be shortened, in order: body,subtitle,title by default.",
                    option: "fit-order")
            ])
    }

    private static var serviceExtension: Section {
        let removal = Form(takes: "immediate, delayed:MS or lost-after-handler[:MS], with at most 3600000 milliseconds")
        { settings, text in
            guard let removal = try? RemovalTiming(text, option: "") else { return false }
            settings.serviceExtension.removal = removal
            return true
        }
        return Section(
            name: "extension", words: "How a service extension runs.", commands: delivering,
            rows: [
                Row(
                    "instances", number(1...64) { $0.serviceExtension.instances = $1 },
                    "Number of processes, 1 by default; each device always uses the same one.",
                    option: "extension-instances"),
                Row(
                    "timeout", time(from: 1) { $0.serviceExtension.timeLimit = .milliseconds($1) },
                    "Time until serviceExtensionTimeWillExpire, 30s by default.", option: "extension-timeout"),
                Row(
                    "memory", size { $0.serviceExtension.memoryLimit = $1 },
                    "Most private memory of a process, in bytes. By default 24 MB more than at its start are a finding, and nothing is ended. Linux only.",
                    option: "extension-memory"),
                Row(
                    "removal", removal,
                    "When removeDeliveredNotifications takes effect: immediate, delayed:MS, or lost-after-handler[:MS], which drops removals still pending when the extension calls its content handler. Also for --replace-by."
                ),
                Row(
                    "removal-wait", time(from: 0) { $0.serviceExtension.removalWait = .milliseconds($1) },
                    "How long the extension waits after a removal, by the run's clock; 0 by default."),
                Row(
                    "assume-mutable", flag(\.assumesMutable),
                    "Also pass pushes without mutable-content through the extension, as if they had it."),
                Row(
                    "filtering", flag(\.serviceExtension.mayFilter),
                    "Give the app the filtering entitlement: empty content shows nothing. Default: as the .appex says.",
                    option: "extension-filtering"),
                Row(
                    "communication",
                    Form(takes: "true or false", schema: #""type":["boolean","null"]"#, isFlag: true) {
                        settings, text in
                        guard let flag = Bool(text) else { return false }
                        settings.serviceExtension.mayCommunicate = flag ? true : nil
                        return true
                    }, "Give the app the communication entitlement: senders are shown. Default: as the .appex says.",
                    option: "extension-communication"),
                Row(
                    "language", text(\.serviceExtension.language, "the code of a language, such as de"),
                    "Language of the extension's texts and locale, such as de."),
                Row(
                    "sandbox", file(\.serviceExtension.sandbox, "the name of a folder"),
                    "Folder for the home directory, temporary files and app groups; a temporary one by default.",
                    restricted: true, option: "extension-sandbox"),
                Row(
                    "attachments", file(\.serviceExtension.attachments, "the name of a folder"),
                    "Move attachments to this folder; one in the sandbox by default.", restricted: true),
                Row(
                    "app-groups",
                    list(
                        \.appGroups, "GROUP=FILE, or a mapping of groups to files", isFile: true,
                        schema: #""type":["string","array","object","null"]"#),
                    "Initial user defaults of app groups, from property lists or JSON objects.", restricted: true,
                    option: "app-group"),
                Row(
                    "keychain", file(\.keychain),
                    "Initial items of the keychain, from a JSON array or a property list, by the names of Security's constants.",
                    restricted: true),
                Row(
                    "ca", file(\.serviceExtension.certificates),
                    "Certificates in PEM format that the extension trusts, as its system does.", restricted: true),
            ])
    }

    private static var redact: Section {
        Section(
            name: "redact", words: "How --redact replaces texts.", commands: delivering + ["export"],
            rows: [
                Row(
                    "key-file", file(\.redactionKey),
                    "File with the key of the digests, at least 16 bytes. The same key gives equal texts equal digests. By default the variable PUSHPIPE_REDACT_KEY, else a random key for this run.",
                    restricted: true, option: "redact-key-file")
            ])
    }

    private static var report: Section {
        Section(
            name: "report", words: "Output for people.",
            rows: [
                Row(
                    "screen-file", file(\.screenFile),
                    "Draw the screens at the end into this file; it ends in .svg, .html, .png or .dark.png.",
                    restricted: true, commands: ["run", "trace", "serve"]),
                Row("wide", flag(\.isWide), "Allow lines that are wider than the terminal."),
                Row(
                    "pager", flag(\.usesPager),
                    "On a terminal, show the output through the pager that PAGER names, or less.", restricted: true),
                Row(
                    "stats", flag(\.configuration.measuresStages),
                    "Print per-stage timings on standard error at the end, per record and in total.",
                    commands: ["run"]),
            ])
    }

    private static var answers: Section {
        Section(
            name: "answers", words: "Answers that senders received.", commands: ["run"],
            rows: [
                Row(
                    "at", pointer(\.answerPlace, "/response"),
                    "Take the answer that --check-answers compares from this place in the record or log line, such as /response; an empty one is the record itself.",
                    option: "answer-at")
            ])
    }

    private static var airnotifier: Section {
        Section(
            name: "airnotifier", words: "Moodle's gateway.", commands: delivering,
            rows: [
                Row(
                    "apps", file(\.airnotifierApps),
                    "Apps, access keys and blocked addresses, in JSON. By default, any are accepted.", restricted: true,
                    option: "airnotifier", commands: ["serve"]),
                Row(
                    "token-life-cycle", flag(\.maintainsTokens),
                    "Maintain tokens as planned for Moodle's notification server: sweep unconfirmed tokens every hour; disable a dead token, notify its owner once, and delete it after 30 days."
                ),
            ])
    }

    private static var wikimedia: Section {
        Section(
            name: "wikimedia", words: "Wikimedia's push service.", commands: delivering,
            rows: [
                Row(
                    "flush-delay", time(from: 0) { $0.flushDelay = $1 },
                    "Delay sending by a random time up to this, such as 30s or 5m; at most a day.",
                    commands: ["serve"]),
                Row(
                    "preferences", file(\.preferences),
                    "Apply the permissions and switches in this file, as written by pushpipe preferences.",
                    restricted: true),
                Row(
                    "mapping", file(\.mapping),
                    "Rules that give each push its notification type, and say where taps lead and what the app posts; see pushpipe preferences --mapping.",
                    restricted: true),
            ])
    }

    private static var serve: Section {
        let address = "an address and a port, such as 127.0.0.1:2197 or [::1]:2197"
        return Section(
            name: "serve", words: "The gateway.", commands: ["serve"],
            rows: [
                Row(
                    "proxy", text(\.gateway.proxy, address), "Address of a proxy for Apple's and Google's hosts.",
                    restricted: true),
                Row(
                    "binary-gateway", text(\.gateway.binaryGateway, address),
                    "Address for APNs' binary interface of 2013.", restricted: true),
                Row(
                    "feedback", text(\.gateway.feedback, address),
                    "Address for the feedback service of that interface.", restricted: true),
                Row(
                    "tls-cert", file(\.gateway.certificate),
                    "Certificate chain in PEM; a development certificate by default.", restricted: true),
                Row(
                    "tls-key", file(\.gateway.certificateKey), "Private key of serve.tls-cert, in PEM.",
                    restricted: true),
                Row("key-id", text(\.gateway.keyID, "an id"), "Require provider tokens that name this key."),
                Row("team-id", text(\.gateway.teamID, "an id"), "Require provider tokens of this team."),
                Row(
                    "provider-key", file(\.gateway.providerKey),
                    "Require provider tokens of this key: a .p8 file or its public key.", restricted: true),
                Row(
                    "one-stream-first", flag(\.gateway.allowsOneStreamFirst),
                    "Allow one stream before the first valid provider token, as APNs does."),
                Row(
                    "service-account", file(\.gateway.serviceAccount),
                    "Require access tokens issued to this service account.", restricted: true),
                Row(
                    "expo-access-token", secret(\.gateway.expoAccessToken, "a token"),
                    "Require this access token, or the one in @FILE, for Expo.", restricted: true),
                Row(
                    "access-key", secret(\.gateway.accessKey, "a key"),
                    "Require this access key, or the one in @FILE, for the API.", restricted: true),
                Row(
                    "allow-origin",
                    list(
                        \.gateway.allowedOrigins, "an origin such as https://app.example.org, or * for any",
                        schema: #""type":["string","array","null"],"items":{"type":"string"}"#),
                    "Take requests from web pages of these origins, or of any with *.", restricted: true),
                Row(
                    "webhook", text(\.gateway.webhook, "an address without TLS such as http://127.0.0.1:8080/pushes"),
                    "Post each message that arrived, as JSON: to this machine, or to a host of serve.allow-origin.",
                    restricted: true),
            ])
    }

    private static var bench: Section {
        Section(
            name: "bench", words: "Measurements.", commands: ["bench"],
            rows: [
                Row(
                    "warmup", number(1...1000) { $0.benchmark.warmups = $1 },
                    "Passes over the input before the first sample; 1 by default."),
                Row(
                    "samples", number(3...100_000) { $0.benchmark.samples = $1 },
                    "Number of samples, at least 3; by default as many as --time allows, at least 5."),
                Row(
                    "latency-records", number(0...1_000_000) { $0.benchmark.latencyRecords = $1 },
                    "Records to measure the latency of, 5000 by default; 0 for none."),
            ])
    }

    // MARK: - Pages

    /// A line for each key, with its meaning below it where there is no room beside it.
    package static func text(of sections: [Section], columns: Int) -> String {
        let width = keys.map(\.count).max() ?? 0
        let hasRoom = columns >= width + 40
        let indent = String(repeating: " ", count: hasRoom ? width + 5 : 6)
        var text = ""
        for section in sections {
            let title = TerminalText.wrapped(section.words, to: columns, breaksWords: false)
            text += "\(text.isEmpty ? "" : "\n")\(title.joined(separator: "\n"))\n"
            for row in section.rows {
                let key = row.key + (row.isRestricted ? "*" : "")
                let lines = TerminalText.wrapped(row.words, to: columns - indent.utf8.count, breaksWords: false)
                text += hasRoom ? "  \(TerminalText.padded(key, to: width + 3))" : "  \(key)\n\(indent)"
                text += lines.joined(separator: "\n\(indent)") + "\n"
            }
        }
        return text
    }

    /// A JSON Schema (draft 2020-12) of `.pushpipe.yml`, for editors: these sections beside the linter's.
    package static var schema: String {
        let properties = sections.map { section in
            let keys = section.rows.map { #""\#($0.name)":{"description":"\#($0.words)",\#($0.form.schema)}"# }
            return """
                "\(section.name)":{"description":"\(section.words)","type":["object","null"],"properties":{
                \(keys.joined(separator: ",\n"))},
                "additionalProperties":false},

                """
        }
        return LintConfiguration.schema(adding: properties.joined())
    }
}
