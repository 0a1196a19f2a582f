import Foundation
import TestSupport
import Testing

/// Input that disappears, shrinks, or cannot be read.
struct InputFaultTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try folder.writeRecords(50, to: "first.ndjson")
        try folder.writeRecords(3000, to: "second.ndjson")
    }

    /// A run waits between its inputs, at a FIFO; then something happens to the input after that.
    private func run(while event: String, more: String = "--store s.db") throws -> Output {
        try folder.shell(
            """
            mkfifo gate out; pushpipe run -q --clock 0 \(more) first.ndjson gate second.ndjson > out & run=$!
            exec 3< out; for line in {1..50}; do read -r line <&3; echo "$line"; done
            \(event)
            : > gate; cat <&3; wait $run
            """)
    }

    @Test func `an input that disappears before its turn is reported, and resumed when it is back`() throws {
        let output = try run(while: "mv second.ndjson elsewhere")
        output.expectTrouble("second.ndjson: No such file or directory", "what was reported is in the store")
        // Not the FIFO's.
        #expect(!output.stderr.contains("--resume"))
        #expect(output.lines.count == 50)
        try folder.expectConsistent("s.db", reported: output)
        let rest = try folder.shell(
            "mv elsewhere second.ndjson; pushpipe run -q --clock 0 --store s.db --resume first.ndjson second.ndjson")
        #expect(rest.status == 0)
        #expect(try folder.shell("sqlite3 s.db 'SELECT count(*) FROM events'").text == "3050\n")
        try folder.expectConsistent("s.db")
    }

    @Test func `an input that becomes a directory before its turn is reported`() throws {
        let output = try run(while: "rm second.ndjson; mkdir second.ndjson")
        output.expectTrouble("second.ndjson: Is a directory")
        #expect(output.lines.count == 50)
    }

    /// While nobody reads the report, the run stays within its first input.
    @Test func `an input that is deleted while it is read is read to its end`() throws {
        let output = try folder.shell(
            """
            mkfifo report; pushpipe run -q --jobs 1 --store s.db second.ndjson > report & run=$!
            exec 3< report; head -n 1 <&3 > /dev/null; rm second.ndjson; cat <&3 > /dev/null; wait $run
            """)
        #expect(output.status == 0, "\(output.stderr)")
        #expect(try folder.pushpipe("store", "export", "s.db").lines.count == 3000)
        try folder.expectConsistent("s.db")
    }

    #if os(Linux)
        /// The process sleeps first when it opens the pipe, which nobody writes to. If it ends instead, its state is Z, or it has none.
        @Test(arguments: [
            "run gate", "run --devices gate first.ndjson", "lint gate", "lint --config gate first.ndjson",
        ])
        func `a signal while a pipe is opened is why the command ends`(command: String) throws {
            let output = try folder.shell(
                """
                mkfifo gate; pushpipe \(command) > out & run=$!
                while state=$(cut -d ' ' -f 3 /proc/$run/stat) && [[ $state != [SZ] ]]; do :; done
                kill -TERM $run; wait $run
                """)
            #expect(output.status == 143, "\(output.stderr)")
        }
    #endif

    @Test func `a changed file is not suggested for another resume`() throws {
        _ = try folder.pushpipe("run", "-q", "--store", "s.db", "first.ndjson")
        try folder.write(apns("another"), to: "first.ndjson")
        let output = try folder.pushpipe("run", "-q", "--store", "s.db", "--resume", "first.ndjson")
        output.expectTrouble("first.ndjson: changed since the earlier run", "run it from the beginning")
        #expect(!output.stderr.contains("continues"))
    }

    /// Reading address 0 of a process fails, as a bad block or a lost file server does.
    @Test(.enabled(if: Machine.hasProc, "needs /proc"))
    func `an input that the system cannot read ends the run, and what came before is kept`() throws {
        let output = try folder.pushpipe("run", "-q", "--store", "s.db", "first.ndjson", "/proc/self/mem")
        output.expectTrouble("/proc/self/mem: Input/output error", "what was reported is in the store")
        #expect(output.lines.count == 50)
        try folder.expectConsistent("s.db", reported: output)
        let linted = try folder.pushpipe("lint", "-q", "/proc/self/mem")
        #expect(linted.status == 2)
        #expect(linted.stderr.contains("/proc/self/mem: Input/output error"))
    }

    @Test func `a file that the system generates is not reported as truncated`() throws {
        // Its length is 0, whatever it contains.
        let output = try folder.shell(
            "test -r /proc/self/status || exit 0; pushpipe run -q --format none /proc/self/status")
        #expect(output.status == 2)
        #expect(output.stderr.contains("every record is malformed") && !output.stderr.contains("truncated"))
    }

    @Test func `every command that reads files refuses a directory`() throws {
        _ = try folder.shell("mkdir d")
        try folder.pushpipe("run", "d").expectTrouble("d: is a directory; name its files")
        try folder.pushpipe("store", "import", "s.db", "d").expectTrouble("d: is a directory; name its files")
        try folder.shell("pushpipe run < .").expectTrouble("standard input: Is a directory")
    }
}
