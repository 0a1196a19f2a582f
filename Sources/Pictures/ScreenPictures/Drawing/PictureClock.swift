import PushSystem

/// Times as phones show them, in UTC: a store knows no time zone.
package enum PictureClock {
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let dayLength: Int64 = 86_400_000

    /// The fields of a time: `2026`, `11`, `03`, `20`, `00`, …; nil outside of the years 0 to 9999.
    private static func field(_ time: Int64, _ range: Range<Int>) -> Substring? {
        guard RFC3339.writable.contains(time) else { return nil }
        let text = RFC3339.text(time)
        return text.dropFirst(range.lowerBound).prefix(range.count)
    }

    /// `20:05`.
    package static func time(_ time: Int64) -> String { field(time, 11..<16).map(String.init) ?? "--:--" }

    /// `20:05:09.120`.
    package static func exactTime(_ time: Int64) -> String { field(time, 11..<23).map(String.init) ?? "--:--" }

    /// `Tuesday, November 3`.
    package static func longDate(_ time: Int64) -> String {
        guard let month = month(time), let day = day(time) else { return "" }
        return "\(weekday(time)), \(month) \(day)"
    }

    /// `Tue, Nov 3`.
    package static func shortDate(_ time: Int64) -> String {
        guard let month = month(time), let day = day(time) else { return "" }
        return "\(weekday(time).prefix(3)), \(month.prefix(3)) \(day)"
    }

    private static func month(_ time: Int64) -> String? {
        field(time, 5..<7).flatMap { Int($0) }.flatMap { months.indices.contains($0 - 1) ? months[$0 - 1] : nil }
    }

    private static func day(_ time: Int64) -> Int? { field(time, 8..<10).flatMap { Int($0) } }

    /// 1970-01-01 was a Thursday.
    private static func weekday(_ time: Int64) -> String { weekdays[Int((((dayNumber(time) + 4) % 7) + 7) % 7)] }

    private static func dayNumber(_ time: Int64) -> Int64 {
        time / dayLength - (time % dayLength < 0 ? 1 : 0)
    }

    /// How long ago, as iOS says it: `now`, `5m ago`, `2h ago`, `Yesterday`, `Mon`, `Nov 3`.
    package static func ago(_ time: Int64, at now: Int64) -> String {
        let minutes = minutes(from: time, to: now)
        if minutes < 1 { return "now" }
        if minutes < 60 { return "\(minutes)m ago" }
        if dayNumber(time) == dayNumber(now) || minutes < 6 * 60 { return "\(minutes / 60)h ago" }
        let days = dayNumber(now) - dayNumber(time)
        if days == 1 { return "Yesterday" }
        if days < 7 { return String(weekday(time).prefix(3)) }
        return month(time).flatMap { month in day(time).map { "\(month.prefix(3)) \($0)" } } ?? ""
    }

    /// How long ago, as Android says it: `now`, `5m`, `2h`, `3d`.
    package static func age(_ time: Int64, at now: Int64) -> String {
        let minutes = minutes(from: time, to: now)
        if minutes < 1 { return "now" }
        if minutes < 60 { return "\(minutes)m" }
        return minutes < 24 * 60 ? "\(minutes / 60)h" : "\(minutes / (24 * 60))d"
    }

    /// Whole minutes; 0 for a time that is not in the past.
    private static func minutes(from time: Int64, to now: Int64) -> Int64 {
        let (difference, overflows) = now.subtractingReportingOverflow(time)
        return overflows ? Int64.max / 60_000 : max(difference, 0) / 60_000
    }
}
