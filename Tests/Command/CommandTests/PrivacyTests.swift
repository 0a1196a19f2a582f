import Foundation
import TestSupport
import Testing

/// `--redact`: hidden values appear in no output, and outcomes stay the same.
struct PrivacyTests {
    private static let key = ["PUSHPIPE_REDACT_KEY": "a key for the tests of privacy"]
    /// Long enough for every record of the corpus except one.
    private static let input = ["--clock", "0", "--set", "input.max-record=10K", "in"]
    private static let run = ["run", "-q"] + input

    private func folder() throws -> Folder {
        let folder = try Folder()
        try folder.write(SecretCorpus.records.text, to: "in")
        return folder
    }

    /// What must no longer appear.
    private static func secrets(_ parts: String) -> [String] {
        (parts == "content" ? [] : [SecretCorpus.token, SecretCorpus.hexToken])
            + (parts == "tokens" ? [] : [SecretCorpus.text])
    }

    private func expectNothing(of parts: String, in data: Data, _ place: String) {
        // Some of them have one letter written as an escape.
        let text = String(decoding: data, as: UTF8.self).replacing("\\u0074", with: "t").lowercased()
        for secret in Self.secrets(parts) {
            guard let found = text.range(of: secret) else { continue }
            let start = text.index(found.lowerBound, offsetBy: -60, limitedBy: text.startIndex) ?? text.startIndex
            Issue.record("\(parts): \(place) has …\(text[start..<found.upperBound])…")
        }
    }

    private func expectNothing(of parts: String, in output: Output, _ place: String) {
        expectNothing(of: parts, in: output.stdout, place)
        expectNothing(of: parts, in: Data(output.stderr.utf8), "standard error of \(place)")
    }

    private static let forms: [[String]] =
        [
            ["--format", "ndjson"], ["--format", "text"], ["--format", "ndjson", "--rules", "--set", "input.relaxed"],
            ["--format", "none", "--screen", "--set", "report.stats"],
            ["--format", "ndjson", "--set", "input.platform=ios", "--replace-by", "match"],
            ["--format", "text", "--jobs", "3"],
        ].map { run + $0 } + [["trace"] + input, ["trace"] + input + ["--set", "input.relaxed", "--fit"]]

    private static let parts = Effort.some(["all", "tokens", "content"], fast: 1)

    @Test(arguments: parts, Effort.some(forms, fast: 4))
    func `no secret appears in a report`(parts: String, form: [String]) throws {
        let plain = try folder().pushpipe(arguments: form)
        let known = String(decoding: plain.stdout, as: UTF8.self) + plain.stderr
        let output = try folder().pushpipe(arguments: form + ["--redact", parts], environment: Self.key)
        #expect(output.status == 0)
        #expect(output.text.contains("redacted") && !known.contains("redacted"))
        expectNothing(of: parts, in: output, form.joined(separator: " "))
    }

    @Test(arguments: parts)
    func `no secret appears in a picture`(parts: String) throws {
        let folder = try folder()
        let drawing = ["--format", "none", "--set", "report.screen-file=phone.svg", "--redact", parts]
        #expect(try folder.pushpipe(arguments: Self.run + drawing, environment: Self.key).status == 0)
        #expect(try folder.read("phone.svg").contains("redacted"))
        expectNothing(of: parts, in: try folder.bytes("phone.svg"), "a picture")
    }

    @Test(arguments: parts)
    func `redaction keeps outcomes, numbers and sizes`(parts: String) throws {
        func results(_ arguments: [String]) throws -> [[String: JSONValue]] {
            let output = try folder().pushpipe(
                arguments: Self.run + ["--replace-by", "match"] + arguments, environment: Self.key)
            let kept = ["seq", "target", "outcome", "status", "reason", "bytes", "limit", "replaces", "via"]
            return try output.json().map { $0.members.filter { kept.contains($0.key) } }
        }
        let plain = try results([])
        #expect(plain.contains { $0["outcome"] == .string("replaced") })
        #expect(plain.contains { $0["outcome"] == .string("reposted") })
        #expect(plain.contains { $0["outcome"] == .string("rejected") })
        #expect(plain.contains { $0["outcome"] == .string("malformed") })
        #expect(try results(["--redact", parts]) == plain)
    }

