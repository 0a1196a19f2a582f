import Testing

@testable import PushJSONRepair

/// Unquoted tokens: member names, literals, numbers.
struct WordRepairTests {
    @Test func `a bare member name gets quotes`() {
        for name in [
            "a", "aps", "content-available", "$id", "_x", "gcm.message_id", "é", "日本", "true", "1", "42", "a1",
        ] {
            RepairCase("{\(name):1}", .bareKey, name, "{\"\(name)\":1}").check()
        }
        // JavaScript would convert these to other names.
        for name in ["007", "1.50", "-1", "1e3"] {
            RepairCase("{\(name) : 1}", .bareKey, name, "{\"\(name)\" : 1}", isSafe: false).check()
        }
    }

    @Test func `a member name that lacks its opening quote gets it`() {
        RepairCase(#"{aps":{"badge":1}}"#, .bareKey, "aps", #"{"aps":{"badge":1}}"#, isSafe: false).check()
        RepairCase(
            #"{"a":"x"b":1}"#, [(.missingComma, "b"), (.bareKey, "b")], #"{"a":"x","b":1}"#, isSafe: false
        ).check()
        // More likely an unescaped inch mark than a name.
        RepairCase(
            #"{"a":"5" screen","b":1}"#, [(.missingComma, "s"), (.other, "s")], nil, isSafe: false
        ).check()
    }

    @Test func `every literal of the table is replaced`() {
        for literal in RepairPass.literals {
            RepairCase(
                "[\(literal.word)]", .literal, literal.word, "[\(literal.meaning)]", isSafe: literal.isSafe
            ).check()
        }
    }

    @Test func `a top-level literal or one after a bare name is replaced too`() {
        RepairCase("None", .literal, "None", "null").check()
        RepairCase("{a:True}", [(.bareKey, "a"), (.literal, "True")], #"{"a":true}"#).check()
    }

    @Test func `other languages' numbers become JSON's`() {
        let rows = [
            ("+1", "1"), (".5", "0.5"), ("-.5", "-0.5"), ("5.", "5"), ("5.e3", "5e3"), ("+.5E-3", "0.5E-3"),
            ("0x1F", "31"),
            ("-0xff", "-255"), ("0o17", "15"), ("0b101", "5"), ("1_000", "1000"), ("1_0.2_5", "10.25"),
            ("0xFFFFFFFFFFFFFFFF", "18446744073709551615"),
        ]
        for (word, number) in rows { RepairCase("[\(word)]", .numberForm, word, "[\(number)]").check() }
        let doubtful = [("007", "7"), ("00", "0"), ("-01.50", "-1.50"), ("1e", "1"), ("1e+", "1"), ("1.5E-", "1.5")]
        for (word, number) in doubtful {
            RepairCase("[\(word)]", .numberForm, word, "[\(number)]", isSafe: false).check()
        }
    }

    @Test func `JSON's own numbers and literals are left alone`() {
        for word in ["0", "-0", "-0.0", "1", "10", "1e5", "1E+5", "0.5e-7", "1e400", "true", "false", "null"] {
            RepairCase("[\(word),]", .trailingComma, ",", "[\(word)]").check()
        }
    }

    @Test func `any other word becomes a string, but not safely`() {
        let words = [
            "default", "1.2.3", "2024-01-01", "10px", "1__0", "_1", "0x", "0xG", "0x10000000000000000", "--1", "trUe",
            "é",
        ]
        for word in words { RepairCase("{\"a\":\(word)}", .other, word, "{\"a\":\"\(word)\"}", isSafe: false).check() }
    }

    @Test func `several words in a row are not guessed`() {
        RepairCase(#"{"a":Hello there}"#, .other, "H", nil, isSafe: false).check()
        RepairCase(#"{"a":1,...}"#, .other, ".", nil, isSafe: false).check()
        RepairCase("[...]", .other, ".", nil, isSafe: false).check()
        RepairCase("[-]", .other, "-", nil, isSafe: false).check()
        RepairCase("hello", .other, "h", nil, isSafe: false).check()
        RepairCase("[NumberLong(1)]", .other, "N", nil, isSafe: false).check()
    }
}
