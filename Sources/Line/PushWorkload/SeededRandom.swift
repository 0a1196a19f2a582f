import PushSystem

/// xoshiro256** 1.0 by David Blackman and Sebastiano Vigna (public domain, prng.di.unimi.it/xoshiro256starstar.c).
package struct Xoshiro256StarStar: Sendable {
    private var s0: UInt64
    private var s1: UInt64
    private var s2: UInt64
    private var s3: UInt64

    /// The four words of state, which must not all be 0.
    package init(state: (UInt64, UInt64, UInt64, UInt64)) {
        (s0, s1, s2, s3) = state
    }

    /// Fills the state with four SplitMix64 outputs, as the authors advise. They are never all 0.
    package init(seed: UInt64) {
        var seeder = SplitMix64(seed: seed)
        self.init(state: (seeder.next(), seeder.next(), seeder.next(), seeder.next()))
    }

    package mutating func next() -> UInt64 {
        let product = s1 &* 5
        let result = ((product << 7) | (product >> 57)) &* 9
        let shifted = s1 << 17
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = (s3 << 45) | (s3 >> 19)
        return result
    }

    /// A number from 0 to `bound - 1`, or 0 for `bound` 0. `bound` is at most 2^32.
    ///
    /// By multiplication, without rejection: the bias is below 2^-32 times `bound`, and every draw takes one step.
    mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(truncatingIfNeeded: bound)) >> 32)
    }

    /// True in `percent` of 100 draws.
    mutating func chance(_ percent: Int) -> Bool {
        below(100) < percent
    }

    /// A number from 0 to `bound - 1` with a lean to the small ones: three draws of four are squared, which gives the
    /// first hundredth of the range a tenth of those. Every number can come up. `bound` is at most 2^32.
    mutating func skewedBelow(_ bound: Int) -> Int {
        let uniform = next()
        let high = uniform >> 32
        let position = uniform & 3 == 0 ? high : (high &* high) >> 32
        return Int(truncatingIfNeeded: (position &* UInt64(truncatingIfNeeded: bound)) >> 32)
    }
}
