import Foundation
import TestSupport
import Testing

/// No disk space for the store, its log, the report or an export. `ulimit -f` stands for a full disk, in KiB per file.
@Suite(.enabled(if: !Machine.isSanitized, "a sanitizer has files of its own for memory"))
struct DiskFullSlowTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        // A little more than two transactions.
        try folder.writeRecords(13_000, to: "in.ndjson")
    }

    private func expectTakenUp(_ first: Output, store: String) throws {
        try folder.expectConsistent(store, reported: first)
        let second = try folder.pushpipe("run", "-q", "--clock", "0", "--store", store, "--resume", "in.ndjson")
        #expect(second.status == 0, "\(second.stderr)")
        let undisturbed = try folder.pushpipe("run", "-q", "--clock", "0", "--store", "whole.db", "in.ndjson")
        // The report of the last transaction is repeated, in case nobody read it.
        let both = Set(try first.deliveries()).union(try second.deliveries())
        #expect(both == Set(try undisturbed.deliveries()))
        #expect(try folder.contents(of: store) == folder.contents(of: "whole.db"))
        try folder.expectConsistent(store)
    }

    /// From too little space for an empty store to space for all but the last transaction.
    @Test(arguments: Effort.some([12_000, 4, 400, 40, 60, 6000], fast: 3))
    func `a run ends when the store is full, and resumes when there is room`(kilobytes: Int) throws {
        let output = try folder.shell(
            "ulimit -f \(kilobytes); pushpipe run -q --clock 0 --store s.db in.ndjson")
        output.expectTrouble("store s.db: ", "cannot be written", "make room")
        #expect(try output.deliveries().isEmpty == (kilobytes < 12_000))
        if kilobytes > 400 {
            #expect(output.stderr.contains("what was reported is in the store; --resume continues"))
        }
        try expectTakenUp(output, store: "s.db")
    }

    @Test(.enabled(if: Machine.canMount, "needs the right to mount a file system"), arguments: [100, 9000])
    func `a run ends when the disk is full, and resumes when there is room`(kilobytes: Int) throws {
        let output = try folder.shell(
            """
            mkdir disk
            unshare --mount bash -c 'mount -t tmpfs -o size=\(kilobytes)k none disk
                pushpipe run -q --clock 0 --store disk/s.db in.ndjson; status=$?
                cp disk/s.db* .; exit $status'
            """)
        output.expectTrouble("store disk/s.db: no room left on the disk", "make room")
        try expectTakenUp(output, store: "s.db")
    }

    @Test(.enabled(if: Machine.hasFullDevice, "needs /dev/full"))
    func `a report that cannot be written ends the run, and none of it is lost`() throws {
        let full = try folder.shell("pushpipe run -q --clock 0 --store s.db in.ndjson > /dev/full")
        full.expectTrouble("standard output cannot be written: No space left on device", "--resume continues")
        try folder.expectConsistent("s.db")
        let rest = try folder.pushpipe("run", "-q", "--clock", "0", "--store", "s.db", "--resume", "in.ndjson")
        #expect(rest.status == 0)
        // What could not be written is repeated.
        #expect(try rest.values("seq") == (1...13_000).map { .number(Double($0)) })
        try folder.expectConsistent("s.db", reported: rest)
    }

    @Test func `a report file is completed where it was truncated`() throws {
        let line = "pushpipe run -q --clock 0 --store s.db --resume in.ndjson >> report"
        // The store has space; the log takes the rest, so that only the report reaches the limit.
        try folder.write(Array(repeating: UInt8(ascii: "\n"), count: 11_900 << 10), to: "report")
        let size = try folder.read("report").utf8.count
        let output = try folder.shell("ulimit -f 12000; \(line)")
        output.expectTrouble("standard output cannot be written: File too large", "--resume continues")
        #expect(try folder.shell(line).status == 0)
        let report = try folder.read("report").dropFirst(size)
        let whole = try folder.pushpipe("run", "-q", "--clock", "0", "in.ndjson")
        #expect(report == whole.text)
    }

    @Test func `an import without disk space imports nothing`() throws {
        _ = try folder.pushpipe("run", "-q", "--store", "s.db", "in.ndjson")
        #expect(try folder.shell("pushpipe store export --events s.db > export").status == 0)
        let output = try folder.shell("ulimit -f 2000; pushpipe store import copy.db export")
        output.expectTrouble("store copy.db: cannot be written", "make room")
        try folder.expectConsistent("copy.db")
        #expect(try folder.contents(of: "copy.db").isEmpty)
        #expect(try folder.pushpipe("store", "import", "copy.db", "export").status == 0)
        #expect(try folder.contents(of: "copy.db") == folder.contents(of: "s.db"))
    }

    @Test func `a vacuum without disk space leaves the store unchanged`() throws {
        _ = try folder.pushpipe("run", "-q", "--store", "s.db", "in.ndjson")
        let before = try folder.contents(of: "s.db")
        // Space to prune, but not for a second copy of the store.
        let output = try folder.shell("ulimit -f 3000; pushpipe store prune -q --keep 250 --vacuum s.db")
        #expect(output.status == 2)
        #expect(output.stderr.contains("then failed; the same command removes the rest"), "\(output.stderr)")
        #expect(output.stderr.contains("store s.db: ") && output.stderr.contains("make room"))
        try folder.expectConsistent("s.db")
        #expect(try folder.pushpipe("store", "prune", "--keep", "250", "--vacuum", "s.db").status == 0)
        try folder.expectConsistent("s.db")
        #expect(try folder.contents(of: "s.db").utf8.count < before.utf8.count)
    }

    @Test(arguments: ["ndjson", "csv"])
    func `an export without disk space fails and is not mistaken for a complete one`(format: String) throws {
        _ = try folder.pushpipe("run", "-q", "--store", "s.db", "in.ndjson")
        let complete = format == "ndjson" ? "--complete" : ""
        let output = try folder.shell(
            "ulimit -f 1000; pushpipe store export --format \(format) \(complete) s.db > export")
        output.expectTrouble("standard output cannot be written: File too large")
        let imported = try folder.pushpipe("store", "import", "copy.db", "export")
        imported.expectTrouble("export:", "nothing was imported")
        try folder.expectConsistent("s.db")
    }
}