    @Test(arguments: parts) func `a redacted record is delivered as the record was`(parts: String) throws {
        let push = #"{"device":"ab54","headers":{"apns-topic":"a.b"},"payload":{"aps":{"alert":"Hi Anna"}}}"#
        let emit = ["run", "-q", "--redact", parts, "--emit", "all"]
        let redacted = try Folder().pushpipe(arguments: emit, stdin: Array((push + "\n").utf8), environment: Self.key)
        #expect(redacted.text.contains("redacted-"))
        let run = try Folder().pushpipe("run", "-q", "--fail-on", "rejected", stdin: redacted.text)
        #expect(run.status == 0 && run.text.contains(#""outcome":"delivered""#), "\(run.text)")
        #expect(try Folder().pushpipe("lint", "--fail-on", "error", stdin: redacted.text).status == 0)
    }

    @Test func `redaction keeps devices distinct and consistent`() throws {
        func devices(_ arguments: [String]) throws -> [String] {
            let output = try folder().pushpipe(arguments: Self.run + arguments, environment: Self.key)
            return try output.json().map { $0["device"]?.string ?? "" }
        }
        let plain = try devices([])
        let redacted = try devices(["--redact", "tokens"])
        #expect(redacted.count == plain.count)
        #expect(Set(zip(plain, redacted).map { "\($0) \($1)" }).count == Set(plain).count)
        #expect(Set(redacted).count == Set(plain).count)
        #expect(redacted.contains("news") && redacted.contains("default"))
        #expect(redacted.contains { $0.wholeMatch(of: #/redacted-[0-9a-f]{32}/#) != nil })
    }

    // MARK: - Stores

    /// Runs into a store that another connection reads, so that its log remains, and leaves the bytes of all its files in `raw`.
    private static let rawStore = """
        import os, sqlite3, subprocess, sys
        command = ["pushpipe", "run", "-q", "--clock", "0", "--set", "input.max-record=10K", "--store", "s.db"] + sys.argv[1:]
        open("nothing", "w").close()
        subprocess.run(command + ["nothing"], check=True)
        reader = sqlite3.connect("s.db", isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM center").fetchone()
        subprocess.run(command + ["in"], check=True, stdout=open("out", "wb"))
        names = ["s.db", "s.db-wal", "s.db-shm"]
        print(*[oct(os.stat(name).st_mode & 0o777) for name in names])
        open("raw", "wb").write(b"".join(open(name, "rb").read() for name in names))
        """

    @Test(arguments: parts)
    func `no secret appears in a store, its log, or its exports`(parts: String) throws {
        let folder = try folder()
        try folder.write(Self.rawStore, to: "raw.py")
        try folder.write("a key in a file of its own\n", to: "key")
        let made = try folder.shell("umask 0; python3 raw.py --redact \(parts) --set redact.key-file=key")
        #expect(made.status == 0, "\(made.stderr)")
        #expect(made.text == "0o600 0o600 0o600\n")
        let raw = try Data(contentsOf: URL(fileURLWithPath: folder.path("raw")))
        #expect(raw.range(of: Data("redacted-".utf8)) != nil)
        expectNothing(of: parts, in: raw, "the store's files")
        for command in [
            "show s.db", "show --format text s.db", "list s.db", "events s.db", "export --events s.db",
            "export --format csv s.db",
        ] {
            let output = try folder.pushpipe(arguments: ["store"] + command.split(separator: " ").map(String.init))
            #expect(output.status == 0)
            #expect(output.text.contains("redacted-") || parts == "content")
            expectNothing(of: parts, in: output, "store \(command)")
        }
    }

    @Test func `a repeated report is redacted too`() throws {
        let folder = try folder()
        try folder.write("a key in a file of its own\n", to: "key")
        let options = "-q --redact all --set redact.key-file=key --store s.db --set input.max-record=10K"
        // Nobody reads the report, so the store keeps it.
        _ = try folder.shell("pushpipe run \(options) in | true")
        let kept = try folder.shell("sqlite3 s.db 'SELECT lines FROM last_report'")
        expectNothing(of: "all", in: kept, "the report in the store")
        let resumed = try folder.shell("pushpipe run \(options) --resume in")
        #expect(resumed.status == 0, "\(resumed.stderr)")
        expectNothing(of: "all", in: resumed, "the repeated report")
    }

