import Foundation
import TestSupport
import Testing

/// A store that several processes write to for a long time.
struct StoreFaultSlowTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try folder.writeRecords(300, to: "in.ndjson")
        #expect(try folder.pushpipe("run", "-q", "--store", "s.db", "in.ndjson").status == 0)
    }

    @Test func `a store that stays locked ends a run, which names the holder`() throws {
        let before = try folder.contents(of: "s.db")
        for command in ["run -q --store s.db in.ndjson", "store import s.db in.ndjson", "store prune s.db --keep 0"] {
            let output = try folder.shell(
                "\(StoreFaultTests.hold)\npushpipe \(command) 3>&-; status=$?; release; exit $status")
            output.expectTrouble(
                "store s.db: ", "has been writing to it for more than 5 seconds", "try again when it is done")
            if Machine.hasProc {
                #expect(output.stderr.firstMatch(of: /process \d+ \(sqlite3\)/) != nil, "\(output.stderr)")
            }
            #expect(output.text.isEmpty)
            #expect(try folder.contents(of: "s.db") == before)
            _ = try folder.shell("rm sql held")
        }
        try folder.expectConsistent("s.db")
    }

    @Test func `two concurrent runs on one store take turns and continue the numbering`() throws {
        try folder.writeRecords(15_000, to: "a.ndjson")
        try folder.writeRecords(15_000, to: "b.ndjson")
        let output = try folder.shell(
            """
            pushpipe run -q --store s.db a.ndjson > a & first=$!
            pushpipe run -q --store s.db b.ndjson > b && wait $first
            """)
        #expect(output.status == 0, "\(output.stderr)")
        let seqs = try ["a", "b"].map { name in
            try Output(stdout: Data(folder.read(name).utf8), stderr: "", status: 0).json().compactMap { line in
                if case .number(let seq) = line["seq"] { Int(seq) } else { nil }
            }
        }
        for seqs in seqs { #expect(seqs.count == 15_000 && seqs == seqs.sorted()) }
        #expect(Set(seqs[0] + seqs[1]) == Set(301...30_300))
        try folder.expectConsistent("s.db")
        #expect(try folder.shell("sqlite3 s.db 'SELECT count(*) FROM on_screen'").text == "30300\n")
    }
}
