/// The times that programs write into logs: those of RFC 3339 and its relatives, of `date`, syslog and web servers, and seconds or
/// milliseconds since the epoch.
package enum LogTime {
    /// The number of bytes at the beginning of a text in which a time is looked for.
    package static let examinedBytes = 96

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    /// Zones by name, in hours ahead of UTC: those of RFC 5322, and central Europe's. Any other name counts as UTC.
    private static let zones: [String: Int64] = [
        "utc": 0, "gmt": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
        "cet": 1, "cest": 2,
    ]

    /// The first time in a text, in milliseconds since the epoch; nil if there is none. Without a zone, it is UTC.
    ///
    /// - Parameter now: milliseconds since the epoch; a time without a year, as in syslog, is of the last year in which it is not after
    ///   tomorrow.
    package static func first(in text: String, now: Int64) -> Int64? {
        var rest = text[...].utf8.prefix(examinedBytes).drop { !$0.isLetter && !$0.isDigit }
        var isFirst = true
        while !rest.isEmpty {
            if isFirst, let time = epoch(DigitReader(rest)) { return time }
            if let time = calendar(DigitReader(rest), now) { return time }
            isFirst = false
            rest = rest.drop { $0.isLetter || $0.isDigit }.drop { !$0.isLetter && !$0.isDigit }
        }
        return nil
    }

    /// A number of ten digits is seconds, one of 13 milliseconds, and one of 16 or 19 a smaller unit.
    private static func epoch(_ start: DigitReader) -> Int64? {
        var reader = start
        guard let (number, count) = reader.number(1...19), !reader.isInsideWord else { return nil }
        switch count {
        case 10: return number * 1000 + (reader.skip(".") ? reader.fraction()?.milliseconds ?? 0 : 0)
        case 13: return number
        case 16: return number / 1000
        case 19: return number / 1_000_000
        default: return nil
        }
    }

    /// A time that begins with `2026-11-03T`, `2026/11/03`, `03/Nov/2026:`, `3 Nov 2026` or `Nov 3`.
    private static func calendar(_ start: DigitReader, _ now: Int64) -> Int64? {
        var reader = start
        var year: Int64?
        let month: Int64
        let day: Int64
        if let digits = reader.digits(4) {
            guard let mark = reader.skip(any: "-/"), let number = reader.digits(2), reader.skip(mark),
                let last = reader.digits(2)
            else { return nil }
            (year, month, day) = (digits, number, last)
        } else if let (first, _) = reader.number(1...2) {
            guard let mark = reader.skip(any: "/- "), let name = reader.month(months), reader.skip(mark),
                let digits = reader.digits(4)
            else { return nil }
            (year, month, day) = (digits, name, first)
        } else {
            guard let name = reader.month(months), reader.skip(any: " ") != nil else { return nil }
            reader.skipSpaces()
            guard let (last, _) = reader.number(1...2) else { return nil }
            (month, day) = (name, last)
        }
        guard reader.skip(any: "Tt :") != nil, let time = timeOfDay(&reader) else { return nil }
        guard let zone = zone(&reader) else { return nil }
        func milliseconds(_ year: Int64) -> Int64? {
            let result = RFC3339.days(year, month, day).map { $0 * 86_400_000 + time - zone * 60_000 }
            return result.flatMap { RFC3339.writable.contains($0) ? $0 : nil }
        }
        if let year { return milliseconds(year) }
        let latest = now + 86_400_000
        let last = Int64(RFC3339.text(latest).prefix(4)) ?? 0
        // Another number, such as that of a process, is no year.
        if reader.skip(" "), let digits = reader.digits(4), (1970...max(last, 1970)).contains(digits),
            reader.isAtEnd || reader.skip(any: " ]:,") != nil
        {
            return milliseconds(digits)
        }
        return [last, last - 1].lazy.compactMap(milliseconds).first { $0 <= latest }
    }

    /// The time of day in milliseconds: `20:00:00`, `20:00:00.123`, `20:00:00,123` or `8:00:00 PM`.
    private static func timeOfDay(_ reader: inout DigitReader) -> Int64? {
        guard var (hour, _) = reader.number(1...2), reader.skip(":"), let minute = reader.digits(2), reader.skip(":"),
            let second = reader.digits(2), hour < 24, minute < 60, second < 61
        else { return nil }
        let fraction = reader.skip(any: ".,") != nil ? reader.fraction()?.milliseconds ?? 0 : 0
        var rest = reader
        if rest.skip(" "), let half = rest.word(), ["am", "pm"].contains(half), hour <= 12 {
            reader = rest
            hour = hour % 12 + (half == "pm" ? 12 : 0)
        }
        return ((hour * 60 + minute) * 60 + second) * 1000 + fraction
    }

    /// Minutes ahead of UTC; 0 without a zone, and nil for an offset of another form. A word that a year follows, as `date` writes it, is one.
    private static func zone(_ reader: inout DigitReader) -> Int64? {
        var rest = reader
        _ = rest.skip(" ")
        if let minutes = rest.offset(.any, needsColon: false) {
            reader = rest
            return minutes
        }
        if hasSign(reader) { return hours(&reader) }
        guard let word = rest.word() else { return 0 }
        if ["gmt", "utc"].contains(word), hasSign(rest) {
            reader = rest
            if let minutes = rest.offset(.any, needsColon: false) {
                reader = rest
                return minutes
            }
            return hours(&reader)
        }
        var next = rest
        guard zones[word] != nil || next.skip(" ") && next.digits(4) != nil else { return 0 }
        reader = rest
        return (zones[word] ?? 0) * 60
    }

    /// True if a sign and a digit come next.
    private static func hasSign(_ reader: DigitReader) -> Bool {
        var rest = reader
        return rest.skip(any: "+-") != nil && rest.number(1...19) != nil
    }

    /// Minutes of an offset in hours, such as `-07`; nil for another number.
    private static func hours(_ reader: inout DigitReader) -> Int64? {
        let sign = reader.skip(any: "+-")
        guard let (hours, _) = reader.number(1...2), hours < 24, !reader.isInsideWord else { return nil }
        return sign == "-" ? -hours * 60 : hours * 60
    }
}
