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

    @Test func `an apostrophe needs no escape`() {
        RepairCase(#"["it\'s"]"#, .badEscape, #"\'"#, #"["it's"]"#).check()
    }

    @Test func `any other escape that JSON does not have ends the repair`() {
        let rows = [
            (#"["\x41"]"#, #"\x"#), (#"["\U0001F600"]"#, #"\U"#), (#"["\u{1F600}"]"#, #"\u"#),
            (#"["C:\path"]"#, #"\p"#),
            ("[\"a\\\tb\"]", "\\\t"), (#"["\é"]"#, #"\é"#), (#"["\users"]"#, #"\u"#), (#"["\u12"]"#, #"\u"#),
            ("[\"a\\\nb\"]", "\\\n"),
        ]
        for (text, place) in rows { RepairCase(text, .badEscape, place, nil, isSafe: false).check() }
        RepairCase(#"['\x41']"#, [(.singleQuotes, #"'\x41'"#), (.badEscape, #"\x"#)], nil, isSafe: false).check()
    }

    @Test func `a string that is not closed ends the repair, and is shown to the end of its line`() {
        let rows = [
            ("{\n \"a\": \"x,\n \"b\": 1\n}", "\"x,"), ("[\"x\n]", "\"x"), (#"{"a":{"b":"x}}"#, #""x}}"#),
            (#"{"a":"see [1]"#, #""see [1]"#), ("\"", "\""), (#""\"#, #""\"#), (#"{"aps: 1}"#, #""aps: 1}"#),
            ("['x\n]", "'x"),
        ]
        for (text, place) in rows { RepairCase(text, .unclosed, place, nil, isSafe: false).check() }
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

    @Test func `quoted words inside a string end the repair at the first quote`() {
        for text in [
            #"{"a":"She said "no" to it","b":1}"#, #"["say "hi""]"#, #"["say "a", "b" now"]"#, #"["a"1]"#,
            #"{"a":"x"b":1}"#,
        ] {
            RepairCase(text, .unescapedQuotes, "\"", nil, isSafe: false).check()
        }
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
