import PushSystem
import Testing

/// Bytes of texts that are not decoded.
struct ASCIITests {
    @Test func `every byte is a letter, a digit or neither`() {
        let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        let digits = Array("0123456789".utf8)
        let hexadecimal = Array("0123456789abcdef".utf8)
        for byte in UInt8.min ... .max {
            #expect(byte.isLetter == letters.contains(byte), "\(byte)")
            #expect(byte.isDigit == digits.contains(byte), "\(byte)")
            let lowercase = byte.isLetter ? byte | 0x20 : byte
            #expect(byte.hexadecimalDigit == hexadecimal.firstIndex(of: lowercase).map { UInt8($0) }, "\(byte)")
        }
    }

    @Test(
        arguments: [
            ("00fF7a", [0x00, 0xFF, 0x7A]), ("", []), ("abc", nil), ("+1", nil), ("0x", nil), ("zz", nil),
        ] as [(String, [UInt8]?)])
    func `hexadecimal digits are bytes in pairs`(digits: String, bytes: [UInt8]?) {
        #expect(Hexadecimal.bytes(digits.utf8) == bytes)
    }

    /// Source: RFC 3986, section 2.1; of `+`, WHATWG, URL, "application/x-www-form-urlencoded".
    @Test(
        arguments: [
            ("a%20b", "a b", "a b"), ("%C3%a4", "ä", "ä"), ("a+b", "a b", "a b"), ("%2B", "+", "+"),
            ("100%", nil, "100%"),
            ("%4", nil, "%4"), ("%+4", nil, "% 4"), ("%zz%41", nil, "%zzA"), ("%%41", nil, "%A"), ("", "", ""),
        ] as [(String, String?, String)])
    func `percent escapes are resolved, and a broken one is refused or kept`(
        text: String, strict: String?, lenient: String
    ) {
        #expect(PercentEncoding.decoded(text.utf8, plusIsSpace: true) == strict.map { Array($0.utf8) })
        #expect(PercentEncoding.decoded(text.utf8, plusIsSpace: true, keepsBroken: true) == Array(lenient.utf8))
    }

    @Test func `what is encoded is decoded to the same bytes`() {
        let text = String(decoding: (UInt8.min ... .max).filter { $0 < 0x80 }, as: UTF8.self) + "äあ😀"
        let encoded = PercentEncoding.encoded(text, keeping: "/")
        #expect(PercentEncoding.decoded(encoded.utf8) == Array(text.utf8))
        #expect(encoded.hasSuffix("xyz%7B%7C%7D~%7F%C3%A4%E3%81%82%F0%9F%98%80"))
        #expect(encoded.contains("-./0123456789%3A"))
    }
}
