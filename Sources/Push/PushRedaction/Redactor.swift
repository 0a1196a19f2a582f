import PushDecoding
import PushJSON
import PushModel
import PushSystem

/// Puts digests in the place of hidden texts: always of whole texts, never of parts, so that nothing needs to be found in them.
///
/// For one worker. A text becomes the same digest wherever it is. Whether it stays depends on itself alone, unless it repeats the name of a
/// record's device.
package final class Redactor {
    /// The meaning of a text.
    package enum Kind {
        /// The target of a request, or a token of a device.
        case device
        /// Chosen by the app's programmers.
        case name
        /// Written by a sender or a user.
        case content
    }

    package let redaction: Redaction
    /// Names of devices that texts must not repeat, in lower case. A text with one that may be a token stays in no case.
    private var deviceNames: [[UInt8]] = []
    var scanner = JSONScanner()
    var tape = JSONTape()

    /// The shortest name of a device that is looked for in other texts, in bytes. A shorter one may be part of any word.
    private static let shortestName = 8

    package init(_ redaction: Redaction) { self.redaction = redaction }

    /// Hides texts from now on with the name of one of these devices, and of no others.
    package func hideNames(of devices: some Sequence<[UInt8]>) {
        deviceNames.removeAll(keepingCapacity: true)
        guard redaction.hidesTokens else { return }
        for device in devices where device.count >= Self.shortestName && HarmlessText.isHarmless(device) {
            deviceNames.append(device.map(Self.lowercased))
        }
    }

    /// Another one for JSON in a string, which needs its own memory.
    func forString() -> Redactor {
        let redactor = Redactor(redaction)
        redactor.deviceNames = deviceNames
        return redactor
    }

    /// The digest of a text; nil if it stays. O(bytes).
    package func digest(of text: [UInt8], as kind: Kind) -> [UInt8]? {
        let isHidden =
            switch kind {
            case .device: redaction.hidesTokens
            case .name: redaction.hidesTokens && mayHoldToken(text, as: .name)
            case .content: redaction.hidesContent || redaction.hidesTokens && mayHoldToken(text, as: .text)
            }
        guard isHidden, !text.isEmpty else { return nil }
        if kind != .device { return redaction.digest(text) }
        // The same for both cases of a device token of APNs.
        return redaction.digest(Array(DeviceToken.canonical(String(decoding: text, as: UTF8.self)).utf8))
    }

    /// A text, or its digest.
    package func redacted(_ text: String, as kind: Kind) -> String {
        digest(of: Array(text.utf8), as: kind).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// A JSON Pointer: the names in it become what they become in JSON.
    package func redacted(pointer: String) -> String {
        pointer.split(separator: "/", omittingEmptySubsequences: false).map { redacted(String($0), as: .name) }
            .joined(separator: "/")
    }

    /// A message about a record, without what it quotes of it in quotation marks, or as FCM does. One that has the name of a device or a
    /// long word outside of these becomes a digest.
    package func redacted(message: String) -> String {
        let message = withoutQuotes(message)
        let isHidden = redaction.hidesTokens && mayHoldToken(Array(message.utf8), as: .message)
        return isHidden ? redaction.digest(message) : message
    }

    private func withoutQuotes(_ message: String) -> String {
        if let hidden = FCMViolation.hidingValue(in: message) {
            let value = message.utf8.dropFirst(hidden.utf8.count - "…".utf8.count)
            return digest(of: Array(value), as: .content) == nil ? message : hidden
        }
        guard let first = message.firstIndex(of: "\"") else { return message }
        let last = message.lastIndex(of: "\"").flatMap { $0 > first ? message.index(after: $0) : nil }
        let quoted = message[first..<(last ?? message.endIndex)]
        guard digest(of: Array(quoted.utf8), as: .content) != nil else { return message }
        return message[..<first] + "\"…\"" + message[quoted.endIndex...]
    }

    private func mayHoldToken(_ text: [UInt8], as kind: HarmlessText.Kind) -> Bool {
        if !HarmlessText.isHarmless(text, as: kind) { return true }
        guard !deviceNames.isEmpty, text.count >= Self.shortestName else { return false }
        let text = text.map(Self.lowercased)
        return deviceNames.contains { text.contains($0) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }
}

extension Redactor {
    /// JSON text with digests in the place of its hidden parts; nil if there is nothing to hide. All other bytes stay the same: names,
    /// brackets, spaces. Text that is not JSON is hidden completely.
    ///
    /// - Parameter isRefused: true for a request that a service refuses. It may have any text where a name or a topic belongs, and a person's
    ///   number anywhere, so with content these are hidden, too.
    package func redacted(
        json text: UnsafeRawBufferPointer, as place: RedactedPlace, isRefused: Bool = false
    ) -> [UInt8]? {
        // SOUND: the tape was just made of this text, which outlives the walk.
        guard unsafe scanner.scan(text, into: &tape) == nil, let root = unsafe tape.root(of: text) else {
            return Array("{}".utf8)
        }
        var walk = unsafe Walk(redactor: self, text: text, isRefused: isRefused && redaction.hidesContent)
        walk.visit(root, in: place, .nothing)
        return walk.finish()
    }

    /// One pass through a text. Recurses as deep as the nesting limit of the scanner.
    @safe  // SOUND: offsets come from a tape of this same text, which outlives the walk.
    private struct Walk {
        let redactor: Redactor
        let text: UnsafeRawBufferPointer
        private let isRefused: Bool
        private var out: [UInt8] = []
        /// Processed bytes of the text.
        private var copied = 0

        /// The most digits of a number that is a priority, a badge or a duration, and the range of times in seconds.
        private static let mostDigits = 6
        private static let times = 1_000_000_000...2_000_000_000

        init(redactor: Redactor, text: UnsafeRawBufferPointer, isRefused: Bool) {
            // SOUND: keeps the address; the creator keeps the text alive.
            self.redactor = redactor
            self.isRefused = isRefused
            unsafe self.text = unsafe text
        }

        consuming func finish() -> [UInt8]? {
            // SOUND: `copied` is the end of a value in the text.
            guard copied > 0 else { return nil }
            unsafe out += text[copied...]
            return out
        }

        private mutating func replace(_ range: Range<Int>, withString contents: [UInt8]) {
            // SOUND: the bytes live until the closure returns, and are copied.
            var quoted = ByteBuffer(capacity: contents.count + 8)
            unsafe contents.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return quoted.append("\"\"") }
                unsafe quoted.appendJSONString(BorrowedText(start: start, count: bytes.count))
            }
            unsafe replace(range, with: Array(quoted.bytes))
        }

        private mutating func replace(_ range: Range<Int>, with json: [UInt8]) {
            // SOUND: values are visited in the order of the text, so each begins at or after `copied`.
            unsafe out += text[copied..<range.lowerBound]
            out += json
            copied = range.upperBound
        }

        /// - Parameter keeping: the parts that stay here.
        mutating func visit(_ view: JSONView, in place: RedactedPlace, _ keeping: RedactedPlace.Keeping) {
            switch view.kind {
            case .object: visitMembers(of: view, in: place)
            case .array: for element in view.elements { visit(element, in: place, keeping) }
            case .string:
                // Envelopes and gateways have requests in strings, too.
                if place == .request, visitJSON(in: view) { return }
                guard let string = view.string, !place.isOwnWord(string.string),
                    let kind = isLongNumber(string.decodedBytes) ? .content : keeping.kind(of: string),
                    let digest = redactor.digest(of: string.decodedBytes, as: kind)
                else { return }
                replace(view.offset..<view.offset + string.count + 2, withString: digest)
            case .number: visit(number: view, in: place, keeping)
            case .true, .false:
                // A boolean reveals nothing where a text would be shown.
                guard redactor.redaction.hidesContent, !keeping.keepsNumbers, !place.isShown else { return }
                replace(view, withDigestAs: .content)
            default: break
            }
        }

        /// Redacts the object in a string; false if it holds none.
        private mutating func visitJSON(in view: JSONView) -> Bool {
            // SOUND: the bytes live until the closure returns.
            guard let string = view.string, case let bytes = string.decodedBytes,
                bytes.withJSON({ $0.isObject }) ?? false
            else { return false }
            let redacted = bytes.withUnsafeBytes { text in
                unsafe redactor.forString().redacted(json: text, as: .request, isRefused: isRefused)
            }
            if let redacted { replace(view.offset..<view.offset + string.count + 2, withString: redacted) }
            return true
        }

        /// True for a name in a request that is refused if it is an app's, or a token where tokens are not hidden. Any other may be any text.
        private func isKept(_ text: String, as name: String, in place: RedactedPlace) -> Bool {
            if Self.appNames.contains(name.lowercased()) { return Self.isAppName(text) }
            return !redactor.redaction.hidesTokens && place.isTarget(name)
                && !text.utf8.contains(UInt8(ascii: " ")) && !HarmlessText.isHarmless(Array(text.utf8))
        }

        private static let appNames = [
            "\(APNsHeader.topic.name)", "simulator target bundle", "restricted_package_name", "restrictedpackagename",
        ]

        /// True for a bundle identifier or a package name: words with periods between them, each with a letter first.
        private static func isAppName(_ text: String) -> Bool {
            let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            return text.utf8.count <= 155 && parts.count > 1
                && parts.allSatisfy { part in
                    (part.first?.isLetter ?? false)
                        && part.allSatisfy { $0.isLetter || $0.isDigit || "-_".utf8.contains($0) }
                }
        }

        /// True for what may be a person's number in a request that is refused.
        private func isLongNumber(_ text: some Sequence<UInt8>) -> Bool {
            guard isRefused, text.allSatisfy({ $0.isDigit || "+-.eEs".utf8.contains($0) }),
                text.count(where: \.isDigit) > Self.mostDigits
            else { return false }
            return Int(String(decoding: Array(text), as: UTF8.self)).map { !Self.times.contains($0) } ?? true
        }

        private mutating func visit(number view: JSONView, in place: RedactedPlace, _ keeping: RedactedPlace.Keeping) {
            // SOUND: the bytes are of the text that is walked.
            if keeping.isTarget {
                replace(view, withDigestAs: .device)
            } else if unsafe !keeping.keepsNumbers || isLongNumber(view.text.buffer) {
                replace(view, withDigestAs: .content, orInText: place.isShown ? "0" : nil)
            }
        }

        /// - Parameter number: replaces a number where its digest, as a string, would be shown.
        private mutating func replace(
            _ view: JSONView, withDigestAs kind: Redactor.Kind, orInText number: String? = nil
        ) {
            // SOUND: the bytes are of the text that is walked, and are copied.
            let text = unsafe Array(view.text.buffer)
            guard let digest = redactor.digest(of: text, as: kind) else { return }
            let range = view.offset..<view.offset + text.count
            if let number { replace(range, with: Array(number.utf8)) } else { replace(range, withString: digest) }
        }

        /// True for a list whose elements may be parts of a token: its bytes, or groups of its digits.
        private func mayHoldToken(list: JSONView) -> Bool {
            // SOUND: the bytes are of the text that is walked, and are copied.
            guard redactor.redaction.hidesTokens, list.kind == .array, list.elements.allSatisfy({ !$0.isObject }) else {
                return false
            }
            return unsafe !HarmlessText.isHarmless(Array(list.text.buffer))
        }

        private mutating func visitMembers(of object: JSONView, in place: RedactedPlace) {
            let place = place == .request && object["aps"] != nil ? RedactedPlace.payload : place
            // Next to a token, as in Airnotifier's requests, `device` is the kind of device.
            let hasToken = place == .request && object["token"] != nil
            for (key, value) in object.members {
                let name = key.string
                if !place.defines(name), let digest = redactor.digest(of: key.decodedBytes, as: .name) {
                    replace(value.keyOffset..<value.keyOffset + key.count + 2, withString: digest)
                }
                visit(value, in: place.inner(name), keeping(name, value, in: place, hasToken: hasToken))
            }
        }

        /// - Parameter hasToken: true if the object has a member `token`.
        private func keeping(
            _ name: String, _ value: JSONView, in place: RedactedPlace, hasToken: Bool
        ) -> RedactedPlace.Keeping {
            if hasToken, name == "device" { return .nothing }
            if redactor.redaction.hidesTokens, place.isTarget(name) {
                return isRefused && !(value.string.map { $0 == "default" } ?? false) ? .token : .target
            }
            if place == .event, name == "identifier" || name == "tag",
                value.string.map({ Redaction.isMadeUp($0.string) }) ?? false
            {
                return .always
            }
            let keeping = place.keeping(name)
            switch keeping {
            case .nothing where !place.isOwn && mayHoldToken(list: value): return .token
            case .name where isRefused, .always where isRefused:
                return value.string.map { isKept($0.string, as: name, in: place) } ?? false ? keeping : .nothing
            default: return keeping
            }
        }
    }
}

