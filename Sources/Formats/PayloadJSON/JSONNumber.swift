/// Exact values of JSON numbers.
@usableFromInline package enum JSONNumber {
    /// The value of an integer literal (no fraction, no exponent) that fits in 64 bits; nil otherwise.
    @usableFromInline package static func int64(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        // SOUND: reads only through the buffer's own iterator.
        var digits = unsafe text[...]
        let isNegative = unsafe digits.first == UInt8(ascii: "-")
        if isNegative { unsafe digits = digits.dropFirst() }
        guard unsafe !digits.isEmpty else { return nil }
        var value: Int64 = 0
        var bytes = unsafe digits.makeIterator()
        if unsafe digits.count <= 18 {
            // Too few to overflow.
            while let byte = unsafe bytes.next() {
                guard byte &- UInt8(ascii: "0") < 10 else { return nil }
                value = value &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
            }
            return isNegative ? -value : value
        }
        while let byte = unsafe bytes.next() {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let digit = Int64(byte - UInt8(ascii: "0"))
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowedAgain) = product.subtractingReportingOverflow(digit)
            if overflowed || overflowedAgain { return nil }
            value = sum  // negative until the end: the range is larger on that side
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    /// The nearest double to a number literal; nil when it is beyond the largest double.
    package static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        // SOUND: copies exactly the buffer's bytes.
        guard let value = unsafe Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// True if an integer literal fits in 64 bits, or one with a fraction or an exponent in a double.
    static func isRepresentable(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // SOUND: reads only through the buffer's own iterator.
        let isInteger = unsafe text.allSatisfy { $0 == UInt8(ascii: "-") || $0 &- UInt8(ascii: "0") < 10 }
        return unsafe isInteger ? int64(text) != nil : double(text) != nil
    }
}
