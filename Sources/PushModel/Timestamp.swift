/// RFC 3339 timestamps in UTC, with milliseconds.
///
/// The calendar is computed here: an import must read the exact times that an export writes, on each line, and reject
/// days that do not exist.
package enum Timestamp {
    private static let millisecondsOfDay: Int64 = 86_400_000
    /// The years 0 to 9999, in milliseconds since the epoch: the range of four digits.
    package static let writable: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// The timestamp. A time that RFC 3339 cannot represent is written as a number.
    package static func text(_ milliseconds: Int64) -> String {
        guard writable.contains(milliseconds) else { return String(milliseconds) }
        var days = milliseconds / millisecondsOfDay
        var rest = milliseconds % millisecondsOfDay
        if rest < 0 {
            days -= 1
            rest += millisecondsOfDay
        }
        let (year, month, day) = date(days: days)
        let seconds = rest / 1000
        var text: [UInt8] = []
        text.reserveCapacity(24)
        append(year, digits: 4, then: "-", to: &text)
        append(month, digits: 2, then: "-", to: &text)
        append(day, digits: 2, then: "T", to: &text)
        append(seconds / 3600, digits: 2, then: ":", to: &text)
        append(seconds / 60 % 60, digits: 2, then: ":", to: &text)
        append(seconds % 60, digits: 2, then: ".", to: &text)
        append(rest % 1000, digits: 3, then: "Z", to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads what `text` writes: whole seconds with one to three decimals or none, in UTC. Nil for another text.
    package static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard (20...24).contains(bytes.count), bytes.count != 21, bytes.last == UInt8(ascii: "Z") else { return nil }
        for (position, mark) in zip([4, 7, 10, 13, 16], "--T::".utf8) where bytes[position] != mark { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            var value: Int64 = 0
            for byte in bytes[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            return value
        }
        var fraction: Int64 = 0
        if bytes.count > 20 {
            guard bytes[19] == UInt8(ascii: "."), let digits = number(20..<bytes.count - 1) else { return nil }
            fraction = digits * [100, 10, 1][bytes.count - 22]
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19), hour < 24,
            minute < 60, second < 60, (1...12).contains(month), day >= 1
        else { return nil }
        let days = days(year: year, month: month, day: day)
        // Only a day that exists converts back to itself.
        guard date(days: days) == (year, month, day) else { return nil }
        return days * millisecondsOfDay + (hour * 3600 + minute * 60 + second) * 1000 + fraction
    }

    // The Gregorian calendar in both directions, in eras of 400 years that begin in March, so that a leap day is the
    // last day of its year. After Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".

    private static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func append(_ number: Int64, digits: Int, then mark: Unicode.Scalar, to text: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
        text.append(UInt8(ascii: mark))
    }
}
