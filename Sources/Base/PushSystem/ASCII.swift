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
