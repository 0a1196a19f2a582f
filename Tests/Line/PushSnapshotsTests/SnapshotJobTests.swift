import Foundation
import PushDecoding
import PushPipeline
import PushRuns
import PushText
import TestSupport
import Testing

@testable import PushSnapshots

struct SnapshotJobTests {
    private static let hello = #"{"aps":{"alert":{"title":"Hello","body":"World"},"sound":"default"}}"# + "\n"
    private static let approved = """
        pushpipe snapshot 1

        record 1: delivered
          apns: 68 of 4096 bytes
          title: Hello
          body: World
          sound: default

        screen of default
          record 1

        """

    private func folder(_ files: [String: String] = ["hello.json": hello]) throws -> InputFolder {
        let folder = try InputFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        return folder
    }

    /// Jest's `--ci` and insta in CI write nothing either.
    @Test func `a new snapshot is shown, fails, and is not written`() throws {
        let folder = try folder()
        let run = try folder.snapshot()
        #expect(run.outcome == .init(hasDifference: true))
        #expect(run.lines.first == "new        hello.json")
        #expect(run.lines.contains("    title: Hello"))
        #expect(run.notes == "1 new\n")
        #expect(folder.names == ["hello.json"])
    }

    @Test func `the summary stays within the terminal`() throws {
        let run = try folder().snapshot(delivery: {
            $0.noteStyle = TextStyle(hasColors: false, columns: 30)
            $0.configuration.decoding.advice = { _ in "; the same command with --update approves what it shows" }
        })
        #expect(run.notes == "1 new; the same command with\n  --update approves what it\n  shows\n")
    }

