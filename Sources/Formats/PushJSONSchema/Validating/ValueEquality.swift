import PushJSON
import PushSystem

/// Compares and hashes values as JSON Schema does: numbers by their mathematical value, strings by their characters,
/// objects without regard to the order of members (core, section 4.2.2).
enum ValueEquality {
    /// - Parameter steps: counts comparisons of values; the comparison gives up, with false, when it is not positive.
    static func areEqual(_ left: JSONView, _ right: JSONView, steps: inout Int) -> Bool {
        steps -= 1
        guard steps > 0, left.kind == right.kind else { return false }
        switch left.kind {
        case .null, .true, .false, .key: return true
        case .number: return left.text == right.text || left.decimal.compared(to: right.decimal) == 0
        case .string:
            guard let leftText = left.string, let rightText = right.string else { return false }
            return leftText == rightText
        case .array:
            var leftElements = left.elements
            var rightElements = right.elements
            while let element = leftElements.next() {
                guard let other = rightElements.next(), areEqual(element, other, steps: &steps) else { return false }
            }
            return rightElements.next() == nil
        case .object:
            var count = 0
            for (key, value) in left.members {
                count += 1
                guard let other = member(key, of: right, steps: &steps), areEqual(value, other, steps: &steps) else {
                    return false
                }
            }
            return right.members.count { _ in true } == count
        }
    }

    private static func member(_ key: JSONString, of object: JSONView, steps: inout Int) -> JSONView? {
        for (other, value) in object.members {
            steps -= 1
            if other == key { return value }
        }
        return nil
    }

    /// A hash that is equal for equal values. It is seeded, so that nobody can prepare different values with equal hashes. O(bytes).
    static func hash(_ value: JSONView, steps: inout Int) -> Int {
        var hasher = Hasher()
        combine(value, into: &hasher, steps: &steps)
        return hasher.finalize()
    }

    private static func combine(_ value: JSONView, into hasher: inout Hasher, steps: inout Int) {
        steps -= 1
        hasher.combine(value.kind)
        switch value.kind {
        case .null, .true, .false, .key: break
        case .number:
            let number = value.decimal
            hasher.combine(number.isNegative)
            hasher.combine(number.magnitude)
            hasher.combine(number.digits)
        case .string: if let string = value.string { combine(string, into: &hasher) }
        case .array: for element in value.elements { combine(element, into: &hasher, steps: &steps) }
        case .object:
            // A sum does not depend on the order.
            var sum = 0
            for (key, member) in value.members {
                var hasher = Hasher()
                combine(key, into: &hasher)
                combine(member, into: &hasher, steps: &steps)
                sum &+= hasher.finalize()
            }
            hasher.combine(sum)
        }
    }

    private static func combine(_ string: JSONString, into hasher: inout Hasher) {
        // SOUND: the bytes live until the closure returns.
        string.withDecoded { unsafe hasher.combine(bytes: $0.bytes) }
    }
}

/// The exact value of a JSON number of any size: ±0.d₁d₂d₃… × 10^magnitude, where d₁ is not 0.
struct DecimalNumber {
    let isNegative: Bool
    /// The digits from d₁ to the last one that is not 0, each from 0 to 9; none for zero.
    let digits: ArraySlice<UInt8>
    /// Exponents beyond ±10^15 are treated as ±10^15.
    let magnitude: Int

    /// - Parameter text: a number that the scanner has accepted.
    init(_ text: [UInt8]) {
        let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let exponent = Self.exponent(text[mantissa.endIndex...].dropFirst())
        let integer = mantissa.prefix { $0 != UInt8(ascii: ".") }.count(where: \.isDigit)
        let all = mantissa.filter(\.isDigit).map { $0 & 15 }
        let digits = all.drop { $0 == 0 }
        let zeros = digits.reversed().prefix { $0 == 0 }.count
        self.digits = digits.dropLast(zeros)
        isNegative = text.first == UInt8(ascii: "-") && !digits.isEmpty
        magnitude = digits.isEmpty ? 0 : integer - digits.startIndex + exponent
    }

    private static func exponent(_ text: ArraySlice<UInt8>) -> Int {
        let value = text.filter(\.isDigit).reduce(0) { min($0 * 10 + Int($1 & 15), 1_000_000_000_000_000) }
        return text.first == UInt8(ascii: "-") ? -value : value
    }

    var isZero: Bool { digits.isEmpty }

    /// True if it is a whole number, in any spelling: 1, 1.0, 1e3.
    var isInteger: Bool { magnitude >= digits.count }

    /// The exponent of the last digit: the value is a whole number times 10 to this power.
    var scale: Int { magnitude - digits.count }

    /// The digits as a number; nil if there are more than 18.
    var significand: UInt64? { digits.count <= 18 ? digits.reduce(0) { $0 * 10 + UInt64($1) } : nil }

    /// -1, 0 or 1: less, equal, greater. O(digits).
    func compared(to other: DecimalNumber) -> Int {
        if isZero || other.isZero || isNegative != other.isNegative { return (sign - other.sign).signum() }
        let isLess =
            magnitude != other.magnitude
            ? magnitude < other.magnitude : digits.lexicographicallyPrecedes(other.digits)
        if !isLess, magnitude == other.magnitude, digits == other.digits { return 0 }
        return isLess == isNegative ? 1 : -1
    }

    private var sign: Int { isZero ? 0 : isNegative ? -1 : 1 }

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
        var remainder = digits.reduce(0) { ($0 * 10 + UInt64($1)) % divisor }
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
        unsafe DecimalNumber(Array(text.buffer))
    }
}
