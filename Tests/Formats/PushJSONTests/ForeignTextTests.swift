import PushJSON
import Testing

struct ForeignTextTests {
    private static func form(_ bytes: [UInt8]) -> ForeignText? {
        bytes.withUnsafeBytes { unsafe ForeignText($0) }
    }

    /// The first bytes of files, as the formats define them: RFC 1952, RFC 8878, the XZ format, PKWARE's APPNOTE, "Database File Format" of
    /// SQLite, and the byte order marks of the Unicode Standard.
    @Test(
        arguments: [
            ([0x1F, 0x8B, 0x08, 0x00], .gzip), ([0x28, 0xB5, 0x2F, 0xFD, 0x04], .zstandard),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00, 0x00], .xz), (Array("BZh91AY&SY".utf8), .bzip2),
            ([0x50, 0x4B, 0x03, 0x04, 0x14], .zip), (Array("SQLite format 3\0".utf8), .sqlite),
            (Array("bplist00".utf8), .propertyList), ([0xFF, 0xFE, 0x7B, 0x00], .utf16),
            ([0xFE, 0xFF, 0x00, 0x7B], .utf16),
            ([0x7B, 0x00, 0x22, 0x00], .utf16), ([0x00, 0x5B, 0x00, 0x7B], .utf16),
            ([0xFF, 0xFE, 0x00, 0x00, 0x7B], .utf32), ([0x00, 0x00, 0xFE, 0xFF], .utf32), ([0x80], .binary),
            ([0x00], .binary),
            ([0x7F, 0x45, 0x4C, 0x46], .binary),
        ] as [([UInt8], ForeignText)])
    func `other formats are recognized by their first bytes`(bytes: [UInt8], form: ForeignText) {
        #expect(Self.form(bytes) == form)
        #expect(Self.form(bytes + Array(repeating: 0x20, count: 200)) == form)
    }

    @Test(arguments: [
        "", "{", "{\"aps\":", "PK", "é", "{'aps':1}", "\t\n x", "BZhello, world", "BZh9 goals", "[\u{0}", "😀",
        "\u{FEFF}{",
    ])
    func `a text that is no JSON stays a text`(text: String) {
        #expect(Self.form(Array(text.utf8)) == nil)
    }
}
