import PayloadJSON
import PushModel
import PushSystem

/// Replaces hidden parts of JSON texts with digests. All other bytes stay the same: names, brackets, spaces.
package final class JSONRedactor {
    private let redaction: Redaction
    private var scanner = JSONScanner()
    private var tape = JSONTape()

    package init(_ redaction: Redaction) { self.redaction = redaction }

    /// The redacted text; nil if there is nothing to hide. Text that is not JSON is hidden completely.
    package func redact(_ text: UnsafeRawBufferPointer, as place: RedactedPlace, _ tokens: TokenSet) -> [UInt8]? {
        // SOUND: the tape was just made of this text, which outlives the call.
        guard unsafe scanner.scan(text, into: &tape) == nil, let root = unsafe tape.root(of: text) else {
            return Array("{}".utf8)
        }
        return unsafe redacted(root, of: text, as: place, tokens, level: 0)
    }

    private func redacted(
        _ root: JSONView, of text: UnsafeRawBufferPointer, as place: RedactedPlace, _ tokens: TokenSet, level: Int
    ) -> [UInt8]? {
        // SOUND: the root is of this text, which outlives the walk.
        var walk = unsafe Walk(redaction: redaction, text: text, tokens: tokens, level: level)
        walk.visit(root, in: place, .nothing)
        return walk.finish()
    }

    /// One pass through a text. Recurses as deep as the nesting limit of the scanner.
    @safe  // SOUND: offsets come from a tape of this same text, which outlives the walk.
    private struct Walk {
        let redaction: Redaction
        let text: UnsafeRawBufferPointer
        let tokens: TokenSet
        /// How many strings this text is nested in.
        let level: Int
        private var out: [UInt8] = []
        /// Processed bytes of the text.
        private var copied = 0

        init(redaction: Redaction, text: UnsafeRawBufferPointer, tokens: TokenSet, level: Int) {
            // SOUND: keeps the address; the creator keeps the text alive.
            self.redaction = redaction
            unsafe self.text = unsafe text
            self.tokens = tokens
            self.level = level
        }

        consuming func finish() -> [UInt8]? {
            // SOUND: `copied` is the end of a value in the text.
            guard copied > 0 else { return nil }
            unsafe out += text[copied...]
            return out
        }

        private mutating func replace(_ range: Range<Int>, withString contents: [UInt8]) {
            replace(range, with: Self.quoted(contents))
        }

        private mutating func replace(_ range: Range<Int>, with json: [UInt8]) {
            // SOUND: values are visited in the order of the text, so each begins at or after `copied`.
            unsafe out += text[copied..<range.lowerBound]
            out += json
            copied = range.upperBound
        }

        private static func quoted(_ contents: [UInt8]) -> [UInt8] {
            // SOUND: the bytes live until the closure returns, and are copied.
            var quoted = ByteBuffer(capacity: contents.count + 8)
            unsafe contents.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return quoted.append("\"\"") }
                unsafe quoted.appendJSONString(BorrowedText(start: start, count: bytes.count))
            }
            return unsafe Array(quoted.bytes)
        }

        /// - Parameter keeping: which content stays as it is here.
        mutating func visit(_ view: JSONView, in place: RedactedPlace, _ keeping: RedactedPlace.Keeping) {
            switch view.kind {
            case .object: visitMembers(of: view, in: place)
            case .array:
                for element in view.elements { visit(element, in: place, keeping) }
            case .string:
                guard let string = view.string else { return }
                visit(string, at: view, isKept: keeping.keeps(string) || place.isOwnWord(string.string))
            case .number, .true, .false:
                // SOUND: the bytes are of the text that is walked, and are copied.
                let text = unsafe Array(view.text.buffer)
                if redaction.hidesContent, !keeping.keepsAny, place == .text || place == .alert {
                    // As a string it would be shown. A boolean reveals nothing.
                    if view.kind == .number { replace(view.offset..<view.offset + text.count, with: Array("0".utf8)) }
                } else if redaction.hidesContent, !keeping.keepsAny {
                    replace(view.offset..<view.offset + text.count, withString: redaction.digest(text))
                } else if text.count >= 8, let digest = tokens.digest(ofAll: text) {
                    replace(view.offset..<view.offset + text.count, withString: digest)
                }
            default: break
            }
        }

        private mutating func visit(_ string: JSONString, at view: JSONView, isKept: Bool) {
            let range = view.offset..<view.offset + string.count + 2
            if redaction.hidesContent, !isKept {
                if string.count > 0 { replace(range, withString: redaction.digest(string.decodedBytes)) }
            } else if tokens.isActive, let replaced = replacingTokens(in: string) {
                replace(range, withString: replaced)
            }
        }

        private mutating func visitMembers(of object: JSONView, in place: RedactedPlace) {
            // A bare payload is a record, too; next to `aps` every other name is the app's own.
            let mayBePayload = place == .request || place == .stored
            let payload = place == .stored ? RedactedPlace.storedPayload : .payload
            let place = mayBePayload && object["aps"] != nil ? payload : place
            let isForeign = place == .request && object["provider"]?.string.map { !($0 == "apns") } ?? false
            // Next to a token, as in Airnotifier's requests, `device` is the kind of device.
            let hasToken = place == .request && object["token"] != nil
            for (key, value) in object.members {
                if tokens.isActive, let replaced = tokens.replacing(in: key.decodedBytes) {
                    replace(value.keyOffset..<value.keyOffset + key.count + 2, withString: replaced)
                }
                let name = key.string
                // An envelope may contain any provider's request.
                let inner = isForeign && name == "payload" ? .request : place.inner(name)
                let isTarget = !(hasToken && name == "device")
                let isWord = place != .headers || isWordOfApple(value, name)
                let isMadeUp =
                    place == .event && (name == "identifier" || name == "tag")
                    && value.string.map { Redaction.isMadeUp($0.string) } ?? false
                let keeping = isTarget && isWord ? place.keeping(name) : .nothing
                visit(value, in: inner, isMadeUp ? .all : keeping)
            }
        }

        /// True if a header holds what Apple lets it hold: a number, a UUID, a push type; an app or channel is named by anything. A request that
        /// is refused may have any text there.
        private func isWordOfApple(_ value: JSONView, _ name: String) -> Bool {
            // SOUND: the bytes are of the text that is walked.
            guard let text = value.string?.raw, !name.lowercased().hasSuffix("topic"),
                !name.lowercased().hasSuffix("channel-id")
            else { return true }
            return unsafe PushType(wireName: text) != nil
                || text.buffer.allSatisfy { $0.hexadecimalDigit != nil || $0 == 0x2D }
        }

        /// Nil if neither the string nor JSON inside it contains a token.
        private func replacingTokens(in string: JSONString) -> [UInt8]? {
            // SOUND: the tape was just made of the bytes, which outlive the inner walk.
            let bytes = string.decodedBytes
            if level < TokenSet.maximumLevel, string.mayHoldJSON {
                var scanner = JSONScanner()
                var tape = JSONTape()
                let inner: [UInt8]? = unsafe bytes.withUnsafeBytes { text in
                    guard unsafe scanner.scan(text, into: &tape) == nil, let root = unsafe tape.root(of: text) else {
                        return nil
                    }
                    var walk = unsafe Walk(redaction: redaction, text: text, tokens: tokens, level: level + 1)
                    // A kept string contains no content, so only tokens are searched for.
                    walk.visit(root, in: .custom, .all)
                    return walk.finish()
                }
                if let inner { return inner }
            }
            return tokens.replacing(in: bytes)
        }
    }
}
