import Foundation
import PushRedaction
import TestSupport
import Testing

/// The texts that stay when tokens are hidden, and the tokens that none of them holds, however they are written.
struct HarmlessTextTests {
    private func stays(_ text: String, as kind: HarmlessText.Kind = .text) -> Bool {
        HarmlessText.isHarmless(Array(text.utf8), as: kind)
    }

    // MARK: - The rule

    @Test(arguments: [
        "5EC2E7019F0A4B7", "Hello", "", "Breaking news: the minister resigned this morning",
        "Anna: are you coming at 10:30?", "https://en.wikipedia.org/wiki/Talk:Berlin",
        "/topics/news-and-weather-for-all",
        "com.example.news.notifications", "Die Donaudampfschifffahrtsgesellschaft fährt wieder",
        "苹果公司今天发布了一款新的手机，价格与去年相同，今天就可以预订。", "Доброе утро! Сегодня в Москве облачно, без осадков.",
        "breaking_news_notifications_for_everybody", "{\"title\":\"Hello\",\"body\":\"Are you there?\"}",
        "100 % of &c. \\o/",
    ])
    func `what people write stays`(text: String) {
        #expect(stays(text))
    }

    @Test(arguments: [
        "2026-11-03T20:00:00Z", "0f8fad5b-d9cb-469f-a165-70867728950e", "Order 123456789 is on its way",
        "THE WHOLE TEXT IN CAPITALS", "https://example.org/?id=7b21f0c93d40aa715", "Tom&nbsp;and Jerry",
        "https://example.org/Albert_Einstein_in_Berlin",
    ])
    func `what could be a part of a token is hidden, also if it is none`(text: String) {
        #expect(!stays(text))
    }

    @Test func `each limit holds, and one more is too many`() {
        #expect(stays(String(repeating: "1", count: 15)) && !stays(String(repeating: "1", count: 16)))
        // Of a long word.
        let word = String(repeating: "a", count: 19)
        #expect(stays("A9\(word.dropFirst())") && stays("A\(word)a") && !stays("A9\(word)"))
        #expect(stays("A9.\(word)a") && !stays("A9%\(word)") && !stays("A9\u{200B}\(word)"))
        #expect(stays("ABCD\(word)", as: .name) && !stays("ABCD9\(word)", as: .name))
        #expect(stays("didReceiveRemoteNotification", as: .name) && !stays("didReceiveRemoteNotification"))
        #expect(stays("Field 'TTL': 4096 of 86400, 12345678 are too many (TYPE_INT64)", as: .message))
        #expect(!stays("no such token: 5ec2e7019f0a4b7c6d3d0", as: .message))
        // Of 32 letters and digits in a row, whatever is between them.
        let words = Array(repeating: "Abcde", count: 6).joined(separator: " ")
        #expect(stays("\(words) ab cd. Abcde") && !stays("\(words) a. Abcde") && !stays("\(words) - A"))
    }

