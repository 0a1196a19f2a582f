import PushJSON
import PushJSONRepair
import TestSupport
import Testing

struct RelaxedReadingTests {
    /// How often each kind of change was made.
    struct Counts: Equatable, Sendable {
        var quotes = 0
        var keys = 0
        var commas = 0
    }

    static func read(_ bytes: [UInt8]) -> RelaxedReading { bytes.withUnsafeBytes { RelaxedReading($0) } }

    static func read(_ text: String) -> RelaxedReading { read(Array(text.utf8)) }

    static func strict(_ text: String) -> (text: String, counts: Counts)? {
        let reading = read(text)
        guard !reading.changes.isEmpty, let text = reading.text else { return nil }
        let counts = Counts(
            quotes: reading.changes[.singleQuotes] ?? 0, keys: reading.changes[.bareKey] ?? 0,
            commas: reading.changes[.trailingComma] ?? 0)
        return (String(decoding: text, as: UTF8.self), counts)
    }

    // MARK: - Changes

    @Test(arguments: [
        ("{'a':'b'}", #"{"a":"b"}"#, Counts(quotes: 2)),
        ("{a:1}", #"{"a":1}"#, Counts(keys: 1)),
        ("{a:1,b:2}", #"{"a":1,"b":2}"#, Counts(keys: 2)),
        ("{ _a1 : 1, $b-c : 2 }", #"{ "_a1" : 1, "$b-c" : 2 }"#, Counts(keys: 2)),
        ("{thread-id:'x'}", #"{"thread-id":"x"}"#, Counts(quotes: 1, keys: 1)),
        ("{true:true,null:null}", #"{"true":true,"null":null}"#, Counts(keys: 2)),
        ("{gcm.message_id:1,größe:2}", #"{"gcm.message_id":1,"größe":2}"#, Counts(keys: 2)),
        (#"{"a":1,}"#, #"{"a":1}"#, Counts(commas: 1)),
        ("[1,2,]", "[1,2]", Counts(commas: 1)),
        ("[1, \n ]", "[1 \n ]", Counts(commas: 1)),
        (#"[{"a":[1,],},]"#, #"[{"a":[1]}]"#, Counts(commas: 3)),
        ("['it\\'s']", #"["it's"]"#, Counts(quotes: 1)),
        ("['it's here']", #"["it's here"]"#, Counts(quotes: 1)),
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

    @Test func `any number of changes is made`() throws {
        let count = JSONRepair.maximumProblems * 3
        let text = "[" + String(repeating: "{a:'b',},", count: count) + "]"
        let result = try #require(Self.strict(text))
        #expect(result.text == "[" + String(repeating: #"{"a":"b"},"#, count: count).dropLast() + "]")
        #expect(result.counts == Counts(quotes: count, keys: count, commas: count + 1))
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
        #expect(Self.read(text).changes.isEmpty)
    }

    /// The mistakes that only `JSONRepair` repairs, with the place of the first.
    @Test(arguments: [
        ("{a:1,,}", 5), ("{,}", 1), ("[,]", 1), ("{a:1;}", 4), ("{a:1},", 5), ("[1,", 3), ("{a 1}", 3), ("{a=1}", 2),
        ("{1a:1}", 1), ("{1:1}", 1), ("{a\":1}", 1), ("{a:None}", 3), ("{a:01}", 4), ("{a:b}", 3), ("{a:1 b:2}", 5),
        ("{a:1}}", 5), ("{a:[1}", 5), ("{a:1 // note\n}", 5), ("[‘a’]", 1), ("['a’]", 7), (#"{a:"say "hi""}"#, 9),
        ("[1,\u{A0}2]", 3), ("\u{FEFF}[1,]", 0), (#"{a:'\x41'}"#, 5), ("{a:'\t'}", 4), ("['a''b']", 4),
        ("{a:'Rock 'n' Roll'}", 10), ("{a:'x", 5),
    ])
    func `nothing else is read as it was meant`(text: String, offset: Int) {
        let reading = Self.read(text)
        #expect(reading.text == nil)
        #expect(reading.fault?.offset == offset)
    }

    @Test func `a name that is not UTF-8 stays as it is`() {
        let reading = Self.read([0x7B, 0xFF, 0x3A, 0x31, 0x7D])
        #expect(reading.text == nil)
        #expect(reading.fault == JSONFault(.invalidUTF8, at: 1))
    }

    @Test func `512 levels are read, 513 are not`() {
        func nested(_ levels: Int) -> RelaxedReading {
            Self.read(String(repeating: "[", count: levels) + "1," + String(repeating: "]", count: levels))
        }
        #expect(nested(JSONScanner.maximumDepth).text != nil)
        #expect(nested(JSONScanner.maximumDepth + 1).fault?.kind == .tooDeep)
    }

    // MARK: - Places

    @Test func `an offset in the strict text maps to the original`() {
        //           0123456789...
        let text = #"{a:'\'"\\',}"#
        let reading = Self.read(text)
        #expect(reading.text.map { String(decoding: $0, as: UTF8.self) } == #"{"a":"'\"\\"}"#)
        let expected: [(strict: Int, original: Int)] = [
            (0, 0),  // {
            (1, 1), (2, 1), (3, 2),  // "a"
            (4, 2), (5, 3), (6, 5),  // :"'
            (7, 6), (8, 6),  // \"
            (9, 7), (10, 8),  // \\
            (11, 9),  // "
            (12, 11), (13, 12),  // }
        ]
        for row in expected { #expect(reading.originalOffset(row.strict) == row.original, "\(row)") }
    }

    // MARK: - Any text

    @Test func `a relaxed reading is what a repair gives`() {
        var mutator = RepairMutator(seed: 0xE1A)
        var read = 0
        for _ in 0..<Effort.rounds(20_000, fast: 2000) {
            let bytes = mutator.next()
            let reading = Self.read(bytes)
            #expect(reading.text != nil || reading.fault != nil)
            guard let text = reading.text, !reading.changes.isEmpty else { continue }
            read += 1
            #expect(repair(bytes).text == text, "\(readable(bytes))")
        }
        #expect(read > 50)
    }

    @Test(
        .timeLimit(.minutes(30)),
        arguments: [
            "[", "{", "]", "}", ",", "[,", "{a:", "a:1,", "{a:1,", "'a',", "'a'", "'", "''", "'a’,", "'a'b ", "'a' x ",
            "'it's',", "'\\''", "'\"\"',", "\"\"\"", "\"{\",", "\"{\"a\":", "\"a\"b", "\"a\n\"b", "{\"a", "[}", "{]",
            "1.5,", "'\\", "\"\\", "'x,", "['a’", "é:1,", "'a':'b',", "//\n", "\u{A0}",
        ])
    func `no text makes the reading slow`(_ piece: String) {
        let length = Effort.rounds(1_000_000, fast: 5000)
        for opening in ["", "[", "{a:", "['"] {
            for closing in ["", ",]", "}"] {
                let text = opening + String(repeating: piece, count: length / piece.utf8.count) + closing
                let reading = Self.read(text)
                #expect((reading.text == nil) == (reading.fault != nil))
            }
        }
    }
}
