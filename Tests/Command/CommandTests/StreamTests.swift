import Foundation
import TestSupport
import Testing

/// Pipes that stay open, and bytes that come one at a time.
struct StreamTests {
    /// What a sender writes before it pauses, with the number of records that are complete by then.
    @Test(arguments: [
        ([], apns("a"), 1),
        ([], apns("a") + apns("b"), 2),
        ([], apns("a") + "{\"aps\":", 1),
        ([], "{\n  \"aps\": {\n    \"alert\": \"a\"\n  }\n}\n", 1),
        ([], "{\"aps\":{}}{\"aps\":{}}\n", 2),
        (["--set", "input.framing=json"], "{\"aps\":{\"alert\":\"a\"}}", 1),
        (["--set", "input.framing=seq"], "\u{1E}" + apns("a"), 1),
        (["--set", "input.framing=nul"], "{\"aps\":{}}\0", 1),
        (["--store", "s.db"], apns("a"), 1),
        (["--format", "text"], apns("a"), 1),
    ])
    func `a record is reported while the sender still holds the pipe open`(
        arguments: [String], text: String, expected: Int
    ) throws {
        let folder = try Folder()
        let run = try LiveRun(arguments, in: folder)
        try run.send(text)
        // Returns early only if the run ends, which it must not while the pipe is open.
        let early = try run.lines(expected)
        #expect(early.count == expected)
        #expect(!run.hasMoreOutput, "a record was reported before it was complete")
        #expect(run.isRunning)
        try run.send(arguments.contains("seq") ? "\u{1E}{}" : apns("last"))
        let output = try run.finish()
        #expect(output.status == 0, "\(output.stderr)")
        #expect(!output.lines.isEmpty)
    }

    @Test(arguments: ["ndjson", "text", "github"])
    func `the linter reports while the sender still holds the pipe open`(format: String) throws {
        let folder = try Folder()
        let run = try LiveRun(["--format", format], command: ["lint", "-q"], in: folder)
        try run.send(apns("good") + #"{"aps":{"alert":"a","badge":"1"}}"# + "\n")
        // Returns early only if the linter ends, which it must not while the pipe is open.
        #expect(try run.lines(1).count == 1)
        #expect(run.isRunning)
        try run.send("{\n")
        let output = try run.finish()
        #expect(output.status == 1, "\(output.stderr)")
        #expect(!output.lines.isEmpty)
    }

    @Test(arguments: [[], ["--set", "input.framing=json"]])
    func `input that arrives byte by byte gives the same report`(arguments: [String]) throws {
        let folder = try Folder()
        let options = (["-q", "--clock", "0"] + arguments).joined(separator: " ")
        #expect(try folder.shell("pushpipe generate --count 20 --seed 3 --malformed-rate 0.2 > in").status == 0)
        let slow = try folder.shell("dd if=in bs=1 status=none | pushpipe run \(options)")
        let fast = try folder.shell("pushpipe run \(options) < in")
        #expect(slow.status == 0)
        #expect(slow.stdout == fast.stdout)
        #expect(fast.lines.count >= 20)
    }

    @Test func `a pipe gives the same report as a file`() throws {
        let folder = try Folder()
        #expect(try folder.shell("pushpipe generate --count 5000 --malformed-rate 0.05 > in").status == 0)
        let file = try folder.shell("pushpipe run -q --clock 0 < in")
        for size in [7, 4096, 100_000, 300_000] {
            let pipe = try folder.shell("dd if=in bs=\(size) status=none | pushpipe run -q --clock 0")
            #expect(pipe.stdout == file.stdout, "in writes of \(size) bytes")
        }
    }
}
