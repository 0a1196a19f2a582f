import PayloadJSON

/// Compares and hashes values as JSON Schema does: numbers by their mathematical value, strings by their characters,
/// objects without regard to the order of members (core, section 4.2.2).
enum ValueEquality {
    /// Seeded, so that nobody can prepare an array of different elements with equal hashes.
    private static let hasher = SeededHash()

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

    /// Equal values have equal hashes. O(bytes).
    static func hash(_ value: JSONView, steps: inout Int) -> UInt64 {
        steps -= 1
        switch value.kind {
        case .null, .true, .false, .key: return UInt64(value.kind.rawValue)
        case .number: return hash(value.decimal)
        case .string: return value.string.map { hash($0, salt: 1) } ?? 0
        case .array:
            return value.elements.reduce(2) { mix($0, hash($1, steps: &steps)) }
        case .object:
            // A sum does not depend on the order.
            return value.members.reduce(3) { $0 &+ mix(hash($1.key, salt: 4), hash($1.value, steps: &steps)) }
        }
    }

    private static func hash(_ number: DecimalNumber) -> UInt64 {
        var result = mix(number.isNegative ? 5 : 6, UInt64(bitPattern: Int64(number.magnitude)))
        for position in 0..<number.count { result = mix(result, UInt64(number.digit(position))) }
        return result
    }

    private static func hash(_ string: JSONString, salt: UInt64) -> UInt64 {
        if !string.hasEscapes { return UInt64(hasher.hash(string.raw, salt)) }
        // SOUND: the bytes live until the closure returns.
        return unsafe string.decodedBytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return UInt64(hasher.hash(.empty, salt)) }
            return unsafe UInt64(hasher.hash(BorrowedText(start: start, count: bytes.count), salt))
        }
    }

    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = (left ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: right ^ 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low ^ left &* 31
    }
}
