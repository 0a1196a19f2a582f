/// A hash of bytes with a seed that differs from run to run. No output depends on it.
package struct SeededHash: Sendable {
    private let seed = UInt64.random(in: .min ... .max)
    private let multiplier = UInt64.random(in: .min ... .max) | 1

    package init() {}

    package func hash(_ text: BorrowedText, _ salt: UInt64) -> UInt32 {
        var state = Self.mix(seed ^ salt, multiplier ^ UInt64(text.count))
        var p = unsafe UnsafeRawPointer(text.start)
        var rest = text.count
        // SOUND: reads sixteen bytes only when that many are left, and the last eight only when the text has eight.
        while rest >= 16 {
            let (low, high) = unsafe (p.loadUnaligned(as: UInt64.self), (p + 8).loadUnaligned(as: UInt64.self))
            state = Self.mix(state ^ low, multiplier ^ high)
            unsafe p += 16
            rest -= 16
        }
        var tail: UInt64 = 0
        if text.count >= 8 {
            if rest > 8 { state = unsafe Self.mix(state ^ p.loadUnaligned(as: UInt64.self), multiplier) }
            // The last eight bytes. It does no harm that some of them may have been mixed in before.
            tail = unsafe (p + (rest - 8)).loadUnaligned(as: UInt64.self)
        } else {
            for index in 0..<rest { tail = unsafe tail << 8 | UInt64(p.load(fromByteOffset: index, as: UInt8.self)) }
        }
        state = Self.mix(state ^ tail, seed | 1)
        return UInt32(truncatingIfNeeded: state >> 32)
    }

    @inline(__always)
    private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low ^ a
    }
}
