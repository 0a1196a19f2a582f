import Foundation
import TestSupport
import Testing

/// `pushpipe partition` and `pushpipe merge`: arguments, streams and statuses.
struct PartitionCommandTests {
    private static let records = (1...9).map { #"{"device":"d\#($0)","payload":{"aps":{"alert":"a"}}}"# + "\n" }
        .joined()

    @Test func `parts come from standard input`() throws {
        let folder = try Folder()
        let output = try folder.pushpipe("partition", "--parts", "3", "--output", "out", stdin: Self.records)
        #expect(output.status == 0)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.hasPrefix("9 records in 3 parts, "))
        let lines = try (0..<3).flatMap { try folder.read("out/part-0000\($0).ndjson").split(separator: "\n") }
        #expect(lines.count == 9 + 6)
    }

    @Test func `an engine divides by the key column`() throws {
        let folder = try Folder()
        try folder.write(Self.records, to: "in.ndjson")
        let output = try folder.shell(
            """
            pushpipe partition -q in.ndjson --parts 3 --output files &&
            pushpipe partition -q in.ndjson --parts 3 --key-column | sort -t "$(printf '\\t')" -k1,1n -k2,2n >sorted &&
            for part in 0 1 2; do
                awk -F '\\t' -v part=$part '$1 == part' sorted | cut -f 3- | cmp - files/part-0000$part.ndjson || exit 1
            done
            """)
        #expect(output.status == 0, "\(output.stderr)")
    }

    @Test func `a compressed file is divided as its text`() throws {
        let folder = try Folder(["in": Self.records])
        let divide = "pushpipe partition -q --parts 3 --key-column"
        let output = try folder.shell("gzip -c in > in.gz && \(divide) < in > a && \(divide) < in.gz > b && cmp a b")
        #expect(output.status == 0, "\(output.stderr)")
        let damaged = try folder.shell("gzip -c in | head -c 60 > cut.gz; \(divide) cut.gz")
        #expect(damaged.status == 2 && damaged.stderr.contains("cut.gz: is damaged"), "\(damaged.stderr)")
    }

    @Test func `pipes with the names of parts stay pipes`() throws {
        let folder = try Folder()
        try folder.write(Self.records, to: "in.ndjson")
        let output = try folder.shell(
            """
            mkdir out && mkfifo out/part-00000.ndjson out/part-00001.ndjson
            cat out/part-00000.ndjson >zero & cat out/part-00001.ndjson >one &
            pushpipe partition -q in.ndjson --parts 2 --output out && wait &&
            pushpipe partition -q in.ndjson --parts 2 --output files && cat files/* | cmp - <(cat zero one)
            """)
        #expect(output.status == 0, "\(output.stderr)")
    }

    @Test func `a part without a reader is an error that names it`() throws {
        let folder = try Folder()
        try folder.write(String(repeating: Self.records, count: 4000), to: "in.ndjson")
        let output = try folder.shell(
            """
            mkdir out && mkfifo out/part-00001.ndjson
            head -c 10 out/part-00001.ndjson >head &
            pushpipe partition -q in.ndjson --parts 2 --output out
            """)
        #expect(output.status == 2)
        #expect(
            output.stderr.contains("part 1 of 2: out/part-00001.ndjson cannot be written: Broken pipe"),
            "\(output.stderr)")
    }

    @Test func `reports are merged`() throws {
        let folder = try Folder()
        try folder.write("{\"seq\":1}\n{\"seq\":4}\n", to: "a.ndjson")
        try folder.write("{\"seq\":2}\n", to: "b.ndjson")
        let output = try folder.pushpipe("merge", "-q", "a.ndjson", "b.ndjson")
        #expect(output.text == "{\"seq\":1}\n{\"seq\":2}\n{\"seq\":4}\n")
        #expect(output.stderr.isEmpty)
        let all = try folder.pushpipe("merge", ".")
        #expect(all.text == output.text)
        #expect(all.stderr.hasPrefix("3 lines of 2 reports"))
    }

    @Test func `a report that is cut off is merged as far as it goes`() throws {
        let folder = try Folder()
        try folder.write("{\"seq\":1}\n{\"seq\":4", to: "a.ndjson")
        let output = try folder.pushpipe("merge", "-q", "a.ndjson")
        #expect(output.status == 3)
        #expect(output.text == "{\"seq\":1}\n")
        #expect(output.stderr == "pushpipe: a.ndjson: line 2: the line does not end: the report is incomplete\n")
    }

    @Test func `a record that depends on other parts ends the command, which says why`() throws {
        let folder = try Folder()
        let subscription = #"{"event":"subscribe","device":"d1","topic":"news"}"# + "\n"
        try folder.write(Self.records + subscription, to: "in.ndjson")
        let output = try folder.pushpipe("partition", "-q", "--parts", "3", "--output", "out", "in.ndjson")
        #expect(output.status == 2)
        #expect(
            output.stderr
                == "pushpipe: in.ndjson: record 10 subscribes to topics, or ends subscriptions, so the input cannot be divided; "
                + "run it as a whole, or leave such records out\n")
        #expect(try !folder.read("out/part-00000.ndjson").contains("\"end\":true"))
    }

    @Test func `reports and stores of parts, merged, are those of one run`() throws {
        let requests = [
            #"{"event":"device","device":"d1","app":"a","online":false}"#,
            #"{"registration_ids":["d1","d2","d3","d4",""],"time_to_live":60,"notification":{"title":"t"}}"#,
            #"{"event":"clock","advance":"1h"}"#, #"{"to":"d2","notification":{"title":"u"}}"#,
        ]
        let folder = try Folder()
        try folder.write(Self.records + requests.joined(separator: "\n") + "\n", to: "in.ndjson")
        let output = try folder.shell(
            """
            export="pushpipe store export --complete --events"
            pushpipe run -q --clock 0 --store whole.db in.ndjson >whole && mkdir reports stores &&
            pushpipe partition -q --parts 4 --output parts in.ndjson &&
            for part in 0 1 2 3; do
                pushpipe run -q --clock 0 --store stores/$part.db parts/part-0000$part.ndjson >reports/$part.ndjson || exit 1
            done
            pushpipe merge -q reports | cmp - whole && pushpipe merge -q stores --store merged.db &&
            $export merged.db | cmp - <($export whole.db)
            """)
        #expect(output.status == 0, "\(output.stderr)")
        #expect(try folder.read("whole").contains(#""outcome":"expired""#))
    }

    @Test(arguments: [
        ["partition"], ["partition", "--parts", "4"], ["partition", "--parts", "0", "--output", "x"],
        ["partition", "--parts", "5000", "--output", "x"],
        ["partition", "--parts", "4", "--output", "x", "--key-column"],
        ["partition", "--parts", "4", "--output", "x", "--by", "app"], ["merge"], ["merge", "missing.ndjson"],
        ["partition", "--parts", "4", "--output", "x", "--first-seq", "0"],
        ["partition", "--parts", "4", "--output", "x", "missing.ndjson"],
    ])
    func `invalid usage is status 2`(arguments: [String]) throws {
        let folder = try Folder()
        let output = try folder.pushpipe(arguments: arguments)
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(!output.stderr.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
    }

    @Test(arguments: [["help", "partition"], ["merge", "--help"]]) func `help helps`(arguments: [String]) throws {
        let output = try Folder().pushpipe(arguments: arguments)
        #expect(output.status == 0)
        #expect(
            output.text.contains("USAGE: pushpipe \(arguments.first { $0.hasPrefix("p") || $0.hasPrefix("m") } ?? "")"))
    }
}
