import Foundation
import TestSupport
import Testing

/// `pushpipe run` as a filter: records on standard output, the report elsewhere.
struct PipeTests {
    private static let fine = apns("fine")
    private static let refused = #"{"device":"xyz","headers":{"apns-topic":"t"},"payload":{"aps":{}}}"# + "\n"
    private static let long = #"{"aps":{"alert":"\#(String(repeating: "a", count: 5000))"}}"# + "\n"

    @Test(arguments: [("--report-file report", "report"), ("--report-file fd:3 3>report", "report")])
    func `records go to standard output and the report elsewhere`(_ words: String, _ file: String) throws {
        let folder = try Folder()
        let output = try folder.shell(
            "pushpipe run -q --fit --emit accepted \(words)", stdin: Array((Self.fine + Self.refused + Self.long).utf8))
        #expect(output.status == 0)
        #expect(output.lines.count == 2)
        #expect(output.text.hasPrefix(Self.fine))
        #expect(output.lines.last?.utf8.count == 4096)
        let report = try String(contentsOf: folder.url.appendingPathComponent(file), encoding: .utf8)
        #expect(report.split(separator: "\n").count == 3)
        // What was written is accepted as a whole.
        let again = try folder.pushpipe("run", "-q", "--fail-on", "rejected", stdin: output.text)
        #expect(again.status == 0)
    }

    @Test func `without a report file there is no report, and the summary stays`() throws {
        let output = try Folder().pushpipe("run", "--emit", "all", stdin: Self.fine + Self.refused)
        #expect(output.text == Self.fine + Self.refused)
        #expect(output.stderr.hasPrefix("2 records, 2 messages"))
    }

    @Test func `fd:1 and fd:2 are the standard streams`() throws {
        let folder = try Folder()
        let error = try folder.pushpipe("run", "-q", "--emit", "accepted", "--report-file", "fd:2", stdin: Self.fine)
        #expect(error.text == Self.fine)
        #expect(error.stderr.contains(#""outcome":"delivered""#))
        let same = try folder.pushpipe("run", "-q", "--report-file", "fd:1", stdin: Self.fine)
        #expect(same.text.contains(#""outcome":"delivered""#))
    }

    @Test(arguments: [
        (["--emit", "accepted", "--format", "text"], "need --report-file"),
        (["--emit", "accepted", "--screen"], "need --report-file"),
        (["--emit", "accepted", "--report-file", "fd:1"], "need --report-file"),
        (["--emit", "changed"], "needs --fit or --extension"),
        (["--format", "none", "--report-file", "x"], "leave out one of them"),
        (["--emit-as", "envelope"], "needs --emit"),
        (["--emit", "accepted", "--resume", "--store", "s.db", "f"], "--resume"), (["--report-file", "fd:x"], "fd:3"),
        (["--report-file", ""], "--report-file takes a path"), (["--set", "input.at=push"], "JSON Pointer"),
        (["--set", "input.skip-prefix", "--set", "input.framing=json"], "reads lines"),
    ])
    func `what cannot be done is refused with advice`(_ arguments: [String], _ words: String) throws {
        let output = try Folder().pushpipe(arguments: ["run"] + arguments, stdin: Array(Self.fine.utf8))
        #expect(output.status == 2)
        #expect(output.stderr.contains(words), "\(output.stderr)")
    }

    @Test(arguments: ["/dev/stdout", "fd:3 3>&1"]) func `a report never gets between the records`(_ words: String)
        throws
    {
        let output = try Folder().shell(
            "set -o pipefail; pushpipe run -q --emit accepted --report-file \(words) | cat",
            stdin: Array(Self.fine.utf8))
        #expect(output.status == 2)
        #expect(output.text.isEmpty)
        #expect(output.stderr.contains("the report file is standard output"))
    }

    @Test func `a descriptor that is not open is an error`() throws {
        let output = try Folder().pushpipe("run", "--report-file", "fd:9", stdin: Self.fine)
        #expect(output.status == 2)
        #expect(output.stderr.contains("fd:9 is not open"))
    }

    @Test func `a reader that has enough ends the run, and the report is kept`() throws {
        let folder = try Folder()
        let output = try folder.shell(
            "yes '\(Self.fine.dropLast())' 2>/dev/null | head -200000 2>/dev/null | pushpipe run -q --emit accepted --report-file report | head -1"
        )
        #expect(output.text == Self.fine)
        #expect(output.stderr.isEmpty)
        let report = try String(contentsOf: folder.url.appendingPathComponent("report"), encoding: .utf8)
        #expect(report.hasSuffix("\n"))
    }

