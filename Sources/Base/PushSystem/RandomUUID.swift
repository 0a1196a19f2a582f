import Synchronization

/// Random UUIDs as text, for ids that need to be unique and not secret.
///
/// Foundation's `UUID()` opens `/dev/urandom` for each one on Linux, which takes longer than delivering a push.
package enum RandomUUID {
    /// The high and the low half. Each generator repeats itself only after 2⁶⁴ values.
    private static let halves = Mutex(
        (SplitMix64(seed: .random(in: 0 ... .max)), SplitMix64(seed: .random(in: 0 ... .max))))

    /// A UUID of version 4 (RFC 9562, section 5.4) in lower case, such as `3f2b8c1e-9d4a-4f6b-8e7c-1a2b3c4d5e6f`. From any thread.
    package static func text() -> String {
        let (high, low) = halves.withLock { ($0.0.next(), $0.1.next()) }
        return text(high: high, low: low)
    }

    /// The UUID of 128 bits, of which 6 are set to what version 4 says.
    static func text(high: UInt64, low: UInt64) -> String {
        let high = high & ~0xF000 | 0x4000
        let low = low & ~(3 << 62) | 2 << 62
        var digits: [UInt8] = []
        digits.reserveCapacity(36)
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 { digits.append(UInt8(ascii: "-")) }
            let half = index < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (index & 15))) & 15
            digits.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

/// SplitMix64 by Sebastiano Vigna (public domain, prng.di.unimi.it/splitmix64.c): the same numbers on every machine and in every release.
///
/// The standard library's generators are seeded by the system, and its bounded draws may change with a release.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    @usableFromInline var state: UInt64

    @inlinable
    package init(seed: UInt64) { state = seed }

    @inlinable
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
