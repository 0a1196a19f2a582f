/// Times in RFC 3339, as milliseconds since the epoch in the proleptic Gregorian calendar.
package enum RFC3339 {
    /// The range of a four-digit year: the years 0 to 9999, in milliseconds since the epoch.
    package static let writable: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    package enum Form: Sendable {
        /// Only what `text` writes: UTC, `T` and `Z` as capitals, whole seconds or one to three digits of a fraction, no leap second.
        case strict
        /// Everything that RFC 3339 allows: offsets, `t`, `z` or a space, a leap second, any number of digits. Digits after the
        /// millisecond are dropped.
        case any
    }

    private static let millisecondsOfDay: Int64 = 86_400_000

    /// UTC with milliseconds: `2026-11-03T20:00:00.000Z`. A time outside `writable` is written as a number.
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

    /// Milliseconds since the epoch; nil if the text is not a time of this form, or the time is outside `writable` in UTC.
    package static func milliseconds(_ text: String, _ form: Form) -> Int64? {
        var reader = DigitReader(text[...].utf8)
        guard let year = reader.digits(4), reader.skip("-"), let month = reader.digits(2), reader.skip("-"),
            let day = reader.digits(2), reader.skip("T") || (form == .any && (reader.skip("t") || reader.skip(" "))),
            let hour = reader.digits(2), reader.skip(":"), let minute = reader.digits(2), reader.skip(":"),
            let second = reader.digits(2), let days = days(year, month, day), hour < 24, minute < 60,
            second < (form == .any ? 61 : 60)
        else { return nil }
        var milliseconds: Int64 = 0
        if reader.skip(".") {
            guard let fraction = reader.fraction(), form == .any || fraction.digits <= 3 else { return nil }
            milliseconds = fraction.milliseconds
        }
        guard let offset = reader.offset(form), reader.isAtEnd else { return nil }
        let minutes = (days * 24 + hour) * 60 + minute - offset
        let result = (minutes * 60 + second) * 1000 + milliseconds
        return writable.contains(result) ? result : nil
    }

    private static func daysIn(_ month: Int64, of year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        switch month {
        case 2: return isLeap ? 29 : 28
        case 4, 6, 9, 11: return 30
        default: return 31
        }
    }

    // The Gregorian calendar in both directions, in eras of 400 years that begin in March, so that a leap day is the last of its year.
    // After Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms". 719,468 days lie between 0000-03-01 and 1970-01-01.

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

    /// Days since the epoch; nil if the calendar does not have the day.
    static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
        guard (1...12).contains(month), (1...daysIn(month, of: year)).contains(day) else { return nil }
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

/// Reads digits, separators and words from the front of a text.
struct DigitReader {
    private var rest: Substring.UTF8View

    init(_ text: Substring.UTF8View) { rest = text }

    var isAtEnd: Bool { rest.isEmpty }

    /// True if the next character belongs to the word or number before it.
    var isInsideWord: Bool { rest.first.map { $0.isLetter || $0.isDigit } ?? false }

    mutating func skipSpaces() { rest = rest.drop { $0 == UInt8(ascii: " ") } }

    /// Skips one of these characters, and returns it.
    mutating func skip(any characters: String) -> Unicode.Scalar? {
        characters.unicodeScalars.first { skip($0) }
    }

    /// The next letters, lowercased; nil if there are none.
    mutating func word() -> String? {
        let letters = rest.prefix { $0.isLetter }
        rest = rest.dropFirst(letters.count)
        return letters.isEmpty ? nil : String(Substring(letters)).lowercased()
    }

    /// The number of a month, from 1, by its name or the first three letters.
    mutating func month(_ names: [String]) -> Int64? {
        word().flatMap { word in names.firstIndex { word.hasPrefix($0) } }.map { Int64($0) + 1 }
    }

    /// The number that the next digits form, and how many they are; nil unless that is in the range.
    mutating func number(_ range: ClosedRange<Int>) -> (number: Int64, count: Int)? {
        let digits = rest.prefix { $0.isDigit }
        guard range.contains(digits.count), let number = Int64(Substring(digits)) else { return nil }
        rest = rest.dropFirst(digits.count)
        return (number, digits.count)
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// The number formed by exactly this many digits.
    mutating func digits(_ count: Int) -> Int64? {
        var number: Int64 = 0
        for byte in rest.prefix(count) {
            guard byte.isDigit else { return nil }
            number = number * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        guard rest.count >= count else { return nil }
        rest = rest.dropFirst(count)
        return number
    }

    /// The digits of a fraction of a second; nil if there are none.
    mutating func fraction() -> (milliseconds: Int64, digits: Int)? {
        var milliseconds: Int64 = 0
        var weight: Int64 = 100
        var count = 0
        while let byte = rest.first, byte.isDigit {
            milliseconds += Int64(byte - UInt8(ascii: "0")) * weight
            weight /= 10
            count += 1
            rest = rest.dropFirst()
        }
        return count > 0 ? (milliseconds, count) : nil
    }

    /// Minutes that local time is ahead of UTC; nil if there is no offset.
    mutating func offset(_ form: RFC3339.Form, needsColon: Bool = true) -> Int64? {
        if skip("Z") { return 0 }
        guard form == .any else { return nil }
        if skip("z") { return 0 }
        let sign: Int64
        if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
        guard let hours = digits(2), skip(":") || !needsColon, let minutes = digits(2), hours < 24, minutes < 60 else {
            return nil
        }
        return sign * (hours * 60 + minutes)
    }
}
