import Foundation
import TestSupport
import Testing

/// CSV as RFC 4180 specifies it, read by Python's reader, an independent implementation.
struct StoreCSVTests {
    private static let texts = [
        "plain", "say \"hi\"", "a, b", "two\nlines", "two\r\nlines", "\"", "\"\",\"\"", "=1+1", " space ", "",
        "日本 😀", "it's; it\tis",
    ]

    /// A notification for each text, in title and body.
    private func filled() throws -> Folder {
        let folder = try Folder()
        let records = try Self.texts.map { text in
            let quoted = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
            return #"{"to":"ab,54","notification":{"title":\#(quoted),"body":"x"}}"# + "\n"
        }
        try folder.write(records.joined(), to: "in")
        #expect(try folder.pushpipe("run", "-q", "--store", "s.db", "--clock", "0", "in").status == 0)
        return folder
    }

    /// Rows of cells as another program reads them.
    private func rows(_ csv: Data, _ folder: Folder) throws -> [[String]] {
        try folder.write(csv, to: "csv")
        let program =
            "import csv,json;print(json.dumps(list(csv.reader(open('csv',newline='',encoding='utf-8'),strict=True))))"
        let output = try folder.shell("python3 -c \"\(program)\"")
        #expect(output.stderr.isEmpty)
        return try JSONDecoder().decode([[String]].self, from: output.stdout)
    }

    @Test(arguments: ["export", "show"])
    func `every text survives a round trip`(command: String) throws {
        let folder = try filled()
        let output = try folder.pushpipe("store", command, "s.db", "--format", "csv")
        #expect(output.status == 0)
        #expect(output.stderr.isEmpty)
        let rows = try rows(output.stdout, folder)
        #expect(
            rows.first == [
                "seq", "device", "app", "identifier", "title", "subtitle", "body", "thread", "badge", "delivered_at",
                "payload", "changes",
            ])
        try #require(rows.count == Self.texts.count + 1)
        // `show` has the newest first, `export` last.
        let inOrder = command == "show" ? rows.dropFirst().reversed() : Array(rows.dropFirst())
        for (number, (row, text)) in zip(inOrder, Self.texts).enumerated() {
            try #require(row.count == 12)
            #expect(row[0] == "\(number + 1)")
            #expect(row[1] == "ab,54")
            #expect(row[3] == "push-\(number + 1)")
            #expect(Array(row[4].utf8) == Array(text.utf8))
            #expect(row[9] == "1970-01-01T00:00:00.\(String(1000 + number).dropFirst())Z")
            let payload = try JSONDecoder().decode(JSONValue.self, from: Data(row[10].utf8))
            #expect(payload["notification"]?["title"]?.string == text)
        }
    }

    @Test func `the journal and the list can be CSV`() throws {
        let folder = try filled()
        let events = try rows(folder.pushpipe("store", "events", "s.db", "--format", "csv").stdout, folder)
        #expect(events.first == ["seq", "at", "device", "app", "kind", "identifier"])
        #expect(events.dropFirst().first == ["1", "1970-01-01T00:00:00.000Z", "ab,54", "", "delivered", "push-1"])
        #expect(events.count == Self.texts.count + 1)
        let list = try rows(folder.pushpipe("store", "list", "s.db", "--format", "csv").stdout, folder)
        #expect(
            list == [
                ["device", "app", "count", "badge", "latest"],
                ["ab,54", "", "\(Self.texts.count)", "", "1970-01-01T00:00:00.011Z"],
            ])
    }

    @Test(arguments: [["--format", "text"], ["--format", "xml"], ["--format", "csv", "--events"]])
    func `an unknown export format is refused`(options: [String]) throws {
        let output = try filled().pushpipe(arguments: ["store", "export", "s.db"] + options)
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.contains("See 'pushpipe store export -h'"))
    }
}
