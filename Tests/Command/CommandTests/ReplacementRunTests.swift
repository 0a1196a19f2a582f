import Foundation
import TestSupport
import Testing

/// `run --replace-by` with its options, through devices, jobs, stores and resumed runs.
struct ReplacementRunTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// The extension of the thread.
    private static let thread = [
        "--replace-by", "custom-payload-id", "--set", "replace.match=first", "--set", "replace.missing=equal",
        "--set", "replace.compare=string",
    ]

    private static func push(_ device: String, _ body: String, id: String? = nil) -> String {
        let id = id.map { ",\"custom-payload-id\":\($0)" } ?? ""
        return """
            {"device":"\(device)","headers":{"apns-topic":"c"},"payload":{"aps":{"alert":"\(body)","mutable-content":1}\(id)}}\n
            """
    }

    /// One registered device that is offline for a while, one that is not registered.
    private static let story =
        #"{"event":"device","device":"ab01","app":"c","platform":"ios"}"# + "\n"
        + push("ab01", "a", id: "\"x\"") + push("ab01", "b") + push("cd02", "c") + push("cd02", "d", id: "17")
        + #"{"event":"device","device":"ab01","online":false}"# + "\n" + push("ab01", "e")
        + push("cd02", "f", id: "\"x\"")
        + #"{"event":"device","device":"ab01","online":true}"# + "\n" + push("ab01", "g", id: "\"x\"")

    @Test func `registered and unregistered devices replace alike, also what was held`() throws {
        try folder.write(Self.story, to: "in")
        let output = try folder.pushpipe(arguments: ["run", "-q", "--clock", "0"] + Self.thread + ["in"])
        func text(_ value: JSONValue?) -> String {
            switch value {
            case .number(let number): "\(Int(number))"
            case .string(let string): string
            default: "-"
            }
        }
        let lines = try output.json().filter { $0["event"] == nil }.map { line in
            ["original", "seq", "outcome", "replaces"].map { text(line[$0]) }.joined(separator: " ")
        }
        // A number is no string, so `d` replaces `c`, which has no id, and `f` stands beside it.
        #expect(
            lines == [
                "- 2 delivered -", "- 3 delivered -", "- 4 delivered -", "- 5 reposted 4", "- 7 held -",
                "- 8 delivered -", "7 9 reposted 3", "- 10 reposted 2",
            ])
    }

    private static let rules = [
        ["--set", "replace.match=first"], ["--set", "replace.missing=equal"], ["--set", "replace.compare=typed"], [],
    ]

    @Test(arguments: Effort.some(rules, fast: 2))
    func `one job, two jobs and a resumed run give the same report and the same journal`(rest: [String]) throws {
        let options = ["-q", "--clock", "0", "--replace-by", "custom-payload-id"] + rest
        let count = Effort.rounds(4000, fast: 1500)
        #expect(try folder.shell("pushpipe generate --count \(count) > all").status == 0)
        let one = try folder.pushpipe(arguments: ["run", "--jobs", "1"] + options + ["all"])
        let two = try folder.pushpipe(arguments: ["run", "--jobs", "2"] + options + ["all"])
        #expect(one.lines.count >= count)
        #expect(two.stdout == one.stdout)
        #expect(one.text.contains("reposted"))
        // The file grows, and the run goes on where it was.
        #expect(try folder.shell("head -n \(count * 2 / 5) all > part").status == 0)
        let store = ["--store", "a.db", "part"]
        let first = try folder.pushpipe(arguments: ["run"] + options + store)
        #expect(try folder.shell("tail -n +\(count * 2 / 5 + 1) all >> part").status == 0)
        let second = try folder.pushpipe(arguments: ["run", "--resume"] + options + store)
        // Apart from the name of the file.
        let parts = (first.text + second.text).replacing(#""file":"part""#, with: #""file":"all""#)
        #expect(parts == one.text)
        _ = try folder.pushpipe(arguments: ["run"] + options + ["--store", "b.db", "all"])
        let (resumed, whole) = (
            try folder.pushpipe("store", "events", "a.db"), try folder.pushpipe("store", "events", "b.db")
        )
        #expect(!whole.stdout.isEmpty)
        #expect(resumed.stdout == whole.stdout)
    }

    @Test func `the journal and the trace have a removal and the new notification at their own times`() throws {
        let options = [
            "--clock", "2026-11-03T20:00:00Z", "--replace-by", "custom-payload-id", "--set",
            "extension.removal=delayed:50",
            "--set", "extension.removal-wait=200ms",
        ]
        try folder.write(Self.push("ab01", "a", id: "\"x\"") + Self.push("ab01", "b", id: "\"x\""), to: "in")
        for store in ["a.db", "b.db"] {
            _ = try folder.pushpipe(arguments: ["run", "-q", "--format", "none", "--store", store] + options + ["in"])
        }
        let events = try folder.pushpipe("store", "events", "a.db")
        let minute = "2026-11-03T20:00:00"
        #expect(
            try events.values("at") == ["\(minute).000Z", "\(minute).051Z", "\(minute).201Z"].map { .string($0) })
        #expect(try events.values("kind") == ["delivered", "removed", "delivered"].map { .string($0) })
        #expect(try folder.pushpipe("store", "events", "b.db").stdout == events.stdout)
        let trace = try folder.pushpipe(arguments: ["trace"] + options + ["in"])
        #expect(trace.text.contains("  removed   push-1  +50 ms\n  delivered push-2  +200 ms\n"))
    }

    @Test func `a trace says which id was compared, or that there was none`() throws {
        let input = Self.push("ab01", "a") + Self.push("ab01", "b", id: "\"x\"")
        let output = try folder.pushpipe(arguments: ["trace", "--clock", "0"] + Self.thread, stdin: Array(input.utf8))
        let ids = output.lines.filter { $0.contains("custom id") }
        #expect(ids.map { $0.split(separator: " ").last } == ["none", "x"])
        let plain = #"{"aps":{"alert":"a"},"custom-payload-id":"x"}"#
        let other = try folder.pushpipe(arguments: ["trace"] + Self.thread, stdin: Array(plain.utf8))
        #expect(other.lines.contains("extension  not started: mutable-content is not 1"))
    }

    /// Apple, "Modifying content in newly delivered notifications": the system runs an extension for `mutable-content` 1.
    @Test func `pushes without mutable-content replace nothing, and the run says what they need`() throws {
        let pushes = ["a", "b"].map { #"{"aps":{"alert":"\#($0)"},"id":"1"}"# + "\n" }.joined()
        let plain = try Folder().pushpipe("run", "--replace-by", "id", stdin: pushes)
        #expect(try plain.outcomes() == ["delivered", "delivered"])
        #expect(
            plain.stderr.contains("\"mutable-content\":1 in aps; --set extension.assume-mutable shows"),
            "\(plain.stderr)")
        let assumed = try Folder().pushpipe(
            "run", "--replace-by", "id", "--set", "extension.assume-mutable", stdin: pushes)
        #expect(try assumed.outcomes() == ["delivered", "reposted"])
        #expect(!assumed.text.contains("extension_not_started") && !assumed.stderr.contains("extension.assume-mutable"))
        #expect(try Folder().pushpipe("run", "--set", "extension.assume-mutable", stdin: pushes).status == 2)
    }
}
