import PushFraming
import PushJSON
import PushModel
import Testing

/// Lines of the parts of a divided input.
struct PlacedRecordTests {
    private func read(_ line: String, scansLine: Bool = false) -> Result<String, DecodeFailure> {
        var reader = PlacedRecordReader()
        var scratch = ScratchArena()
        return Array(line.utf8).withUnsafeBytes { bytes in
            reader.read(bytes, scansLine: scansLine, &scratch).map { describe($0) }
        }
    }

    /// What a line says; what is wrong with it, otherwise.
    private func meaning(_ line: String, scansLine: Bool = false) -> String {
        switch read(line, scansLine: scansLine) {
        case .success(let text): text
        case .failure(let failure): failure.message
        }
    }

    private func describe(_ read: PlacedRecord) -> String {
        let place = read.place
        var parts: [String] = []
        if let seq = place.seq { parts.append("seq \(seq)") }
        if let source = place.source {
            parts.append(
                "\(source.file.string) \(source.record) \(source.position.line):\(source.position.column) \(source.offset)"
            )
        }
        if let offset = place.streamOffset { parts.append("\(offset.stream.string) at \(offset.offset.string)") }
        if let part = place.part { parts.append("part \(part.part) of \(part.parts)") }
        if place.reportsSources { parts.append("sources") }
        if place.isEnd { parts.append("end") }
        if let excess = place.excess { parts.append("too long at \(excess.offset) \(excess.position.line)") }
        if let record = read.record { parts.append(record.string) }
        return parts.joined(separator: ", ")
    }

    private func failure(_ line: String) -> String? {
        guard case .failure(let failure) = read(line) else { return nil }
        #expect(failure.rule == "record.place")
        return failure.message
    }

