import Foundation
import TestSupport
import Testing

/// Every key of every output stands on a page that a reader of that output is sent to.
struct DocumentedKeysTests {
    /// Values of the sender's, of an extension's or of another format, whose keys are not ours, and keys that are names.
    private static let foreign: Set = [
        "payload", "content_state", "attributes", "changes", "body", "records", "trace", "outcomes",
    ]
    private static let shell = """
        pushpipe run -q --store phone.db Samples/*.ndjson >/dev/null
        pushpipe run -q --store away.db away.ndjson >/dev/null

        """
    /// A message that waits, and a dead token.
    private static let away = """
        {"event":"device","device":"ab54","app":"org.example.news","platform":"ios","online":false}
        {"device":"ab54","headers":{"apns-topic":"org.example.news"},"payload":{"aps":{"alert":"x"}}}
        {"event":"device","device":"cd34","app":"org.example.news","platform":"ios","unregistered":true}

        """

    /// Commands, and the pages below `Documentation` that explain what they write.
    static let outputs: [(command: String, pages: [String])] = [
        (
            """
            for options in --rules '--replace-by notificationId' --fit --check-answers '--set input.platform=ios'; do
              pushpipe run -q $options Samples/*.ndjson Samples/moodle-2013.txt Samples/sender.log Samples/simulator/*.apns
            done
            """, ["reference/report.md"]
        ),
        ("pushpipe store list phone.db", ["reference/store.md"]),
        ("pushpipe store show phone.db", ["reference/store.md"]),
        ("pushpipe store events phone.db", ["reference/store.md"]),
        ("pushpipe store export phone.db", ["reference/store.md"]),
        ("pushpipe store export --complete --events phone.db", ["reference/store.md"]),
        ("pushpipe store export --complete --events away.db", ["reference/store.md"]),
        // Columns of the views.
        (
            """
            sqlite3 phone.db "SELECT json_object(c.name, 1)
                FROM sqlite_schema v, pragma_table_info(v.name) c WHERE v.type = 'view'"
            """, ["reference/store.md"]
        ),
        ("pushpipe store prune --dry-run --keep 1 --format ndjson phone.db", ["reference/store.md"]),
        ("pushpipe store held away.db", ["reference/store.md"]),
        ("pushpipe store feedback away.db", ["reference/store.md"]),
        ("pushpipe store devices phone.db", ["reference/words.md", "explanation/devices.md"]),
        ("pushpipe lint --severity info --format ndjson Samples/*.ndjson", ["reference/lint.md"]),
        ("pushpipe lint --show statistics --format ndjson Samples/*.ndjson", ["reference/lint.md"]),
        ("pushpipe lint --show budgets --format ndjson Samples/*.ndjson", ["reference/lint.md"]),
        ("pushpipe explain --rules --format ndjson", ["reference/lint.md"]),
        ("pushpipe snapshot --format ndjson Samples/Snapshots", ["guides/snapshots.md"]),
        (
            "pushpipe bench --generate '--count 2000' --set bench.samples=3 --set bench.latency-records=100 --format json | jq -c .",
            ["guides/bench.md"]
        ),
    ]

    /// The words of code on pages.
    private static func words(_ pages: [String]) throws -> Set<String> {
        var words: Set<String> = []
        for page in pages {
            let path = Place.package.appendingPathComponent("Documentation/\(page)")
            for span in try String(contentsOf: path, encoding: .utf8).matches(of: #/`([^`\n]+)`/#) {
                words.formUnion(span.1.matches(of: #/@?[A-Za-z_][A-Za-z0-9_]*/#).map { String($0.0) })
            }
        }
        return words
    }

    /// The keys of a value and of those in it, by their paths.
    private static func keys(_ value: JSONValue, _ path: String = "") -> Set<String> {
        var found: Set<String> = []
        for (key, inner) in value.members {
            found.insert(path + key)
            if !foreign.contains(key) { found.formUnion(keys(inner, "\(path)\(key).")) }
        }
        for element in value.elements { found.formUnion(keys(element, path)) }
        return found
    }

    private static func unexplained(_ values: [JSONValue], _ pages: [String]) throws -> [String] {
        let words = try words(pages)
        return values.reduce(into: Set<String>()) { $0.formUnion(keys($1)) }.sorted().filter { key in
            !words.contains(String(key.split(separator: ".").last ?? ""))
        }
    }

    @Test(arguments: outputs)
    func `each key of an output is on its page`(command: String, pages: [String]) throws {
        let folder = try Folder()
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent("Samples"),
            withDestinationURL: Place.samples.resolvingSymlinksInPath())
        try folder.write(Self.away, to: "away.ndjson")
        let needsStore = command.contains(".db")
        let values = try folder.shell((needsStore ? Self.shell : "") + command).json()
        try #require(!values.isEmpty)
        #expect(try Self.unexplained(values, pages) == [], "on none of \(pages)")
    }

    @Test func `each key of the gateway's API is on a page`() throws {
        let folder = try Folder()
        try folder.write("- {device: dead, reason: Unregistered}\n", to: "faults.yml")
        let server = try ServerRun(["--faults", "faults.yml"], in: folder)
        func curl(_ arguments: String, _ path: String) throws -> String {
            try folder.shell("curl -sS \(arguments) '\(server.address)\(path)'").text
        }
        for device in ["ab12", "dead"] {
            _ = try curl(
                #"--http2-prior-knowledge -H apns-topic:org.example.app -d '{"aps":{"alert":"x","badge":2}}'"#,
                "/3/device/\(device)")
        }
        let activity = Place.samples.appendingPathComponent("live-score.ndjson").path
        _ = try curl("--data-binary '@\(activity)'", "/api/v1/records")
        let device = "651235a26b564d9fcdf7cd0b4275bec85d30d08304a004155fbd17fbab1fb79e980c0f10ea20f29d"
        var answers: [String] = []
        for path in [
            "status", "messages?wait=1ms", "messages?limit=1", "messages/1", "messages/2", "devices?limit=1",
            "devices/ab12", "devices/ab12/screens", "devices/ab12/screens?at=1", "devices/\(device)/screens", "journal",
            "rules/aps.badge-type", "faults", "health", "ready", "nothing",
        ] { answers.append(try curl("", "/api/v1/\(path)")) }
        answers.append(try curl(#"-d '{"aps":{"alrt":1}}'"#, "/api/v1/lint"))
        answers.append(try curl("-d '{}'", "/api/v1/records"))
        answers.append(try curl("-X POST", "/api/v1/reset"))
        server.run.signal(SIGTERM)
        #expect(try server.run.finish(endingInput: false).status == 143)
        let values = try answers.map { try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) }
        let pages = [
            "reference/api.md", "reference/gateway-api.md", "reference/report.md", "reference/store.md",
            "reference/words.md",
            "reference/lint.md",
        ]
        #expect(try Self.unexplained(values, pages) == [], "on none of \(pages)")
    }
}
