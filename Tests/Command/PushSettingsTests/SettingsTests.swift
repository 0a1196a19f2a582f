import ExtensionHosting
import PushDecoding
import PushDevices
import PushLint
import PushLintConfiguration
import PushModel
import PushPipeline
import PushSettings
import PushSystem
import PushYAML
import TestSupport
import Testing

/// The keys of `.pushpipe.yml`, `--config` and `--set` that are not the linter's.
struct SettingsTests {
    private func settings(_ yaml: String, isFound: Bool = false) throws -> Settings {
        var settings = Settings()
        try settings.read(Array(yaml.utf8), of: "/etc/pushpipe.yml", isFound: isFound)
        return settings
    }

    /// A value of each key that is not its default.
    private static let values = [
        "input.at": "/log", "input.framing": "seq", "input.skip-prefix": "true", "input.time": "line",
        "input.relaxed": "true",
        "input.max-record": "64K", "input.max-ratio": "500",
        "input.platform": "ios", "input.placed": "true", "input.allow-empty": "true", "input.hidden": "true",
        "input.skip-others": "true",
        "input.ignore-files": "false", "devices.unknown": "reject", "limits.pushes-per-minute": "3",
        "limits.app-pushes-per-minute": "4", "limits.background-pushes-per-hour": "5",
        "limits.collapsible-bursts": "true",
        "limits.activity-updates-per-hour": "6",
        "limits.android-notifications": "25", "replace.match": "first", "replace.missing": "equal",
        "replace.compare": "string",
        "fit.order": "title,body", "extension.instances": "2", "extension.timeout": "1.5s", "extension.memory": "24M",
        "extension.removal": "delayed:50", "extension.removal-wait": "200ms", "extension.assume-mutable": "true",
        "extension.filtering": "true", "extension.communication": "true", "extension.language": "de",
        "extension.sandbox": "box", "extension.attachments": "files", "extension.app-groups": "group.a=a.plist",
        "extension.keychain": "items.json", "extension.ca": "ca.pem", "redact.key-file": "key",
        "report.screen-file": "a.svg",
        "report.wide": "true", "report.pager": "true", "report.stats": "true", "answers.at": "/response",
        "airnotifier.apps": "apps.json", "airnotifier.token-life-cycle": "true", "wikimedia.flush-delay": "5m",
        "wikimedia.preferences": "phone.json", "wikimedia.mapping": "app.yml", "serve.proxy": "127.0.0.1:1",
        "serve.binary-gateway": "127.0.0.1:2", "serve.feedback": "127.0.0.1:3", "serve.tls-cert": "cert.pem",
        "serve.tls-key": "key.pem", "serve.key-id": "ABC", "serve.team-id": "DEF", "serve.provider-key": "a.p8",
        "serve.one-stream-first": "true", "serve.service-account": "a.json", "serve.expo-access-token": "@token",
        "serve.access-key": "@key", "serve.allow-origin": "https://a.example", "serve.webhook": "http://127.0.0.1:1/",
        "bench.warmup": "2", "bench.samples": "7", "bench.latency-records": "0",
    ]

    /// The settings as text, without where they came from.
    private func dump(_ settings: Settings) -> String {
        var text = ""
        for child in Mirror(reflecting: settings).children where child.label != "origins" {
            text += "\(child.label ?? ""): \(child.value)\n"
        }
        return text
    }

    @Test func `every key sets something, in a file as in an assignment`() throws {
        #expect(Set(Self.values.keys) == Set(SettingsTable.keys))
        for (key, value) in Self.values {
            let parts = key.split(separator: ".")
            let command = SettingsTable.row(key)?.commands?.first
            let assigned = try Settings.read(for: command, file: "/dev/null", assignments: ["\(key)=\(value)"])
            #expect(dump(assigned) != dump(Settings()), "\(key)")
            #expect(assigned.assignedKeys == [key])
            var named = Settings()
            // The names of files are relative to the working directory, as in the assignment.
            try named.read(Array("\(parts[0]):\n  \(parts[1]): \"\(value)\"\n".utf8), of: "", isFound: false)
            #expect(named.origins.map(\.key) == [key])
            #expect(dump(try settings("\(parts[0]): {\(parts[1]): }")) == dump(Settings()), "\(key) without a value")
        }
    }

