package import PayloadJSON
import PushDecoding
import PushSystem

/// The tokens of one record and their digests. Finds repetitions of them, and everything else that looks like a token.
///
/// A token of at least `shortestPart` bytes is found inside other texts, case-insensitively, and also in Base64, and a long one in groups of
/// characters; and all of that where characters are percent-encoded, HTML's character references or JSON's escapes, in any mix and however
/// often.
/// A shorter one is not a real token and may be part of any word, so only a text equal to it matches. Unknown tokens in a record's
/// data are recognized only by their shape.
package struct TokenSet {
    private static let shortestPart = 8
    /// Minimum number of hexadecimal digits of a word treated as an APNs device token: all known tokens have 64 or more.
    private static let hexadecimalDigits = 64
    /// Minimum length in bytes of a word with `APA91` treated as a GCM or FCM registration token; real ones are longer.
    private static let registrationBytes = 100
    /// Bytes up to which a word in brackets is treated as a token of Expo's; real ones have 41.
    private static let longestOfExpo = 128
    /// How often a text is decoded. One that is encoded more often is hidden completely: nobody can read it, and it may hold a token.
    private static let mostDecodings = 16

    private let redaction: Redaction
    private var digests: [[UInt8]: [UInt8]] = [:]
    /// Forms of tokens in lower case. Shared by copies of this value until one of them changes.
    private var forms = TokenForms()
    /// The first eight bytes of each form.
    private var beginnings: Set<UInt64> = []
    /// True if a form is long enough to be found in groups of its characters.
    private var hasLongForms = false
    /// For each byte, in lower case: true if a form begins with it.
    private var isFirst = [Bool](repeating: false, count: 256)

    package init(_ redaction: Redaction) { self.redaction = redaction }

    /// True to search for tokens at all.
    var isActive: Bool { redaction.hidesTokens }

    package func contains(_ text: [UInt8]) -> Bool { digests[text] != nil }

    package mutating func insert(_ token: [UInt8]) {
        guard !token.isEmpty, digests[token] == nil else { return }
        let digest = digest(of: token[...])
        digests[token] = digest
        guard token.count >= Self.shortestPart, digest != token else { return }
        if !isKnownUniquelyReferenced(&forms) { forms = TokenForms(forms) }
        var written = [token] + WrittenToken.forms(of: token)
        // A URL may have encoded characters of its own, which are decoded with the text around it.
        if let unescaped = UnescapedText.levels(of: token, atMost: Self.mostDecodings).last?.bytes,
            unescaped.count >= Self.shortestPart
        {
            written.append(unescaped)
        }
        written += written.compactMap(GroupedText.form)
        hasLongForms = hasLongForms || written.contains { $0.count >= GroupedText.fewestCharacters }
        for form in Set(written) {
            let form = form.map(TokenForms.lowercased)
            isFirst[Int(form[0])] = true
            beginnings.insert(Self.beginning(of: form, at: 0))
            forms.insert(form, digest)
        }
    }

    /// The digest of a text that is exactly one token; nil for any other text.
    package func digest(ofAll text: [UInt8]) -> [UInt8]? { digests[text] }

    /// The text with its tokens replaced by digests; nil if it contains none. O(bytes), and where tokens begin alike O(log n) times that.
    package func replacing(in text: [UInt8]) -> [UInt8]? {
        if let digest = digests[text] { return digest == text ? nil : digest }
        guard isActive, text.count >= Self.shortestPart else { return nil }
        let levels = UnescapedText.levels(of: text, atMost: Self.mostDecodings + 1)
        if levels.count > Self.mostDecodings { return redaction.digest(text) }
        var found = tokens(in: SearchedText(text))
        var grouped = tokensInGroups(of: text)
        guard !levels.isEmpty || !grouped.isEmpty else { return Self.replacing(found, in: text) }
        var rests: [TokenMatch] = []
        for level in levels {
            if let digest = digests[level.bytes] { return digest }
            let searched = SearchedText(level.bytes)
            found += tokens(in: searched).map { $0.moved(to: level.originalRange($0.range)) }
            grouped += tokensInGroups(of: level.bytes).map { $0.moved(to: level.originalRange($0.range)) }
            rests += restsOfTokens(in: level, searched)
        }
        // What is read last counts, as that is what people read.
        found = TokenMatch.united(found)
        // Another token has the same characters if they differ in what is between them only.
        var known = found.filter { $0.kind == .known }
        grouped.removeAll { $0.isWithin(anyOf: known) }
        if !grouped.isEmpty {
            found = TokenMatch.united(found + grouped)
            known = found.filter { $0.kind == .known }
        }
        rests.removeAll { $0.overlaps(anyOf: known) }
        return Self.replacing(rests.isEmpty ? found : TokenMatch.united(found + rests), in: text)
    }

    /// The tokens in a text, in order.
    private func tokens(in searched: SearchedText) -> [TokenMatch] {
        var found: [TokenMatch] = []
        var index = 0
        while index + Self.shortestPart <= searched.bytes.count {
            if let match = token(in: searched, at: index) {
                found.append(match)
                index = match.range.upperBound
            } else {
                index += 1
            }
        }
        return found
    }

    /// Known tokens in the letters and digits of a text, in order, if there is anything between those.
    private func tokensInGroups(of text: [UInt8]) -> [TokenMatch] {
        guard hasLongForms, let grouped = GroupedText(text) else { return [] }
        let searched = SearchedText(grouped.bytes)
        var found: [TokenMatch] = []
        var index = 0
        while index + GroupedText.fewestCharacters <= grouped.bytes.count {
            if isFirst[Int(TokenForms.lowercased(grouped.bytes[index]))],
                let (length, digest) = form(in: searched, at: index),
                length >= GroupedText.fewestCharacters
            {
                let range = grouped.originalRange(index..<index + length)
                found.append(TokenMatch(range: range, digest: digest, kind: .known))
                index += length
            } else {
                index += 1
            }
        }
        return found
    }

    /// Tokens whose first characters are taken for those of an encoded one, as `5e` in `100%5ec2…`, so that only the rest can be read.
    private func restsOfTokens(in level: UnescapedText, _ searched: SearchedText) -> [TokenMatch] {
        guard !forms.withoutBeginnings.isEmpty else { return [] }
        var found: [TokenMatch] = []
        for index in level.bytes.indices.dropFirst() where level.isEncoded(index - 1) {
            guard let (length, digest) = forms.withoutBeginnings.longest(in: searched, at: index) else { continue }
            let range = level.originalRange(index - 1..<index + length)
            found.append(TokenMatch(range: range, digest: digest, kind: .rest))
        }
        guard let grouped = GroupedText(level.bytes) else { return found }
        let letters = SearchedText(grouped.bytes)
        for index in grouped.bytes.indices {
            guard let first = grouped.originalGap(before: index).first(where: level.isEncoded),
                let (length, digest) = forms.withoutBeginnings.longest(in: letters, at: index)
            else { continue }
            let end = grouped.originalRange(index..<index + length).upperBound
            found.append(TokenMatch(range: level.originalRange(first..<end), digest: digest, kind: .rest))
        }
        return found
    }

    /// Nil if there is nothing to replace.
    private static func replacing(_ found: [TokenMatch], in text: [UInt8]) -> [UInt8]? {
        guard !found.isEmpty else { return nil }
        var out: [UInt8] = []
        var copied = 0
        for match in found {
            out += text[copied..<match.range.lowerBound]
            out += match.digest
            copied = match.range.upperBound
        }
        return out + text[copied...]
    }

    package func replacing(in text: String) -> String {
        guard let replaced = replacing(in: Array(text.utf8)) else { return text }
        return String(decoding: replaced, as: UTF8.self)
    }

    /// The same for both cases of a device token of APNs.
    private func digest(of token: ArraySlice<UInt8>) -> [UInt8] {
        redaction.digest(Array(DeviceToken.canonical(String(decoding: token, as: UTF8.self)).utf8))
    }

    // MARK: - Forms

    private func token(in searched: SearchedText, at index: Int) -> TokenMatch? {
        let text = searched.bytes
        if isFirst[Int(TokenForms.lowercased(text[index]))], let (length, digest) = form(in: searched, at: index) {
            return TokenMatch(range: index..<index + length, digest: digest, kind: .known)
        }
        guard index == 0 || !Self.isWord(text[index - 1]) else { return nil }
        if text[index] == UInt8(ascii: "E"), let word = Self.tokenOfExpo(text[index...]) {
            return TokenMatch(range: word.indices, digest: digest(of: word), kind: .shape)
        }
        guard text.count - index >= Self.hexadecimalDigits else { return nil }
        let word = text[index...].prefix(while: Self.isWord)
        guard Self.hasShapeOfToken(word) else { return nil }
        return TokenMatch(range: word.indices, digest: digest(of: word), kind: .shape)
    }

    /// The token of Expo's push service that a text begins with.
    private static func tokenOfExpo(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let text = text.prefix(longestOfExpo)
        guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        return ExpoToken.isMarked(String(decoding: text[..<end], as: UTF8.self)) ? text[...end] : nil
    }

    private static func hasShapeOfToken(_ word: ArraySlice<UInt8>) -> Bool {
        if word.count < hexadecimalDigits { return false }
        if word.allSatisfy({ $0.hexadecimalDigit != nil }) { return true }
        return word.count >= registrationBytes && String(decoding: word, as: UTF8.self).contains("APA91")
    }

    /// True if a byte occurs in tokens: letters, digits, `-`, `:` and `_`.
    private static func isWord(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 11 || byte.isLetter || byte == 0x2D || byte == 0x5F
    }

    /// The longest form at a position.
    private func form(in text: SearchedText, at index: Int) -> (length: Int, digest: [UInt8])? {
        beginnings.contains(Self.beginning(of: text.bytes, at: index)) ? forms.longest(in: text, at: index) : nil
    }

    private static func beginning(of text: [UInt8], at index: Int) -> UInt64 {
        text[index..<index + shortestPart].reduce(0) { $0 << 8 | UInt64(TokenForms.lowercased($1)) }
    }
}

