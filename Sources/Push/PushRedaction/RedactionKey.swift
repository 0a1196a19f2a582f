/// Key material for a redaction, from a file or a variable.
package enum RedactionKey {
    package static let minimumBytes = 16

    /// A key that is too short to be safe.
    package struct TooShort: Error, Equatable, CustomStringConvertible {
        package let count: Int

        package init(count: Int) { self.count = count }

        package var description: String {
            "the key has \(count) bytes, and needs \(minimumBytes); create one with `head -c 32 /dev/urandom > FILE`"
        }
    }

    /// The key in a file, without trailing line ends, which editors and `echo` add.
    package static func read(file bytes: [UInt8]) throws(TooShort) -> [UInt8] {
        var key = bytes
        while let last = key.last, last == 0x0A || last == 0x0D { key.removeLast() }
        return try checked(key)
    }

    package static func read(variable text: String) throws(TooShort) -> [UInt8] { try checked(Array(text.utf8)) }

    private static func checked(_ key: [UInt8]) throws(TooShort) -> [UInt8] {
        guard key.count >= minimumBytes else { throw TooShort(count: key.count) }
        return key
    }
}