    @Test(arguments: [
        ("--emit accepted >/dev/full", "standard output"), ("--report-file /dev/full", "/dev/full"),
        ("--emit accepted >&-", "standard output"),
    ])
    func `an output that cannot be written is named`(_ words: String, _ name: String) throws {
        let output = try Folder().shell("pushpipe run -q \(words)", stdin: Array(Self.fine.utf8))
        #expect(output.status == 2)
        #expect(output.stderr.contains(name), "\(output.stderr)")
    }

    @Test func `what an extension changed is in the record`() throws {
        let folder = try Folder()
        let extensionText = #"""
            #!/usr/bin/env python3
            import json, sys
            for line in sys.stdin:
                message = json.loads(line)
                if message["method"] == "didReceive":
                    print(json.dumps({"method": "contentHandler", "id": message["id"], "content": {"title": "New"}}), flush=True)
            """#
        let program = folder.url.appendingPathComponent("title.py")
        try Data(extensionText.utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let push = #"{"id":1,"aps":{"mutable-content":1,"alert":"Hi"}}"# + "\n"
        let output = try folder.pushpipe(
            "run", "-q", "--extension", "title.py", "--emit", "changed", stdin: push + Self.fine)
        #expect(output.text == #"{"id":1,"aps":{"mutable-content":1,"alert":{"body":"Hi","title":"New"}}}"# + "\n")
    }

    @Test(arguments: ["run", "lint"]) func `a place that no line has is no success`(_ command: String) throws {
        let log = #"{"level":"info"}"# + "\n"
        let output = try Folder().pushpipe(command, "--set", "input.at=/push", "-q", stdin: log)
        #expect(output.status == 2)
        #expect(output.stderr.contains("no payload at /push"))
        let found = try Folder().pushpipe(
            command, "--set", "input.at=/push", "-q", stdin: log + #"{"push":{"aps":{"alert":"a"}}}"# + "\n")
        #expect(found.status == 0)
    }

    @Test func `a trace shows payloads in a log`() throws {
        let output = try Folder().pushpipe(
            "trace", "--set", "input.skip-prefix", stdin: "starting\n[pod/a] " + Self.fine)
        #expect(output.text.contains("1 notification"))
        #expect(output.status == 0)
    }

    @Test func `a trace says how the input is read, unless it is quiet`() throws {
        let log = "2026-11-28 20:00:00 sent " + Self.fine
        let told = try Folder().pushpipe("trace", stdin: log)
        #expect(told.stderr.contains("looks like a log") && told.stderr.contains("--set input.time=line"))
        #expect(told.stderr.split(separator: "\n").count == 1, "\(told.stderr)")
        let quiet = try Folder().pushpipe("trace", "-q", stdin: log)
        #expect(quiet.stderr.isEmpty && quiet.stdout == told.stdout && quiet.status == 0)
    }

    @Test func `times of lines are read where the setting says`() throws {
        let lines = #"{"time":"2026-11-28T20:00:00Z","push":{"aps":{"alert":"a"}}}"# + "\n"
        let folder = try Folder()
        let run = ["run", "-q", "--format", "none", "--store", "s.db", "--set", "input.at=/push", "--set"]
        #expect(try folder.pushpipe(arguments: run + ["input.time=/time"], stdin: Array(lines.utf8)).status == 0)
        let events = try folder.pushpipe("store", "events", "s.db")
        #expect(try events.values("at") == [.string("2026-11-28T20:00:00.000Z")])
        let missing = try folder.pushpipe(arguments: run + ["input.time=/at"], stdin: Array(lines.utf8))
        #expect(missing.status == 2 && missing.stderr.contains("no time at /at in the record"), "\(missing.stderr)")
        let wrong = try folder.pushpipe(arguments: run + ["input.time=soon"], stdin: Array(lines.utf8))
        #expect(wrong.status == 2 && wrong.stderr.contains("takes line, or a JSON Pointer"), "\(wrong.stderr)")
    }

    @Test(arguments: ["cat in | pushpipe", "pushpipe < in"]) func `in a pipe, no command is run`(command: String) throws
    {
        let folder = try Folder(["in": Self.fine])
        let output = try folder.shell(command)
        #expect(try output.stdout == folder.pushpipe("run", "in").stdout && output.status == 0)
        let help = try folder.shell("pushpipe < /dev/null")
        #expect(help.status == 0 && help.text.hasPrefix("OVERVIEW: "), "\(help)")
    }
}