    @Test func `approving writes a file beside the input, with its permissions`() throws {
        let folder = try folder()
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path("hello.json"))
        let run = try folder.snapshot(update: true)
        #expect(run.outcome == .init())
        #expect(run.notes == "1 added\n")
        #expect(folder.names == ["hello.json", "hello.json.phone"])
        #expect(try folder.read("hello.json.phone") == Self.approved)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path("hello.json.phone"))[.posixPermissions]
        #expect(mode as? Int == 0o640)
        let again = try folder.snapshot()
        #expect(again.outcome == .init())
        #expect(again.results == "unchanged  hello.json\n")
        #expect(again.notes == "1 unchanged\n")
    }

    @Test func `a change is shown as what is different on the phone`() throws {
        let folder = try folder()
        _ = try folder.snapshot(update: true)
        try folder.write(#"{"aps":{"alert":{"title":"Hallo","body":"World"},"badge":1}}"#, to: "hello.json")
        let run = try folder.snapshot()
        #expect(run.outcome == .init(hasDifference: true))
        #expect(
            run.results == """
                changed    hello.json
                  record 1
                    apns: 68 of 4096 bytes → 60 of 4096 bytes
                    title: Hello → Hallo
                    + badge: 1
                    - sound: default
                  screen of default
                    + badge: 1

                """)
        #expect(try folder.read("hello.json.phone") == Self.approved)
        #expect(try folder.snapshot(update: true).lines.first == "updated    hello.json")
        #expect(try folder.snapshot().outcome == .init())
    }

    @Test func `what has lost its input is reported, and deleted when approved`() throws {
        let folder = try folder()
        _ = try folder.snapshot(update: true)
        try FileManager.default.moveItem(atPath: folder.path("hello.json"), toPath: folder.path("hi.json"))
        let run = try folder.snapshot()
        #expect(run.outcome == .init(hasDifference: true))
        #expect(run.lines.contains("obsolete   hello.json.phone"))
        #expect(run.notes.hasPrefix("1 new, 1 obsolete\n"))
        #expect(try folder.snapshot(update: true).lines.contains("removed    hello.json.phone"))
        #expect(folder.names == ["hi.json", "hi.json.phone"])
    }

    @Test func `somebody else's file is neither reported nor deleted`() throws {
        let folder = try folder()
        try folder.write("+49 30 1234\n", to: "anna.phone")
        try folder.write("", to: "empty.json.phone")
        _ = try folder.snapshot(update: true)
        #expect(folder.names == ["anna.phone", "empty.json.phone", "hello.json", "hello.json.phone"])
        #expect(try folder.snapshot().outcome == .init())
    }

    @Test(arguments: [
        "", "\n", "not a snapshot", "pushpipe snapshot 2\n\nrecord 1: delivered\n", "pushpipe snapshot 11\n",
        "\u{FEFF}pushpipe snapshot 1\n", "pushpipe snapshot", "<<<<<<< HEAD\npushpipe snapshot 1\n",
    ])
    func `a damaged or foreign approved file is different, and is replaced when approved`(text: String) throws {
        let folder = try folder()
        try folder.write(text, to: "hello.json.phone")
        let run = try folder.snapshot()
        #expect(run.outcome == .init(hasDifference: true))
        #expect(run.lines.first == "changed    hello.json")
        #expect(run.results.contains("hello.json.phone does not begin with the line \"pushpipe snapshot 1\""))
        _ = try folder.snapshot(update: true)
        #expect(try folder.read("hello.json.phone") == Self.approved)
    }

    @Test(arguments: [20, 21, 40, 60, 100, 120])
    func `an approved file that was cut off is different`(bytes: Int) throws {
        let folder = try folder()
        try folder.write(Array(Self.approved.utf8.prefix(bytes)), to: "hello.json.phone")
        let run = try folder.snapshot()
        #expect(run.outcome == .init(hasDifference: true))
        #expect(run.lines.first == "changed    hello.json")
        #expect(run.lines.count > 1)
    }

    @Test func `bytes that are no text are different`() throws {
        let folder = try folder()
        try folder.write(Array("pushpipe snapshot 1\n".utf8) + [0xFF, 0, 0x1B, 0x5B, 0x0A], to: "hello.json.phone")
        let run = try folder.snapshot()
        #expect(run.outcome == .init(hasDifference: true))
        #expect(!run.results.contains("\u{1B}"))
    }

    /// Nothing changed on the phone, and still it is another file.
    @Test(arguments: ["\n", "delivered", "record 1\n", ""])
    func `a difference in blank lines alone is said to be one`(place: String) throws {
        let folder = try folder()
        let text =
            place.isEmpty
            ? String(Self.approved.dropLast()) : Self.approved.replacing(place, with: place + "\n", maxReplacements: 1)
        try folder.write(
            place == "delivered" ? Self.approved.replacing("\n\n", with: "\n") : text, to: "hello.json.phone")
        let run = try folder.snapshot()
        #expect(run.outcome == .init(hasDifference: true))
        #expect(
            run.results
                == "changed    hello.json\n  the texts are the same; only blank lines or the end of the file differ\n")
        #expect(try folder.snapshot(update: true).notes == "1 updated\n")
        #expect(try folder.read("hello.json.phone") == Self.approved)
    }

    @Test(arguments: [true, false]) func `what is not a file in the place of an approved one says so`(isPipe: Bool)
        throws
    {
        let folder = try folder()
        let path = folder.path("hello.json.phone")
        if isPipe {
            #expect(mkfifo(path, 0o600) == 0)
        } else {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        let run = try folder.snapshot(update: true)
        #expect(run.outcome == .init(hasUnreadable: true))
        let what = isPipe ? "not a regular file" : "a directory"
        let reason = "pushpipe: hello.json.phone: \(what), so nothing can be approved there; move it away\n"
        #expect(run.notes.hasPrefix(reason), "\(run.notes)")
    }

    /// Git for Windows checks text out with carriage returns.
    @Test func `a checkout with carriage returns changes nothing`() throws {
        let folder = try folder()
        try folder.write(Self.approved.replacing("\n", with: "\r\n"), to: "hello.json.phone")
        #expect(try folder.snapshot().outcome == .init())
    }

    @Test func `an input can be chosen by its name, or by that of its approved file`() throws {
        let folder = try folder(["a.json": Self.hello, "b.json": Self.hello, "c.txt": Self.hello])
        #expect(try folder.snapshot("a.json", "c.txt", update: true).notes == "2 added\n")
        #expect(try folder.snapshot("a.json.phone", "a.json").results == "unchanged  a.json\n")
        // One that was approved is found in its folder, too.
        #expect(try folder.snapshot().notes.hasPrefix("1 new, 2 unchanged\n"))
        #expect(try folder.snapshot("c.txt").outcome == .init())
    }

    @Test func `each file has phones of its own, and the records of a file share theirs`() throws {
        let headers = #"{"apns-topic":"org.example.news","apns-collapse-id":"x"}"#
        let push = #"{"headers":\#(headers),"payload":{"aps":{"alert":"A"}}}"# + "\n"
        let folder = try folder(["a.json": push, "b.json": push, "c.ndjson": push + push])
        _ = try folder.snapshot(update: true)
        #expect(try folder.read("a.json.phone") == folder.read("b.json.phone"))
        #expect(try folder.read("c.ndjson.phone").contains("record 2: replaced record 1"))
    }

    @Test func `what cannot be read keeps nothing else from being compared`() throws {
        let folder = try folder(["a.json": Self.hello, "z.json": Self.hello])
        _ = try folder.snapshot(update: true)
        try FileManager.default.createSymbolicLink(atPath: folder.path("m.json"), withDestinationPath: "gone.json")
        try FileManager.default.removeItem(atPath: folder.path("a.json.phone"))
        try FileManager.default.createDirectory(atPath: folder.path("a.json.phone"), withIntermediateDirectories: false)
        let run = try folder.snapshot("a.json", "m.json", "gone.json", "z.json")
        #expect(run.outcome == .init(hasUnreadable: true))
        #expect(run.results == "unchanged  z.json\n")
        #expect(run.notes.contains("pushpipe: gone.json: No such file or directory\n"))
        #expect(run.notes.contains("pushpipe: a.json.phone: "))
        #expect(run.notes.hasSuffix("3 unreadable, 1 unchanged\n"))
    }

    @Test func `a pipe is not waited for`() throws {
        let folder = try folder()
        #expect(mkfifo(folder.path("pipe.json"), 0o600) == 0)
        #expect(mkfifo(folder.path("hello.json.phone"), 0o600) == 0)
        let run = try folder.snapshot("hello.json", "pipe.json")
        #expect(run.outcome == .init(hasUnreadable: true))
        #expect(run.notes.contains("pipe.json: not a regular file"))
        #expect(run.notes.contains("hello.json.phone: not a regular file, so nothing can be approved there"))
    }

    @Test func `a link to an approved file stays a link`() throws {
        let folder = try folder()
        try folder.write("pushpipe snapshot 1\nold", to: "approved.txt")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("hello.json.phone"), withDestinationPath: "approved.txt")
        _ = try folder.snapshot(update: true)
        #expect(try folder.read("approved.txt") == Self.approved)
    }

    @Test func `nothing to run is trouble unless it is all right`() throws {
        let folder = try folder(["notes.txt": "x"])
        let run = try folder.snapshot()
        #expect(run.outcome == .init(isEmpty: true))
        #expect(run.notes.contains("nothing to run: no payload in a file that ends in one of .json"))
        #expect(try folder.snapshot(configure: { $0.allowsEmpty = true }).outcome == .init())
    }

    @Test func `files that options name are no inputs`() throws {
        let folder = try folder(["hello.json": Self.hello, "devices.ndjson": #"{"event":"device","device":"a"}"#])
        let run = try folder.snapshot(delivery: { $0.devicesPath = folder.path("devices.ndjson") })
        #expect(run.notes.hasPrefix("1 new\n"))
    }

    @Test func `a file of another kind is no input, but one whose snapshot was approved is`() throws {
        let folder = try folder(["package.json": #"{"name":"shop","version":"1.0.0"}"#, "hello.json": Self.hello])
        _ = try folder.snapshot(update: true)
        #expect(!folder.exists("package.json.phone"))
        try folder.write(#"{"name":"shop"}"#, to: "hello.json")
        let run = try folder.snapshot()
        #expect(run.lines.first == "changed    hello.json")
        #expect(run.results.contains("record 1: delivered → malformed, record.unknown-shape at line 1, column 1"))
    }

    @Test func `what .gitignore names is no input`() throws {
        let folder = try folder([".gitignore": "out/\n", "out/a.json": Self.hello, "hello.json": Self.hello])
        try FileManager.default.createDirectory(atPath: folder.path(".git"), withIntermediateDirectories: false)
        #expect(try folder.snapshot().notes.hasPrefix("1 new\n"))
    }

    // MARK: - Scenarios

    private static func feature(_ text: String, shows number: Int = 1) -> String {
        """
        Feature: Dinner
          Scenario: The call
            When a push '{"aps":{"alert":"\(text)"}}' arrives
            Then the screen of "default" shows \(number) notification(s)
        """.replacing("(s)", with: number == 1 ? "" : "s")
    }

    @Test func `a scenario shows what its steps leave on the phone`() throws {
        let folder = try folder(["dinner.feature": Self.feature("Ready")])
        _ = try folder.snapshot(update: true)
        #expect(
            try folder.read("dinner.feature.phone") == """
                pushpipe snapshot 1

                scenario: Dinner › The call

                record 1: delivered
                  apns: 25 of 4096 bytes
                  body: Ready

                screen of default
                  record 1

                """)
        try folder.write(Self.feature("Cold!"), to: "dinner.feature")
        #expect(
            try folder.snapshot().results == """
                changed    dinner.feature
                  Dinner › The call
                    record 1
                      body: Ready → Cold!

                """)
    }

    @Test func `a scenario that does not pass cannot be approved`() throws {
        let folder = try folder(["dinner.feature": Self.feature("Ready")])
        _ = try folder.snapshot(update: true)
        let approved = try folder.read("dinner.feature.phone")
        try folder.write(Self.feature("Cold", shows: 2), to: "dinner.feature")
        for update in [false, true] {
            let run = try folder.snapshot(update: update)
            #expect(run.outcome == .init(hasDifference: true))
            #expect(run.lines.first == "failed     dinner.feature")
            #expect(run.results.contains("dinner.feature:4: Then the screen of"))
            #expect(run.notes == "1 failed\n")
            #expect(try folder.read("dinner.feature.phone") == approved)
        }
    }

    @Test func `text that is not Gherkin is unreadable`() throws {
        let folder = try folder(["a.feature": "Dinner\n", "b.feature": "Feature: Empty\n", "hello.json": Self.hello])
        let run = try folder.snapshot(update: true)
        #expect(run.outcome == .init(hasUnreadable: true))
        #expect(run.notes.contains("a.feature:1:1: "))
        #expect(run.notes.contains("b.feature: no scenario in "))
        #expect(folder.exists("hello.json.phone"))
    }

    // MARK: - Reports

    @Test func `NDJSON has an object per input`() throws {
        let folder = try folder(["a.json": Self.hello, "b.json": Self.hello])
        _ = try folder.snapshot("a.json", update: true)
        try folder.write(Self.hello.replacing("Hello", with: "Hallo"), to: "a.json")
        let run = try folder.snapshot(configure: { $0.format = .ndjson })
        #expect(
            run.lines.first
                == #"{"input":"a.json","approved":"a.json.phone","status":"changed","changes":[{"section":"record 1","#
                + #""name":"title","before":"Hello","after":"Hallo"}]}"#)
        #expect(
            run.lines.last?.hasPrefix(
                #"{"input":"b.json","approved":"b.json.phone","status":"new","text":"record 1: d"#) == true)
    }

    @Test func `JUnit has a test per input`() throws {
        let folder = try folder(["a.json": Self.hello, "b.json": Self.hello])
        _ = try folder.snapshot("a.json", update: true)
        let run = try folder.snapshot("a.json", "b.json", "gone.json", configure: { $0.format = .junit })
        #expect(run.results.contains(#"<testsuite name="pushpipe snapshot" tests="3" failures="1" errors="1">"#))
        #expect(run.results.contains(#"<testcase name="a.json" classname="pushpipe snapshot"></testcase>"#))
        #expect(run.results.contains(#"<failure type="new" message="new">"#))
        #expect(run.results.contains(#"<error message="No such file or directory"/>"#))
    }

    @Test func `GitHub's commands annotate the inputs that differ`() throws {
        let folder = try folder(["a.json": Self.hello, "b.json": Self.hello])
        _ = try folder.snapshot("a.json", update: true)
        let run = try folder.snapshot("a.json", "b.json", "gone.json", configure: { $0.format = .github })
        #expect(run.lines.count == 2)
        #expect(run.results.contains("::error file=b.json,title=new::new%0A"), "\(run.results)")
        #expect(run.results.contains("::error file=gone.json,title=unreadable::No such file or directory\n"))
        try folder.write(Self.hello.replacingOccurrences(of: "Hello", with: "Bye"), to: "a.json")
        let changed = try folder.snapshot("a.json", configure: { $0.format = .azure })
        #expect(
            changed.results.hasPrefix("##vso[task.logissue type=error;sourcepath=a.json;code=changed;]changed%0A"),
            "\(changed.results)")
    }

    @Test func `a job that is stopped approves only what it has finished`() throws {
        let folder = try folder(["a.json": Self.hello, "b.json": Self.hello])
        let streams = Streams()
        streams.end = 1
        #expect(try folder.snapshot(update: true, streams: streams).outcome == .init(isStopped: true))
        #expect(folder.names == ["a.json", "a.json.phone", "b.json"])
    }

    @Test func `a large difference ends`() throws {
        func story(_ word: String) -> String {
            (0..<1500).map { #"{"aps":{"alert":"\#(word) \#($0)"}}"# + "\n" }.joined()
        }
        let folder = try folder(["story.ndjson": story("a")])
        _ = try folder.snapshot(update: true)
        try folder.write(story("b"), to: "story.ndjson")
        let run = try folder.snapshot()
        #expect(run.outcome == .init(hasDifference: true))
        #expect(run.lines.count == 202)
        #expect(run.lines.last?.hasPrefix("  … and ") == true)
    }
}
