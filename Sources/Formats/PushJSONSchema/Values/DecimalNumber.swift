import PayloadJSON

/// The exact value of a JSON number of any size: ±0.d₁d₂d₃… × 10^magnitude, where d₁ is not 0.
///
/// It reads the digits where they stand, so nothing is allocated and nothing is rounded. Valid as long as the text is.
@safe  // SOUND: reads only digits of `text`, at positions found by `init`; its creator keeps the text alive.
struct DecimalNumber {
    private let text: UnsafeBufferPointer<UInt8>
    private let integerStart: Int
    private let integerCount: Int
    private let fractionStart: Int
    /// Position of d₁ among all digits.
    private let first: Int
    let isNegative: Bool
    /// How many digits there are from d₁ to the last one that is not 0; 0 for zero.
    let count: Int
    /// Exponents beyond ±10^15 are treated as ±10^15.
    let magnitude: Int

    /// - Parameter text: a number that the scanner has accepted.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        // SOUND: `index` is compared with the count before each read.
        unsafe self.text = unsafe text
        var index = 0
        let isNegative = unsafe text.first == UInt8(ascii: "-")
        if isNegative { index = 1 }
        integerStart = index
        while index < text.count, unsafe Self.isDigit(text[index]) { index += 1 }
        integerCount = index - integerStart
        var fractionCount = 0
        if index < text.count, unsafe text[index] == UInt8(ascii: ".") {
            index += 1
            fractionStart = index
            while index < text.count, unsafe Self.isDigit(text[index]) { index += 1 }
            fractionCount = index - fractionStart
        } else {
            fractionStart = index
        }
        let exponent = unsafe Self.exponent(text, at: index)

        let total = integerCount + fractionCount
        var first = 0
        while first < total, unsafe Self.digit(first, text, integerStart, integerCount, fractionStart) == 0 {
            first += 1
        }
        var last = total
        while last > first, unsafe Self.digit(last - 1, text, integerStart, integerCount, fractionStart) == 0 {
            last -= 1
        }
        self.first = first
        count = last - first
        self.isNegative = isNegative && count > 0
        magnitude = count == 0 ? 0 : integerCount - first + exponent
    }

    private static func exponent(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Int {
        // SOUND: `index` is compared with the count before each read.
        var index = start + 1
        guard index < text.count else { return 0 }
        let isNegative = unsafe text[index] == UInt8(ascii: "-")
        if unsafe isNegative || text[index] == UInt8(ascii: "+") { index += 1 }
        var exponent = 0
        while index < text.count {
            exponent = unsafe min(exponent * 10 + Int(text[index] & 15), 1_000_000_000_000_000)
            index += 1
        }
        return isNegative ? -exponent : exponent
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    private static func digit(
        _ position: Int, _ text: UnsafeBufferPointer<UInt8>, _ integerStart: Int, _ integerCount: Int,
        _ fractionStart: Int
    ) -> UInt8 {
        // SOUND: the position is that of a digit.
        let index = position < integerCount ? integerStart + position : fractionStart + position - integerCount
        return unsafe text[index] & 15
    }

    /// The digit at a position from 0; 0 after the last one.
    func digit(_ position: Int) -> UInt8 {
        // SOUND: `first + position` is one of the digits.
        guard position < count else { return 0 }
        return unsafe Self.digit(first + position, text, integerStart, integerCount, fractionStart)
    }

    var isZero: Bool { count == 0 }

    /// True if it is a whole number, in any spelling: 1, 1.0, 1e3.
    var isInteger: Bool { magnitude >= count }

    /// The exponent of the last digit: the value is a whole number times 10 to this power.
    var scale: Int { magnitude - count }

    /// The digits as a number; nil if there are more than 18.
    var significand: UInt64? {
        guard count <= 18 else { return nil }
        var value: UInt64 = 0
        for position in 0..<count { value = value * 10 + UInt64(digit(position)) }
        return value
    }

    /// -1, 0 or 1: less, equal, greater. O(digits).
    func compared(to other: DecimalNumber) -> Int {
        if isZero || other.isZero || isNegative != other.isNegative {
            return sign - other.sign == 0 ? 0 : sign < other.sign ? -1 : 1
        }
        let order = comparedMagnitude(to: other)
        return isNegative ? -order : order
    }

    private var sign: Int { isZero ? 0 : isNegative ? -1 : 1 }

    private func comparedMagnitude(to other: DecimalNumber) -> Int {
        if magnitude != other.magnitude { return magnitude < other.magnitude ? -1 : 1 }
        for position in 0..<max(count, other.count) {
            let left = digit(position)
            let right = other.digit(position)
            if left != right { return left < right ? -1 : 1 }
        }
        return 0
    }

    /// True if the number is a whole multiple of `divisor` × 10^`scale`. O(digits).
    ///
    /// With trailing zeros removed on both sides, a number whose last digit counts less than the divisor's is never a
    /// multiple of it. Otherwise the digits are divided as on paper, and the missing zeros are a power of 10.
    ///
    /// - Parameter divisor: from 1 to 10^18 - 1, not divisible by 10.
    func isMultiple(of divisor: UInt64, scale divisorScale: Int) -> Bool {
        if isZero { return true }
        var zeros = scale - divisorScale
        guard zeros >= 0 else { return false }
        var remainder: UInt64 = 0
        for position in 0..<count { remainder = (remainder * 10 + UInt64(digit(position))) % divisor }
        var power = 10 % divisor
        while zeros > 0, remainder != 0 {
            if zeros & 1 == 1 { remainder = Self.product(remainder, power, modulo: divisor) }
            power = Self.product(power, power, modulo: divisor)
            zeros >>= 1
        }
        return remainder == 0
    }

    private static func product(_ left: UInt64, _ right: UInt64, modulo divisor: UInt64) -> UInt64 {
        divisor.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
    }
}

extension JSONView {
    /// The exact value. Only for numbers.
    var decimal: DecimalNumber {
        // SOUND: the text is alive as long as the view.
        unsafe DecimalNumber(text.buffer)
    }
}
