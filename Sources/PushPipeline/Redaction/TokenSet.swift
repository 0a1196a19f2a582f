import PayloadJSON

/// The tokens of one record, and what stands for each: finds them wherever else they are repeated, and whatever else looks like a token.
///
/// A token of `shortestPart` bytes or more is found inside other texts, whatever the case of its letters, and in the forms that URLs
/// and escaped slashes give it. A shorter one is no real token and may be a part of any word, so only a text that is all of it counts.
/// Tokens of others, which a record may have in its data, are known by their shape alone.
struct TokenSet {
    private static let shortestPart = 8
    /// Hexadecimal digits from which on a word is taken for a device token of APNs: all that have been seen have 64 or more.
    private static let hexadecimalDigits = 64
    /// Bytes from which on a word with `APA91` in it is taken for a registration token of GCM or FCM, which have more.
    private static let registrationBytes = 100

    private let redaction: Redaction
    private var digests: [[UInt8]: [UInt8]] = [:]
    /// Forms of tokens in lower case, by their first eight bytes.
    private var forms: [UInt64: [(form: [UInt8], digest: [UInt8])]] = [:]
    /// Whether a form begins with a byte, in lower case.
    private var isFirst = [Bool](repeating: false, count: 256)

    init(_ redaction: Redaction) { self.redaction = redaction }

    /// Whether tokens are to be looked for at all.
    var isActive: Bool { redaction.hidesTokens }

    func contains(_ text: [UInt8]) -> Bool { digests[text] != nil }

    mutating func insert(_ token: [UInt8]) {
        guard !token.isEmpty, digests[token] == nil else { return }
        let digest = redaction.digest(token)
        digests[token] = digest
        guard token.count >= Self.shortestPart, digest != token else { return }
        for form in Set([token, Self.percentEncoded(token), Self.withEscapedSlashes(token)]) {
            let form = form.map(Self.lowercased)
            isFirst[Int(form[0])] = true
            forms[Self.beginning(of: form, at: 0), default: []].append((form, digest))
        }
    }

    /// What stands for a text that is all of one token; nil for any other.
    func digest(ofAll text: [UInt8]) -> [UInt8]? { digests[text] }

    /// The text with digests in the place of tokens; nil when there is none in it. O(bytes), but for tokens that begin alike.
    func replacing(in text: [UInt8]) -> [UInt8]? {
        if let digest = digests[text] { return digest == text ? nil : digest }
        guard isActive, text.count >= Self.shortestPart else { return nil }
        var out: [UInt8] = []
        var copied = 0
        var index = 0
        while index + Self.shortestPart <= text.count {
            guard let (length, digest) = token(in: text, at: index) else {
                index += 1
                continue
            }
            out += text[copied..<index]
            out += digest
            index += length
            copied = index
        }
        return copied == 0 ? nil : out + text[copied...]
    }

    func replacing(in text: String) -> String {
        guard let replaced = replacing(in: Array(text.utf8)) else { return text }
        return String(decoding: replaced, as: UTF8.self)
    }

    // MARK: - Forms

    private func token(in text: [UInt8], at index: Int) -> (length: Int, digest: [UInt8])? {
        if isFirst[Int(Self.lowercased(text[index]))], let found = form(in: text, at: index) { return found }
        guard index == 0 || !Self.isWord(text[index - 1]), text.count - index >= Self.hexadecimalDigits else {
            return nil
        }
        let word = text[index...].prefix(while: Self.isWord)
        guard Self.hasShapeOfToken(word) else { return nil }
        return (word.count, redaction.digest(word))
    }

    private static func hasShapeOfToken(_ word: ArraySlice<UInt8>) -> Bool {
        if word.count < hexadecimalDigits { return false }
        if word.allSatisfy({ $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 6 }) { return true }
        return word.count >= registrationBytes && String(decoding: word, as: UTF8.self).contains("APA91")
    }

    /// Letters, digits, `-`, `:` and `_`: what tokens are made of.
    private static func isWord(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 11 || (byte | 0x20) &- 0x61 < 26 || byte == 0x2D || byte == 0x5F
    }

    /// The longest form that stands at a place.
    private func form(in text: [UInt8], at index: Int) -> (length: Int, digest: [UInt8])? {
        var longest: (length: Int, digest: [UInt8])?
        for (form, digest) in forms[Self.beginning(of: text, at: index)] ?? [] where form.count > longest?.length ?? 0 {
            guard index + form.count <= text.count else { continue }
            if form.indices.allSatisfy({ Self.lowercased(text[index + $0]) == form[$0] }) {
                longest = (form.count, digest)
            }
        }
        return longest
    }