    @Test func `values have their types`() throws {
        let text = """
            input: {max-record: 2KiB, at: /log}
            limits: {pushes-per-minute: 60, android-notifications: 25}
            extension:
              timeout: 1.5s
              removal-wait: 2
              memory: 24M
              app-groups: {group.a: a.plist, group.b: /b.json}
            serve: {allow-origin: [https://a.example, "*"], tls-cert: conf/cert.pem}
            fit: {order: "title,body"}
            """
        let settings = try settings(text)
        #expect(settings.configuration.maximumRecordBytes == 2048)
        #expect(settings.payloadPlace == "/log")
        #expect(settings.configuration.devicePolicy.pushesPerMinute == 60)
        #expect(settings.configuration.devicePolicy.notificationsPerAndroidApp == 25)
        #expect(settings.serviceExtension.timeLimit == .milliseconds(1500))
        #expect(settings.serviceExtension.removalWait == .seconds(2))
        #expect(settings.serviceExtension.memoryLimit == 24 << 20)
        #expect(settings.appGroups == ["group.a=/etc/a.plist", "group.b=/b.json"])
        #expect(settings.gateway.allowedOrigins == ["https://a.example", "*"])
        #expect(settings.gateway.certificate == "/etc/conf/cert.pem")
        #expect(settings.fitOrder == [.title, .body])
    }

    @Test(arguments: [
        ("inpt: {}", 1, 1, "did you mean input?"), ("input:\n  framng: json\n", 2, 3, "did you mean framing?"),
        ("input:\n  framing: xml\n", 2, 12, "input.framing takes one of auto, ndjson, json, array, seq, nul"),
        ("limits: {pushes-per-minute: -1}", 1, 29, "takes a number from 0 to 1000000000"),
        ("limits: {pushes-per-minute: soon}", 1, 29, "takes a number"), ("input: 5m", 1, 8, "input is a mapping"),
        ("extension: {timeout: 0}", 1, 22, "takes a time of at most a day"),
        ("extension: {timeout: 2d}", 1, 22, "takes a time"),
        ("extension: {removal: delayed:-1}", 1, 22, "takes immediate, delayed:MS"),
        ("- a", 1, 1, "the configuration is a mapping"),
        ("input: {max-record: 2G}", 1, 21, "takes a number of bytes from 1 to 1G"),
        ("input: {at: log}", 1, 13, "JSON Pointer"),
        ("input: {relaxed: maybe}", 1, 18, "takes true or false"),
        ("wikimedia: {mapping: []}", 1, 22, "the name of a file"),
        ("extension: {app-groups: [a.plist]}", 1, 26, "GROUP=FILE"),
        ("fit: {order: \"body,body\"}", 1, 14, "each at most once"),
        ("extends: parnet", 1, 10, "extends is parent"), ("serve: {}\nserve: {}", 1, 1, "more than once"),
        ("input: [", 2, 1, ""),
    ])
    func `a mistake has its place, and a suggestion or what is allowed`(
        text: String, line: Int, column: Int, message: String
    ) throws {
        let error = #expect(throws: PlainError.self) { try settings(text) }
        let description = try #require(error?.description)
        #expect(description.hasPrefix("/etc/pushpipe.yml:\(line):"), "\(description)")
        if !message.isEmpty {
            #expect(description.hasPrefix("/etc/pushpipe.yml:\(line):\(column): "), "\(description)")
        }
        #expect(description.contains(message), "\(description)")
    }

