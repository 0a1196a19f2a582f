import PushDevices
import PushModel
import TestSupport
import Testing

@testable import PushSQLite

/// The stores of all parts make the store of the whole input.
struct StoreMergerTests {
    @Test(arguments: Effort.some([7, 1, 2], fast: 2), Effort.some([1, 2, 3] as [UInt64], fast: 1))
    func `the stores of parts make the store of one run, and go on like it`(count: Int, seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let input = PartedInput(seed: seed, records: 150)
        let whole = try input.makeStore(folder("whole.db"))
        let parts = try input.makeParts(count, in: folder)
        let counts = try StoreMerger(parts).merge(into: folder("merged.db"))

        let merged = try SQLiteStore(path: folder("merged.db"))
        let expected = try export(whole)
        try #require(try export(merged) == expected)
        #expect(counts.parts == count)
        #expect(counts.events == expected.split(separator: "\n").count { $0.contains("\"kind\":") })
        #expect(counts.events > 1000)
        for table in ["center", "notification", "event", "device", "installation", "held", "live_activity"] {
            let last = try folder.sqlite3("merged.db", sql: "SELECT max(id) = count(*), max(id) > 0 FROM \(table);")
            #expect(last == ["1,1"], "\(table)")
        }
        for table in ["subscription", "last_record", "progress"] {
            #expect(
                try folder.sqlite3("merged.db", sql: "SELECT * FROM \(table);").count
                    == folder.sqlite3("whole.db", sql: "SELECT * FROM \(table);").count, "\(table)")
        }
        #expect(try folder.sqlite3("merged.db", sql: "PRAGMA integrity_check; PRAGMA foreign_key_check;") == ["'ok'"])
        #expect(try merged.part() == nil)