// MARK: - Token locations

extension TokenSet {
    /// Names that mean a token wherever they occur, in lower case and without `_` and `-`.
    private static let names: Set<String> = [
        "token", "tokens", "fid", "fids", "registrationid", "registrationids", "registrationtoken",
        "registrationtokens",
        "notificationkey", "devicetoken", "devicetokens", "pushtoken", "pushtokens", "fcmtoken", "gcmtoken",
        "apnstoken", "liveactivitytoken", "starttoken", "activitytokens",
    ]
    /// Names that mean a target in a request, and may mean anything in an app's data.
    private static let targetNames: Set<String> = ["to", "device", "targetarn", "endpointarn", "expo"]
    /// Members of requests that contain another request, or a text with one.
    private static let requestNames: Set<String> = ["message", "payload", "gcm", "fcm", "fcmv1message"]
    /// JSON in a string in a string, and so on.
    package static let maximumLevel = 4

    /// Adds the tokens in a record or a payload.
    package mutating func insertTokens(in view: JSONView, isRequest: Bool, level: Int = 0) {
        guard view.isObject else {
            // A request to Expo may be a list of messages.
            for element in view.elements { insertTokens(in: element, isRequest: isRequest, level: level) }
            return
        }
        // Next to `aps` every other name is the app's own.
        let isRequest = isRequest && view["aps"] == nil
        // Next to a token, as in Airnotifier's requests, `device` is the kind of device.
        let hasToken = view["token"] != nil
        for (key, value) in view.members {
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

    /// The same for a string that may contain JSON.
    private mutating func insertTokens(inText value: JSONView, isRequest: Bool, level: Int) {
        // SOUND: the tape was just made of the bytes, which live until the closure returns.
        guard level < Self.maximumLevel, let string = value.string, string.mayHoldJSON else { return }
        var scanner = JSONScanner()
        var tape = JSONTape()
        unsafe string.decodedBytes.withUnsafeBytes { bytes in
            guard unsafe scanner.scan(bytes, into: &tape) == nil, let root = unsafe tape.root(of: bytes) else { return }
            insertTokens(in: root, isRequest: isRequest, level: level + 1)
        }
    }

    /// Adds everything in a value at a token's location, even if it is not a token.
    private mutating func insertTexts(of value: JSONView) {
        // SOUND: the bytes are of the text that the view is of, and are copied.
        switch value.kind {
        case .string:
            // `default` is the device of records that name none.
            if let string = value.string, !Self.isTopic(string.raw), !(string == "default") {
                insert(string.decodedBytes)
            }
        case .number: unsafe insert(Array(value.text.buffer))
        case .object:
            for (_, value) in value.members { insertTexts(of: value) }
        case .array:
            for element in value.elements { insertTexts(of: element) }
        default: break
        }
    }

    /// True if a text is a GCM topic, which is not secret.
    package static func isTopic(_ text: BorrowedText) -> Bool {
        text.hasPrefix("/topics/") || text.hasPrefix("\\/topics\\/")
    }
}

extension JSONString {
    /// True if it begins like an object or array with a string in it, whose quotes need escapes here.
    package var mayHoldJSON: Bool {
        hasEscapes && (raw.hasPrefix("{") || raw.hasPrefix("[") || raw.hasPrefix(" ") || raw.hasPrefix("\\"))
    }
}