    private static func beginning(of text: [UInt8], at index: Int) -> UInt64 {
        text[index..<index + shortestPart].reduce(0) { $0 << 8 | UInt64(lowercased($1)) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }

    /// As in a URL: what RFC 3986 does not call unreserved is written as `%` and two digits.
    private static func percentEncoded(_ token: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return token.flatMap { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                [byte]
            default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }

    /// As some JSON writers have it in JSON inside strings.
    private static func withEscapedSlashes(_ token: [UInt8]) -> [UInt8] {
        token.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] }
    }
}

// MARK: - Where tokens stand

extension TokenSet {
    /// Names that mean a token wherever they stand, in lower case and without `_` and `-`.
    private static let names: Set<String> = [
        "token", "tokens", "fid", "registrationid", "registrationids", "registrationtoken", "registrationtokens",
        "notificationkey", "devicetoken", "devicetokens", "pushtoken", "pushtokens", "fcmtoken", "gcmtoken",
        "apnstoken",
    ]
    /// Names that mean a target in a request, and may mean anything in an app's data.
    private static let targetNames: Set<String> = ["to", "device", "targetarn", "endpointarn"]
    /// Members of requests that hold another request, or a text that does.
    private static let requestNames: Set<String> = ["message", "payload", "gcm", "fcm", "fcmv1message"]
    /// JSON in a string in a string, and so on.
    static let maximumLevel = 4

    /// Adds the tokens that stand in a record or a payload.
    mutating func insertTokens(in view: JSONView, isRequest: Bool, level: Int = 0) {
        guard view.isObject else {
            var elements = view.elements
            while let element = elements.next() { insertTokens(in: element, isRequest: false, level: level) }
            return
        }
        // Beside `aps` every other name is the app's own.
        let isRequest = isRequest && view["aps"] == nil
        // Beside a token, as Airnotifier has it, `device` is the kind of device.
        let hasToken = view["token"] != nil
        var members = view.members
        while let (key, value) = members.next() {
            let name = String(decoding: key.decodedBytes.filter { $0 != 0x5F && $0 != 0x2D }, as: UTF8.self)
                .lowercased()
            let isTarget = isRequest && Self.targetNames.contains(name) && !(hasToken && name == "device")
            if isTarget || Self.names.contains(name) {
                insertTexts(of: value)
            } else if value.isString {
                insertTokens(inText: value, isRequest: isRequest && Self.requestNames.contains(name), level: level)
            } else {
                insertTokens(in: value, isRequest: isRequest && Self.requestNames.contains(name), level: level)
            }
        }
    }

    /// The same for a string that may hold JSON.
    private mutating func insertTokens(inText value: JSONView, isRequest: Bool, level: Int) {
        guard level < Self.maximumLevel, let string = value.string, string.mayHoldJSON else { return }
        var scanner = JSONScanner()
        var tape = JSONTape()
        string.decodedBytes.withUnsafeBytes { bytes in
            guard scanner.scan(bytes, into: &tape) == nil, let root = tape.root(of: bytes) else { return }
            insertTokens(in: root, isRequest: isRequest, level: level + 1)
        }
    }

    /// Everything in a value that stands where a token belongs, even if it is none.
    private mutating func insertTexts(of value: JSONView) {
        switch value.kind {
        case .string:
            // `default` is what a record's device is called that names none.
            if let string = value.string, !Self.isTopic(string.raw), !(string == "default") {
                insert(string.decodedBytes)
            }
        case .number: insert(Array(value.text.buffer))
        case .object:
            var members = value.members
            while let (_, value) = members.next() { insertTexts(of: value) }
        case .array:
            var elements = value.elements
            while let element = elements.next() { insertTexts(of: element) }
        default: break
        }
    }

    /// GCM's way to name a topic, which is no secret.
    static func isTopic(_ text: BorrowedText) -> Bool { text.hasPrefix("/topics/") || text.hasPrefix("\\/topics\\/") }
}

extension JSONString {
    /// Whether it begins as an object or array does that has a string in it, whose quotes need escapes here.
    var mayHoldJSON: Bool {
        hasEscapes && (raw.hasPrefix("{") || raw.hasPrefix("[") || raw.hasPrefix(" ") || raw.hasPrefix("\\"))
    }
}