    @Test func `a run says that no other can continue its store, if nobody can have its key`() throws {
        let folder = try folder()
        try folder.write("a key in a file of its own\n", to: "key")
        func run(_ arguments: String...) throws -> Output {
            try folder.pushpipe(arguments: ["run", "-q", "--format", "none", "--redact", "all"] + arguments + ["in"])
        }
        let first = try run("--store", "s.db")
        #expect(first.status == 0)
        #expect(
            first.stderr.hasPrefix(
                "pushpipe: no later run can continue s.db, because its key is random; --set redact.key-file"))
        #expect(try run().stderr.isEmpty)
        #expect(try run("--store", "t.db", "--set", "redact.key-file=key").stderr.isEmpty)
        let second = try run("--store", "s.db")
        #expect(second.status == 2 && second.stderr.contains("a key generated for one run is gone"))
        let third = try folder.pushpipe("run", "-q", "--format", "none", "--store", "s.db", "in")
        #expect(third.status == 2 && third.stderr.contains("one that was generated for a run is gone"))
    }

    @Test func `a store accepts one redaction with one key`() throws {
        let folder = try folder()
        try folder.write("a key in a file of its own\n", to: "key")
        try folder.write("another key in another file", to: "other")
        func run(_ arguments: String...) throws -> Output {
            try folder.pushpipe(arguments: ["run", "-q", "--format", "none", "--store"] + arguments + ["in"])
        }
        #expect(try run("s.db", "--redact", "tokens", "--set", "redact.key-file=key").status == 0)
        #expect(try run("s.db", "--redact", "tokens", "--set", "redact.key-file=key").status == 0)
        for (arguments, words) in [
            (["--redact", "tokens", "--set", "redact.key-file=other"], "a different key"),
            (["--redact", "tokens"], "a different key"),
            (["--redact", "all", "--set", "redact.key-file=key"], "--redact tokens"), ([], "--redact tokens"),
        ] {
            let refused = try folder.pushpipe(
                arguments: ["run", "-q", "--format", "none", "--store", "s.db"] + arguments + ["in"])
            #expect(refused.status == 2)
            #expect(refused.stderr.contains(words) && refused.stderr.split(separator: "\n").count == 1)
        }
        #expect(try run("plain.db").status == 0)
        let mixed = try run("plain.db", "--redact", "tokens", "--set", "redact.key-file=key")
        #expect(mixed.status == 2)
        #expect(mixed.stderr.contains("contains data that is not redacted"))
    }

    @Test(arguments: parts)
    func `an export of any store can be redacted, and imports into a usable store`(parts: String) throws {
        let folder = try folder()
        try folder.write("a key in a file of its own\n", to: "key")
        let redact = "--redact \(parts) --set redact.key-file=key"
        _ = try folder.shell("pushpipe run -q --format none --clock 0 --set input.max-record=10K --store s.db in")
        for form in ["", "--complete --events", "--format csv"] {
            let export = try folder.shell("pushpipe store export \(form) \(redact) s.db")
            #expect(export.status == 0)
            #expect(export.text.contains("redacted-"))
            expectNothing(of: parts, in: export, "export \(form)")
        }
        let made = try folder.shell("pushpipe store export --complete \(redact) s.db | pushpipe store import -q new.db")
        #expect(made.status == 0, "\(made.stderr)")
        let count = "SELECT count(DISTINCT device || app) FROM on_screen"
        #expect(try folder.shell("sqlite3 new.db '\(count)'").text == folder.shell("sqlite3 s.db '\(count)'").text)
        let goesOn = try folder.shell(
            "pushpipe run -q --clock 0 --set input.max-record=10K --store new.db \(redact) in")
        #expect(goesOn.status == 0, "\(goesOn.stderr)")
        let first = try #require(goesOn.json().first)
        #expect(first["outcome"] == .string("replaced"))
        let mixed = try folder.shell("pushpipe store export --complete s.db | pushpipe store import -q new.db")
        #expect(mixed.status == 2)
        #expect(mixed.stderr.contains("the store is redacted, and the export is not"))
    }

    /// What leads to a state, and pushes that it decides about.
    private static let state = [
        #"{"event":"device","device":"aa","app":"s","state":"foreground","will_present":[],"toast":true,"bell":["feed"],"levels":["critical"],"topics":["news"]}"#,
        #"{"event":"summary","device":"aa","app":"s","on":true}"#,
        #"{"event":"open","device":"aa","app":"s","screen":"note","kind":"editor"}"#,
        #"{"event":"device","device":"w","app":"x","platform":"web","online":false}"#,
        #"{"event":"device","device":"g","platform":"android","online":false}"#,
        #"{"event":"device","device":"old","platform":"android","canonical":"new"}"#,
        #"{"message":{"token":"w","webpush":{"headers":{"Topic":"score"},"notification":{"title":"1"}}}}"#,
        #"{"to":"g","collapse_key":"k","data":{"a":"1"}}"#,
        #"{"to":"g","notification":{"title":"1"}}"#,
    ]
    private static let decided = [
        #"{"message":{"topic":"news","notification":{"title":"x"}}}"#,
        #"{"device":"aa","headers":{"apns-topic":"s","apns-push-type":"alert"},"payload":{"aps":{"alert":"b"}}}"#,
        #"{"event":"back","device":"aa","app":"s"}"#,
        #"{"message":{"token":"w","webpush":{"headers":{"Topic":"score"},"notification":{"title":"2"}}}}"#,
        #"{"to":"g","collapse_key":"k","data":{"a":"2"}}"#,
        #"{"to":"g","notification":{"title":"2"}}"#,
        #"{"to":"old","notification":{"title":"x"}}"#,
        #"{"event":"device","device":"w","online":true}"#,
        #"{"event":"device","device":"g","online":true}"#,
    ]

    @Test(arguments: parts)
    func `a redacted export goes on like a run that was redacted from the start`(parts: String) throws {
        let folder = try Folder()
        try folder.write("a key in a file of its own\n", to: "key")
        try folder.write(Self.state.joined(separator: "\n"), to: "state")
        try folder.write(Self.decided.joined(separator: "\n"), to: "decided")
        let redact = "--redact \(parts) --set redact.key-file=key"
        let run = "pushpipe run -q --clock 1000"
        let made = try folder.shell(
            """
            \(run) --format none --store plain.db state && \(run) --format none --store direct.db \(redact) state &&
            pushpipe store export --complete \(redact) plain.db | pushpipe store import -q copy.db
            """)
        #expect(made.status == 0, "\(made.stderr)")
        let plain = try folder.shell("\(run) --store plain.db decided")
        let direct = try folder.shell("\(run) --store direct.db \(redact) decided")
        let copy = try folder.shell("\(run) --store copy.db \(redact) decided")
        #expect(copy.text == direct.text)
        #expect(try copy.outcomes() == plain.outcomes())
        #expect(try plain.outcomes().contains("fanned-out"))
    }

    @Test func `a number in place of a text shows nothing, redacted or not`() throws {
        let records = [
            #"{"aps":{"alert":1}}"#, #"{"aps":{"alert":true}}"#, #"{"aps":{"alert":{"body":5}}}"#,
            #"{"to":"a","notification":{"title":true}}"#, #"{"aps":{"alert":{"title":"t","body":7}}}"#,
        ].joined(separator: "\n")
        let plain = try Folder().pushpipe("run", "-q", stdin: records)
        for parts in ["content", "all"] {
            let output = try Folder().pushpipe("run", "-q", "--redact", parts, stdin: records)
            #expect(try output.outcomes() == plain.outcomes())
        }
    }

    // MARK: - Usage

    @Test(arguments: [
        (["--set", "redact.key-file=key"], "redact.key-file needs --redact"),
        (["--redact", "some"], "'some'"),
        (["--redact", "all", "--set", "redact.key-file=short"], "the key has 5 bytes, and needs 16"),
        (["--redact", "all", "--set", "redact.key-file=missing"], "missing: No such file"),
        (["--redact", "content", "--extension", "key"], "use --redact tokens"),
    ])
    func `invalid options are refused`(arguments: [String], words: String) throws {
        let folder = try folder()
        try folder.write("a key in a file of its own\n", to: "key")
        try folder.write("short\n", to: "short")
        let output = try folder.pushpipe(arguments: ["run", "in"] + arguments)
        #expect(output.status == 2)
        #expect(output.stderr.contains(words), "\(output.stderr)")
        #expect(output.stdout.isEmpty)
    }

    @Test func `an extension gets the push without its token`() throws {
        let folder = try Folder()
        try folder.write(
            #"{"device":"5ec2e75ec2e7aa","payload":{"aps":{"alert":"Hi","mutable-content":1},"me":"5ec2e75ec2e7aa"}}"#,
            to: "in")
        try folder.write(
            """
            import json, sys
            for line in sys.stdin:
                message = json.loads(line)
                text = message["request"]["payload"]["me"]
                print(json.dumps({"method": "contentHandler", "id": message["id"], "content": {"body": text}}), flush=True)

            """, to: "repeat.py")
        try folder.write("#!/bin/sh\nexec python3 '\(folder.path("repeat.py"))'\n", to: "repeat")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("repeat"))
        let output = try folder.pushpipe(
            arguments: ["trace", "--redact", "tokens", "--extension", "./repeat", "in"], environment: Self.key)
        #expect(output.text.contains("extension  modified"))
        expectNothing(of: "tokens", in: output, "the trace")
    }
}
