// Bytes of texts that are compared and converted before, or without, decoding them.

extension UInt8 {
    /// True if it is one of `0` to `9`.
    @inlinable
    package var isDigit: Bool { self &- 0x30 < 10 }

    /// True if it is one of `A` to `Z` and `a` to `z`.
    @inlinable
    package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// The value of a hexadecimal digit, in either case; nil for any other byte.
    @inlinable
    package var hexadecimalDigit: UInt8? {
        switch self {
        case 0x30...0x39: self &- 0x30
        case 0x41...0x46, 0x61...0x66: (self | 0x20) &- 0x57
        default: nil
        }
    }
}

/// Bytes that are written as two hexadecimal digits each.
package enum Hexadecimal {
    /// The bytes that digits stand for, in either case; nil for an odd number of digits, and for any other text.
    package static func bytes(_ digits: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for byte in digits {
            guard let digit = byte.hexadecimalDigit else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil ? bytes : nil
    }
}

/// Bytes that are written as `%41`. Source: RFC 3986, section 2.
package enum PercentEncoding {
    /// The bytes that a text stands for. O(n).
    ///
    /// - Parameters:
    ///   - plusIsSpace: as in the fields of a form.
    ///   - keepsBroken: true if a `%` without two digits after it stands for itself.
    /// - Returns: nil if there is one, and it does not.
    package static func decoded(
        _ text: some Sequence<UInt8>, plusIsSpace: Bool = false, keepsBroken: Bool = false
    ) -> [UInt8]? {
        let text = Array(text)
        var bytes: [UInt8] = []
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                if index + 1 < text.count, let high = text[index].hexadecimalDigit,
                    let low = text[index + 1].hexadecimalDigit
                {
                    bytes.append(high << 4 | low)
                    index += 2
                    continue
                }
                if !keepsBroken { return nil }
            }
            bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        }
        return bytes
    }

    /// A text in which only unreserved characters (section 2.3), and those of `others`, stand for themselves.
    package static func encoded(_ text: String, keeping others: String = "") -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if byte.isLetter || byte.isDigit || "-._~".utf8.contains(byte) || others.utf8.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

/// Base64 as JSON Web Tokens write it: with `-` and `_`, without padding. Source: RFC 7515, section 2; RFC 4648, section 5.
package enum Base64URL {
    /// The bytes that a text stands for; nil for any other text, and for an empty one. O(n).
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in text.utf8 {
            guard let digit = value(byte) else { return nil }
            bits = bits << 6 | digit
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
                bits &= (1 << UInt32(count)) - 1
            }
        }
        // One digit more than a multiple of four stands for no byte.
        return bytes.isEmpty || count == 6 ? nil : bytes
    }

    private static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

/// Sizes as people write them.
package enum ByteSize {
    /// Bytes, or nil for another text: a number, or one with a unit. `K`, `KiB` and the like are powers of 1024, `kB` and `KB` of 1000, as
    /// in GNU's tools; upper and lower case mean the same.
    package static func bytes(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), let unit = units[text.dropFirst(digits.count).lowercased()] else { return nil }
        let (bytes, overflowed) = number.multipliedReportingOverflow(by: unit)
        return overflowed ? nil : bytes
    }

    private static let units: [String: Int] = [
        "": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "kb": 1000, "m": 1 << 20, "mib": 1 << 20, "mb": 1_000_000,
        "g": 1 << 30, "gib": 1 << 30, "gb": 1_000_000_000,
    ]
}
