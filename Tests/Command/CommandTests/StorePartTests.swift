import TestSupport
import Testing

/// The stores of parts on the command line.
struct StorePartTests {
    private let folder: Folder

    /// `a.db` and `b.db` have different devices; `part.db` is the only part of an input.
    init() throws {
        folder = try Folder()
        for (name, device) in [("a", "ab12"), ("b", "cd34")] {
            let record = #"{"device":"\#(device)","payload":{"aps":{"alert":"\#(name)","badge":1}}}"#
            _ = try folder.pushpipe("run", "-q", "--clock", "0", "--store", "\(name).db", stdin: record)
        }
        #expect(try folder.shell("cp a.db part.db; sqlite3 part.db 'INSERT INTO part VALUES (1, 0, 1, 1)'").status == 0)
    }

    @Test func `a merged store has the contents of its parts, and the summary says how many`() throws {
        let output = try folder.pushpipe("merge", "part.db", "--store", "all.db")
        #expect(output.status == 0)
        #expect(output.stderr.hasPrefix("merged 1 part in "), "\(output)")
        #expect(output.stderr.contains(": 1 notification, 1 app on devices, 1 line of the journal\n"), "\(output)")
        let export = "pushpipe store export --complete --events"
        #expect(try folder.shell("\(export) all.db").text == folder.shell("\(export) part.db").text)
        #expect(try folder.shell("\(export) part.db").lines.count == 5)
        try folder.pushpipe("merge", "part.db", "--store", "all.db")
            .expectTrouble("store all.db: is not empty; name a new file")
        #expect(try folder.pushpipe("merge", "-q", "part.db", "--store", "new.db").stderr.isEmpty)
    }

    @Test func `a merge of a store that is not a part is refused`() throws {
        #expect(try folder.pushpipe("merge", "--partial", "part.db").stderr.contains("--partial needs --store"))
        try folder.pushpipe("merge", "a.db", "--store", "x.db")
            .expectTrouble("store a.db: is a store, but not one of a part")
    }

    @Test(arguments: [
        ("UPDATE part SET is_complete = 0", "run it again with --resume, or merge what is there with --partial"),
        ("UPDATE part SET parts = 3", "name all, or merge what is there with --partial"),
        ("DELETE FROM part", "pushpipe store export --events, then pushpipe store import"),
    ])
    func `a refused merge says what to do`(sql: String, advice: String) throws {
        #expect(try folder.shell("sqlite3 part.db '\(sql)'").status == 0)
        let output = try folder.pushpipe("merge", "part.db", "--store", "x.db")
        #expect(output.status == 2)
        #expect(output.stderr.contains("\(advice)\n"), "\(output)")
    }

    @Test func `stores of parts are merged before they are read`() throws {
        let merged = "this command takes one store: merge those of parts with pushpipe merge --store"
        for command in [
            ["store", "list"], ["store", "show"], ["store", "export"], ["store", "prune", "--keep", "0"], ["view"],
        ] {
            try folder.pushpipe(arguments: command + ["a.db", "b.db"]).expectTrouble(
                "unexpected argument: b.db; \(merged)")
            try folder.pushpipe(arguments: command + ["--store", "a.db", "--store", "b.db"])
                .expectTrouble("--store is given twice; \(merged)")
        }
        try folder.pushpipe("store", "list", "a.db", "none").expectTrouble("unexpected argument: none")
        let list = try folder.shell("mkdir d; cp a.db b.db d; pushpipe store list d")
        #expect(list.status == 2 && list.stderr.contains("is a directory; name a file in it"), "\(list)")
    }

    @Test func `offsets of streams are listed`() throws {
        let sql = "INSERT INTO stream_offset VALUES ('pushes/3', '17'), ('s', '1526919030474-55')"
        #expect(try folder.shell("sqlite3 a.db \"\(sql)\"").status == 0)
        #expect(
            try folder.pushpipe("store", "offsets", "a.db").text
                == #"{"stream":"pushes/3","offset":17}"# + "\n" + #"{"stream":"s","offset":"1526919030474-55"}"# + "\n")
        let text = try folder.pushpipe("store", "offsets", "--format", "text", "a.db").text
        #expect(text.hasPrefix("stream ") && text.contains("pushes/3") && text.contains(" 17\n"), "\(text)")
    }
}
