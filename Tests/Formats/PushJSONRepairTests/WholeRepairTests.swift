import PushJSONRepair
import Testing

/// Several typical mistakes in one text, and their messages.
struct WholeRepairTests {
    @Test func `a payload written like JavaScript`() {
        let text = """
            {
              // what is shown
              aps: {
                alert: 'It\'s "time"',
                badge: -1,
                'content-available': 1, /* wakes the app */
              },
              url: 'https://example.com/#top',
            }
            """
        let expected = """
            {
              \("")
              "aps": {
                "alert": "It's \\"time\\"",
                "badge": -1,
                "content-available": 1 \("")
              },
              "url": "https://example.com/#top"
            }
            """
        let found: [(kind: JSONRepair.Kind, place: String)] = [
            (.comment, "// what is shown"), (.bareKey, "aps"), (.bareKey, "alert"), (.singleQuotes, "'It\'s \"time\"'"),
            (.bareKey, "badge"), (.singleQuotes, "'content-available'"), (.trailingComma, ","),
            (.comment, "/* wakes the app */"), (.bareKey, "url"),
            (.singleQuotes, "'https://example.com/#top'"), (.trailingComma, ","),
        ]
        RepairCase(
            text, found, expected
        ).check()
    }

    @Test func `a dictionary printed by Python`() {
        RepairCase(
            "{'aps': {'alert': \"It's\", 'badge': None, 'x': True}}",
            [
                (.singleQuotes, "'aps'"), (.singleQuotes, "'alert'"), (.singleQuotes, "'badge'"), (.literal, "None"),
                (.singleQuotes, "'x'"), (.literal, "True"),
            ],
            #"{"aps": {"alert": "It's", "badge": null, "x": true}}"#
        ).check()
    }

    @Test func `a property list printed by Objective-C`() {
        RepairCase(
            "{\n    aps =     {\n        alert = \"Hi \\U00e9\";\n    };\n}",
            [(.bareKey, "aps"), (.missingColon, "=")], nil, isSafe: false
        ).check()
    }

    @Test func `a payload that went through a word processor`() {
        RepairCase(
            "{“aps”:\u{A0}{“alert”: “It’s time”, “badge”: 1}}",
            [
                (.smartQuotes, "“aps”"), (.other, "\u{A0}"), (.smartQuotes, "“alert”"), (.smartQuotes, "“It’s time”"),
                (.smartQuotes, "“badge”"),
            ],
            #"{"aps": {"alert": "It’s time", "badge": 1}}"#
        ).check()
    }

    @Test func `no repair is safe where tokens are guessed`() {
        for text in [
            #"{a:1,"b":"C:\path",}"#, #"{a:1,"b":"x,"#, #"{a:1}}"#, #"{a:1,"b":"x "y" z"}"#, #"{a:1,"b":["c"d]}"#,
            #"{a:1,?}"#,
        ] {
            let result = repair(text)
            #expect(result.problems.count > 1 && result.problems.allSatisfy { !$0.isSafe }, "\(text)")
        }
    }

    @Test func `a message states the text found and the probable intent`() {
        let rows = [
            (#"{"a":1,}"#, "',' before '}', after the last member"),
            ("['it']", "the string 'it' in single quotes; JSON allows only double quotes"),
            ("{a:1}", "the member name 'a' has no quotes"),
            ("[1 2]", "a comma is missing before this element"),
            ("[1]//", "a comment; JSON has none"),
            ("{“a”:1}", "the member name 'a' in typographic quotes; JSON allows only double quotes"),
            ("[None]", "JSON has no 'None'; null was probably meant"),
            ("[NaN]", "JSON has no 'NaN', so the record is malformed"),
            ("[\"\t\n\",1]", "2 unescaped control characters in the string"),
            (#"["\'"]"#, #"JSON has no escape '\''; ' needs no escape"#),
            (#"["\p"]"#, #"JSON has no escape '\p'; a backslash itself is written '\\'"#),
            ("[007]", "'007' is not a number in JSON; as a text it needs quotes"),
            (#"{"a"=>1}"#, "':' was expected after the member name, not '='"),
            ("[\n[1\n", "the text ends before '[' of line 2 and 1 more is closed"),
            ("[1}", "'}' in place of ']', which closes '[' of line 1"),
            ("[1]]", "']' closes nothing"),
            (#"["{"a":1}"]"#, #"JSON inside a string must have its quotes escaped: '{"a":1}'"#),
            ("[1,\u{200B}2]", "U+200B between values, where JSON allows only spaces, tabs and line ends"),
            ("['a\u{200D}\u{7F}b\u{2028}é']", "the string 'abé' in single quotes; JSON allows only double quotes"),
            (
                "[" + String(repeating: "x", count: 50) + "]",
                "'" + String(repeating: "x", count: 40) + "…' is not a JSON value; as a text it needs quotes"
            ),
        ]
        for (text, message) in rows { #expect(repair(text).problems.map(\.message) == [message]) }
        let kinds = Set(rows.flatMap { repair($0.0).kinds })
        #expect(kinds == Set(JSONRepair.Kind.allCases))
    }
}
