import PushSystem
import Testing

/// Times as programs write them into logs.
struct LogTimeTests {
    /// 2026-11-03T20:00:00Z, by `date -u -d … +%s`.
    private static let evening: Int64 = 1_793_736_000_000

    @Test(arguments: [
        // RFC 3339, with more or fewer digits, and what loggers make of it.
        ("2026-11-03T20:00:00Z app {", 0), ("2026-11-03T20:00:00.123456789Z ", 123),
        ("2026-11-03T21:00:00.5+01:00", 500),
        ("2026-11-03 20:00:00,123 - sender - INFO - ", 123), ("2026/11/03 20:00:00 sent ", 0),
        ("time=2026-11-03T20:00:00Z level=info payload=", 0), ("2026-11-03 21:00:00 +0100 sent", 0),
        // Rails, RFC 5424, the containers of Compose and Kubernetes.
        ("I, [2026-11-03T20:00:00.123456 #4242]  INFO -- : sending ", 123),
        ("<13>1 2026-11-03T20:00:00.003Z web1 sender 42 - - ", 3), ("web-1  | 2026-11-03T20:00:00Z ", 0),
        ("[pod/sender-7d9f/app] 2026-11-03T20:00:00Z ", 0),
        // Web servers, mail and HTTP.
        (#"127.0.0.1 - - [03/Nov/2026:20:00:00 +0000] "POST /"#, 0), ("Tue, 03 Nov 2026 15:00:00 EST ", 0),
        ("Tue, 3 Nov 2026 20:00:00 GMT", 0),
        // date(1) and syslog.
        ("Tue Nov  3 20:00:00 UTC 2026: ", 0), ("Tue Nov  3 21:00:00 CET 2026 ", 0), ("Tue Nov  3 20:00:00 2026 ", 0),
        ("Tue 03 Nov 2026 08:00:00 PM UTC ", 0), ("Nov  3 20:00:00 web1 sender[42]: ", 0),
        // Offsets of databases and browsers, and numbers that are no years.
        ("2026-11-03T13:00:00-07 x", 0), ("2026-11-03 22:00:00.5+02 x", 500), ("2026-11-03 21:00:00 UTC+1", 0),
        ("Tue Nov  3 21:00:00 GMT+0100 2026", 0), ("Nov  3 20:00:00 app 4321: ", 0), ("Nov  3 20:00:00 web 2024-x", 0),
        ("2026-11-03T20:00:00-sender", 0),
        // Since the epoch.
        ("1793736000 ", 0), ("1793736000.25", 250), ("[1793736000123] ", 123), ("1793736000123456", 123),
        ("1793736000123456789", 123),
    ])
    func `a time is found in the beginning of a line`(text: String, milliseconds: Int64) {
        #expect(LogTime.first(in: text, now: Self.evening) == Self.evening + milliseconds, "\(text)")
    }

    @Test(arguments: [
        "", "[req-1] sending ", "20:00:00 INFO ", "2026-13-03T20:00:00Z", "2026-02-30T20:00:00Z",
        "2026-11-03T24:00:00Z", "2026-11-03T20:00:00+123 ", "9999-12-31 23:59:59 -0500",
        "17937360001 ", "request 1793736000 ", "Nov 31 20:00:00 web1", "a2026-11-03T20:00:00Z", "May I ask 20:00:00",
    ])
    func `other text has no time`(text: String) {
        #expect(LogTime.first(in: text, now: Self.evening) == nil, "\(text)")
    }

    @Test func `a time without a year is of the last one in which it is not after tomorrow`() {
        let newYear = RFC3339.milliseconds("2027-01-01T00:00:05Z", .any) ?? 0
        let before = RFC3339.milliseconds("2026-12-31T23:59:59Z", .any)
        #expect(LogTime.first(in: "Dec 31 23:59:59 web1", now: newYear) == before)
        #expect(LogTime.first(in: "Jan  1 00:00:05 web1", now: newYear) == newYear)
        // The machines' clocks and zones may differ.
        #expect(LogTime.first(in: "Jan  1 00:00:05 web1", now: newYear - 60_000) == newYear)
        let leapDay = RFC3339.milliseconds("2028-02-29T12:00:00Z", .any)
        #expect(LogTime.first(in: "Feb 29 12:00:00 web1", now: (leapDay ?? 0) + 1) == leapDay)
    }
}
