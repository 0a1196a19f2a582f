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
