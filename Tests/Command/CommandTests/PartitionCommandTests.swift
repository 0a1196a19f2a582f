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
            pushpipe partition -q in.ndjson --parts 3 --key-column | sort -t "$(printf '\\t')" -k1,1n -k2,2n -k3,3n >sorted &&
            for part in 0 1 2; do
                awk -F '\\t' -v part=$part '$1 == part' sorted | cut -f 4- | cmp - files/part-0000$part.ndjson || exit 1
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

    /// The devices are in different parts, so that each has an activity of the channel.
    @Test func `a broadcast that is rejected has one line in all parts together`() throws {
        func push(_ device: String, _ channel: String, _ aps: String) -> String {
            #"{\#(device)"headers":{"apns-topic":"org.a.push-type.liveactivity","apns-push-type":"liveactivity"\#(channel)},"#
                + #""payload":{"aps":{"timestamp":1,\#(aps)}}}"#
        }
        let start =
            #""event":"start","content-state":{},"attributes-type":"T","attributes":{},"alert":{"title":"t","body":"b"},"#
            + #""input-push-channel":"Y2hhbm5lbA==""#
        let channel = #","apns-channel-id":"Y2hhbm5lbA==""#
        let update = #""event":"update","content-state":{}"#
        let large = #""event":"update","content-state":{"a":"\#(String(repeating: "x", count: 6000))"}"#
        let records =
            ["aa00", "aa01", "aa02", "aa03"].map { push(#""device":"\#($0)","#, "", start) } + [
                push("", channel, update), push("", channel, large),
                push("", channel + #","apns-priority":"7""#, update),
                push("", channel, update),
            ]
        let folder = try Folder()
        try folder.write(records.joined(separator: "\n") + "\n", to: "in.ndjson")
        let output = try folder.shell(
            """
            pushpipe run -q --clock 0 in.ndjson >whole && mkdir reports &&
            pushpipe partition -q --clock 0 --parts 4 --output parts in.ndjson &&
            for part in 0 1 2 3; do
                pushpipe run -q --clock 0 parts/part-0000$part.ndjson >reports/$part.ndjson || exit 1
            done
            cat reports/* | grep -c PayloadTooLarge
            pushpipe merge -q reports | cmp - whole
            """)
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.text == "1\n")
    }

    @Test(arguments: [
        ["partition"], ["partition", "--parts", "4"], ["partition", "--parts", "0", "--output", "x"],
        ["partition", "--parts", "5000", "--output", "x"],
        ["partition", "--parts", "4", "--output", "x", "--key-column"],
        ["partition", "--parts", "4", "--output", "x", "--by", "app"], ["merge"], ["merge", "missing.ndjson"],
        ["partition", "--parts", "4", "--output", "x", "--clock", "noon"],
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
