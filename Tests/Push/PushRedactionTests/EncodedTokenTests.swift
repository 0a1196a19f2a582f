import TestSupport
import Testing

@testable import PushRedaction

/// Tokens whose characters are encoded: once, several times, and in any mix.
struct EncodedTokenTests {
    private static let redaction = Redaction(.tokens, key: Array("a key of the tests".utf8))

    private func redacted(_ text: String, _ tokens: [String]) -> String {
        var set = TokenSet(Self.redaction)
        for token in tokens { set.insert(Array(token.utf8)) }
        return set.replacing(in: text)
    }

    private func digest(_ text: String) -> String { Self.redaction.digest(text) }

    private static let parts = (
        String(repeating: "7bf20f8e6d", count: 10), String(repeating: "a0da0c31ae", count: 5) + "bb8f010b8"
    )
    private static let token = parts.0 + "4" + parts.1

    @Test(arguments: [
        "%34", "&#52;", "&#x34;", "%2534", "&amp;#52;", "&#37;34", "%25%32%35%33%34", "\\u0034", "\\\\u0034",
    ])
    func `a token in which one digit is encoded is one token`(digit: String) {
        #expect(Self.token.utf8.count == 160)
        let text = Self.parts.0 + digit + Self.parts.1
        #expect(redacted("?t=\(text)&b=1", [Self.token]) == "?t=\(digest(Self.token))&b=1")
        // The same of a token that no member names.
        #expect(redacted("?t=\(text)&b=1", []) == "?t=\(digest(Self.token))&b=1")
    }

    @Test func `a token that begins encoded has the same digest as elsewhere`() {
        let token = "8" + String(repeating: "a2b4d98ebd9", count: 5) + "d1d460fe"
        #expect(token.utf8.count == 64)
        for first in ["%38", "&#56;", "%2538", "&#x38;"] {
            #expect(redacted("?t=\(first)\(token.dropFirst())", [token]) == "?t=\(digest(token))")
            #expect(redacted("?t=\(first)\(token.dropFirst())", []) == "?t=\(digest(token))")
        }
    }

    /// `%5e` is a character of its own to whoever decodes the text from its beginning.
    @Test func `a token after the beginning of an encoded character is found`() {
        let token = "5ec2e7019f0a4b7c6d3d0c8a1b2f4e69"
        #expect(redacted("100%\(token)", [token]) == "100%\(digest(token))")
        #expect(redacted("100%5e%632e7019f0a4b7c6d3d0c8a1b2f4e69.", [token]) == "100\(digest(token)).")
        // Nothing is missing there, so this may be anything.
        #expect(redacted("%205ec2e701", [token]) == "%205ec2e701")
    }

    @Test func `an address with encoded characters of its own is found as it is, and where it is encoded`() {
        let token = "https://push.example.net/wpush/v2/gAAA%2Fb%3D"
        for text in [token, "https%3A%2F%2Fpush.example.net%2Fwpush%2Fv2%2FgAAA%252Fb%253D"] {
            #expect(redacted("\"\(text)\"", [token]) == "\"\(digest(token))\"")
        }
    }

    @Test func `a text that is encoded too often is hidden`() {
        var text = "A"
        for _ in 0..<16 { text = text.replacing("%", with: "%25").replacing("A", with: "%41") }
        #expect(redacted("x\(text)", []) == "x\(text)")
        text = text.replacing("%", with: "%25")
        #expect(redacted("x\(text)", []) == digest("x\(text)"))
    }

