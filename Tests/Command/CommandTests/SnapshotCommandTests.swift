import Foundation
import TestSupport
import Testing

/// `pushpipe snapshot`: arguments, streams, exit statuses and whole stories. What it compares is tested in the library.
struct SnapshotCommandTests {
    private static let hello = #"{"aps":{"alert":{"title":"Hello","body":"World"}}}"#
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try folder.write(Self.hello, to: "hello.json")
    }

    @Test func `a changed template is a difference until it is approved`() throws {
        #expect(try folder.pushpipe("snapshot", ".").status == 1)
        #expect(try folder.pushpipe("snapshot", "--update", ".").status == 0)
        #expect(try folder.pushpipe("snapshot", ".").status == 0)
        try folder.write(Self.hello.replacing("World", with: "Welt"), to: "hello.json")
        let output = try folder.pushpipe("snapshot", ".")
        #expect(output.status == 1)
        #expect(
            output.text == """
                changed    hello.json
                  record 1
                    apns: 50 of 4096 bytes → 49 of 4096 bytes
                    body: World → Welt

                """)
        #expect(output.stderr == "1 changed; the same command with --update approves what it shows\n")
        #expect(try folder.pushpipe("snapshot", "-u", "-q", ".").stderr.isEmpty)
        #expect(try folder.pushpipe("snapshot", ".").text == "unchanged  hello.json\n")
    }

    @Test func `two templates are compared, and nothing is approved`() throws {
        try folder.write(Self.hello.replacing("World", with: "Welt"), to: "new.json")
        try #require(try folder.pushpipe("snapshot", "-uq", "new.json").status == 0)
        let output = try folder.pushpipe("snapshot", "--compare", "hello.json", "new.json")
        #expect(output.status == 1)
        #expect(
            output.text == """
                changed    new.json
                  record 1
                    apns: 50 of 4096 bytes → 49 of 4096 bytes
                    body: World → Welt

                """)
        #expect(output.stderr == "1 changed\n")
        #expect(!FileManager.default.fileExists(atPath: folder.path("hello.json.phone")))
        let line = try folder.pushpipe("snapshot", "-q", "--format", "ndjson", "--compare", "hello.json", "hello.json")
            .text
        #expect(line == #"{"input":"hello.json","compared":"hello.json","status":"unchanged"}"# + "\n")
        try folder.write(Self.hello.replacing("}}}", with: "},\"mutable-content\":1}}"), to: "mutable.json")
        #expect(
            try folder.pushpipe("snapshot", "-q", "--compare", "hello.json", "mutable.json").text
                .contains("\n    + mutable-content: 1\n"))
        let missing = try folder.pushpipe("snapshot", "--compare", "gone.json", "new.json")
        #expect(missing.status == 2)
        #expect(missing.stderr.contains("gone.json: No such file or directory"))
        try folder.write("Feature: f\n  Scenario: s\n    When 5 minutes pass\n", to: "old.feature")
        let failed = try folder.pushpipe("snapshot", "--compare", "old.feature", "new.json")
        #expect(failed.status == 1 && failed.text.hasPrefix("failed     old.feature\n"), "\(failed.text)")
    }

    /// What a reviewer sees in a pull request.
    @Test func `the difference of the approved file has a line for each text that changed`() throws {
        try #require(try folder.shell("git init -q . && pushpipe snapshot -uq . && git add -A").status == 0)
        try folder.write(Self.hello.replacing("Hello", with: "Howdy"), to: "hello.json")
        let output = try folder.shell(
            "pushpipe snapshot -uq . > /dev/null; git diff -U0 hello.json.phone; git diff --check")
        #expect(output.status == 0)
        #expect(output.lines.suffix(3).dropFirst() == ["-  title: Hello", "+  title: Howdy"])
    }

    @Test(arguments: [
        ["snapshot"], ["snapshot", "-"], ["snapshot", "--store", "s.db", "."], ["snapshot", "--clock", "wall", "."],
        ["snapshot", "--redact", "all", "."], ["snapshot", "--format", "sarif", "."],
        ["snapshot", "--compare", "hello.json"], ["snapshot", "--compare", "hello.json", "a.json", "b.json"],
        ["snapshot", "-u", "--compare", "hello.json", "hello.json"], ["snapshot", "--compare", ".", "."],
    ])
    func `wrong usage is status 2`(arguments: [String]) throws {
        let output = try folder.pushpipe(arguments: arguments)
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.hasSuffix("See 'pushpipe snapshot -h'.\n"), "\(output.stderr)")
    }

    @Test func `nothing to run and what cannot be read are status 2`() throws {
        try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: false)
        let output = try folder.pushpipe("snapshot", "empty")
        #expect(output.status == 2)
        #expect(output.stderr.hasPrefix("pushpipe: nothing to run: "))
        #expect(try folder.pushpipe("snapshot", "--set", "input.allow-empty", "empty").status == 0)
        #expect(try folder.pushpipe("snapshot", "missing.json", "hello.json").status == 2)
        try folder.write("Dinner", to: "dinner.feature")
        #expect(try folder.pushpipe("snapshot", "-u", ".").status == 2)
        #expect(try folder.pushpipe("snapshot", "hello.json").status == 0)
    }

    @Test func `options mean what they mean in a run`() throws {
        try folder.write(#"{"event":"device","device":"anna","authorization":"denied"}"#, to: "devices.ndjson")
        func snapshot(_ options: String...) throws -> String {
            let output = try folder.pushpipe(arguments: ["snapshot"] + options + ["."])
            #expect(output.status == 1, "\(output.stderr)")
            return output.text
        }
        #expect(
            try snapshot("--device", "anna", "--devices", "devices.ndjson").contains("record 1: suppressed, denied"))
        #expect(try snapshot("--budget", "40").contains("record 1: rejected, 413 PayloadTooLarge"))
        #expect(try snapshot("--topic", "org.example.news").contains("app: org.example.news"))
        try folder.write(#"{"aps":{"alert":{"loc-key":"HELLO"},"mutable-content":1,"badg":1}}"#, to: "hello.json")
        #expect(try snapshot("--rules").contains("aps.misspelled-key at /aps/badg"))
        try folder.write("\"HELLO\" = \"Hallo\";", to: "de.strings")
        #expect(try snapshot("--extension", "builtin:localize=de.strings").contains("body: Hallo"))
    }

    /// Jobs, the place and the time of day do not matter, and neither does a store that is set for everything.
    @Test func `two runs give the same bytes`() throws {
        try folder.write(
            try Data(contentsOf: Place.samples.appendingPathComponent("night-flight.ndjson")), to: "n.ndjson")
        #expect(try folder.pushpipe("snapshot", "-u", ".").status == 0)
        let output = try folder.pushpipe(
            arguments: ["snapshot", folder.url.path], environment: ["PUSHPIPE_STORE": "s.db", "TZ": "Asia/Tokyo"])
        #expect(output.status == 0, "\(output.text)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("s.db")))
    }

    @Test func `a reader that has seen enough keeps nothing from being approved`() throws {
        for number in 1...40 { try folder.write(Self.hello, to: "\(number).json") }
        _ = try folder.shell("pushpipe snapshot -u . | true")
        #expect(try folder.pushpipe("snapshot", "-q", ".").status == 0)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func `a report that cannot be written fails when everything is approved`() throws {
        for number in 1...3 { try folder.write(Self.hello, to: "\(number).json") }
        let output = try folder.shell("pushpipe snapshot -u . > /dev/full")
        #expect(output.status == 2)
        #expect(output.stderr.contains("standard output cannot be written: No space left on device"))
        #expect(try folder.pushpipe("snapshot", "-q", ".").status == 0)
    }

    @Test func `help says what is refused`() throws {
        let help = try folder.pushpipe("help", "snapshot").text.replacing("\n", with: " ")
        #expect(help.contains("--store, --clock wall and --redact without a key are refused"))
    }

    @Test func `redaction with a key works through`() throws {
        try folder.write("0123456789abcdef", to: "key.txt")
        let arguments = ["snapshot", "--redact", "all", "--set", "redact.key-file=key.txt", "hello.json"]
        #expect(try folder.pushpipe(arguments: arguments + ["-u"]).status == 0)
        #expect(try !folder.read("hello.json.phone").contains("Hello"))
        #expect(try folder.pushpipe(arguments: arguments).status == 0)
    }

    @Test func `the linter leaves approved files alone`() throws {
        #expect(try folder.pushpipe("snapshot", "-u", ".").status == 0)
        #expect(try folder.pushpipe("lint", ".").stderr.contains("1 file"))
    }

    @Test func `the samples show what is approved`() throws {
        let output = try Folder().pushpipe("snapshot", Place.samples.appendingPathComponent("Snapshots").path)
        #expect(output.status == 0, "\(output.text)\(output.stderr)")
        #expect(output.lines.count >= 4)
    }
}
