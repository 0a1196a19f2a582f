/// SHA-256 (FIPS 180-4).
///
/// Implemented here, because swift-crypto would become a dependency of every user for the sake of one option, and would be loaded at every
/// start of the command. Only texts that redaction replaces are hashed.
package struct SHA256 {
    private static let blockBytes = 64
    private static let start: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    private var state = start
    /// Bytes of an incomplete block.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0
    private var schedule = [UInt32](repeating: 0, count: 64)

    package init() { rest.reserveCapacity(Self.blockBytes) }

    package mutating func update(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            rest.append(byte)
            count &+= 1
            if rest.count == Self.blockBytes { compress() }
        }
    }

    /// The digest of all bytes added, 32 bytes long.
    package consuming func finish() -> [UInt8] {
        let bits = count &* 8
        update(CollectionOfOne(0x80))
        while rest.count != Self.blockBytes - 8 { update(CollectionOfOne(0)) }
        update((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) })
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    /// Processes the block in `rest`. Names are those of FIPS 180-4, section 6.2.2.
    private mutating func compress() {
        for t in 0..<16 {
            schedule[t] =
                UInt32(rest[4 * t]) << 24 | UInt32(rest[4 * t + 1]) << 16 | UInt32(rest[4 * t + 2]) << 8
                | UInt32(rest[4 * t + 3])
        }
        for t in 16..<64 {
            let w2 = schedule[t - 2]
            let w15 = schedule[t - 15]
            let small0 = Self.rotate(w15, 7) ^ Self.rotate(w15, 18) ^ w15 >> 3
            let small1 = Self.rotate(w2, 17) ^ Self.rotate(w2, 19) ^ w2 >> 10
            schedule[t] = small1 &+ schedule[t - 7] &+ small0 &+ schedule[t - 16]
        }
        var a = state[0]
        var b = state[1]
        var c = state[2]
        var d = state[3]
        var e = state[4]
        var f = state[5]
        var g = state[6]
        var h = state[7]
        for t in 0..<64 {
            let large1 = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
            let t1 = h &+ large1 &+ (e & f ^ ~e & g) &+ Self.constants[t] &+ schedule[t]
            let large0 = Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)
            let t2 = large0 &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
        rest.removeAll(keepingCapacity: true)
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
}

/// HMAC-SHA-256 (RFC 2104): without the key, nobody can compute a code, nor test guesses of its text.
package struct HMACSHA256: Sendable {
    /// Inner and outer hash after the padded key, which is the same for every text.
    private let inner: SHA256
    private let outer: SHA256

    /// - Parameter key: of any length; a key of more than 64 bytes is replaced by its digest.
    package init(key: [UInt8]) {
        var padded = key
        if key.count > 64 {
            var digest = SHA256()
            digest.update(key)
            padded = digest.finish()
        }
        padded += [UInt8](repeating: 0, count: 64 - padded.count)
        var inner = SHA256()
        var outer = SHA256()
        inner.update(padded.map { $0 ^ 0x36 })
        outer.update(padded.map { $0 ^ 0x5c })
        self.inner = inner
        self.outer = outer
    }

    /// The code of a text, 32 bytes long.
    package func code(of text: some Sequence<UInt8>) -> [UInt8] {
        var inner = inner
        inner.update(text)
        var outer = outer
        outer.update(inner.finish())
        return outer.finish()
    }
}

/// FNV-1a with 64 bits (draft-eastlake-fnv): the same in every run, unlike `Hasher`. Not resistant to chosen inputs.
package struct FNV1a: Sendable, Equatable {
    /// The hash of what has been added so far.
    @usableFromInline package var value: UInt64 = 0xCBF2_9CE4_8422_2325

    @inlinable
    package init() {}

    @inlinable
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(word: UInt64(byte)) }
    }

    /// Adds bytes and a separator, so that `ab` and `c` differ from `a` and `bc`.
    ///
    /// - Parameter separator: a value that does not occur in the part, for example one greater than a byte.
    @inlinable
    package mutating func addPart(_ bytes: some Sequence<UInt8>, separator: UInt64 = 0x1FF) {
        add(bytes)
        add(word: separator)
    }

    @inlinable
    mutating func add(word: UInt64) { value = (value ^ word) &* 0x100_0000_01B3 }

    /// The hash in 16 hexadecimal digits.
    package var hexadecimal: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
