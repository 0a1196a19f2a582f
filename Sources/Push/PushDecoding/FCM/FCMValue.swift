package import PayloadJSON
import PushSystem

/// Which JSON values FCM's parser takes for a type.
///
/// Source: Protocol Buffers, ProtoJSON Format. Where the parsers of protocol buffers differ, this is the format's own
/// rule: a boolean is `true` or `false`, and no string.
package enum FCMValue {
    /// True if a value that is neither null nor part of an array is one of this type. Says nothing of the values in an
    /// object.
    static func isValid(_ value: JSONView, _ type: FCMType) -> Bool {
        switch type {
        case .string: value.kind == .string
        case .bool: value.kind == .true || value.kind == .false
        case .message, .stringMap, .structure: value.isObject
        case .int32: isInt32(value)
        case .float: isFloat(value)
        case .duration: durationFault(value) == nil
        case .timestamp: timestampFault(value) == nil
        case .enumeration(let enumeration): isValue(value, of: enumeration)
        }
    }

    // MARK: - Numbers

    /// A whole number of 32 bits in any spelling, or a string that holds one.
    private static func isInt32(_ value: JSONView) -> Bool {
        number(value).map { $0 == $0.rounded() && abs($0) <= 2_147_483_648 && $0 != 2_147_483_648 } ?? false
    }

    private static func isFloat(_ value: JSONView) -> Bool {
        if let text = value.string, text == "NaN" || text == "Infinity" || text == "-Infinity" { return true }
        return number(value).map { abs($0) <= Double(Float.greatestFiniteMagnitude) } ?? false
    }

    /// The number, or that in a string; nil if it is none, or beyond a double.
    static func number(_ value: JSONView) -> Double? {
        if let string = value.string {
            let text = string.string
            // A number of JSON, and nothing that only Swift reads as one.
            guard text.utf8.allSatisfy({ $0 &- 48 < 10 || "+-.eE".utf8.contains($0) }),
                text.utf8.first != UInt8(ascii: "+")
            else { return nil }
            return Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
        return value.double
    }

    // MARK: - Durations

    /// The largest number of seconds in a `google.protobuf.Duration`.
    private static let longest: UInt64 = 315_576_000_000

    /// Why a value is no duration, in the words of Google's parser; nil if it is one.
    static func durationFault(_ value: JSONView) -> StaticString? {
        guard let string = value.string else { return "Invalid data type for duration, value is " }
        return string.withDecoded(durationFault)
    }

    private static func durationFault(_ text: BorrowedText) -> StaticString? {
        // SOUND: reads only through the buffer's own iterator.
        guard unsafe text.buffer.last == UInt8(ascii: "s") else {
            return "Illegal duration format; duration must end with 's'"
        }
        var digits = unsafe text.buffer.dropLast()
        if unsafe digits.first == UInt8(ascii: "-") { unsafe digits = digits.dropFirst() }
        var seconds: UInt64 = 0
        var isEmpty = true
        var decimals: Int?
        var bytes = unsafe digits.makeIterator()
        while let byte = unsafe bytes.next() {
            if byte == UInt8(ascii: "."), decimals == nil {
                decimals = 0
            } else if byte &- UInt8(ascii: "0") >= 10 {
                return decimals == nil
                    ? "Invalid duration format, failed to parse seconds"
                    : "Invalid duration format, failed to parse nano seconds"
            } else if let count = decimals {
                decimals = count + 1
            } else {
                isEmpty = false
                seconds = min(seconds * 10 + UInt64(byte - UInt8(ascii: "0")), longest + 1)
            }
        }
        if isEmpty { return "Invalid duration format, failed to parse seconds" }
        if let decimals, !(1...9).contains(decimals) { return "Invalid duration format, failed to parse nano seconds" }
        return seconds > longest ? "Duration value exceeds limits" : nil
    }

    /// True if a duration is below zero. `-0s` is not.
    package static func isNegative(_ value: JSONView) -> Bool {
        // SOUND: the bytes live as long as the value.
        value.string?.withDecoded { text in
            unsafe text.buffer.first == UInt8(ascii: "-")
                && text.buffer.contains { $0 &- UInt8(ascii: "1") < 9 }
        } ?? false
    }

    /// True if a duration is from zero to a number of whole seconds.
    package static func isDuration(_ value: JSONView, upTo limit: Int64) -> Bool {
        guard let string = value.string, !isNegative(value) else { return false }
        return string.withDecoded { isDuration($0, upTo: limit) }
    }

    private static func isDuration(_ text: BorrowedText, upTo limit: Int64) -> Bool {
        // SOUND: reads only through the buffer's own iterator.
        var seconds: Int64 = 0
        var isFraction = false
        var bytes = unsafe text.buffer.makeIterator()
        while let byte = unsafe bytes.next() {
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else if byte &- UInt8(ascii: "0") < 10 {
                if isFraction {
                    // The limit and a fraction of a second are over it.
                    if seconds == limit, byte != UInt8(ascii: "0") { return false }
                } else {
                    seconds = seconds * 10 + Int64(byte - UInt8(ascii: "0"))
                    if seconds > limit { return false }
                }
            }
        }
        return true
    }

    // MARK: - Times

    /// Why a value is no time, in the words of Google's parser; nil if it is one.
    static func timestampFault(_ value: JSONView) -> StaticString? {
        guard let text = value.string?.string else { return "Invalid data type for timestamp, value is " }
        let decimals = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1).dropFirst().first?
            .prefix { $0 &- 48 < 10 }
        let isSeparated = text.utf8.dropFirst(10).first.map { $0 | 0x20 == UInt8(ascii: "t") } ?? false
        if isSeparated, EventTime.milliseconds(text) != nil, decimals?.count ?? 0 <= 9 { return nil }
        let hasZone = text.utf8.last.map { $0 | 0x20 == UInt8(ascii: "z") } ?? false
        let time = text.split(separator: "T", maxSplits: 1).dropFirst().first ?? ""
        return hasZone || time.contains("+") || time.contains("-")
            ? "Invalid time format: "
            : "Illegal timestamp format; timestamps must end with 'Z' or have a valid timezone offset."
    }

    // MARK: - Enumerations

    /// A value's name, whatever its case and with `-` for `_`, as FCM's samples write priorities in lower case; or a
    /// number of 32 bits, of a value that the receiver need not know. A string may hold the number of a value.
    private static func isValue(_ value: JSONView, of enumeration: FCMEnumeration) -> Bool {
        guard let string = value.string else { return value.kind == .number && isInt32(value) }
        let names = enumeration.names
        if string.withDecoded({ isName($0, among: names) }) { return true }
        return number(value).map { $0 == $0.rounded() && $0 >= 0 && $0 < Double(names.count) } ?? false
    }

    private static func isName(_ text: BorrowedText, among names: [StaticString]) -> Bool {
        // SOUND: the name has as many bytes as are compared.
        for name in names where text.count == name.utf8CodeUnitCount {
            var index = 0
            while index < text.count {
                let byte = unsafe text.start[index]
                let upper = byte &- UInt8(ascii: "a") < 26 ? byte & 0xDF : byte == UInt8(ascii: "-") ? 0x5F : byte
                if unsafe upper != name.utf8Start[index] { break }
                index += 1
            }
            if index == text.count, index > 0 { return true }
        }
        return false
    }

    /// True if it has the form `#rrggbb`.
    package static func isColor(_ value: JSONView) -> Bool {
        // SOUND: the text has seven bytes.
        value.string?.withDecoded { text in
            unsafe text.count == 7 && text.start[0] == UInt8(ascii: "#")
                && text.buffer.dropFirst().allSatisfy { $0.hexadecimalDigit != nil }
        } ?? false
    }
}
