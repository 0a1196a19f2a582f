import Foundation
import TestSupport
import Testing

/// `pushpipe store prune`, and what it leaves in a store.
struct StorePruneTests {
    private static let start = "2026-11-03T20:00:00Z"

    /// Three notifications of one app, a day apart each, and one of another app on another device on the first day.
    private static let original = Result { () throws -> Data in
        let folder = try Folder()
        let records = [
            ("2026-11-01T00:00:00Z", apns("one") + apns("other", device: "cd")), ("2026-11-02T00:00:00Z", apns("two")),
            ("2026-11-03T00:00:00Z", apns("three", collapse: "c")),
        ]
        for (time, record) in records {
            let output = try folder.pushpipe("run", "-q", "--store", "s.db", "--clock", time, stdin: record)
            #expect(output.status == 0)
        }
        return try folder.bytes("s.db")
    }

    /// A copy of it: each run of the command costs more than everything a test does with the store.
    private func filled() throws -> Folder {
        let folder = try Folder()
        try folder.write(Self.original.get(), to: "s.db")
        return folder
    }

    private func bodies(_ folder: Folder) throws -> [String] {
        try folder.pushpipe("store", "export", "s.db").values("body").compactMap { $0?.string }
    }

    @Test(
        arguments: [
            (["--older-than", "36h"], ["two", "three"], 2),
            (["--older-than", "2026-11-02T00:00:00Z"], ["two", "three"], 2),
            (["--older-than", "2026-11-02T01:00:00.001+01:00"], ["three"], 3),
            (["--keep", "2", "--older-than", "2d"], ["other", "two", "three"], 1),
            (["--keep", "1", "--app", "org.example.news", "--device", "ab54"], ["other", "three"], 2),
        ] as [([String], [String], Int)])
    func `notifications are pruned by age and by count`(options: [String], rest: [String], gone: Int) throws {
        let folder = try filled()
        // At this time the ages are whole days.
        let now = ["--now", "2026-11-03T00:00:00Z"]
        let rehearsal = try folder.pushpipe(arguments: ["store", "prune", "s.db", "--dry-run"] + options + now)
        let noun = gone == 1 ? "notification" : "notifications"
        #expect(rehearsal.stderr == "would remove \(gone) \(noun)\n")
        #expect(rehearsal.stdout.isEmpty)
        #expect(try bodies(folder).count == 4)
        let output = try folder.pushpipe(arguments: ["store", "prune", "s.db"] + options + now)
        #expect(output.status == 0)
        #expect(output.stderr == "removed \(gone) \(noun)\n")
        #expect(output.stdout.isEmpty)
        #expect(try bodies(folder) == rest)
        #expect(try folder.pushpipe("store", "events", "s.db").lines.count == 4)
    }

    @Test func `the summary can be JSON or suppressed`() throws {
        let folder = try filled()
        let rehearsal = try folder.pushpipe("store", "prune", "s.db", "--keep", "1", "-n", "--format", "ndjson")
        #expect(rehearsal.text == "{\"notifications\":2,\"events\":0,\"live_activities\":0,\"dry_run\":true}\n")
        #expect(rehearsal.stderr.isEmpty)
        let output = try folder.pushpipe(
            "store", "prune", "s.db", "--older-than", "2026-11-03T00:00:00Z", "--events", "--format", "ndjson")
        #expect(output.text == "{\"notifications\":3,\"events\":3,\"live_activities\":0,\"dry_run\":false}\n")
        let quiet = try folder.pushpipe("store", "prune", "s.db", "--keep", "0", "-q")
        #expect(quiet.stdout.isEmpty && quiet.stderr.isEmpty)
        #expect(try bodies(folder).isEmpty)
    }

    @Test func `without an explicit time, age is measured by the wall clock`() throws {
        let folder = try filled()
        #expect(try folder.pushpipe("run", "-q", "--store", "s.db", stdin: apns("now")).status == 0)
        #expect(try folder.pushpipe("store", "prune", "s.db", "--older-than", "1w", "--now", "0").status == 0)
        #expect(try bodies(folder).count == 5)
        #expect(try folder.pushpipe("run", "-q", "--store", "s.db", "--clock", "0", stdin: apns("past")).status == 0)
        #expect(try folder.pushpipe("store", "prune", "s.db", "--older-than", "900w").status == 0)
        #expect(try bodies(folder) == ["one", "other", "two", "three", "now"])
    }

    @Test func `--vacuum shrinks the file, also on its own`() throws {
        let folder = try Folder()
        #expect(
            try folder.shell("pushpipe generate --count 3000 | pushpipe run -q --format none --store s.db").status == 0)
        func size() throws -> Int { try Data(contentsOf: URL(fileURLWithPath: folder.path("s.db"))).count }
        let full = try size()
        #expect(try folder.pushpipe("store", "prune", "-q", "s.db", "--keep", "0").status == 0)
        #expect(try size() == full)
        let output = try folder.pushpipe("store", "prune", "--vacuum", "s.db")
        #expect(output.status == 0)
        #expect(output.stdout.isEmpty && output.stderr.isEmpty)
        #expect(try size() < full / 2)
        #expect(try folder.shell("sqlite3 s.db 'PRAGMA integrity_check'").text == "ok\n")
    }

    private static let refused = [
        [], ["--keep", "-1"], ["--keep", "many"], ["--older-than", "30"], ["--older-than", "30y"],
        ["--older-than", "d"],
        ["--older-than", ""], ["--older-than", "-3d"], ["--older-than", "99999999999w"], ["--older-than", "yesterday"],
        ["--older-than", "1d", "--now", "noon"], ["--keep", "1", "--events"], ["--keep", "1", "--format", "csv"],
        ["--keep", "1", "--dry-run", "--vacuum"],
    ]

    @Test func `invalid options are refused and nothing is pruned`() throws {
        let folder = try filled()
        for options in Self.refused {
            let output = try folder.pushpipe(arguments: ["store", "prune", "s.db"] + options)
            #expect(output.status == 2, "\(options)")
            #expect(output.stdout.isEmpty, "\(options)")
            #expect(!output.stderr.isEmpty, "\(options)")
        }
        #expect(try bodies(folder).count == 4)
    }

    @Test func `pruning does not create a store`() throws {
        let folder = try Folder()
        let output = try folder.pushpipe("store", "prune", "none.db", "--keep", "1")
        #expect(output.status == 2)
        #expect(output.stderr.hasPrefix("pushpipe: store none.db: "))
        #expect(!FileManager.default.fileExists(atPath: folder.path("none.db")))
    }
}
