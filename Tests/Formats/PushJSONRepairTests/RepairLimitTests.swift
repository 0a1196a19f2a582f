import PushJSON
import PushJSONRepair
import TestSupport
import Testing

struct RepairLimitTests {
    @Test func `64 problems are repaired, 65 are not`() {
        let most = repair("[" + String(repeating: "'a',", count: 63) + "'a']")
        #expect(most.problems.count == 64)
        #expect(most.text != nil)
        let tooMany = repair("[" + String(repeating: "'a',", count: 64) + "'a']")
        #expect(tooMany.problems.count == 64)
        #expect(tooMany.text == nil)
    }

    @Test func `512 levels are repaired, 513 are not`() {
        func nested(_ levels: Int) -> JSONRepair {
            repair(String(repeating: "[", count: levels) + "1," + String(repeating: "]", count: levels))
        }
        #expect(nested(JSONScanner.maximumDepth).kinds == [.trailingComma])
        #expect(nested(JSONScanner.maximumDepth).text != nil)
        #expect(nested(JSONScanner.maximumDepth + 1).text == nil)
        #expect(repair(String(repeating: "[", count: 512)).kinds == [.unclosed])
    }

    @Test func `a byte-order mark is dropped and is not a problem`() {
        let strict = repair("\u{FEFF}{\"a\":1}")
        #expect(strict.problems.isEmpty)
        #expect(strict.string == #"{"a":1}"#)
        #expect(strict.originalOffset(0) == 3)
        let broken = repair("\u{FEFF}[1,]")
        #expect(broken.problems.map(\.range) == [5..<6])
        #expect(broken.string == "[1]")
    }

    @Test func `texts that are empty or not UTF-8 are left to the scanner`() {
        for bytes in [
            [], Array(" \n".utf8), [0xEF, 0xBB, 0xBF], [0x22, 0xFF, 0x22], [0x5B, 0x27, 0xE2, 0x80, 0x27, 0x5D],
        ] {
            let result = repair(bytes)
            #expect(result.problems.isEmpty)
            #expect(result.text == nil)
            #expect(result.originalOffset(1) == min(1, bytes.count))
        }
    }

    @Test func `an offset in the repaired text maps to the original`() {
        //           0123456789...
        let text = "{a: 'b', /*c*/ d: None,}"
        let result = repair(text)
        let repaired = Array((result.string ?? "").utf8)
        #expect(String(decoding: repaired, as: UTF8.self) == #"{"a": "b",  "d": null}"#)
        let expected: [(repaired: Int, original: Int)] = [
            (0, 0),  // {
            (1, 1), (3, 1),  // "a"
            (4, 2),  // :
            (6, 4), (7, 5), (8, 6),  // "b"
            (9, 7),  // ,
            (10, 8), (11, 14),  // the spaces around the comment
            (12, 15),  // "d"
            (17, 18), (20, 18),  // null
            (21, 23),  // }
            (22, 24), (99, 24), (-1, 0),
        ]
        for row in expected { #expect(result.originalOffset(row.repaired) == row.original, "\(row)") }
    }

    @Test func `edits out of range or overlapping are ignored`() {
        let edits = [
            TextEdit(range: 1..<3, replacement: [0x78]), TextEdit(range: 2..<4, replacement: []),
            TextEdit(range: 4..<9, replacement: []),
        ]
        #expect(TextEdit.apply(edits, to: Array("abcde".utf8)) == Array("axde".utf8))
    }

    @Test(
        .timeLimit(.minutes(30)),
        arguments: [
            "[", "{", "]", "}", ",", ":", "\"", "'", "“", "\\", "#", "/*", "//\n", "\u{A0}", "\u{A0} ", "1", "1 ", "-",
            "\"{\"a\":", "\"{\"a\":\"", "\"{\"a\":1}", "\"a\"b", "\"a\"b ", "'a' 1 ", "'a'b ", "\"a\n", "\"a\n\"b",
            "\"\\", "\\\"",
            "{\"a", "{\"a:", "{a:", "{\"a\":[", "[}", "{]", "{\"a\":}", "“a\"", "\"a\",\n", "None,", "\"a\":", "[1,",
            "[\"a\"", "a\"b",
        ])
    func `no text makes the repair slow`(_ piece: String) {
        let length = Effort.rounds(10_000, fast: 1000)
        for opening in ["", "[", "{\"a\":", "[\"", "['"] {
            for closing in ["", ",]", "\"]", "}"] {
                let text = opening + String(repeating: piece, count: length / piece.utf8.count) + closing
                #expect(repair(text).problems.count <= JSONRepair.maximumProblems)
            }
        }
    }
}
