/// Times and durations as people write them, in milliseconds.
package enum EventTime {
    /// The years 1 to 9999, which RFC 3339 can represent.
    package static let writable: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// Epoch seconds, with a precision of milliseconds.
    package static func milliseconds(_ seconds: Double) -> Int64? {
        guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()), writable.contains(milliseconds) else {
            return nil
        }
        return milliseconds
    }

    /// An RFC 3339 time: `2026-11-03T20:00:00Z`, `2026-11-03T20:00:00.5+01:00`. Digits after the millisecond are
    /// dropped.
    package static func milliseconds(_ text: String) -> Int64? {
        var reader = DigitReader(text)
        guard let year = reader.digits(4), year >= 1, reader.skip("-"), let month = reader.digits(2), reader.skip("-"),
            let day = reader.digits(2), reader.skip("T") || reader.skip("t") || reader.skip(" "),
            let hour = reader.digits(2), reader.skip(":"), let minute = reader.digits(2), reader.skip(":"),
            let second = reader.digits(2), (1...12).contains(month), (1...daysIn(month, of: year)).contains(day),
            hour < 24, minute < 60, second < 61
        else { return nil }
        var milliseconds: Int64 = 0
        if reader.skip(".") {
            guard let fraction = reader.fraction() else { return nil }
            milliseconds = fraction
        }
        var offset: Int64 = 0
        if !reader.skip("Z"), !reader.skip("z") {
            let sign: Int64
            if reader.skip("+") { sign = 1 } else if reader.skip("-") { sign = -1 } else { return nil }
            guard let hours = reader.digits(2), reader.skip(":"), let minutes = reader.digits(2), hours < 24,
                minutes < 60
            else { return nil }
            offset = sign * (hours * 60 + minutes)
        }
        guard reader.isAtEnd else { return nil }
        let minutes = (days(year, month, day) * 24 + hour) * 60 + minute - offset
        let result = (minutes * 60 + second) * 1000 + milliseconds
        return writable.contains(result) ? result : nil
    }

    /// A duration: `90s`, `1h30m`, `1.5h`, `250ms`, `2w`; units in any order. At most ten thousand years.
    package static func duration(_ text: String) -> Int64? {
        let units: [(name: StaticString, milliseconds: Double)] = [
            ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("w", 604_800_000),
        ]
        var rest = text[...]
        var total = 0.0
        repeat {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            let name = rest.dropFirst(number.count).prefix { $0.isASCII && $0.isLetter }
            guard let amount = Double(number), let unit = units.first(where: { $0.name.description == name }) else {
                return nil
            }
            total += amount * unit.milliseconds
            rest = rest.dropFirst(number.count + name.count)
        } while !rest.isEmpty
        guard total <= Double(writable.upperBound) else { return nil }
        return Int64(total.rounded())
    }

    private static func daysIn(_ month: Int64, of year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        switch month {
        case 2: return isLeap ? 29 : 28
        case 4, 6, 9, 11: return 30
        default: return 31
        }
    }

    /// Days since 1970-01-01 in the Gregorian calendar. Years begin in March here, so that a leap day is the last day
    /// of its year.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        // 719,468 days lie between 0000-03-01 and 1970-01-01.
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}

/// Reads digits from the front of a text.
private struct DigitReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Reads exactly this many digits.
    mutating func digits(_ count: Int) -> Int64? {
        var number: Int64 = 0
        for byte in rest.prefix(count) {
            guard let digit = Self.digit(byte) else { return nil }
            number = number * 10 + digit
        }
        guard rest.count >= count else { return nil }
        rest = rest.dropFirst(count)
        return number
    }

    /// The digits after a decimal point, as milliseconds.
    mutating func fraction() -> Int64? {
        var milliseconds: Int64 = 0
        var weight: Int64 = 100
        var count = 0
        while let byte = rest.first, let digit = Self.digit(byte) {
            milliseconds += digit * weight
            weight /= 10
            count += 1
            rest = rest.dropFirst()
        }
        return count > 0 ? milliseconds : nil
    }

    private static func digit(_ byte: UInt8) -> Int64? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int64(byte - UInt8(ascii: "0")) : nil
    }
}
