import PushRedaction
import PushSystem
import Testing

/// The digest of `--redact`, checked against published examples.
struct DigestTests {
    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Source: NIST, "Examples with intermediate values", SHA-256; the empty text and a million letters from its validation suite.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
                + "nopqrstu", "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ])
    func `SHA-256 matches the examples of FIPS 180-4`(text: String, digest: String) {
        var sha = SHA256()
        sha.update(text.utf8)
        #expect(hexadecimal(sha.finish()) == digest)
    }

    /// Source: RFC 4231, test cases 1 to 4, 6 and 7.
    private static let codes: [(key: [UInt8], text: [UInt8], code: String)] = [
        (
            [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            Array(1...25), [UInt8](repeating: 0xcd, count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131),
            Array(
                ("This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ]

    @Test(arguments: codes.indices)
    func `HMAC matches the test cases of RFC 4231`(index: Int) {
        let row = Self.codes[index]
        #expect(hexadecimal(HMACSHA256(key: row.key).code(of: row.text)) == row.code)
    }

    @Test func `a digest is the first half of the code, in hexadecimal`() {
        let redaction = Redaction(.all, key: Array("Jefe".utf8))
        #expect(redaction.digest("what do ya want for nothing?") == "redacted-5bdcc146bf60754e6a042426089575c7")
    }

    @Test func `another key gives another digest, and a digest stands for itself`() {
        let one = Redaction(.tokens, key: Array("one key, of this run".utf8))
        let other = Redaction(.tokens, key: Array("another key".utf8))
        #expect(one.digest("ab54") != other.digest("ab54"))
        #expect(one.digest("ab54") != one.digest("ab55"))
        #expect(one.digest(one.digest("ab54")) == one.digest("ab54"))
        #expect(one.digest("") == "")
        #expect(one.keyMark != other.keyMark)
    }

    @Test func `two random keys differ`() {
        #expect(Redaction.randomKey() != Redaction.randomKey())
        #expect(Redaction.randomKey().count == 32)
    }
}
