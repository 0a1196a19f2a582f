import PushDecoding
import PushJSONRepair
import PushModel
import Testing

@Suite struct RelaxedJSONTests {
    static func isUntouched(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { RelaxedReading($0).changes.isEmpty } }

    // MARK: - Unchanged texts

    @Test func `strict records of every format are left alone`() {
        for record in GoodRecords.all { #expect(Self.isUntouched(Array(record.utf8)), "\(record)") }
    }

    /// Mutations of valid records: those that are still JSON must be returned unchanged.
    @Test func `whatever is strict JSON is returned unchanged`() {
        var mutator = RecordMutator(seed: 7)
        var strictCount = 0
        for _ in 0..<2000 {
            let bytes = mutator.next()
            guard readAll(bytes).allSatisfy({ $0.decodeFailure?.rule.hasPrefix("json.") != true }) else { continue }
            strictCount += 1
            #expect(Self.isUntouched(bytes), "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(strictCount > 100)
    }

    // MARK: - Records

    @Test(arguments: [
        ("{aps:{alert:'x'}}", "1 string in single quotes, 2 bare member names"),
        ("{'aps':{\"alert\":\"x\"}}", "1 string in single quotes"),
        ("{aps:{\"alert\":\"x\",},}", "1 bare member name, 2 trailing commas"),
    ])
    func `a relaxed record is read, and a finding says what was changed`(record: String, changes: String) throws {
        let reading = try read(record) { $0.acceptsRelaxedJSON = true }
        #expect(reading.isAccepted)
        #expect(reading.shown.body == "x")
        try #require(reading.rules == ["json.relaxed"])
        #expect(reading.findings[0].severity == .info)
        #expect(reading.findings[0].message.hasSuffix(changes))
        #expect(try read(record).decodeFailure?.rule == "json.syntax")
    }

    @Test func `a strict record has no such finding`() throws {
        #expect(try read(#"{"aps":{"alert":"it's"}}"#) { $0.acceptsRelaxedJSON = true }.findings.isEmpty)
    }

    @Test func `duplicates in a relaxed record are found, and its messages numbered`() {
        let duplicate = readAll("{aps:{alert:'x',alert:'y'}}") { $0.acceptsRelaxedJSON = true }
        #expect(duplicate.first?.shown.body == "y")
        #expect(duplicate.first?.rules.sorted() == ["json.duplicate-key", "json.relaxed"])
        let several = readAll("{registration_ids:['a','b']}") { $0.acceptsRelaxedJSON = true }
        #expect(several.map(\.target) == [0, 1])
        #expect(several.map(\.device) == ["a", "b"])
        #expect(several.map(\.findings.count) == [1, 0])
    }

    @Test(arguments: [
        "{aps:{alert:'x}}", "{aps:{alert:'x'}", "{aps:{alert:'x'}}}", "{aps:alert:'x'}", "['a' 'b']", "{a:1,,}",
        "{,a:1}",
        "{a 1}", "{a:}", "{a:b}", "{a-b c:1}", "[,]", "{,}", "{a:1};", "'", "{'a", #"{"a":'\x'}"#, "{1a:1}",
        "{a:undefined}",
        "{\"a\":\"unterminated, b:'c'}", "{a:1 // note\n}", "{'a':'line\nfeed'}", "x'y'", "{aps:{alert:'\u{1}'}}",
    ])
    func `a record that stays broken reports what stopped the reader that came further`(record: String) throws {
        let original = try #require(try read(record).decodeFailure)
        let relaxed = try #require(try read(record) { $0.acceptsRelaxedJSON = true }.decodeFailure)
        #expect(relaxed.offset > original.offset || relaxed == original)
        #expect(relaxed.offset <= record.utf8.count)
    }

    @Test(arguments: [
        ("{aps:{alert:'x' 'y'}}", 16), ("{aps:{alert:'x'}", 16), ("{a:1,,}", 5), ("{a:undefined}", 3), ("{a:1};", 5),
        ("['a' 'b']", 5), ("{,a:1}", 1), ("x'y'", 0),
    ])
    func `relaxed reading does not blame what it accepts`(record: String, offset: Int) throws {
        #expect(try read(record) { $0.acceptsRelaxedJSON = true }.decodeFailure?.offset == offset)
    }

    @Test(arguments: [
        ("{payload:5}", "record.payload-type", 9), ("{'payload':5}", "record.payload-type", 11),
        ("{aps1:{},provider:'x'}", "record.unknown-shape", 18),
        ("{a:'\"\"', provider:'x'}", "record.unknown-shape", 18),
        ("  [1,]", "record.not-an-object", 2), ("{x:1,\npayload:5}", "record.payload-type", 14),
    ])
    func `a relaxed record without a message is pointed at as it was written`(
        record: String, rule: String, offset: Int
    ) throws {
        let decodeFailure = try #require(try read(record) { $0.acceptsRelaxedJSON = true }.decodeFailure)
        #expect(decodeFailure.rule == rule)
        #expect(decodeFailure.offset == offset)
    }
}
