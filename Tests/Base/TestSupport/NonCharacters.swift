/// U+FFFE, U+FFFF and U+FDD0, which XML 1.0 or Unicode excludes. The compiler accepts none of them in a literal.
package let nonCharacters = String(
    decoding: [0xEF, 0xBF, 0xBE, 0xEF, 0xBF, 0xBF, 0xEF, 0xB7, 0x90] as [UInt8], as: UTF8.self)
