import PushJSONRepair
import Testing

/// Strings, their quotes and their contents.
struct StringRepairTests {
    @Test func `single quotes become double quotes`() {
        let rows = [
            RepairCase("['a']", .singleQuotes, "'a'", #"["a"]"#),
            RepairCase("{'a': 1}", .singleQuotes, "'a'", #"{"a": 1}"#),
            RepairCase("['']", .singleQuotes, "''", #"[""]"#),
            RepairCase(#"['say "hi"']"#, .singleQuotes, #"'say "hi"'"#, #"["say \"hi\""]"#),
            RepairCase(#"['it\'s']"#, .singleQuotes, #"'it\'s'"#, #"["it's"]"#),
            RepairCase("['it's here']", .singleQuotes, "'it's here'", #"["it's here"]"#),
            RepairCase("['Rock 'n' Roll']", .singleQuotes, "'Rock 'n' Roll'", #"["Rock 'n' Roll"]"#, isSafe: false),
            RepairCase("['a' // b\n]", [(.singleQuotes, "'a'"), (.comment, "// b")], "[\"a\" \n]"),
            RepairCase(#"['\n\\']"#, .singleQuotes, #"'\n\\'"#, #"["\n\\"]"#),
        ]
        for row in rows { row.check() }
    }

    @Test func `typographic quotes become double quotes`() {
        let rows = [
            RepairCase("[“a”]", .smartQuotes, "“a”", #"["a"]"#),
            RepairCase("[„a“]", .smartQuotes, "„a“", #"["a"]"#),
            RepairCase("[‟a‟]", .smartQuotes, "‟a‟", #"["a"]"#),
            RepairCase("{‘a’: 1}", .smartQuotes, "‘a’", #"{"a": 1}"#),
            RepairCase("[“it’s”]", .smartQuotes, "“it’s”", #"["it’s"]"#),
            RepairCase("[‘it’s’]", .smartQuotes, "‘it’s’", #"["it’s"]"#),
            RepairCase("[“a\"]", .smartQuotes, "“a\"", #"["a"]"#),
            RepairCase("[“say \"hi\" now”]", .smartQuotes, "“say \"hi\" now”", #"["say \"hi\" now"]"#, isSafe: false),
        ]
        for row in rows { row.check() }
    }

    @Test func `control characters are escaped`() {
        let rows = [
            RepairCase("[\"a\tb\"]", .controlCharacter, "\t", #"["a\tb"]"#),
            RepairCase("[\"a\u{1}b\u{8}\u{C}\"]", .controlCharacter, "\u{1}", #"["a\u0001b\b\f"]"#),
            RepairCase("{\"a\": \"b\nc\r\nd\", \"e\": 1}", .controlCharacter, "\n", #"{"a": "b\nc\r\nd", "e": 1}"#),
            RepairCase("{\"a\tb\":1}", .controlCharacter, "\t", #"{"a\tb":1}"#),
        ]
        for row in rows { row.check() }
    }

    @Test func `other languages' escapes become JSON's`() {
        let rows = [
            RepairCase(#"["it\'s"]"#, .badEscape, #"\'"#, #"["it's"]"#),
            RepairCase(#"["\x41"]"#, .badEscape, #"\x41"#, #"["\u0041"]"#),
            RepairCase(#"["\U0001F600"]"#, .badEscape, #"\U0001F600"#, #"["\uD83D\uDE00"]"#),
            RepairCase(#"["\U00e9tat"]"#, .badEscape, #"\U00e9"#, #"["\u00E9tat"]"#),
            RepairCase(#"["\u{1F600}"]"#, .badEscape, #"\u{1F600}"#, #"["\uD83D\uDE00"]"#),
            RepairCase(#"["\u{e9}"]"#, .badEscape, #"\u{e9}"#, #"["\u00E9"]"#),
            RepairCase(#"['\x41']"#, [(.singleQuotes, #"'\x41'"#), (.badEscape, #"\x41"#)], #"["\u0041"]"#),
        ]
        for row in rows { row.check() }
    }

    @Test func `any other backslash is doubled, but not safely`() {
        let rows = [
            RepairCase(#"["C:\path"]"#, .badEscape, #"\p"#, #"["C:\\path"]"#, isSafe: false),
            RepairCase(#"["\a"]"#, .badEscape, #"\a"#, #"["\\a"]"#, isSafe: false),
            RepairCase("[\"a\\\tb\"]", .badEscape, "\\\t", #"["a\\\tb"]"#, isSafe: false),
            RepairCase(#"["\é"]"#, .badEscape, #"\é"#, #"["\\é"]"#, isSafe: false),
            RepairCase(#"["\users"]"#, .badEscape, #"\u"#, #"["\\users"]"#, isSafe: false),
            RepairCase(#"["\u12"]"#, .badEscape, #"\u"#, #"["\\u12"]"#, isSafe: false),
            RepairCase(#"["\u{110000}"]"#, .badEscape, #"\u"#, #"["\\u{110000}"]"#, isSafe: false),
            RepairCase(#"["\U00110000!"]"#, .badEscape, #"\U0011"#, #"["\u00110000!"]"#),
            RepairCase(#"["\x4"]"#, .badEscape, #"\x"#, #"["\\x4"]"#, isSafe: false),
            RepairCase(#""\"#, [(.unclosed, #""\"#), (.badEscape, #"\"#)], #""\\""#, isSafe: false),
            RepairCase("[\"a\\\nb\"]", .badEscape, "\\\n", #"["ab"]"#, isSafe: false),
        ]
        for row in rows { row.check() }
    }

    @Test func `a string that is not closed ends with its line`() {
        let rows = [
            RepairCase(
                "{\n \"a\": \"x,\n \"b\": 1\n}", .unclosed, "\"x", "{\n \"a\": \"x\",\n \"b\": 1\n}", isSafe: false),
            RepairCase("[\"x\n]", .unclosed, "\"x", "[\"x\"\n]", isSafe: false),
            RepairCase(#"{"a":{"b":"x}}"#, .unclosed, #""x"#, #"{"a":{"b":"x"}}"#, isSafe: false),
            RepairCase(
                #"{"a":"see [1]"#, [(.unclosed, #""see [1]"#), (.unclosed, "")], #"{"a":"see [1]"}"#, isSafe: false),
            RepairCase("\"", .unclosed, "\"", "\"\"", isSafe: false),
            RepairCase(#"{"aps: {"badge": 1}}"#, .unclosed, #""aps"#, #"{"aps": {"badge": 1}}"#, isSafe: false),
            RepairCase(#"{"aps: 1}"#, .unclosed, #""aps"#, #"{"aps": 1}"#, isSafe: false),
            RepairCase("['x\n]", [(.singleQuotes, "'x"), (.unclosed, "'x")], "[\"x\"\n]", isSafe: false),
        ]
        for row in rows { row.check() }
    }

    @Test func `JSON inside a string gets its quotes escaped`() {
        let rows = [
            RepairCase(
                #"{"default":"x","APNS":"{"aps":{"alert":"Hi"}}"}"#, .unescapedQuotes, #""{"aps":{"alert":"Hi"}}""#,
                #"{"default":"x","APNS":"{\"aps\":{\"alert\":\"Hi\"}}"}"#),
            RepairCase(
                #"{"APNS":"{"aps":{"alert":"a \"b\" }\n"}}","GCM":"{"data":{}}"}"#,
                [(.unescapedQuotes, #""{"aps":{"alert":"a \"b\" }\n"}}""#), (.unescapedQuotes, #""{"data":{}}""#)],
                #"{"APNS":"{\"aps\":{\"alert\":\"a \\\"b\\\" }\\n\"}}","GCM":"{\"data\":{}}"}"#),
            RepairCase(
                "{\"APNS\": \"{\n  \"aps\": {}\n}\"}", .unescapedQuotes, "\"{\n  \"aps\": {}\n}\"",
                #"{"APNS": "{\n  \"aps\": {}\n}"}"#),
            RepairCase(#"[" [{"id":1}] "]"#, .unescapedQuotes, #"" [{"id":1}] ""#, #"[" [{\"id\":1}] "]"#),
            // The contents are not JSON either, so the string may end elsewhere.
            RepairCase(
                #"{"APNS":"{"aps":{"badge":1,}}"}"#, .unescapedQuotes, #""{"aps":{"badge":1,}}""#,
                #"{"APNS":"{\"aps\":{\"badge\":1,}}"}"#, isSafe: false),
        ]
        for row in rows { row.check() }
    }

    @Test func `quoted words inside a string get their quotes escaped, but not safely`() {
        let rows = [
            RepairCase(
                #"{"a":"She said "no" to it","b":1}"#, .unescapedQuotes, #""She said "no" to it""#,
                #"{"a":"She said \"no\" to it","b":1}"#, isSafe: false),
            RepairCase(#"["say "hi""]"#, .unescapedQuotes, #""say "hi"""#, #"["say \"hi\""]"#, isSafe: false),
            RepairCase(
                #"["say "a", "b" now"]"#, .unescapedQuotes, #""say "a", "b" now""#, #"["say \"a\", \"b\" now"]"#,
                isSafe: false),
        ]
        for row in rows { row.check() }
    }

    @Test func `a properly quoted string is left alone, whatever it contains`() {
        let strings = [
            #""it's""#, #""'a'""#, #""“a” ‘b’ „c“""#, #""https://example.com/#top""#, #""/* no */ // comment # here""#,
            #""a,}""#, #""[1,,]""#, #""{""#, #""}""#, #""{\"aps\":{}}""#, #""True""#, #""key: value""#, #""a = b;""#,
            #"" ""#, #""\\""#, #""\"""#, #""\u00e9\n""#, "\"\u{A0}\u{200B}\"", #""""#, #"":""#, #"",""#, #""a b c""#,
        ]
        for string in strings {
            RepairCase("[\(string),]", .trailingComma, ",", "[\(string)]").check()
            RepairCase(
                "{\(string):\(string) \"b\":\(string)}", .missingComma, "\"", "{\(string):\(string), \"b\":\(string)}"
            )
            .check()
        }
        for first in strings {
            for second in strings {
                RepairCase("[\(first), \(second),]", .trailingComma, ",", "[\(first), \(second)]").check()
            }
        }
    }
}
