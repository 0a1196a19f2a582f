import PushJSONRepair
import Testing

/// Separators, brackets, comments and white space.
struct SyntaxRepairTests {
    @Test func `a trailing comma is dropped`() {
        let rows = [
            RepairCase("[1,]", .trailingComma, ",", "[1]"),
            RepairCase(#"{"a":1,}"#, .trailingComma, ",", #"{"a":1}"#),
            RepairCase(#"{"a":1 , }"#, .trailingComma, ",", #"{"a":1  }"#),
            RepairCase(#"{"a":1;}"#, .trailingComma, ";", #"{"a":1}"#),
            RepairCase(#"{"a":[1,],}"#, [(.trailingComma, ","), (.trailingComma, ",")], #"{"a":[1]}"#),
            RepairCase(#"{"a":1},"#, .trailingComma, ",", #"{"a":1}"#),
        ]
        for row in rows { row.check() }
    }

    @Test func `an extra comma elsewhere ends the repair`() {
        for text in ["[1,,2]", "[,1]", "[1,,]", "[,]", "{,}", #"{"a":1,, ,"b":2}"#] {
            RepairCase(text, .other, ",", nil, isSafe: false).check()
        }
    }

    @Test func `a missing comma is inserted after the value before it`() {
        let rows = [
            RepairCase("[1 2]", .missingComma, "2", "[1, 2]"),
            RepairCase(#"["a""b"]"#, .missingComma, "\"", #"["a","b"]"#),
            RepairCase(#"{"a":1 "b":2}"#, .missingComma, "\"", #"{"a":1, "b":2}"#),
            RepairCase(#"[{"a":1}{"b":2}]"#, .missingComma, "{", #"[{"a":1},{"b":2}]"#),
            RepairCase("{\n  \"a\": 1\n  \"b\": 2\n}", .missingComma, "\"", "{\n  \"a\": 1,\n  \"b\": 2\n}"),
            RepairCase(#"{"a":1;"b":2}"#, .missingComma, ";", #"{"a":1,"b":2}"#),
            RepairCase(
                "[1 // one\n 2]", [(.comment, "// one"), (.missingComma, "2")], "[1, \n 2]"),
        ]
        for row in rows { row.check() }
    }

    @Test func `a missing or wrong colon ends the repair`() {
        let rows = [
            (#"{"a" 1}"#, "1"), (#"{"a" "b"}"#, "\""), (#"{"a"{}}"#, "{"), (#"{"a" true}"#, "t"), (#"{"a"=1}"#, "="),
            (#"{"a" => 1}"#, "="), (#"{"a" x}"#, "x"), (#"{"a"}"#, "}"), (#"{"a","b":1}"#, ","),
            (#"{"aps: {"badge": 1}}"#, "b"),
        ]
        for (text, place) in rows { RepairCase(text, .missingColon, place, nil, isSafe: false).check() }
    }

    @Test func `a comment is dropped`() {
        let rows = [
            RepairCase("// one\n[1]", .comment, "// one", "\n[1]"),
            RepairCase("[1] // one", .comment, "// one", "[1] "),
            RepairCase("[1, # one\n2]", .comment, "# one", "[1, \n2]"),
            RepairCase("[1 /* one\ntwo */, 2]", .comment, "/* one\ntwo */", "[1 , 2]"),
            RepairCase(#"{"a" /*x*/ : /*y*/ 1}"#, [(.comment, "/*x*/"), (.comment, "/*y*/")], #"{"a"  :  1}"#),
            RepairCase("[1] /* one", .comment, "/* one", "[1] ", isSafe: false),
            RepairCase("[1/**/2]", [(.comment, "/**/"), (.missingComma, "2")], "[1,2]"),
            RepairCase("// only", .comment, "// only", nil, isSafe: false),
        ]
        for row in rows { row.check() }
    }

    @Test func `a container that is not closed ends the repair`() {
        for text in [#"{"a":1"#, "[1,[2\n", #"{"aps":{"alert":"Hi"}"#, "[1,", #"{"a":"#, #"{"a""#] {
            RepairCase(text, .unclosed, "", nil, isSafe: false).check()
        }
        RepairCase("[1 // one", [(.comment, "// one"), (.unclosed, "")], nil, isSafe: false).check()
        for text in ["[1}", #"{"a":[1,2}}"#, #"{"a":[1,2}"#, "[1}]"] {
            RepairCase(text, .unclosed, "}", nil, isSafe: false).check()
        }
    }

    @Test func `text after the value ends the repair`() {
        let rows = [
            (#"{"a":1}}"#, "}"), ("[1]]\n}", "]"), (#"{"aps":{"alert":"x"}},"id":1}"#, #","id":1}"#),
            (#"{"a":1} {"b":2} "#, #"{"b":2}"#), ("[1] and so on", "and so on"), ("[1];", ";"),
            (#"{"a":1},{"b":2}"#, #",{"b":2}"#), (#""a":1}"#, ":1}"),
        ]
        for (text, place) in rows { RepairCase(text, .extraClose, place, nil, isSafe: false).check() }
    }

    @Test func `what looks like white space becomes a space`() {
        let rows = [
            RepairCase("[1,\u{A0}2]", .other, "\u{A0}", "[1, 2]"),
            RepairCase("{\u{200B}\u{FEFF}}", .other, "\u{200B}\u{FEFF}", "{ }"),
            RepairCase("[\u{C}1]", .controlCharacter, "\u{C}", "[ 1]"),
            RepairCase("[1]\u{0}", .controlCharacter, "\u{0}", "[1] "),
        ]
        for row in rows { row.check() }
    }

    @Test func `text that cannot be guessed is left, and its position is reported`() {
        let rows = [
            RepairCase("[1, ?]", .other, "?", nil, isSafe: false),
            RepairCase(#"{"a":}"#, .other, "}", nil, isSafe: false),
            RepairCase(#"{"a":,"b":1}"#, .other, ",", nil, isSafe: false),
            RepairCase(#"{"a":1,"b":{{}}}"#, .other, "{", nil, isSafe: false),
            RepairCase(#"["a":1]"#, .other, ":", nil, isSafe: false),
            RepairCase("data = {}", .other, "d", nil, isSafe: false),
            RepairCase("[1,]é?", [(.trailingComma, ","), (.extraClose, "é?")], nil, isSafe: false),
            RepairCase("{\"a\":1,é?}", [(.bareKey, "é"), (.missingColon, "?")], nil, isSafe: false),
        ]
        for row in rows { row.check() }
    }
}
