import PushSystem
import TestSupport
import Testing

/// Times as texts and as milliseconds since the epoch.
struct RFC3339Tests {
    /// Calendar facts, with the number of days from an independent source: `date -u -d TEXT +%s`.
    @Test(arguments: [
        ("0000-01-01T00:00:00.000Z", -62_167_219_200_000), ("0000-02-29T00:00:00.000Z", -62_162_121_600_000),
        ("0000-12-31T23:59:59.999Z", -62_135_596_800_001), ("0001-01-01T00:00:00.000Z", -62_135_596_800_000),
        ("1600-02-29T12:00:00.000Z", -11_670_955_200_000), ("1900-02-28T23:59:59.999Z", -2_203_891_200_001),
        ("1900-03-01T00:00:00.000Z", -2_203_891_200_000), ("1969-12-31T23:59:59.999Z", -1),
        ("1970-01-01T00:00:00.000Z", 0), ("2000-02-29T00:00:00.000Z", 951_782_400_000),
        ("2000-03-01T00:00:00.000Z", 951_868_800_000), ("2023-11-14T22:13:20.007Z", 1_700_000_000_007),
        ("2024-12-31T00:00:00.000Z", 1_735_603_200_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ])
    func `a time is written and read back`(text: String, milliseconds: Int64) {
        #expect(RFC3339.text(milliseconds) == text)
        #expect(RFC3339.milliseconds(text, .strict) == milliseconds)
        #expect(RFC3339.milliseconds(text, .any) == milliseconds)
    }

    @Test func `a time outside the years 0 to 9999 is written as its number`() {
        let (first, last) = (RFC3339.writable.lowerBound, RFC3339.writable.upperBound)
        #expect(RFC3339.text(first - 1) == "-62167219200001")
        #expect(RFC3339.text(last + 1) == "253402300800000")
        #expect(RFC3339.text(.min) == "-9223372036854775808")
        #expect(RFC3339.text(.max) == "9223372036854775807")
    }

    @Test func `days of eight centuries are read as they are written`() {
        let days: Int64 = 146_097
        var wrong: [Int64] = []
        // An odd step meets each weekday, month and kind of year.
        for day in stride(from: -days, to: days, by: Effort.rounds(1, fast: 11)) {
            let milliseconds = day * 86_400_000
            if RFC3339.milliseconds(RFC3339.text(milliseconds), .strict) != milliseconds { wrong.append(day) }
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: [
        ("2023-11-14T22:13:20Z", 1_700_000_000_000), ("2023-11-14T22:13:20.5Z", 1_700_000_000_500),
        ("2023-11-14T22:13:20.05Z", 1_700_000_000_050), ("2023-11-14T22:13:20.005Z", 1_700_000_000_005),
    ])
    func `one to three digits of a fraction are milliseconds`(text: String, milliseconds: Int64) {
        #expect(RFC3339.milliseconds(text, .strict) == milliseconds)
        #expect(RFC3339.milliseconds(text, .any) == milliseconds)
    }

    @Test(arguments: [
        ("2023-11-14T23:13:20+01:00", 1_700_000_000_000), ("2023-11-14T21:43:20-00:30", 1_700_000_000_000),
        ("2023-11-14t22:13:20.25z", 1_700_000_000_250), ("2023-11-14 22:13:20Z", 1_700_000_000_000),
        ("2023-11-14T22:13:20.123456Z", 1_700_000_000_123), ("2016-12-31T23:59:60Z", 1_483_228_800_000),
        ("0000-01-01T00:30:00-00:30", -62_167_215_600_000),
    ])
    func `only the lenient form accepts other spellings than the writer's`(text: String, milliseconds: Int64) {
        #expect(RFC3339.milliseconds(text, .any) == milliseconds)
        #expect(RFC3339.milliseconds(text, .strict) == nil)
    }

    @Test(arguments: [
        "", "2023-11-14", "2023-11-14T22:13:20", "2023-00-14T22:13:20Z", "2023-13-14T22:13:20Z", "2023-11-00T22:13:20Z",
        "2023-11-31T22:13:20Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2023-11-14T24:00:00Z",
        "2023-11-14T22:60:00Z", "2023-11-14T22:13:61Z", "2023-11-14T22:13:20.Z", "2023-11-14T22:13:20Zx",
        "2023-11-14T22:13:20+24:00", "2023-11-14T22:13:20+01:60", "2023-11-14T22:13:20+0100", "+023-11-14T22:13:20Z",
        "9999-12-31T23:59:59-01:00", "0000-01-01T00:00:00+00:01", "2023-11-14T22:13:2OZ", "２023-11-14T22:13:20Z",
    ])
    func `another text is not a time`(text: String) {
        #expect(RFC3339.milliseconds(text, .any) == nil)
        #expect(RFC3339.milliseconds(text, .strict) == nil)
    }
}
