import Foundation
import TestSupport
import Testing

/// Standard input, output and error that are closed, or that nobody reads for a while.
struct StreamFaultTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try folder.writeRecords(200, to: "in.ndjson")
    }

    @Test(arguments: ["1", "2"]) func `a closed standard output is reported, and deliveries are kept`(jobs: String)
        throws
    {
        let output = try folder.shell("pushpipe run -q --jobs \(jobs) --store s.db in.ndjson >&-")
        output.expectTrouble("standard output is closed", "--resume continues")
        try folder.expectConsistent("s.db")
        let rest = try folder.pushpipe("run", "-q", "--store", "s.db", "--resume", "in.ndjson")
        #expect(try rest.values("seq") == (1...200).map { .number(Double($0)) })
        try folder.shell("pushpipe store list s.db >&-").expectTrouble("standard output is closed")
        try folder.shell("pushpipe run -q --jobs \(jobs) in.ndjson >&-").expectTrouble("standard output is closed")
    }

    @Test func `a run without a report needs no standard output`() throws {
        let output = try folder.shell("pushpipe run -q --format none --store s.db in.ndjson >&-")
        #expect(output.status == 0)
        #expect(output.stderr.isEmpty)
        #expect(try folder.pushpipe("store", "export", "s.db").lines.count == 200)
    }

    /// Otherwise the store would be opened with the descriptor of a closed stream and receive what is written to it.
    @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"])
    func `output for a closed stream never lands in a store or an input`(closed: String) throws {
        let before = try folder.read("in.ndjson")
        for command in [
            "run --store s.db in.ndjson", "run --store s.db missing.ndjson", "store list s.db", "lint in.ndjson",
        ] {
            let output = try folder.shell("pushpipe \(command) \(closed)")
            let isOpen = !closed.contains(">&-") || closed == "2>&-"
            #expect(output.status == (isOpen && !command.contains("missing") ? 0 : 2), "\(command)")
        }
        #expect(try folder.read("in.ndjson") == before)
        try folder.expectConsistent("s.db")
        #expect(try folder.pushpipe("store", "export", "s.db").lines.count == 200)
    }

    /// After the shell's `>` a file is empty; after `>>` it is unchanged.
    @Test(arguments: [
        ("run --store s.db in.ndjson >> s.db", "s.db: standard output is the same file"),
        ("run --store new.db in.ndjson > new.db", "new.db: standard output is the same file"),
        ("run --format none --screen --store s.db in.ndjson >> s.db", "s.db: standard output is the same file"),
        ("run in.ndjson >> in.ndjson", "in.ndjson: standard output is the same file"),
        ("trace < in.ndjson >> in.ndjson", "standard input: standard output is the same file"),
        ("lint in.ndjson >> in.ndjson", "in.ndjson: standard output is the same file"),
        ("lint < in.ndjson >> in.ndjson", "standard input: standard output is the same file"),
        ("store export s.db >> s.db", "s.db: standard output is the same file"),
        ("store events s.db >> s.db", "s.db: standard output is the same file"),
    ])
    func `a report is not written into its own input or store`(command: String, reason: String) throws {
        _ = try folder.pushpipe("run", "-q", "--store", "s.db", "in.ndjson")
        let before = try folder.shell("cksum s.db in.ndjson").text
        try folder.shell("pushpipe \(command)").expectTrouble(reason, "redirect it elsewhere")
        #expect(try folder.shell("cksum s.db in.ndjson").text == before)
        // Without a report nothing is written to standard output.
        #expect(try folder.shell("pushpipe run -q --format none --store s.db in.ndjson >> in.ndjson").status == 0)
        try folder.expectConsistent("s.db")
    }

    @Test func `a closed standard input is unreadable input`() throws {
        try folder.shell("pushpipe run -q --store s.db <&-").expectTrouble("standard input: Bad file descriptor")
    }

    @Test func `a standard error that is full or closed changes nothing`() throws {
        for place in ["2>&-"] + (Machine.hasFullDevice ? ["2>/dev/full"] : []) {
            let output = try folder.shell("pushpipe run in.ndjson \(place)")
            #expect(output.status == 0)
            #expect(output.lines.count == 200)
            #expect(try folder.shell("pushpipe run missing \(place)").status == 2)
        }
    }

    @Test func `a reader that goes away ends a run quietly, and the store holds what it has read`() throws {
        let output = try folder.shell(
            "pushpipe run -q --store s.db in.ndjson | head -n 3; echo ${PIPESTATUS[0]}")
        #expect(output.stderr.isEmpty)
        #expect(output.lines.last == "0")
        try folder.expectConsistent("s.db")
        #expect(try folder.pushpipe("store", "export", "s.db").lines.count >= 3)
    }

}
