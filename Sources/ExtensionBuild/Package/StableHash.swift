/// FNV-1a with 64 bits: the same in every run, unlike `Hasher`.
struct StableHash {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
        // Separates parts, so that `ab` and `c` differ from `a` and `bc`.
        state = (state ^ 0x1FF) &* 0x100_0000_01B3
    }

    mutating func add(_ text: String) { add(text.utf8) }

    var text: String {
        let digits = String(state, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
