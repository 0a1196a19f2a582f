import PushSystem
import Testing

@testable import ScreenPictures

struct PictureClockTests {
    private func time(_ text: String) throws -> Int64 { try #require(RFC3339.milliseconds(text, .strict)) }

    @Test(arguments: [
        ("2026-11-03T20:05:09.120Z", "Tuesday, November 3", "20:05"),
        ("1970-01-01T00:00:00Z", "Thursday, January 1", "00:00"),
        ("1969-12-31T23:59:59Z", "Wednesday, December 31", "23:59"),
        ("2000-02-29T12:00:00Z", "Tuesday, February 29", "12:00"),
    ])
    func `Dates and times`(text: String, date: String, clock: String) throws {
        #expect(PictureClock.longDate(try time(text)) == date)
        #expect(PictureClock.time(try time(text)) == clock)
    }

    @Test(arguments: [
        ("2026-11-03T20:00:00Z", "now", "now"), ("2026-11-03T19:59:00Z", "1m ago", "1m"),
        ("2026-11-03T19:01:00Z", "59m ago", "59m"),
        ("2026-11-03T19:00:00Z", "1h ago", "1h"), ("2026-11-03T00:30:00Z", "19h ago", "19h"),
        ("2026-11-02T12:00:00Z", "Yesterday", "1d"), ("2026-10-30T20:00:00Z", "Fri", "4d"),
        ("2026-10-02T20:00:00Z", "Oct 2", "32d"),
        ("2026-11-03T21:00:00Z", "now", "now"),
    ])
    func `How long ago`(text: String, ago: String, age: String) throws {
        let now = try time("2026-11-03T20:00:00Z")
        #expect(PictureClock.ago(try time(text), at: now) == ago)
        #expect(PictureClock.age(try time(text), at: now) == age)
    }

    @Test(arguments: [Int64.min, .max, RFC3339.writable.lowerBound - 1])
    func `A time outside of the calendar is drawn`(time: Int64) {
        #expect(PictureClock.longDate(time).isEmpty)
        #expect(PictureClock.time(time) == "--:--")
        _ = PictureClock.ago(time, at: .max)
        _ = PictureClock.ago(.max, at: time)
    }
}