    private static let canonical: [(line: String, meaning: String)] = [
        (#"{"place":{"seq":7},"record":{"a":1}}"#, #"seq 7, {"a":1}"#),
        (
            #"{"place":{"seq":7,"source":{"file":"a.ndjson","record":3,"line":7,"column":1,"offset":412}},"record":[1]}"#,
            "seq 7, a.ndjson 3 7:1 412, [1]"
        ),
        (#"{"place":{"stream":"pushes/3","offset":"17-0"},"record":{}}"#, "pushes/3 at 17-0, {}"),
        (#""pushpipe-part 1 3 of 64 5422ca25c9bc84e2""#, "seq 0, part 3 of 64"),
        (#""pushpipe-part 1 0 of 2 sources 050b214cfc3da63d""#, "seq 0, part 0 of 2, sources"),
        (#"{"place":{"seq":100,"end":true}}"#, "seq 100, end"),
    ]

    @Test(arguments: canonical) func `a line is read, with and without a scan`(_ line: String, _ expected: String) {
        #expect(meaning(line) == expected)
        #expect(meaning(line, scansLine: true) == expected)
    }

    /// Engines wrap what senders have written.
    @Test(arguments: [#"[1\"#, #"{"a":"}"#, "nonsense", #"{"a":1}}"#, "{", #""{\"#])
    func `a record that is not JSON leaves its place readable`(record: String) {
        for scansLine in [false, true] {
            #expect(meaning(#"{"place":{"seq":7},"record":\#(record)}"#, scansLine: scansLine) == "seq 7, \(record)")
        }
        #expect(
            meaning(#"{"place":{"stream":"a}\"{","offset":17,"seq":7},"record":\#(record)}"#)
                == #"seq 7, a}"{ at 17, \#(record)"#)
        #expect(
            failure(#"{"place":{"seq":7},"x":1,"record":\#(record)}"#)?.hasPrefix("this record has no place") == true)
    }

    @Test(arguments: canonical) func `what was read is written as it was`(_ line: String, _ meaning: String) throws {
        var reader = PlacedRecordReader()
        var scratch = ScratchArena()
        var out = ByteBuffer()
        try Array(line.utf8).withUnsafeBytes { bytes in
            let read = try reader.read(bytes, &scratch).get()
            PlacedRecordWriter.append(read.place, record: read.record?.bytes, isJSON: true, to: &out)
        }
        out.withText { #expect($0.string == line) }
    }

    @Test func `other programs may write it in other ways`() throws {
        #expect(
            meaning(#"{ "record" : {"a": 1}, "place": {"end":null,"offset":17,"stream":"p\u002f3","seq":1} }"#)
                == #"seq 1, p/3 at 17, {"a": 1}"#)
        #expect(meaning(#"{"place":{"stream":"p","offset":17},"record":{}}"#) == "p at 17, {}")
        #expect(
            meaning(#"{"place":{"seq":7,"source":{"file":"ä","record":1,"line":1,"column":1,"offset":0}},"record":{}}"#)
                == "seq 7, ä 1 1:1 0, {}")
        #expect(
            meaning(#"{"place":{"seq":7},"record":{"a":1},"partition":3}"#, scansLine: true) == #"seq 7, {"a":1}"#)
        #expect(meaning(#"{"place":{"seq":7},"record":null,"base64":"e30="}"#) == "seq 7, {}")
    }

    @Test func `a record that cannot stand on a line survives in Base64`() throws {
        for bytes in ["{\n \"a\": 1\n}", " {}", "{} ", "nonsense", "{\"a\":\"\u{0}", "{}}"] {
            var out = ByteBuffer()
            Array(bytes.utf8).withUnsafeBytes { record in
                PlacedRecordWriter.append(RecordPlace(seq: 1), record: record, isJSON: bytes.contains("{}"), to: &out)
            }
            out.withText { line in
                #expect(line.string.contains(#"},"base64":""#) == (bytes != "{}}"))
                if bytes != "{}}" { #expect(read(line.string) == .success("seq 1, " + bytes)) }
            }
        }
        #expect(meaning(#"{"place":{"seq":1},"base64":"/w=="}"#) == "seq 1, \u{FFFD}")
    }

    @Test func `a record over the limit leaves its place`() throws {
        let line = #"{"place":{"seq":3,"too_long":{"offset":65536,"line":2,"column":9}}}"#
        #expect(meaning(line) == "seq 3, too long at 65536 2")
        var place = RecordPlace(seq: 3)
        place.excess = RecordPlace.Excess(offset: 65536, position: TextPosition(line: 2, column: 9))
        var out = ByteBuffer()
        PlacedRecordWriter.append(place, record: nil, isJSON: false, to: &out)
        out.withText { #expect($0.string == line) }
    }

    @Test func `what is wrong with a line is said`() {
        let end = "; pushpipe partition writes placed records"
        #expect(failure(#"{"place":{},"record":{}}"#) == "place has no seq" + end)
        #expect(failure(#"{"place":7,"record":{}}"#) == "place is a number, not an object" + end)
        #expect(failure(#"{"place":{"seq":7}}"#) == "there is neither a record nor base64" + end)
        #expect(failure(#"{"place":{"seq":0},"record":{}}"#) == "place.seq is 0; records count from 1" + end)
        #expect(failure(#"{"place":{"seq":-7}}"#) == "place.seq is a number, not a whole number from 0 on" + end)
        #expect(failure(#"{"place":{"seq":7,"end":1}}"#) == "place.end is a number, not true or false" + end)
        #expect(failure(#"{"place":{"stream":"p"}}"#) == "place has a stream and no offset" + end)
        #expect(
            failure(#"{"place":{"seq":1,"source":{"file":1}}}"#) == "place.source.file is a number, not a string" + end)
        #expect(failure(#"{"place":{"seq":1},"base64":"?"}"#) == "base64 is not Base64 (RFC 4648, section 4)" + end)
        for line in ["{", #"{"record":{}}"#, "[]", #"{"device":"ab"}"#] {
            #expect(failure(line)?.hasPrefix("this record has no place") == true)
        }
    }

    /// The digest is FNV-1a of 64 bits (draft-eastlake-fnv) of the text before it.
    @Test func `a first line that is damaged or newer is refused`() {
        let header = #""pushpipe-part 1 3 of 64 5422ca25c9bc84e2""#
        #expect(meaning(header + "\r") == "seq 0, part 3 of 64")
        for wrong in [
            header.replacing(" 3 of", with: " 4 of"), header.replacing("part 1", with: "part 2"),
            String(header.dropLast(2)) + "\"", String(header.dropLast()), header.replacing("64", with: "64 more"),
        ] {
            #expect(failure(wrong)?.hasPrefix("this first line of a part is damaged, or of a newer version") == true)
        }
    }

    @Test func `a first line names a part that there is`() {
        func header(_ part: Int, _ parts: Int, _ reportsSources: Bool) -> String {
            var out = ByteBuffer()
            PartHeader.append(RecordPlace.Part(part, of: parts), reportsSources: reportsSources, to: &out)
            return String(decoding: out.bytes, as: UTF8.self)
        }
        #expect(meaning(header(1, 2, false)) == "seq 0, part 1 of 2")
        #expect(meaning(header(1, 2, true)) == "seq 0, part 1 of 2, sources")
        #expect(
            failure(header(3, 3, false))
                == "part 3 of 3 does not exist; parts count from 0, and there are at most 65536; pushpipe partition writes placed records"
        )
    }

    @Test func `a number is within what a store takes`() {
        #expect(meaning(#"{"place":{"seq":17179869183,"end":true}}"#) == "seq 17179869183, end")
        for number in ["17179869184", "9223372036854775807", "9223372036854775806", "9007199254740993"] {
            let said = "place.seq is \(number), and records have numbers up to 17179869183"
            #expect(failure(#"{"place":{"seq":\#(number),"end":true}}"#)?.hasPrefix(said) == true)
            #expect(failure(#"{"place":{"seq":\#(number)},"record":{}}"#)?.hasPrefix(said) == true)
        }
        #expect(failure(#"{"place":{"seq":9223372036854775808,"end":true}}"#) != nil)
        #expect(failure(#"{"place":{"seq":-9223372036854775808,"end":true}}"#) != nil)
    }

    @Test func `what looks like a placed record is known`() {
        func isPlaced(_ line: String) -> Bool {
            var reader = PlacedRecordReader()
            return Array(line.utf8).withUnsafeBytes { reader.isPlaced($0) }
        }
        #expect(isPlaced(#""pushpipe-part 1 3 of 64 5422ca25c9bc84e2""#))
        #expect(isPlaced(#"{"place":{"seq":0}}"#))
        #expect(isPlaced(#" { "place" : {"stream":"a", "offset":1}}"#))
        #expect(isPlaced(#"{"record":{},"place":{"seq":1}}"#))
        #expect(isPlaced(#"{"place":{"seq":1},"record":[1\}"#), "a record that is not JSON, in the form of partition")
        // An app may have a place of its own.
        #expect(!isPlaced(#" { "place" : "#))
        #expect(!isPlaced(#"{"place":"Paris","aps":{}}"#))
        #expect(!isPlaced(#"{"place":{"name":"Rome"},"aps":{}}"#))
        #expect(!isPlaced(#"{"record":{},"place":{}}"#))
        #expect(!isPlaced(#"{"record":{},"place":1}"#))
        #expect(!isPlaced(#"{"record":{}"#))
        #expect(!isPlaced(#"{"device":"ab","place":{}}"#))
        #expect(!isPlaced("[1]"))
        #expect(!isPlaced(""))
    }

    /// The values of draft-eastlake-fnv for `` and `a`, modulo a prime.
    @Test func `a device is in the part that its name says`() {
        #expect(RecordPlace.part(of: BorrowedText(""), among: 1009) == Int(UInt64(0xCBF2_9CE4_8422_2325) % 1009))
        #expect(RecordPlace.part(of: BorrowedText("a"), among: 1009) == Int(UInt64(0xAF63_DC4C_8601_EC8C) % 1009))
        #expect(RecordPlace.part(of: BorrowedText("a"), among: 1) == 0)
        let (capitals, folded) = (BorrowedText("AB12CD34"), BorrowedText("ab12cd34"))
        #expect(RecordPlace.part(of: capitals, among: 1009) == RecordPlace.part(of: folded, among: 1009))
    }
}
