/// The form of the digests that replace secrets: `redacted-` and 32 hexadecimal digits.
package enum SecretDigest {
    /// No token and no provider's identifier starts with it.
    package static let prefix = "redacted-"
    /// Half of an HMAC with SHA-256, 128 bits: the shortest truncation that RFC 2104 recommends.
    private static let codeBytes = 16
    private static let digits = Array("0123456789abcdef".utf8)

    /// The digest for an authentication code.
    package static func text(of code: some Sequence<UInt8>) -> [UInt8] {
        var text = Array(prefix.utf8)
        for byte in code.prefix(codeBytes) {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return text
    }

    package static func isDigest(_ text: some Collection<UInt8>) -> Bool {
        text.count == prefix.utf8.count + 2 * codeBytes && text.starts(with: prefix.utf8)
            && text.dropFirst(prefix.utf8.count).allSatisfy(digits.contains)
    }
}
