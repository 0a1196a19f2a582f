import CPushZlib
import Foundation
import Testing

@testable import PushServices

extension GzipBody {
    /// The text of a body; nil for anything else, and for one that is longer.
    static func text(of body: [UInt8], limit: Int) -> [UInt8]? {
        if case .text(let text) = GzipBody(body, limit: limit) { text } else { nil }
    }
}

/// RFC 1951 and RFC 1952. The bodies are what Python's `gzip.compress` makes of the same text.
struct GzipBodyTests {
    private static func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }

    static let message = #"{"to":"ExponentPushToken[a]","title":"Goal"}"#
    /// With the fixed codes, and stored.
    static let short = [
        "H4sIAAAAAAACA6tWKslXslJyrSjIz0vNKwkoLc4Iyc9OzYtOjFXSUSrJLMlJBUq75yfmKNUCAMW2gDssAAAA",
        "H4sIAAAAAAAEAwEsANP/eyJ0byI6IkV4cG9uZW50UHVzaFRva2VuW2FdIiwidGl0bGUiOiJHb2FsIn3FtoA7LAAAAA==",
    ]
    /// With codes of its own: a list of 40 messages.
    static let long = [
        "H4sIAAAAAAACA4WVPUsEMRRF/8qSeot57+bTXmwt7JYtFAcUlx3BERTxvzsZbHNvGcIhkHdOcvoJ6xJuwu3X+3Kdr+v958fLw/I2",
        "X0/TORzD+rpe5m37bnm8bMun5fl7W02HdTlM4fc4hG0MW4cLg30Me4eNwRjD6HBlcBzDscPO4DSGU4cbg/MYzh0Gg8sYLvuF0VnV",
        "MV07HRncxnDbj6bDMiKZ7ZYlijPNds+MTsyIabarlilOXDPoRohtFmUlRnyzJDsxYpxlWYoR56zIVoxIZ1XWYkQ7a7IXJ9r5pItx",
        "4p2bbMbZA+e6GifeOWQ1TrzzqKtxIp4nWY0T8TzLapyI50X/LUQ8r7IaJ+J5k9WAiIdJVgPiHUxWA+IdXFYD9rVCVwPiHaKsBkQ7",
        "JF0NiHfIshoQ71B0NSDiocpqQMRD+6/m/Afzy1O9zgkAAA==",
    ].joined()

    private static var list: String {
        "["
            + (0..<40).map { #"{"to":"ExponentPushToken[\#($0)]","title":"Goal","body":"\#($0) to \#($0 * 7 % 13)"}"# }
            .joined(separator: ",") + "]"
    }

    @Test(arguments: short) func `a short body is read`(base64: String) {
        #expect(GzipBody.text(of: Self.bytes(base64), limit: 1000) == Array(Self.message.utf8))
    }

    @Test func `a body with codes of its own is read`() {
        #expect(GzipBody.text(of: Self.bytes(Self.long), limit: 10_000) == Array(Self.list.utf8))
    }

    @Test func `a text has at most as many bytes as are allowed`() {
        let size = Self.list.utf8.count
        #expect(GzipBody.text(of: Self.bytes(Self.long), limit: size)?.count == size)
        #expect(GzipBody.text(of: Self.bytes(Self.long), limit: size - 1) == nil)
        #expect(GzipBody(Self.bytes(Self.long), limit: size - 1) == .tooLong)
        #expect(GzipBody([1, 2, 3], limit: 0) == .invalid)
    }

    /// RFC 1952, section 2.2: the members of a file appear one after the other.
    @Test func `a body may have several members`() {
        let (first, second) = (Self.bytes(Self.short[0]), Self.bytes(Self.short[1]))
        let text = Array((Self.message + Self.message).utf8)
        #expect(GzipBody.text(of: first + second, limit: text.count) == text)
        #expect(GzipBody(first + second, limit: text.count - 1) == .tooLong)
        #expect(GzipBody.text(of: first + second.dropLast(), limit: text.count) == nil)
    }

    @Test func `a body that is cut off or changed is none`() {
        for base64 in Self.short + [Self.long] {
            let body = Self.bytes(base64)
            for count in 0..<body.count { #expect(GzipBody.text(of: Array(body.prefix(count)), limit: 10_000) == nil) }
            // From the data on: the header has bytes without a meaning here. A few bits between blocks have none either.
            let whole = GzipBody.text(of: body, limit: 10_000)
            for position in 10..<body.count {
                var changed = body
                changed[position] ^= 0x10
                let text = GzipBody.text(of: changed, limit: 10_000)
                #expect(text == nil || text == whole, "\(position)")
            }
            #expect(GzipBody.text(of: body + [0], limit: 10_000) == nil)
        }
    }

    /// A text is taken from zlib in pieces of 16 KiB.
    @Test(arguments: [0, 1, 16_383, 16_384, 16_385, 40_000]) func `a text of any length is read`(count: Int) {
        let text = [UInt8](repeating: 0x20, count: count)
        #expect(GzipBody.text(of: Self.stored(text), limit: count) == text)
        #expect(GzipBody(Self.stored(text), limit: count - 1) == .tooLong)
        #expect(GzipBody(Array(Self.stored(text).dropLast()), limit: count) == .invalid)
    }

    /// A member of gzip whose text is not compressed: RFC 1951, section 3.2.4.
    static func stored(_ text: [UInt8]) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let count = UInt16(text.count)
        let lengths = [count, ~count].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let checksum = UInt32(truncatingIfNeeded: crc32(0, text, UInt32(text.count)))
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + lengths + text + number(checksum) + number(UInt32(text.count))
    }

    @Test func `names and comments before the data are passed over`() {
        let body = Self.bytes(Self.short[0])
        var named =
            Array(body[..<10]) + [2, 0, 1, 1] + Array("a.json".utf8) + [0] + Array("b".utf8) + [0] + Array(body[10...])
        named[3] = 4 | 8 | 16
        #expect(GzipBody.text(of: named, limit: 1000) == Array(Self.message.utf8))
    }
}
