import Foundation
import TestSupport
import Testing

/// `pushpipe store export` and `import`: round trips.
struct StoreImportTests {
    private func filled() throws -> Folder {
        let folder = try Folder()
        let records =
            apns("1 of 98", collapse: "result") + apns("made up")
            + #"{"device":"cd","headers":{"apns-topic":"org.example.mail"},"payload":{"aps":{"badge":4}}}"# + "\n"
        #expect(try folder.pushpipe("run", "-q", "--format", "none", "--store", "a.db", stdin: records).status == 0)
        return folder
    }

    @Test func `an import reports what it has stored`() throws {
        let folder = try filled()
        for (options, summary) in [
            (["--events"], "imported 2 notifications, 2 apps on devices, 3 lines of the journal\n"),
            (["--complete"], "imported 2 notifications, 2 apps on devices\n"), ([], "imported 2 notifications\n"),
        ] {
            let export = try folder.pushpipe(arguments: ["store", "export", "a.db"] + options)
            #expect(export.status == 0)
            let store = "copy\(options.first ?? "").db"
            let imported = try folder.pushpipe(arguments: ["store", "import", "--store", store], stdin: export.stdout)
            #expect(imported.status == 0)
            #expect(imported.stdout.isEmpty)
            #expect(imported.stderr == summary)
            #expect(
                try folder.pushpipe(arguments: ["store", "export", "--store", store] + options).stdout == export.stdout)
        }
    }

    @Test func `a day of generated traffic is restored byte for byte`() throws {
        let folder = try Folder()
        let make =
            "pushpipe generate --count 3000 --malformed-rate 0.02 | "
            + "pushpipe run -q --format none --replace-by custom-payload-id --store a.db"
        #expect(try folder.shell(make).status == 0)
        let copy =
            "pushpipe store export --complete --events a.db > 1 && pushpipe store import -q b.db 1 && pushpipe store export --complete --events b.db > 2"
        let output = try folder.shell(copy)
        #expect(output.status == 0)
        #expect(output.stderr.isEmpty)
        let first = try folder.read("1")
        #expect(first.utf8.count > 1_000_000)
        #expect(try folder.read("2") == first)
        // A second import changes nothing.
        #expect(try folder.shell("pushpipe store export --complete a.db | pushpipe store import -q b.db").status == 0)
        #expect(try folder.shell("pushpipe store export --complete --events b.db | cmp - 1").status == 0)
    }

    @Test func `several exports can be imported into one store`() throws {
        let folder = try Folder()
        for (name, device) in [("a", "ab54"), ("b", "cd76")] {
            let records = apns("from \(name)", device: device) + apns("too", device: device)
            #expect(try folder.pushpipe("run", "-q", "--store", "\(name).db", stdin: records).status == 0)
            #expect(try folder.shell("pushpipe store export --complete \(name).db > \(name)").status == 0)
        }
        #expect(try folder.pushpipe("store", "import", "--store", "c.db", "a", "b").status == 0)
        #expect(try folder.shell("cat a b | pushpipe store import d.db -").status == 0)
        let both = try folder.pushpipe("store", "show", "c.db")
        #expect(try both.values("body").compactMap { $0?.string } == ["too", "from b", "too", "from a"])
        #expect(try folder.pushpipe("store", "show", "d.db").stdout == both.stdout)
    }

    @Test(arguments: [0o000, 0o022, 0o077])
    func `only its owner can read an imported store`(mask: Int) throws {
        let folder = try filled()
        let line =
            "umask \(String(mask, radix: 8)); pushpipe store export --complete a.db | pushpipe store import -q b.db; ls -l b.db*"
        let output = try folder.shell(line)
        #expect(output.lines.count >= 1)
        #expect(output.lines.allSatisfy { $0.hasPrefix("-rw-------") }, "\(output.text)")
    }

    @Test func `an invalid line is reported by its position, and nothing is imported`() throws {
        let folder = try filled()
        let export = try folder.pushpipe("store", "export", "--complete", "--events", "a.db").stdout
        try folder.write(Array(export) + Array("{\n".utf8), to: "bad.ndjson")
        let lines = export.count { $0 == UInt8(ascii: "\n") } + 1
        for store in ["a.db", "new.db"] {
            let output = try folder.pushpipe("store", "import", store, "bad.ndjson")
            #expect(output.status == 2)
            #expect(output.stdout.isEmpty)
            #expect(output.stderr.hasPrefix("pushpipe: bad.ndjson:\(lines): not JSON at byte 2"), "\(output.stderr)")
            #expect(output.stderr.split(separator: "\n").count == 1)
        }
        #expect(try folder.pushpipe("store", "export", "--complete", "--events", "a.db").stdout == export)
        #expect(try folder.pushpipe("store", "list", "new.db").stdout.isEmpty)
        let cut = try folder.shell("pushpipe store export --complete a.db | head -n 4 | pushpipe store import b.db")
        #expect(cut.status == 2)
        #expect(cut.stderr.hasPrefix("pushpipe: <stdin>:4: the export ends before its last line"), "\(cut.stderr)")
    }

    @Test func `a missing file or a folder is detected before a store is created`() throws {
        let folder = try Folder()
        for input in ["none.ndjson", "."] {
            let output = try folder.pushpipe("store", "import", "new.db", input)
            #expect(output.status == 2)
            #expect(output.stderr.contains(input))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("new.db")))
    }
}