/// The texts that stay when tokens are hidden, because they cannot hold one. Nothing is decoded or searched for: however a token is encoded,
/// grouped or turned round, it has a long word or many capitals and digits close together, and people's sentences have neither.
///
/// Of all that counts as a token, an installation id of Firebase and the word in a token of Expo's are the shortest: 22 random characters of
/// 64. A device token of APNs has 64 hexadecimal digits, or 43 characters of Base64.
package enum HarmlessText {
    /// Who chose a text.
    package enum Kind {
        /// Anybody.
        case text
        /// The app's programmers, for a member, app, category, sound or channel: `didReceiveRemoteNotification`.
        case name
        /// Pushpipe itself, which writes numbers and names of services, but no long word that could be a token.
        case message
    }

    /// The shortest text that may hold a token, in bytes.
    package static let shortestSecret = 16
    /// The characters of the longest word that may have any capitals and digits.
    package static let longestWord = 20
    /// The most capitals and digits of a longer word, in a text and in a name or message.
    package static let mostInLongWord = (text: 1, name: 4)
    /// The most capitals and digits among as many letters and digits in a row as `Row` has bits, whatever is between them.
    package static let mostInRow = 6
    /// A bit for each of the last 32 letters and digits: 1 for a capital or a digit.
    private typealias Row = UInt32

    /// True if a text cannot hold a token. O(bytes).
    package static func isHarmless(_ text: [UInt8], as kind: Kind = .text) -> Bool {
        guard text.count >= shortestSecret else { return true }
        let mostInLongWord = kind == .text ? mostInLongWord.text : mostInLongWord.name
        let mostInRow = kind == .message ? Row.bitWidth : mostInRow
        var row: Row = 0
        // Of the word so far: its characters, the capitals and digits among them, and if it has `&`.
        var length = 0
        var striking = 0
        var hasAmpersand = false
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            let part = Part(scalar)
            switch part {
            case .ignored: continue
            case .separator:
                length = 0
                striking = 0
                hasAmpersand = false
                continue
            case .inWord:
                length += 1
                // A character reference of HTML, whose letters are none of the text.
                if hasAmpersand, scalar == ";" { return false }
                if scalar == "&" { hasAmpersand = true }
            case .plain, .striking:
                let isStriking = part == .striking
                row = row << 1 | (isStriking ? 1 : 0)
                // No token has letters of other scripts.
                length = scalar.isASCII ? length + 1 : 0
                striking = scalar.isASCII ? striking + (isStriking ? 1 : 0) : 0
            }
            if row.nonzeroBitCount > mostInRow || length > longestWord && striking > mostInLongWord { return false }
        }
        return true
    }

    /// The part that a character has in a text.
    private enum Part {
        /// A letter, neither capital nor digit.
        case plain
        /// A capital or a digit.
        case striking
        /// Another ASCII character within a word, such as `-`, `_`, `%`, `&`, `\`.
        case inWord
        case separator
        /// Invisible, such as a space of no width: it divides nothing.
        case ignored

        init(_ scalar: Unicode.Scalar) {
            if scalar.isASCII {
                self = Self.table[Int(scalar.value)]
            } else if Self.tags.contains(scalar.value) {
                self = Self.table[Int(scalar.value & 0x7F)]
            } else {
                self = Self.beyondASCII(scalar.properties)
            }
        }

        private static let table: [Part] = (0..<128 as Range<UInt8>).map { byte in
            switch byte {
            case _ where byte.isDigit || 0x41...0x5A ~= byte: .striking
            case _ where byte.isLetter: .plain
            case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "/"), 0...0x20: .separator
            default: .inWord
            }
        }

        /// Tag characters, which are ASCII that cannot be seen. Flags of regions have lower-case ones.
        private static let tags: Range<UInt32> = 0xE0000..<0xE0080

        private static func beyondASCII(_ properties: Unicode.Scalar.Properties) -> Part {
            if properties.isDefaultIgnorableCodePoint { return .ignored }
            // Not of what only has a numeric value, as 一 in Chinese.
            let isDigit = properties.numericType == .decimal || properties.numericType == .digit
            if isDigit || properties.isUppercase { return .striking }
            return properties.isAlphabetic ? .plain : .separator
        }
    }
}