        let more = (0..<40).flatMap { number in
            [
                apns(device: "device-\(number)", collapseID: "id1", body: "more", badge: number),
                apns(device: "device-\(number)", app: "org.example.mail", collapseID: "push-\(number * 3)"),
            ]
        }
        #expect(try merged.run(more) == whole.run(more))
        #expect(try export(merged) == export(whole))
    }

    @Test func `the order in which parts are named makes no difference, and a folder names its stores`() throws {
        let folder = try TemporaryFolder()
        let input = PartedInput(seed: 4, records: 60)
        let parts = try input.makeParts(3, in: folder)
        try folder.write("{}\n", to: "part-00000.ndjson")
        let merged = try TemporaryFolder()
        // One that failed earlier may be there.
        _ = try SQLiteStore(path: folder("out.db"))
        try StoreMerger([folder.path]).merge(into: folder("out.db"))
        #expect(try SQLiteStore(path: folder("out.db")).events().isEmpty == false)
        _ = try folder.sqlite3("out.db", sql: "PRAGMA journal_mode = DELETE;")
        try folder.write("", to: "out.db")
        try StoreMerger(parts.reversed()).merge(into: merged("a.db"))
        try StoreMerger([folder.path]).merge(into: merged("b.db"))
        #expect(
            try export(SQLiteStore(path: merged("a.db"))) == export(SQLiteStore(path: merged("b.db"))))
    }

    @Test func `progress counts rows while the merge goes on, and may end it`() throws {
        let folder = try TemporaryFolder()
        let parts = try PartedInput(seed: 5, records: 400).makeParts(2, in: folder)
        var rows: [Int] = []
        let counts = try StoreMerger(parts).merge(into: folder("all.db")) { rows.append($0.rows) }
        #expect(rows.first == 4096)
        #expect(rows == rows.sorted())
        #expect(counts.rows >= rows.last ?? 0)
        #expect(throws: Interruption.self) {
            try StoreMerger(parts).merge(into: folder("none.db")) { _ in throw Interruption() }
        }
        #expect(try SQLiteStore(path: folder("none.db")).events().isEmpty)
        try StoreMerger(parts).merge(into: folder("none.db"))
        #expect(try SQLiteStore(path: folder("none.db")).events().count == counts.events)
    }

    @Test func `offsets of streams, counted pushes and redaction are kept`() throws {
        let folder = try TemporaryFolder()
        let parts = try PartedInput(seed: 6, records: 20).makeParts(2, in: folder)
        let hidden = "INSERT INTO redaction VALUES (1, 'all', 'k');"
        _ = try folder.sqlite3(
            "part-00000.db",
            sql: "INSERT INTO stream_offset VALUES ('pushes/0', '9'), ('pushes/1', '10');"
                + "INSERT INTO rate_window VALUES ('token', 'a', 5, 2);" + hidden)
        _ = try folder.sqlite3(
            "part-00001.db",
            sql: "INSERT INTO stream_offset VALUES ('pushes/0', '10'), ('events', '1526919030474-55');"
                + "INSERT INTO rate_window VALUES ('token', 'b', 5, 3);"
                + "INSERT INTO input VALUES ('/x', 1, 2, 3, 'l', 4, 0, 0, 0, NULL, NULL, 0, NULL);"
                + "INSERT INTO last_report VALUES (1, '{}');" + hidden)
        try StoreMerger(parts).merge(into: folder("all.db"))
        let merged = try SQLiteStore(path: folder("all.db"))
        let expected = [
            StreamOffset(stream: "events", offset: "1526919030474-55"), StreamOffset(stream: "pushes/0", offset: "10"),
            StreamOffset(stream: "pushes/1", offset: "10"),
        ]
        #expect(try merged.streamOffsets() == expected)
        #expect(try merged.redaction == StoreRedaction(parts: "all", keyMark: "k"))
        #expect(
            try folder.sqlite3("all.db", sql: "SELECT * FROM rate_window; SELECT count(*) FROM input, last_report;")
                == ["'token','a',5,2", "'token','b',5,3", "0"])
    }

    @Test func `each table is copied, joined or about the files of a part`() {
        let joined = ["part", "progress", "input", "last_report", "last_record", "stream_offset", "redaction"]
        #expect(Set(StoreMerger.tables.map(\.name) + joined) == Set(StoreSchema.tables.map(\.name)))
    }

    // MARK: - Refusals

    private func refusal(_ paths: [String], into path: String, isPartial: Bool = false) throws -> String {
        let error = #expect(throws: StoreError.self) {
            try StoreMerger(paths, isPartial: isPartial).merge(into: path)
        }
        return try #require(error).message
    }

    @Test func `what does not fit together is refused, and the message says why`() throws {
        let folder = try TemporaryFolder()
        let input = PartedInput(seed: 7, records: 30)
        let parts = try input.makeParts(3, in: folder)
        let out = folder("out.db")
        #expect(try refusal([parts[1]], into: out).contains("of which 2 are not named: 0, 2; name all"))
        #expect(try refusal(parts + [parts[0]], into: out).contains("is part 0 of 3, as"))
        try StoreMerger([parts[1]], isPartial: true).merge(into: folder("partial.db"))
        #expect(try SQLiteStore(path: folder("partial.db")).events().isEmpty == false)

        let others = try TemporaryFolder()
        let five = try input.makeParts(5, in: others)
        #expect(try refusal([parts[0], five[1]], into: out).contains("is one of 3; name parts of one partition"))

        let plain = try input.makeStore(folder("plain.db"))
        #expect(try refusal(parts + [folder("plain.db")], into: out).contains("is a store, but not one of a part"))
        #expect(try refusal(parts, into: folder("plain.db")).contains("is not empty"))
        #expect(try plain.events().isEmpty == false)
        #expect(try refusal(parts, into: parts[0]).contains("is not empty"))
        try folder.write("text that is long enough to be looked at", to: "text")
        #expect(try refusal(parts + [folder("text")], into: out).contains("not an SQLite database"))
        #expect(try refusal([folder("none")], into: out).contains("No such file"))
        let empty = try TemporaryFolder()
        #expect(try refusal([empty.path], into: out).contains("is a directory; name a file in it, or"))
    }

    @Test func `incomplete parts, and those of other inputs, hidden otherwise, of another schema are refused`() throws {
        let folder = try TemporaryFolder()
        let parts = try PartedInput(seed: 8, records: 30).makeParts(2, in: folder)
        let out = folder("out.db")
        func change(_ sql: String, andBack back: String) throws -> String {
            _ = try folder.sqlite3("part-00001.db", sql: sql)
            defer { _ = try? folder.sqlite3("part-00001.db", sql: back) }
            return try refusal(parts, into: out)
        }
        #expect(
            try change("UPDATE part SET is_complete = 0;", andBack: "UPDATE part SET is_complete = 1;")
                .contains("is part 1 of 2, whose input was not read to its end"))
        #expect(
            try change("UPDATE progress SET last_sequence = 31;", andBack: "UPDATE progress SET last_sequence = 30;")
                .contains("its input ends with record 31, and that of"))
        #expect(
            try change("INSERT INTO redaction VALUES (1, 'all', 'k');", andBack: "DELETE FROM redaction;")
                .contains("other texts are hidden than"))
        #expect(
            try change(
                "PRAGMA user_version = 999;", andBack: "PRAGMA user_version = \(StoreSchema.version);"
            ).contains("written by another version of pushpipe"))
        try StoreMerger(parts).merge(into: out)
    }

    @Test func `a device in two parts is refused`() throws {
        let folder = try TemporaryFolder()
        let parts = try PartedInput(seed: 9, records: 30).makeParts(2, in: folder)
        for name in ["part-00000.db", "part-00001.db"] {
            let sql = "INSERT INTO device (device, platform, online) VALUES ('twice', 'ios', 1);"
            _ = try folder.sqlite3(name, sql: sql)
        }
        let message = try refusal(parts, into: folder("out.db"), isPartial: true)
        #expect(message.hasPrefix("has a row of a device that another store also has"))
    }
}
