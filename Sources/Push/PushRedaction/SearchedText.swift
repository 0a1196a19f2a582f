/// A text in which forms of tokens are searched for, in lower case. It can be hashed from any place in blocks, so that a comparison need
/// not look at each byte that both have in common.
final class SearchedText {
    /// A shorter common beginning is compared byte by byte.
    static let blockBytes = 32
    /// 2⁶¹ - 1, a prime number.
    private static let modulus: UInt64 = 1 << 61 - 1
    /// Random, so that no input is made to have equal hashes. Two texts of n bytes have them with a probability of n / 2⁶¹.
    private static let base = UInt64.random(in: 1 << 32..<modulus)

    let bytes: [UInt8]
    /// Of the first bytes, none to all; empty before the first comparison that needs them.
    private var hashes: [UInt64] = []
    /// The base to the power of the bytes of one block, of two, and so on.
    private var powers: [UInt64] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The hash of the blocks that begin at a position. O(1) but for the first call.
    func hash(at index: Int, blocks: Int) -> UInt64 {
        if hashes.isEmpty { hashAll() }
        let before = Self.product(hashes[index], powers[blocks - 1])
        let all = hashes[index + blocks * Self.blockBytes]
        return all >= before ? all - before : all + Self.modulus - before
    }

    /// The hashes of the first block of a text in lower case, of its first two, and so on.
    static func hashesOfBlocks(_ text: [UInt8]) -> [UInt64] {
        var hashes: [UInt64] = []
        var hash: UInt64 = 0
        for (index, byte) in text.enumerated() {
            hash = next(hash, byte)
            if (index + 1) % blockBytes == 0 { hashes.append(hash) }
        }
        return hashes
    }

    private func hashAll() {
        hashes.reserveCapacity(bytes.count + 1)
        hashes.append(0)
        var power: UInt64 = 1
        for (index, byte) in bytes.enumerated() {
            hashes.append(Self.next(hashes[index], TokenForms.lowercased(byte)))
            power = Self.product(power, Self.base)
            if (index + 1) % Self.blockBytes == 0 { powers.append(power) }
        }
    }

    private static func next(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        let sum = product(hash, base) + UInt64(byte) + 1
        return sum >= modulus ? sum - modulus : sum
    }

    /// Of two numbers below the modulus, which is one less than a power of two: the quotient by that is added to the remainder.
    private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (high, low) = left.multipliedFullWidth(by: right)
        let sum = (low & modulus) + (low >> 61 | high << 3)
        return sum >= modulus ? sum - modulus : sum
    }
}