    /// The least and the most of each number, and what is beyond them.
    @Test(arguments: [
        ("limits.pushes-per-minute", ["0", "1000000000"], ["-1", "1000000001"]),
        ("limits.app-pushes-per-minute", ["0", "1000000000"], ["-1", "1000000001"]),
        ("limits.background-pushes-per-hour", ["0", "1000000000"], ["-1", "1000000001"]),
        ("limits.activity-updates-per-hour", ["0", "1000000000"], ["-1", "1000000001"]),
        ("limits.android-notifications", ["0", "1000000000"], ["-1", "1000000001"]),
        ("extension.instances", ["1", "64"], ["0", "65"]), ("extension.timeout", ["1ms", "1d"], ["0", "86400001ms"]),
        ("extension.removal-wait", ["0", "86400"], ["-1", "86400.001"]),
        ("extension.memory", ["1", "1G"], ["0", "1073741825"]),
        ("extension.removal", ["delayed:0", "delayed:3600000"], ["delayed:-1", "delayed:3600001"]),
        ("input.max-record", ["1", "1G"], ["0", "1073741825"]), ("input.max-ratio", ["1", "1000000"], ["0", "1.5"]),
        ("wikimedia.flush-delay", ["0", "1d"], ["-1", "86400001ms"]),
        ("bench.warmup", ["1", "1000"], ["0", "1001"]), ("bench.samples", ["3", "100000"], ["2", "100001"]),
        ("bench.latency-records", ["0", "1000000"], ["-1", "1000001"]),
    ])
    func `a number is accepted within its limits, and refused beyond them`(
        key: String, allowed: [String], refused: [String]
    ) throws {
        for value in allowed { _ = try Settings.read(for: nil, file: "/dev/null", assignments: ["\(key)=\(value)"]) }
        for value in refused {
            #expect(throws: PlainError.self, "\(value)") {
                try Settings.read(for: nil, file: "/dev/null", assignments: ["\(key)=\(value)"])
            }
        }
    }

    @Test func `keys that a command does not read are checked, and change nothing`() throws {
        var settings = Settings()
        try settings.read(Array("input: {at: /log, relaxed: true}\n".utf8), of: "a.yml", for: "snapshot", isFound: true)
        #expect(settings.payloadPlace == nil && settings.configuration.decoding.acceptsRelaxedJSON)
        #expect(settings.origins.map(\.key) == ["input.relaxed"])
        #expect(throws: PlainError.self) {
            try settings.read(Array("serve: {tls-cert: []}\n".utf8), of: "a.yml", for: "run", isFound: false)
        }
        #expect(throws: PlainError.self) {
            try settings.read(Array("input: {at: log}\n".utf8), of: "a.yml", for: "serve", isFound: true)
        }
    }

    // MARK: - Files that are found

    private static let restricted = SettingsTable.sections.flatMap { section in
        section.rows.filter(\.isRestricted).map(\.key)
    }

    @Test func `keys that start programs, or read or write elsewhere, are restricted`() {
        for key in ["sandbox", "attachments", "app-groups", "keychain", "ca"] {
            #expect(Self.restricted.contains("extension.\(key)"))
        }
        for key in [
            "tls-cert", "tls-key", "provider-key", "service-account", "webhook", "allow-origin", "access-key",
            "expo-access-token",
        ] {
            #expect(Self.restricted.contains("serve.\(key)"))
        }
        for key in [
            "input.hidden", "input.ignore-files", "redact.key-file", "report.screen-file", "report.pager",
            "airnotifier.apps", "wikimedia.preferences",
            "wikimedia.mapping",
        ] { #expect(Self.restricted.contains(key)) }
    }

    @Test(arguments: restricted)
    func `a restricted key counts in a named file, and is told and ignored in one that is found`(key: String) throws {
        let parts = key.split(separator: ".")
        let text = Array("\(parts[0]):\n  \(parts[1]): \"\(Self.values[key] ?? "")\"\n".utf8)
        var notes: [String] = []
        var found = Settings()
        try found.read(text, of: "/checkout/.pushpipe.yml", isFound: true) { notes.append($0) }
        #expect(dump(found) == dump(Settings()))
        #expect(found.origins.map(\.isIgnored) == [true])
        #expect(
            notes == [
                "/checkout/.pushpipe.yml:2: \(key) is ignored: it counts only with --config FILE or --set \(key)=…"
            ])
        var named = Settings()
        try named.read(text, of: "/checkout/.pushpipe.yml", isFound: false) { notes.append($0) }
        #expect(dump(named) != dump(Settings()) && named.origins.count == 1 && notes.count == 1)
    }

    // MARK: - Assignments

    @Test(arguments: [
        (
            "limits.pushes-per-mnute=1",
            "there is no setting 'limits.pushes-per-mnute'; did you mean limits.pushes-per-minute?"
        ),
        ("pushes-per-minute=1", "did you mean limits.pushes-per-minute?"),
        ("extension-memory=1M", "did you mean extension.memory?"),
        ("nothing=1", "pushpipe config keys lists them"),
        ("input.framing=xml", "--set input.framing=xml: input.framing takes one of"),
        ("input.at=log", "input.at takes a JSON Pointer"),
        ("serve.proxy=127.0.0.1:1", "serve.proxy is a setting of serve"),
        ("lint.severity=info", "lint.severity is for the linter"),
    ])
    func `an assignment that cannot be says why`(assignment: String, message: String) throws {
        let error = #expect(throws: PlainError.self) {
            try Settings.read(for: "run", file: "/dev/null", assignments: [assignment])
        }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }

    @Test func `an assignment that changes nothing in a command is refused there`() throws {
        for (command, key) in [
            ("lint", "limits.pushes-per-minute=1"), ("export", "input.relaxed"), ("trace", "answers.at=/a"),
        ] {
            let error = #expect(throws: PlainError.self) {
                try Settings.read(for: command, file: "/dev/null", assignments: [key])
            }
            #expect(error?.description.contains("and has no effect here") == true)
            #expect(try !Settings.read(for: nil, file: "/dev/null", assignments: [key]).origins.isEmpty)
        }
    }

    @Test func `a secret is not shown, and its file is relative to the configuration`() throws {
        let settings = try settings("serve: {access-key: sesame, expo-access-token: \"@token\"}")
        #expect(settings.origins.map(\.value) == ["(hidden)", "@token"])
        #expect(settings.gateway.accessKey == "sesame" && settings.gateway.expoAccessToken == "@/etc/token")
    }

    @Test func `a named file extends the configurations above it`() throws {
        let folder = try TestFolder([
            ".pushpipe.yml": "limits: {pushes-per-minute: 1, app-pushes-per-minute: 1}\nextension: {sandbox: box}\n",
            "ci/push.yml": "extends: parent\nlimits: {pushes-per-minute: 2}\n",
        ])
        var notes: [String] = []
        let settings = try Settings.read(for: "run", file: folder.path("ci/push.yml")) { notes.append($0) }
        #expect(settings.configuration.devicePolicy.pushesPerMinute == 2)
        #expect(settings.configuration.devicePolicy.pushesPerMinuteOfSender == 1)
        #expect(settings.serviceExtension.sandbox == nil && notes.count == 1)
    }

    @Test func `the empty pointer is the whole record of an answer, and takes the place of payloads back`() throws {
        #expect(try settings("answers: {at: \"\"}").answerPlace?.isEmpty == true)
        #expect(try settings("input: {at: \"\"}").payloadPlace == nil)
    }

    @Test func `the values of a list replace those of another source`() throws {
        let folder = try TestFolder(["a.yml": "serve: {allow-origin: [\"*\", http://b.example]}\n"])
        let origins = ["serve.allow-origin=https://a.example", "serve.allow-origin=https://c.example"]
        let settings = try Settings.read(for: "serve", file: folder.path("a.yml"), assignments: origins)
        #expect(settings.gateway.allowedOrigins == ["https://a.example", "https://c.example"])
    }

    @Test func `without a configuration there is no other beside a payload`() throws {
        guard case .none = try Settings.read(for: "lint", file: "/dev/null").rulesSource else {
            Issue.record("/dev/null is read as a configuration")
            return
        }
    }

    @Test func `the last assignment counts, more than any file`() throws {
        let folder = try TestFolder(["a.yml": "limits: {pushes-per-minute: 1}\ninput: {relaxed: true}\n"])
        let settings = try Settings.read(
            for: "run", file: folder.path("a.yml"),
            assignments: ["limits.pushes-per-minute=2", "limits.pushes-per-minute=3", "report.wide"])
        #expect(settings.configuration.devicePolicy.pushesPerMinute == 3)
        #expect(settings.configuration.decoding.acceptsRelaxedJSON && settings.isWide)
        #expect(settings.origins.map(\.place).suffix(3) == ["--set", "--set", "--set"])
    }

    // MARK: - What follows from the table

    @Test func `an option that was has its key`() {
        let options = [
            "extension-memory": "extension.memory", "at": "input.at", "no-ignore": "input.ignore-files",
            "ca": "extension.ca",
            "unknown-devices": "devices.unknown", "redact-key-file": "redact.key-file", "answer-at": "answers.at",
            "app-group": "extension.app-groups", "mapping": "wikimedia.mapping", "webhook": "serve.webhook",
        ]
        for (option, key) in options { #expect(SettingsTable.row(ofOption: option)?.key == key) }
        let all = SettingsTable.sections.flatMap(\.rows).map(\.option)
        #expect(Set(all).count == all.count)
    }

    @Test func `the linter knows the sections of other commands, and leaves them alone`() throws {
        #expect(LintConfiguration.otherKeys == SettingsTable.sections.map(\.name))
        let configuration = try LintConfiguration(yaml: "lint: {severity: info}\ninput: {at: /log}\n")
        #expect(configuration.severity == .info)
        #expect(try settings("lint: {severity: info}\nextends: parent\n").origins.isEmpty)
    }

    @Test func `the schema is JSON, and lists every key`() throws {
        let schema = try #require(try YAMLNode.read(Array(SettingsTable.schema.utf8)))
        let properties = try #require(try schema.pairs(of: "schema").first { $0.key.text == "properties" })
        let sections = try properties.value.pairs(of: "properties")
        #expect(sections.compactMap(\.key.text) == SettingsTable.sections.map(\.name) + ["extends", "ignore", "lint"])
        for section in SettingsTable.sections {
            for row in section.rows {
                #expect(SettingsTable.schema.contains("\"\(row.key.split(separator: ".")[1])\":{\"description\":"))
            }
        }
    }

    @Test(arguments: [40, 60, 80, 120]) func `a list of keys is no wider than the terminal`(_ columns: Int) {
        let text = SettingsTable.text(of: SettingsTable.sections, columns: columns)
        #expect(text.split(separator: "\n").filter { $0.count > columns } == [])
        let keys = text.split { " *\n".contains($0) }
        for key in SettingsTable.keys { #expect(keys.contains(Substring(key))) }
    }
}