    @Test(arguments: [
        "5ec2 e701 9f0a 4b7c 6d3d 0c8a 1b2f 4e69", "5ec2-e701-9f0a-4b7c-6d3d-0c8a-1b2f-4e69",
        "5ec2:e701:9f0a:4b7c:6d3d:0c8a:1b2f:4e69", "5ec2e7019f0a4b7c 6d3d0c8a1b2f4e69",
        "5ec2e7019f0a4b7c6d3d\n0c8a1b2f4e69", "5ec2e7019f0a4b7c6d3d\r\n  > 0c8a1b2f4e69",
        "5E,C2,E7,01 9F0A4B7C\t6D3D0C8A1B2F4E69",
        "5ec2e701  9f0a4b7c  6d3d0c8a  1b2f4e69", "5ec2e701\u{A0}9f0a4b7c\u{202F}6d3d0c8a\u{2013}1b2f4e69",
        "5ec2e7019f0a4b7c6d3d\\n0c8a1b2f4e69", "5ec2e7019f0a4b7c6d3d&nbsp;0c8a1b2f4e69",
        "5ec2e7019f0a4b7c6d3d=\n0c8a1b2f4e69",
        "5ec2%20e701%209f0a%204b7c%0A6d3d%200c8a%201b2f%204e69", "5.ec2e7019f0a4b7c6d3d0c8a1b2f4e69",
    ])
    func `a token is found in groups of digits, of any size and with anything between them`(text: String) {
        let token = "5ec2e7019f0a4b7c6d3d0c8a1b2f4e69"
        #expect(redacted("t=<\(text)>.", [token]) == "t=<\(digest(token))>.")
    }

    @Test func `a token that is wrapped is found in any form`() {
        let token = "cGf-x7:APA91bHun4MxP5egoKMwt2KZFBaFUH_1"
        #expect(redacted("cGf-x7:APA91bHun4MxP5ego\n KMwt2KZFBaFUH_1.", [token]) == "\(digest(token)).")
        // RFC 2045 breaks Base64 after 76 characters. The expectation is that of `printf … | base64 -w 40`.
        let base64 = "Y0dmLXg3OkFQQTkxYkh1bjRNeFA1ZWdvS013dDJL\nWkZCYUZVSF8x"
        #expect(redacted("<\(base64)>", [token]) == "<\(digest(token))>")
    }

    @Test func `digits that are not all of a token stay`() {
        let token = "5ec2e7019f0a4b7c6d3d0c8a1b2f4e69"
        for text in [
            "5ec2 e701 9f0a 4b7c 6d3d 0c8a 1b2f 4e6", "5ec2 e701 9f0a 4b7c and 6d3d 0c8a 1b2f 4e69", "ab 12 cd 34",
        ] {
            #expect(redacted(text, [token, "ab12cd34"]) == text)
        }
        // Each of two tokens with the same letters and digits is itself.
        let tokens = ["cGf-x7:APA91bHun4MxP5egoKMwt2KZFBaFUH", "cGf_x7:APA91bHun4MxP5egoKMwt2KZFBaFUH"]
        #expect(redacted(tokens.joined(separator: " "), tokens) == "\(digest(tokens[0])) \(digest(tokens[1]))")
    }

    @Test(arguments: [
        "ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]", "ExpoPushToken[yy]",
        "ExponentPushToken%5Bxxxxxxxxxxxxxxxxxxxxxx%5D",
    ])
    func `a token of Expo's push service is known by its shape`(text: String) {
        let token = text.replacing("%5B", with: "[").replacing("%5D", with: "]")
        #expect(redacted("a \(text), b", []) == "a \(digest(token)), b")
        #expect(redacted("ExponentPushToken[", []) == "ExponentPushToken[")
    }

    // MARK: - Any form, in any mix

    /// Text around a token, also beginnings of encoded characters.
    private static let surroundings = [
        "", " ", "?t=", "%", "%5", "%25", "%%", "&", "&#", "&#x", "&amp;", "&#3", "\\", "\\u", "\\u00", "\\\\", "é",
        "{\"a\":\"", "%20",
        "&a=1&b=", ";", "\u{1F600}", "=",
    ]

