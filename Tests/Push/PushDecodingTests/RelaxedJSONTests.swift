import PushDecoding
import PushModel
import Testing

@Suite struct RelaxedJSONTests {
    /// How often each kind of change was made.
    struct Counts: Equatable, Sendable {
        var quotes = 0
        var keys = 0
        var commas = 0
    }

    static func strict(_ text: String) -> (text: String, counts: Counts)? {
        let result = Array(text.utf8).withUnsafeBytes { RelaxedJSON.strict($0) }
        return result.map { (text, changes) in
            let counts = Counts(
                quotes: changes.singleQuotes, keys: changes.bareKeys, commas: changes.trailingCommas)
            return (String(decoding: text, as: UTF8.self), counts)
        }
    }

    // MARK: - Conversions

    @Test(arguments: [
        ("{'a':'b'}", #"{"a":"b"}"#, Counts(quotes: 2)),
        ("{a:1}", #"{"a":1}"#, Counts(keys: 1)),
        ("{a:1,b:2}", #"{"a":1,"b":2}"#, Counts(keys: 2)),
        ("{ _a1 : 1, $b-c : 2 }", #"{ "_a1" : 1, "$b-c" : 2 }"#, Counts(keys: 2)),
        ("{thread-id:'x'}", #"{"thread-id":"x"}"#, Counts(quotes: 1, keys: 1)),
        ("{true:true,null:null}", #"{"true":true,"null":null}"#, Counts(keys: 2)),
        (#"{"a":1,}"#, #"{"a":1}"#, Counts(commas: 1)),
        ("[1,2,]", "[1,2]", Counts(commas: 1)),
        ("[1, \n ]", "[1 \n ]", Counts(commas: 1)),
        (#"[{"a":[1,],},]"#, #"[{"a":[1]}]"#, Counts(commas: 3)),
        ("['it\\'s']", #"["it's"]"#, Counts(quotes: 1)),
        (#"['say "hi"']"#, #"["say \"hi\""]"#, Counts(quotes: 1)),
        (#"['say \"hi\"']"#, #"["say \"hi\""]"#, Counts(quotes: 1)),
        (#"['a\\']"#, #"["a\\"]"#, Counts(quotes: 1)),
        (#"['\n\u00e9é']"#, #"["\n\u00e9é"]"#, Counts(quotes: 1)),
        ("['']", #"[""]"#, Counts(quotes: 1)),
        ("['a,]','{b:1}']", #"["a,]","{b:1}"]"#, Counts(quotes: 2)),
        ("{a:'b',}", #"{"a":"b"}"#, Counts(quotes: 1, keys: 1, commas: 1)),
    ])
    func `what is relaxed is made strict and counted`(relaxed: String, expected: String, counts: Counts) throws {
        let result = try #require(Self.strict(relaxed))
        #expect(result.text == expected)
        #expect(result.counts == counts)
        #expect(Self.strict(expected) == nil)
    }

    // MARK: - Unchanged texts

    @Test(arguments: [
        #"{"a":"it's"}"#, #"{"a":"'b'"}"#, #"{"a":"{b:1,}"}"#, #"["[1,]"]"#, #"{"a\"b:":1}"#, #"["\\",1]"#,
        #"["\\\"',]"]"#,
        "[true,false,null]", #"{"a":true,"b":null}"#, "[1e5,-2.5E+3]", "[]", "{}", #""""#, "5", "", " \n\t",
        #"{"aps":{"alert":"Can't, won't,]"}}"#, #"["é'日"]"#,
    ])
    func `strict text and the contents of strings are left alone`(text: String) {
        #expect(Self.strict(text) == nil)
    }

    @Test func `strict records of every format are left alone`() {
        for record in GoodRecords.all { #expect(Self.strict(record) == nil, "\(record)") }
    }

    /// Mutations of valid records: those that are still JSON must be returned unchanged.
    @Test func `whatever is strict JSON is returned unchanged`() {
        var mutator = RecordMutator(seed: 7)
        var strictCount = 0
        for _ in 0..<2000 {
            let bytes = mutator.next()
            guard readAll(bytes).allSatisfy({ $0.decodeFailure?.rule.hasPrefix("json.") != true }) else { continue }
            strictCount += 1
            let isUntouched = bytes.withUnsafeBytes { RelaxedJSON.strict($0) == nil }
            #expect(isUntouched, "\(String(decoding: bytes, as: UTF8.self))")
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
