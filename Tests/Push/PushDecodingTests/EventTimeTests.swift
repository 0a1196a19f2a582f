import PushDecoding
import PushModel
import Testing

/// Times and durations in events.
struct EventTimeTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2023-11-14T22:13:20Z", 1_700_000_000_000),
        ("2023-11-14T23:13:20+01:00", 1_700_000_000_000), ("2023-11-14t22:13:20.25z", 1_700_000_000_250),
        ("2023-11-14T22:13:20.123456Z", 1_700_000_000_123), ("2000-02-29T00:00:00Z", 951_782_400_000),
        ("1969-12-31T23:59:59.999Z", -1), ("0001-01-01T00:00:00Z", -62_135_596_800_000),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ])
    func `a time of RFC 3339 is milliseconds since the epoch`(text: String, milliseconds: Int64) {
        #expect(EventTime.milliseconds(text) == milliseconds)
    }

    @Test(arguments: [
        "", "2023-11-14", "2023-11-14T22:13:20", "2023-13-14T22:13:20Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
        "2023-11-14T24:00:00Z", "2023-11-14T22:60:00Z", "2023-11-14T22:13:20.Z", "2023-11-14T22:13:20Zx",
        "0000-01-01T00:00:00Z", "9999-12-31T23:59:59-01:00", "+023-11-14T22:13:20Z",
    ])
    func `what is no time is none`(text: String) {
        #expect(EventTime.milliseconds(text) == nil)
    }

    @Test(arguments: [
        ("90s", 90_000), ("1h30m", 5_400_000), ("1.5h", 5_400_000), ("250ms", 250), ("30d", 2_592_000_000),
        ("2w", 1_209_600_000), ("0s", 0), ("1m1m", 120_000),
    ])
    func `a duration is a number and a unit, or several`(text: String, milliseconds: Int64) {
        #expect(EventTime.duration(text) == milliseconds)
    }

    @Test(arguments: ["", "90", "s", "1y", "-1s", "1 h", "1h30", "1..5h", "１s", "999999999999w", "1e3s"])
    func `what is no duration is none`(text: String) {
        #expect(EventTime.duration(text) == nil)
    }

    @Test func `a number of seconds that no calendar has is none`() {
        #expect(EventTime.milliseconds(1_700_000_000.25) == 1_700_000_000_250)
        #expect(EventTime.milliseconds(.infinity) == nil)
        #expect(EventTime.milliseconds(.nan) == nil)
        #expect(EventTime.milliseconds(1e300) == nil)
        #expect(EventTime.milliseconds(-1e12) == nil)
    }
}