    @Test(arguments: Effort.some(Array(1...200 as ClosedRange<UInt64>), fast: 8))
    func `no eight characters of a token remain, however it is written`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Effort.rounds(60, fast: 20) {
            let token = token(&random)
            let form = form(of: token, &random)
            let depth = random.below(4)
            let encoded = form.utf8.map { self.encoded($0, random.below(depth + 1), &random) }.joined()
            let text =
                random.pick(Self.surroundings) + random.pick(Self.surroundings) + encoded
                + random.pick([".", " ", "%", "&", ""])
            let hidden = redacted(text, [token])
            for reading in readings(of: hidden) {
                #expect(!hasRun(of: form, in: reading), "\(token) as \(text) became \(hidden)")
            }
        }
    }

    @Test(arguments: Effort.some(Array(1...200 as ClosedRange<UInt64>), fast: 8))
    func `no eight digits of a token remain, whatever is between them`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Effort.rounds(60, fast: 20) {
            let form = form(of: token(&random), &random)
            let rarity = 1 + random.below(20)
            var written = ""
            for character in form {
                written.append(character)
                while random.below(rarity) == 0 {
                    written += random.pick(Self.separators)
                    if rarity == 1, random.below(2) == 0 { break }
                }
            }
            let depth = random.below(3)
            let encoded = written.utf8.map { self.encoded($0, random.below(depth + 1), &random) }.joined()
            let text = random.pick(Self.surroundings) + encoded + random.pick([".", " ", "%", "&", ""])
            let hidden = redacted(text, [form])
            for reading in readings(of: hidden) {
                #expect(!hasRun(of: letters(form), in: letters(reading)), "\(form) as \(text) became \(hidden)")
            }
        }
    }

    private static let separators = [
        " ", "  ", "\t", "\n", "\r\n", ",", ", ", ":", "-", "\u{A0}", "\u{2013}", ".", "|", "\n> ",
    ]

    private func letters(_ text: String) -> String {
        text.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// A token of APNs of 32 to 200 bytes, or one of FCM.
    private func token(_ random: inout SeededGenerator) -> String {
        let digits = Array("0123456789abcdef")
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        guard random.below(3) == 0 else {
            return String((0..<2 * (32 + random.below(169))).map { _ in random.pick(digits) })
        }
        let end = String((0..<134).map { _ in random.pick(letters) })
        return String((0..<22).map { _ in random.pick(letters) }) + ":APA91b" + end
    }

    /// A form that `redaction.md` names.
    private func form(of token: String, _ random: inout SeededGenerator) -> String {
        let forms = [[UInt8](token.utf8)] + WrittenToken.forms(of: Array(token.utf8))
        let form = String(decoding: random.pick(forms), as: UTF8.self)
        return random.below(4) == 0 ? form.uppercased() : form
    }

    /// A character that is encoded a number of times.
    private func encoded(_ character: UInt8, _ depth: Int, _ random: inout SeededGenerator) -> String {
        guard depth > 0 else { return String(decoding: [character], as: UTF8.self) }
        let hexadecimal = (character < 16 ? "0" : "") + String(character, radix: 16)
        let once = [
            "%\(hexadecimal)", "%\(hexadecimal.uppercased())", "&#\(character);", "&#x\(hexadecimal);",
            "\\u00\(hexadecimal)",
        ]
        // Only what makes it an encoded character needs to be encoded again, but anything may be.
        let inner = random.pick(once)
        return inner.utf8.enumerated().map { index, byte in
            self.encoded(byte, index == 0 ? depth - 1 : random.below(depth), &random)
        }.joined()
    }

    /// The text, and what becomes of it when it is decoded once, twice, and so on. Independent of what redacts.
    private func readings(of text: String) -> [String] {
        var readings = [text]
        while readings.count < 12 {
            let next = (readings.last ?? "").replacing(
                #/%([0-9A-Fa-f]{2})|&#x([0-9A-Fa-f]{1,6});|&#([0-9]{1,7});|\\u([0-9A-Fa-f]{4})|\\(["\/\\])|&(amp);/#
            ) {
                match in
                let output = match.output
                if let character = output.5 { return String(character) }
                if output.6 != nil { return "&" }
                let code =
                    output.3.map { UInt32($0) } ?? UInt32(output.1 ?? output.2 ?? output.4 ?? "", radix: 16)
                guard let scalar = code.flatMap({ Unicode.Scalar($0) }) else { return String(output.0) }
                return String(Character(scalar))
            }
            if next == readings.last { break }
            readings.append(next)
        }
        return readings
    }

    private func hasRun(of form: String, in text: String) -> Bool {
        let form = Array(form.lowercased().utf8)
        let text = Array(text.lowercased().utf8)
        guard form.count >= 8, text.count >= 8 else { return false }
        var runs: Set<[UInt8]> = []
        for start in 0...form.count - 8 { runs.insert(Array(form[start..<start + 8])) }
        return (0...text.count - 8).contains { runs.contains(Array(text[$0..<$0 + 8])) }
    }
}
