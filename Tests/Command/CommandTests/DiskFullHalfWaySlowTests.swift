import Foundation
import TestSupport
import Testing

/// A disk that has room for a part of the work: what was finished stays, what was begun is undone, and the same command goes on when there is
/// room. `ulimit -f` stands for a full disk, in KiB per file; a file system in memory is one.
@Suite(.enabled(if: !Machine.isSanitized, "a sanitizer has files of its own for memory"))
struct DiskFullHalfWaySlowTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try folder.writeRecords(13_000, to: "in.ndjson")
    }

    private func runParts() throws {
        let output = try folder.shell(
            """
            pushpipe partition -q --parts 2 --output parts in.ndjson
            for part in 0 1; do
                pushpipe run -q --clock 0 --format none --store p$part.db parts/part-0000$part.ndjson || exit
            done
            """)
        #expect(output.status == 0, "\(output.stderr)")
    }

    @Test(arguments: [300, 6000])
    func `a merge without disk space leaves the parts as they are, and the same command merges them later`(
        kilobytes: Int
    ) throws {
        try runParts()
        let before = try ["p0.db", "p1.db"].map { try folder.contents(of: $0) }
        let output = try folder.shell("ulimit -f \(kilobytes); pushpipe merge -q --store all.db p0.db p1.db")
        output.expectTrouble("store all.db: ", "make room")
        #expect(try ["p0.db", "p1.db"].map { try folder.contents(of: $0) } == before)
        #expect(try folder.pushpipe("merge", "-q", "--store", "all.db", "p0.db", "p1.db").status == 0)
        #expect(try folder.pushpipe("merge", "-q", "--store", "whole.db", "p0.db", "p1.db").status == 0)
        #expect(try folder.contents(of: "all.db") == folder.contents(of: "whole.db"))
        try folder.expectConsistent("all.db")
    }

    @Test(.enabled(if: Machine.canMount, "needs the right to mount a file system"), arguments: [2000, 9000])
    func `a merge and an import end when the disk is full, and leave nothing`(kilobytes: Int) throws {
        try runParts()
        let output = try folder.shell(
            """
            mkdir disk && pushpipe store export --complete --events p0.db > export
            unshare --mount bash -c 'mount -t tmpfs -o size=\(kilobytes)k none disk
                pushpipe merge -q --store disk/all.db p0.db p1.db; echo merge $?
                cp disk/all.db* . ; rm disk/*
                pushpipe store import disk/copy.db export; echo import $?
                cp disk/copy.db* .'
            """)
        #expect(output.lines == ["merge 2", "import 2"])
        #expect(output.stderr.contains("store disk/all.db: no room left on the disk"))
        #expect(output.stderr.contains("store disk/copy.db: no room left on the disk"))
        #expect(try folder.contents(of: "copy.db").isEmpty)
        #expect(try folder.pushpipe("store", "import", "copy.db", "export").status == 0)
        #expect(try folder.contents(of: "copy.db") == folder.contents(of: "p0.db"))
        #expect(try folder.pushpipe("merge", "-q", "--store", "all.db", "p0.db", "p1.db").status == 0)
        try folder.expectConsistent("all.db")
    }

    private static let prune = "pushpipe store prune -q --older-than 1s --now 2100-01-01T00:00:00Z big.db"

    private func runBig(_ input: String) throws {
        #expect(try folder.pushpipe("run", "-q", "--clock", "0", "--store", "big.db", input).status == 0)
    }

    @Test func `a prune without disk space removes nothing, and the same command removes all later`() throws {
        try runBig("in.ndjson")
        let before = try folder.contents(of: "big.db")
        let output = try folder.shell("ulimit -f 400; \(Self.prune)")
        output.expectTrouble("store big.db: ", "make room")
        #expect(try folder.contents(of: "big.db") == before)
        try folder.expectConsistent("big.db")
        #expect(try folder.shell(Self.prune).status == 0)
        #expect(try folder.pushpipe("store", "show", "big.db").text.isEmpty)
    }

    /// The file is larger than the limit, and what removing its rows writes is not.
    @Test func `a prune says how far it came if the file cannot shrink, and the same command shrinks it`() throws {
        try folder.writeRecords(13_000, bytes: 6, to: "short.ndjson")
        try runBig("short.ndjson")
        let output = try folder.shell("ulimit -f $(($(stat -c %s big.db) / 2048)); \(Self.prune) --vacuum")
        #expect(output.status == 2)
        #expect(
            output.stderr.hasPrefix(
                "pushpipe: removed 13,000 notifications, then failed; the same command removes the rest\n"),
            "\(output.stderr)")
        #expect(output.stderr.contains("store big.db: ") && output.stderr.contains("make room"))
        #expect(try folder.pushpipe("store", "show", "big.db").text.isEmpty)
        try folder.expectConsistent("big.db")
        #expect(try folder.shell("\(Self.prune) --vacuum").status == 0)
    }
}
