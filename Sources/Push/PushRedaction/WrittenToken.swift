import PushSystem

/// Ways in which programs write a token into other texts.
enum WrittenToken {
    /// Digits of a token below which what encodes them may be anything.
    private static let fewestDigits = 32

    /// The token in Base64 and Base64url without padding, as text and, if it is hexadecimal, as the bytes that it stands for.
    static func forms(of token: [UInt8]) -> [[UInt8]] {
        guard token.count >= fewestDigits else { return [] }
        return base64(token) + (Hexadecimal.bytes(token).map(base64) ?? [])
    }

    /// Both alphabets. Source: RFC 4648, sections 4 and 5.
    private static func base64(_ bytes: [UInt8]) -> [[UInt8]] {
        let standard = encoded(bytes)
        let url: [UInt8] = standard.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        return [standard, url]
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0...group.count { text.append(alphabet[bits >> (18 - 6 * place) & 63]) }
        }
        return text
    }
}
