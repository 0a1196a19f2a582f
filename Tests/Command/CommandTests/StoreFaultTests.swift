import Foundation
import TestSupport
import Testing

/// A store that another process locks, deletes or truncates, or that is write-protected.
struct StoreFaultTests {
    private let folder: Folder

    /// A store of 300 records. Each test gets a copy.
    private static let original = Result { () throws -> Data in
        let folder = try Folder()
        try folder.writeRecords(300, to: "in.ndjson")
        #expect(try folder.pushpipe("run", "-q", "--store", "s.db", "in.ndjson").status == 0)
        return try folder.bytes("s.db")
    }

    init() throws {
        folder = try Folder()
        try folder.writeRecords(300, to: "in.ndjson")
        try folder.write(Self.original.get(), to: "s.db")
    }

    // MARK: - Locks

    /// Shell that has the `sqlite3` tool hold the write lock until `release` is called.
    static let hold = """
        mkfifo sql held; sqlite3 s.db < sql > held & holder=$!; exec 3> sql 4< held
        echo "BEGIN IMMEDIATE; SELECT 'held';" >&3
        read -r line <&4
        release() { echo "ROLLBACK;" >&3; exec 3>&-; wait $holder; }
        """

    @Test func `a run waits for a store that is briefly locked`() throws {
        // A run that finds the store locked sleeps and retries, and each sleep is a voluntary context switch. Starting up takes far
        // fewer than 300 of them, and it gives up only after 2500 sleeps.
        let output = try folder.shell(
            """
            \(Self.hold)
            pushpipe run -q --store s.db in.ndjson 3>&- & run=$!
            if [ -e /proc/$run/status ]; then
                until [ "$(awk '/^voluntary_ctxt_switches/ { print $2 }' /proc/$run/status)" -ge 300 ]; do :; done
            fi
            release; wait $run
            """)
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.stderr.isEmpty)
        #expect(try output.values("seq") == (301...600).map { .number(Double($0)) })
        try folder.expectConsistent("s.db")
    }

    @Test func `a store is read while another process writes to it`() throws {
        let output = try folder.shell("\(Self.hold)\npushpipe store export s.db 3>&-; status=$?; release; exit $status")
        #expect(output.status == 0)
        #expect(output.lines.count == 300)
    }

    // MARK: - Files that are removed

    /// Shell that starts a run, which reads one record from file descriptor 3 and writes its report to file descriptor 4, and waits for
    /// the first line of that report.
    private static let runOneRecord = """
        mkfifo in out; pushpipe run -q --store s.db < in > out & run=$!; exec 3> in 4< out
        head -n 1 in.ndjson >&3; read -r line <&4
        """

    /// A run reads one record, then something happens to its store, and then it reads another record.
    private func run(while event: String) throws -> Output {
        try folder.shell(
            """
            \(Self.runOneRecord)
            \(event)
            tail -n 1 in.ndjson >&3; exec 3>&-; echo "$line"; cat <&4; wait $run
            """)
    }

    @Test func `a store that is deleted during a run is noticed`() throws {
        let output = try run(while: "rm s.db")
        output.expectTrouble(
            "store s.db: somebody moved or deleted the file", "run again from the beginning", "s.db-wal.left")
        #expect(try output.values("seq") == [.number(301)])
        // The files left beside it do not harm a new store.
        let next = try folder.pushpipe("run", "-q", "--store", "s.db", "in.ndjson")
        #expect(next.status == 0)
        try folder.expectConsistent("s.db", reported: next)
    }

    @Test(arguments: ["mv s.db old.db", "cp s.db old.db; sqlite3 s.db 'PRAGMA wal_checkpoint' > said"])
    func `a store that is replaced during a run is noticed, and the new file is left alone`(keep: String) throws {
        try folder.write(apns("only one"), to: "other.ndjson")
        let other = try folder.pushpipe("run", "-q", "--store", "other.db", "other.ndjson")
        let output = try run(while: "\(keep); mv other.db s.db")
        output.expectTrouble("store s.db: somebody moved or deleted the file, or put another in its place")
        #expect(try output.values("seq") == [.number(301)])
        try folder.expectConsistent("s.db", reported: other)
        #expect(try folder.pushpipe("store", "export", "s.db").lines.count == 1)
    }

    @Test func `a store that is deleted during a run's last wait is noticed too`() throws {
        let output = try folder.shell(
            """
            \(Self.runOneRecord)
            rm s.db; exec 3>&-; wait $run
            """)
        output.expectTrouble("store s.db: somebody moved or deleted the file")
    }

    @Test(arguments: ["wal", "shm"]) func `a log deleted during a run is noticed, and nothing reported is lost`(
        file: String
    ) throws {
        let output = try run(while: "rm s.db-\(file)")
        output.expectTrouble("somebody moved or deleted", "s.db-\(file), which belongs to the store")
        #expect(try output.values("seq") == [.number(301)])
        try folder.expectConsistent("s.db")
        #expect(try folder.pushpipe("store", "export", "s.db").lines.count == 301)
    }

    @Test func `the log of a killed run is used, and a missing index is rebuilt`() throws {
        let output = try folder.shell(
            """
            \(Self.runOneRecord)
            kill -KILL $run; wait $run; rm s.db-shm; test -s s.db-wal && echo "$line"
            """)
        #expect(try output.values("seq") == [.number(301)])
        #expect(try folder.pushpipe("store", "export", "s.db").lines.count == 301)
        try folder.expectConsistent("s.db")
    }

    // MARK: - Files that are not a store

    @Test func `a store that is truncated anywhere is reported as damaged`() throws {
        let size = try #require(
            try folder.shell("stat -c %s s.db 2>/dev/null || stat -f %z s.db").lines.first.flatMap { Int($0) })
        for count in [2, 99, 100, 1024, 4095, 4096, 4097, 20_480, size / 2, size - 8192, size - 4096, size - 1] {
            for command in ["run -q --store cut.db in.ndjson", "store list cut.db", "store export cut.db"] {
                let output = try folder.shell("rm -f cut.db*; head -c \(count) s.db > cut.db; pushpipe \(command)")
                output.expectTrouble("store cut.db: ")
                #expect(output.stderr.contains("damaged") || output.stderr.contains("not an SQLite database"))
                #expect(output.text.isEmpty)
            }
        }
    }

    /// What to create, how it is refused, and whether reading it is refused too.
    private static let noStores = [
        ("mkdir x", "is a directory; name a file in it"),
        ("mkfifo x", "not a regular file"),
        ("ln -s /dev/null x", "not a regular file"),
        ("seq 1000 > x", "not an SQLite database; name another file"),
        ("sqlite3 x 'CREATE TABLE song (name)'", "an SQLite database, but not a pushpipe store"),
        (
            "cp s.db x; sqlite3 x 'PRAGMA user_version = 0'",
            "written by another version of pushpipe (schema 0; this version reads 1); use that version, or run the records again"
        ),
        ("ln -s nowhere/x x", "No such file or directory"),
    ]

    @Test(arguments: noStores) func `a file that is not a store is refused and unchanged`(make: String, reason: String)
        throws
    {
        #expect(try folder.shell(make).status == 0)
        let look = "ls -ld x; test -f x && cat x | cksum"
        let before = try folder.shell(look).text
        for command in [
            "run -q --store x in.ndjson", "store list x", "store show x", "store export x", "store prune x --keep 1",
            "store import x in.ndjson",
        ] {
            let output = try folder.shell("pushpipe \(command)")
            output.expectTrouble("store x: ", reason)
            #expect(output.text.isEmpty)
        }
        #expect(try folder.shell(look).text == before)
    }

    @Test func `an empty file becomes a store when written to, and has nothing to show`() throws {
        _ = try folder.write("", to: "x")
        try folder.pushpipe("store", "list", "x").expectTrouble("store x: an empty file")
        let output = try folder.pushpipe("run", "-q", "--store", "x", "in.ndjson")
        #expect(output.status == 0)
        try folder.expectConsistent("x", reported: output)
    }

    // MARK: - Permissions

    @Test(
        .enabled(
            if: Machine.heedingPermissions != nil, "root passes over permissions, and setpriv cannot keep it from that"),
        arguments: [
            ("chmod 500 d", "run -q --store d/s.db in.ndjson", "d/s.db: the file or its folder cannot be written"),
            ("chmod 500 d", "run -q --store d/new.db in.ndjson", "d/new.db: cannot make the file: Permission denied"),
            ("chmod 500 d", "store list d/s.db", "d/s.db: "),
            (
                "chmod 400 d/s.db", "run -q --store d/s.db in.ndjson",
                "d/s.db: cannot be written: Permission denied; use a copy"
            ),
            (
                "chmod 400 d/s.db", "store prune d/s.db --keep 0",
                "d/s.db: cannot be written: Permission denied; use a copy"
            ),
            ("chmod 000 d/s.db", "store list d/s.db", "d/s.db: cannot be read: Permission denied"),
            ("chmod 000 d", "run -q --store d/s.db in.ndjson", "d/s.db: Permission denied"),
        ])
    func `a store without write permission is left unchanged`(protect: String, command: String, reason: String) throws {
        let prefix = try #require(Machine.heedingPermissions)
        let output = try folder.shell(
            "mkdir d; cp s.db d; \(protect); \(prefix) pushpipe \(command); status=$?; chmod 700 d; chmod 600 d/s.db; exit $status"
        )
        output.expectTrouble(reason)
        #expect(output.text.isEmpty)
        try folder.expectConsistent("d/s.db")
        #expect(try folder.contents(of: "d/s.db") == folder.contents(of: "s.db"))
        #expect(try folder.shell("ls d").lines.filter { $0 != "s.db" } == [])
    }
}
