import PushJSON
import TestSupport
import Testing

@testable import PushDevices

/// Device tokens, topics and identifiers chosen to collide, as far as that is possible without knowing the hash seed,
/// must probe no further than random ones. Counts steps, not time.
struct HashFloodingTests {
    private static let count = Effort.rounds(20_000, fast: 4000)

    /// The total number of probe steps to find every hash. The median of five random seeds, because a seed is
    /// occasionally unlucky.
    private func steps(_ texts: [[UInt8]], salts: (Int) -> UInt64 = { _ in 0 }) -> Int {
        (0..<5).map { _ in stepsOfOneSeed(texts, salts) }.sorted()[2]
    }

    private func stepsOfOneSeed(_ texts: [[UInt8]], _ salts: (Int) -> UInt64) -> Int {
        let hasher = SeededHash()
        var index = HashIndex()
        for (position, text) in texts.enumerated() {
            text.withUnsafeBufferPointer { text in
                guard let start = text.baseAddress else { return }
                let hash = hasher.hash(BorrowedText(start: start, count: text.count), salts(position))
                index.insert(hash, UInt32(position))
            }
        }
        let mask = index.entries.count - 1
        return index.entries.enumerated().reduce(0) { sum, item in
            item.element == 0 ? sum : sum + (item.offset - Int(item.element >> 32) & mask) & mask
        }
    }

    /// A number as 64 hexadecimal digits, with its own digits at `place`.
    private static func token(_ number: Int, at place: Int, of length: Int = 64) -> [UInt8] {
        let digits = Array(String(number, radix: 16).utf8)
        let shown = Array(repeating: UInt8(ascii: "0"), count: max(5 - digits.count, 0)) + digits
        var token = Array(repeating: UInt8(ascii: "0"), count: length)
        token.replaceSubrange(place..<place + 5, with: shown)
        return token
    }

    private func random(_ length: Int) -> [[UInt8]] {
        var generator = SeededGenerator(seed: 7)
        return (0..<Self.count).map { _ in (0..<length).map { _ in UInt8(97 + generator.below(26)) } }
    }

    /// Random texts in a table of this size take about 6000 steps in total, and almost never twice as many.
    @Test(arguments: [0, 3, 8, 13, 24, 40, 56, 59])
    func `tokens that count at one place are found as soon as random ones`(place: Int) {
        let tokens = (0..<Self.count).map { Self.token($0, at: place) }
        #expect(steps(tokens) < 2 * steps(random(64)))
    }

    @Test func `tokens that count in their highest bits, or in two places at once, are found as soon as random ones`() {
        let tokens = (0..<Self.count).map { number in
            (0..<64).map { place in UInt8(truncatingIfNeeded: place % 16 == 15 ? (number >> (place / 16 * 4)) << 4 : 0)
            }
        }
        #expect(Set(tokens).count > Self.count / 2)
        #expect(steps(Array(Set(tokens))) < 2 * steps(random(64)))
        // In a hash that only adds, one half cancels what the other mixed in.
        let pairs = (0..<Self.count).map { number in
            Self.token(number, at: 3, of: 16) + Self.token(number, at: 3, of: 16)
        }
        #expect(steps(pairs) < 2 * steps(random(32)))
    }

    @Test func `one identifier in many apps is found as soon as random ones`() {
        let text = Array("result".utf8)
        let texts = Array(repeating: text, count: Self.count)
        #expect(steps(texts) { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 } < 2 * steps(random(6)))
    }

    @Test func `short identifiers are found as soon as random ones`() {
        for length in [5, 7, 8, 9, 15, 16, 17] {
            let texts = (0..<Self.count).map { Self.token($0, at: length - 5, of: length) }
            #expect(steps(texts) < 2 * steps(random(length)), "\(length)")
        }
    }
}
