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

    @Test func `a word outside of a string ends the repair`() {
        RepairCase(#"{aps":{"badge":1}}"#, .other, "aps", nil, isSafe: false).check()
    }

    @Test func `every literal of the table is replaced`() {
        for (words, meaning, isSafe) in RepairPass.literals {
            for word in words { RepairCase("[\(word)]", .literal, word, "[\(meaning)]", isSafe: isSafe).check() }
        }
    }

    @Test func `a top-level literal or one after a bare name is replaced too`() {
        RepairCase("None", .literal, "None", "null").check()
        RepairCase("{a:True}", [(.bareKey, "a"), (.literal, "True")], #"{"a":true}"#).check()
    }

    @Test func `a number in another language's form ends the repair`() {
        let words = [
            "+1", ".5", "-.5", "5.", "5.e3", "+.5E-3", "0x1F", "-0xff", "0o17", "0b101", "1_000", "007", "00", "-01.50",
            "1e",
            "1e+", "1.5E-", "0xG", "1.2.3", "2024-01-01", "10px", "1__0", "0x", "--1",
        ]
        for word in words { RepairCase("[\(word)]", .numberForm, word, nil, isSafe: false).check() }
    }

    @Test func `JSON's own numbers and literals are left alone`() {
        for word in ["0", "-0", "-0.0", "1", "10", "1e5", "1E+5", "0.5e-7", "1e400", "true", "false", "null"] {
            RepairCase("[\(word),]", .trailingComma, ",", "[\(word)]").check()
        }
    }

    @Test func `any other word ends the repair`() {
        for word in ["default", "_1", "trUe", "é", "...", "-", "hello"] {
            RepairCase("{\"a\":\(word)}", .other, word, nil, isSafe: false).check()
        }
        RepairCase(#"{"a":Hello there}"#, .other, "Hello", nil, isSafe: false).check()
        RepairCase(#"{"a":1,...}"#, .other, ".", nil, isSafe: false).check()
        RepairCase("hello", .other, "h", nil, isSafe: false).check()
        RepairCase("[NumberLong(1)]", .other, "NumberLong", nil, isSafe: false).check()
    }
}
