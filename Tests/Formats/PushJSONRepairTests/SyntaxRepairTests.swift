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
            RepairCase(#"{"a":1,,}"#, .trailingComma, ",,", #"{"a":1}"#),
            RepairCase(#"{,}"#, .trailingComma, ",", "{}"),
            // In JavaScript these have one more element.
            RepairCase("[1,,]", .trailingComma, ",,", "[1]", isSafe: false),
            RepairCase("[,]", .trailingComma, ",", "[]", isSafe: false),
            RepairCase(#"{"a":[1,],}"#, [(.trailingComma, ","), (.trailingComma, ",")], #"{"a":[1]}"#),
            RepairCase(#"{"a":1},"#, .trailingComma, ",", #"{"a":1}"#),
        ]
        for row in rows { row.check() }
    }

    @Test func `an extra comma elsewhere is dropped, but not safely`() {
        let rows = [
            RepairCase("[1,,2]", .other, ",", "[1,2]", isSafe: false),
            RepairCase("[,1]", .other, ",", "[1]", isSafe: false),
            RepairCase(#"{"a":1,, ,"b":2}"#, .other, ", ,", #"{"a":1, "b":2}"#, isSafe: false),
        ]
        for row in rows { row.check() }
    }

    @Test func `a missing comma is inserted after the value before it`() {
        let rows = [
            RepairCase("[1 2]", .missingComma, "2", "[1, 2]"),
            RepairCase(#"["a"1]"#, .missingComma, "1", #"["a",1]"#, isSafe: false),
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

    @Test func `a missing or wrong colon becomes one`() {
        let rows = [
            RepairCase(#"{"a" 1}"#, .missingColon, "1", #"{"a": 1}"#),
            RepairCase(#"{"a" "b"}"#, .missingColon, "\"", #"{"a": "b"}"#),
            RepairCase(#"{"a"{}}"#, .missingColon, "{", #"{"a":{}}"#),
            RepairCase(#"{"a" true}"#, .missingColon, "t", #"{"a": true}"#),
            RepairCase(#"{"a"=1}"#, .missingColon, "=", #"{"a":1}"#),
            RepairCase(#"{"a" => 1}"#, .missingColon, "=>", #"{"a" : 1}"#),
            RepairCase(#"{"a" x}"#, .other, "x", nil, isSafe: false),
        ]
        for row in rows { row.check() }
    }

    @Test func `a missing value becomes null`() {
        let rows = [
            RepairCase(#"{"a":}"#, .other, ":", #"{"a":null}"#, isSafe: false),
            RepairCase(#"{"a":,"b":1}"#, .other, ":", #"{"a":null,"b":1}"#, isSafe: false),
            RepairCase(#"{"a"}"#, .other, #""a""#, #"{"a":null}"#, isSafe: false),
            RepairCase(#"{"a","b":1}"#, .other, #""a""#, #"{"a":null,"b":1}"#, isSafe: false),
        ]
        for row in rows { row.check() }
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

    @Test func `an unclosed container is closed at the end`() {
        let rows = [
            RepairCase(#"{"a":1"#, .unclosed, "", #"{"a":1}"#, isSafe: false),
            RepairCase("[1,[2\n", .unclosed, "", "[1,[2]]\n", isSafe: false),
            RepairCase(#"{"aps":{"alert":"Hi"}"#, .unclosed, "", #"{"aps":{"alert":"Hi"}}"#, isSafe: false),
            RepairCase("[1,", [(.trailingComma, ","), (.unclosed, "")], "[1]", isSafe: false),
            RepairCase(#"{"a":"#, [(.other, ":"), (.unclosed, "")], #"{"a":null}"#, isSafe: false),
            RepairCase("[1 // one", [(.comment, "// one"), (.unclosed, "")], "[1] ", isSafe: false),
        ]
        for row in rows { row.check() }
    }

    @Test func `a wrong bracket is identified by the brackets that follow`() {
        let rows = [
            // Misspelled.
            RepairCase("[1}", .unclosed, "}", "[1]", isSafe: false),
            RepairCase(#"{"a":[1,2}}"#, .unclosed, "}", #"{"a":[1,2]}"#, isSafe: false),
            // One is missing before it.
            RepairCase(#"{"a":[1,2}"#, .unclosed, "}", #"{"a":[1,2]}"#, isSafe: false),
            RepairCase(#"{"a":{"b":[1},"c":2}"#, .unclosed, "}", #"{"a":{"b":[1]},"c":2}"#, isSafe: false),
            RepairCase(#"[{"a":[{"b":1]"#, [(.unclosed, "]"), (.unclosed, "")], #"[{"a":[{"b":1}]}]"#, isSafe: false),
            // It closes nothing.
            RepairCase("[1}]", .extraClose, "}", "[1]", isSafe: false),
        ]
        for row in rows { row.check() }
    }

    @Test func `an extra bracket is dropped`() {
        let rows = [
            RepairCase(#"{"a":1}}"#, .extraClose, "}", #"{"a":1}"#, isSafe: false),
            RepairCase("[1]]\n}", [(.extraClose, "]"), (.extraClose, "}")], "[1]\n", isSafe: false),
            RepairCase(
                #"{"aps":{"alert":"x"}},"id":1}"#, .extraClose, "}", #"{"aps":{"alert":"x"},"id":1}"#, isSafe: false),
        ]
        for row in rows { row.check() }
    }

    @Test func `text after the value is dropped, but not safely`() {
        let rows = [
            RepairCase(#"{"a":1} {"b":2} "#, .other, #"{"b":2}"#, #"{"a":1}  "#, isSafe: false),
            RepairCase("[1] and so on", .other, "and so on", "[1] ", isSafe: false),
            RepairCase("[1];", .other, ";", "[1]"),
            RepairCase(#"{"a":1},{"b":2}"#, .other, #",{"b":2}"#, #"{"a":1}"#, isSafe: false),
        ]
        for row in rows { row.check() }
    }

    @Test func `members without braces get braces`() {
        let rows = [
            RepairCase(#""a":1}"#, .other, #""a""#, #"{"a":1}"#, isSafe: false),
            RepairCase(
                #"'a': 1, "b": 2"#, [(.singleQuotes, "'a'"), (.other, "'a'"), (.unclosed, "")], #"{"a": 1, "b": 2}"#,
                isSafe: false),
        ]
        for row in rows { row.check() }
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
            RepairCase(#"{"a":1,"b":{{}}}"#, .other, "{", nil, isSafe: false),
            RepairCase(#"["a":1]"#, .other, ":", nil, isSafe: false),
            RepairCase("data = {}", .other, "d", nil, isSafe: false),
            RepairCase("[1,]é?", [(.trailingComma, ","), (.other, "é?")], "[1]", isSafe: false),
            RepairCase("{\"a\":1,é?}", [(.bareKey, "é"), (.other, "?")], nil, isSafe: false),
        ]
        for row in rows { row.check() }
    }
}
