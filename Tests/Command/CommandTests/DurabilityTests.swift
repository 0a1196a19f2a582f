import Foundation
import TestSupport
import Testing

/// However a run ends, `--resume` continues it as if it had not been interrupted.
struct DurabilityTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends a run cleanly and reports the position`(signal: Int32) throws {
        // The input stays open, so that the run waits for more.
        let run = try LiveRun(["--store", "phone.db", "--jobs", "1"], in: folder)
        try run.send(apns("one"))
        #expect(try run.lines(1).count == 1)
        run.signal(signal)
        let output = try run.finish(endingInput: false)
        #expect(output.status == 128 + signal)
        #expect(output.stderr.contains("stopped by \(signal == SIGINT ? "SIGINT" : "SIGTERM") after record 1"))
        #expect(try folder.pushpipe("store", "export", "phone.db").lines.count == 1)
    }

    /// Ctrl-C ends all programs of a pipeline, and often the reader first.
    @Test func `a signal that also ends the reader of a pipe is told, and decides the status`() throws {
        try folder.write(String(repeating: apns("one"), count: 40_000), to: "in.ndjson")
        let output = try folder.shell(
            """
            (pushpipe run --store phone.db in.ndjson 2> notes & echo $! > pid; wait $!; echo $? > status) | {
                read -r line
                until [ -s pid ]; do :; done
                kill -TERM $(cat pid)
            }
            until [ -s status ]; do :; done
            cat status notes
            """)
        #expect(output.lines.first == "143")
        #expect(output.text.contains("pushpipe: stopped by SIGTERM after record "), "\(output.text)")
        #expect(output.text.contains("; --resume continues from there"), "\(output.text)")
        let records = try #require(output.text.firstMatch(of: /after record ([0-9]+) of/)?.1)
        let last = try folder.shell("sqlite3 phone.db 'SELECT max(seq) FROM event'").lines.first
        #expect(last.map { $0 == records } == true, "\(output.text)")
    }

    @Test func `a file that has grown is resumed where the last run ended`() throws {
        try folder.write(apns("one") + apns("two"), to: "log.ndjson")
        _ = try folder.pushpipe("run", "--store", "phone.db", "log.ndjson")
        try folder.write(apns("one") + apns("two") + apns("three"), to: "log.ndjson")
        let output = try folder.pushpipe("run", "--store", "phone.db", "--resume", "log.ndjson")
        #expect(try output.values("seq") == [.number(3)])
        #expect(try folder.pushpipe("run", "--store", "phone.db", "--resume", "log.ndjson").text.isEmpty)
    }

    @Test(arguments: [apns("One") + apns("two") + apns("three"), apns("one"), ""])
    func `a file that has changed is refused`(contents: String) throws {
        try folder.write(apns("one") + apns("two"), to: "log.ndjson")
        _ = try folder.pushpipe("run", "--store", "phone.db", "log.ndjson")
        try folder.write(contents, to: "log.ndjson")
        let output = try folder.pushpipe("run", "--store", "phone.db", "--resume", "log.ndjson")
        #expect(output.status == 2)
        #expect(output.stderr.contains("log.ndjson: changed since the earlier run"))
        #expect(output.text.isEmpty)
    }

    @Test func `without resume a file is processed from its beginning again`() throws {
        try folder.write(apns("one"), to: "log.ndjson")
        for seq in 1...3 {
            let output = try folder.pushpipe("run", "--store", "phone.db", "log.ndjson")
            #expect(try output.values("seq") == [.number(Double(seq))])
        }
    }

    @Test(arguments: ["json", "seq", "nul", "ndjson"])
    func `every framing resumes after the last record`(framing: String) throws {
        let records = (1...3).map { apns("\($0)").dropLast() }
        let text: String =
            switch framing {
            case "json":
                records.map { $0.replacingOccurrences(of: ",\"headers", with: ",\n  \"headers") + "\n" }.joined()
            case "seq": records.map { "\u{1E}\($0)\n" }.joined()
            case "nul": records.map { "\($0)\0" }.joined()
            default: "\u{FEFF}" + records.map { "\($0)\r\n" }.joined()
            }
        let arguments = ["run", "--store", "phone.db"] + (framing == "nul" ? ["--set", "input.framing=nul"] : [])
        try folder.write(text, to: "log")
        let first = try folder.pushpipe(arguments: arguments + ["log"])
        #expect(try first.values("outcome") == Array(repeating: .string("delivered"), count: 3))
        try folder.write(text + text.dropFirst(framing == "ndjson" ? 1 : 0), to: "log")
        let second = try folder.pushpipe(arguments: arguments + ["--resume", "log"])
        #expect(try second.values("seq") == [.number(4), .number(5), .number(6)])
        #expect(try second.values("outcome") == Array(repeating: .string("delivered"), count: 3))
    }

    @Test func `an array resumes after its last element`() throws {
        let records = (1...6).map { apns("\($0)").trimmingCharacters(in: .newlines) }
        try folder.write("[" + records[..<3].joined(separator: ",\n"), to: "log")
        let arguments = ["run", "-q", "--store", "phone.db"]
        #expect(try folder.pushpipe(arguments: arguments + ["log"]).outcomes().count == 3)
        try folder.write("[" + records.joined(separator: ",\n") + "]", to: "log")
        let second = try folder.pushpipe(arguments: arguments + ["--resume", "log"])
        #expect(try second.values("seq") == [.number(4), .number(5), .number(6)])
        #expect(try second.outcomes() == Array(repeating: "delivered", count: 3))
    }

    @Test func `resume without a store is invalid usage`() throws {
        let output = try folder.pushpipe(arguments: ["run", "--resume", "log"])
        #expect(output.status == 2)
        #expect(output.stderr.contains("--resume needs"))
    }

    /// Unless its records say where an engine has them.
    @Test(arguments: [
        "mkfifo f; (echo '{}' > f &) ; pushpipe run --store phone.db --resume f",
        "echo '{}' | pushpipe run --store phone.db --resume",
    ])
    func `a pipe cannot be resumed`(command: String) throws {
        let output = try folder.shell(command)
        #expect(output.status == 2)
        #expect(output.stderr.contains("not a regular file"))
    }
}