    /// The texts of alerts in the linter's corpus, most of which are from vendors' pages and public projects.
    @Test func `what public payloads say stays readable, but for codes`() throws {
        let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Lint/PushLintTests/Corpus")
        let files = try #require(FileManager.default.enumerator(at: corpus, includingPropertiesForKeys: nil))
        var texts: Set<String> = []
        var payloads = 0
        for case let file as URL in files where file.pathExtension == "case" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let found = text.matches(of: #/"(?:alert|title|subtitle|body)"\s*:\s*"([^"\\]*)"/#).map {
                String($0.output.1)
            }
            payloads += found.isEmpty ? 0 : 1
            texts.formUnion(found)
        }
        #expect(payloads >= 100 && texts.count >= 100)
        let hidden = texts.filter { !stays($0) }
        #expect(hidden.allSatisfy { $0.contains(where: \.isNumber) }, "\(hidden)")
        #expect(hidden.count * 20 <= texts.count, "\(hidden)")
    }

    // MARK: - Tokens

    private static let hexadecimal = Array("0123456789abcdef")
    private static let base64 = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    private func random(_ count: Int, of letters: [Character], _ random: inout SeededGenerator) -> String {
        String((0..<count).map { _ in random.pick(letters) })
    }

    /// A token of APNs of 32 to 100 bytes, or one of FCM, whose last part has at least 134 characters.
    private func token(_ random: inout SeededGenerator) -> String {
        random.below(2) == 0
            ? self.random(2 * (32 + random.below(69)), of: Self.hexadecimal, &random)
            : self.random(22, of: Self.base64, &random) + ":APA91b" + self.random(134, of: Self.base64, &random)
    }

    /// A Firebase installation id, and a token of Expo's: shorter, so only words of them are recognized.
    private func shortToken(_ random: inout SeededGenerator) -> String {
        let id = self.random(22, of: Self.base64, &random)
        return random.below(2) == 0 ? id : "ExponentPushToken[\(id)]"
    }

    /// The text itself, its bytes if it is hexadecimal, or either in another alphabet.
    private func form(of token: String, _ random: inout SeededGenerator) -> String {
        let isHexadecimal = token.allSatisfy(Self.hexadecimal.contains)
        let digits = Array(token).map { UInt8(String($0), radix: 16) ?? 0 }
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        let text = isHexadecimal && random.below(3) == 0 ? token.uppercased() : token
        let source = isHexadecimal && random.below(2) == 0 ? bytes : Array(text.utf8)
        switch random.below(6) {
        case 0: return encoded(source, 6, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        case 1: return encoded(source, 6, String(Self.base64))
        case 2: return encoded(source, 5, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        case 3: return source.map { String($0) }.joined(separator: random.pick([",", " ", ", "]))
        case 4: return String(text.reversed())
        default: return text
        }
    }

    private func encoded(_ bytes: [UInt8], _ width: Int, _ alphabet: String) -> String {
        let alphabet = Array(alphabet)
        var bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        while bits.count % width != 0 { bits.append(0) }
        return String(
            stride(from: 0, to: bits.count, by: width).map { start in
                alphabet[bits[start..<start + width].reduce(0) { $0 << 1 | Int($1) }]
            })
    }

    private static let separators = [
        " ", "  ", "\t", "\n", "\r\n> ", ",", ":", "-", ".", "/", "|", "\u{A0}", "\u{202F}", "\u{2013}", "\u{200B}",
        "\u{AD}",
        "\u{FEFF}", "&nbsp;", "&lsqb;", "&UnderBar;", "&thinsp;", "\\n", "=\n", "%20", "\u{1F600}", "\u{2060}",
    ]

    /// Groups of 1 to 20 characters, with one separator or several.
    private func grouped(_ text: String, _ random: inout SeededGenerator) -> String {
        let size = 1 + random.below(20)
        let separators = random.below(3) == 0 ? Self.separators : [random.pick(Self.separators)]
        var grouped = ""
        for (index, character) in text.enumerated() {
            if index > 0, index % size == 0 { grouped += random.pick(separators) }
            grouped.append(character)
        }
        return grouped
    }

    /// Each character as itself, or encoded up to a number of times.
    private func escaped(_ text: String, _ depth: Int, _ random: inout SeededGenerator) -> String {
        guard depth > 0 else { return text }
        let rarity = 1 + random.below(4)
        let escaped = text.utf8.map { byte -> String in
            guard random.below(rarity) == 0 else { return String(decoding: [byte], as: UTF8.self) }
            let hexadecimal = (byte < 16 ? "0" : "") + String(byte, radix: 16)
            return random.pick([
                "%\(hexadecimal)", "%\(hexadecimal.uppercased())", "=\(hexadecimal.uppercased())",
                "\\u00\(hexadecimal)",
                "\\x\(hexadecimal)", "&#\(byte);", "&#x\(hexadecimal);", "&#000000000000\(byte);",
            ])
        }
        return self.escaped(escaped.joined(), depth - 1, &random)
    }

    private static let surroundings = ["", "Hello Anna, this is the token: ", "?t=", "{\"a\":\"", "<", "Bild: ", "“"]

    @Test(arguments: Effort.some(Array(1...200 as ClosedRange<UInt64>), fast: 8))
    func `no text with a token stays, however the token is written`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Effort.rounds(60, fast: 40) {
            let form = form(of: token(&random), &random)
            let divided = random.below(2) == 0 ? form : grouped(form, &random)
            let text = random.pick(Self.surroundings) + escaped(divided, random.below(4), &random)
            let whole = text + random.pick(["", ".", " for you and your family", "\"}", "&b=1"])
            #expect(!stays(whole) && !stays(whole, as: .name), "\(whole)")
        }
    }

    @Test(arguments: Effort.some(Array(1...200 as ClosedRange<UInt64>), fast: 8))
    func `a short token in one word does not stay`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Effort.rounds(60, fast: 40) {
            let token = shortToken(&random)
            let text =
                random.pick(["", "Token ", "https://a.example/"]) + random.pick([token, String(token.reversed())])
            #expect(!stays(text), "\(text)")
            #expect(!stays("t=\(escaped(token, 1 + random.below(2), &random))"), "\(token)")
        }
    }

    /// Mixtures in which a search for tokens once missed one.
    @Test(arguments: [
        "&#0000000053;ec2e7019f0a4b7c6d3d0c8a1b2f4e695ec2e7019f0a4b7c6d3d0c8a1b2f4e69",
        "&lsqb;5ec2 e701 9f0a&lsqb;4b7c 6d3d 0c8a 1b2f 4e69 5ec2&rsqb;e701 9f0a 4b7c 6d3d 0c8a 1b2f 4e69",
        "NUVDMkU3MDE5RjBBNEI3QzZEM0QwQzhBMUIyRjRFNjk1RUMyRTcwMTlGMEE0QjdDNkQzRDBDOEExQjJGNEU2OQ==",
        "x%35ec2 e701 9f0a 4b7c 6d3d 0c8a 1b2f 4e69 5ec2 e701 9f0a 4b7c 6d3d 0c8a 1b2f 4e69",
        "５ｅｃ２ｅ７０１９ｆ０ａ４ｂ７ｃ６ｄ３ｄ０ｃ８ａ１ｂ２ｆ４ｅ６９",
    ])
    func `a mixture of encodings does not stay`(text: String) {
        #expect(!stays(text) && !stays(text, as: .name))
    }

    /// Tag characters are ASCII that cannot be seen; flags of regions have some.
    @Test func `a token in characters that cannot be seen does not stay, and a flag does`() {
        func hidden(_ text: String) -> String {
            text.unicodeScalars.compactMap { Unicode.Scalar(0xE0000 + $0.value).map(String.init) }.joined()
        }
        #expect(!stays(hidden("5ec2e7019f0a4b7c6d3d0c8a1b2f4e69")))
        #expect(!stays("A new message for you " + hidden("5ec2e7019f0a4b7c6d3d0c8a1b2f4e69")))
        #expect(stays("\u{1F3F4}\(hidden("gbsct"))\u{E007F} Scotland leads in Edinburgh, and everybody sings"))
    }
}
