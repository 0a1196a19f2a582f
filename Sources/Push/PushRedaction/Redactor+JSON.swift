import PayloadJSON
import PushModel
import PushSystem

extension Redactor {
    /// JSON text with digests in the place of its hidden parts; nil if there is nothing to hide. All other bytes stay the same: names,
    /// brackets, spaces. Text that is not JSON is hidden completely.
    package func redacted(json text: UnsafeRawBufferPointer, as place: RedactedPlace) -> [UInt8]? {
        // SOUND: the tape was just made of this text, which outlives the walk.
        guard unsafe scanner.scan(text, into: &tape) == nil, let root = unsafe tape.root(of: text) else {
            return Array("{}".utf8)
        }
        var walk = unsafe Walk(redactor: self, text: text)
        walk.visit(root, in: place, .nothing)
        return walk.finish()
    }

    /// One pass through a text. Recurses as deep as the nesting limit of the scanner.
    @safe  // SOUND: offsets come from a tape of this same text, which outlives the walk.
    private struct Walk {
        let redactor: Redactor
        let text: UnsafeRawBufferPointer
        private var out: [UInt8] = []
        /// Processed bytes of the text.
        private var copied = 0

        init(redactor: Redactor, text: UnsafeRawBufferPointer) {
            // SOUND: keeps the address; the creator keeps the text alive.
            self.redactor = redactor
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
                guard let string = view.string, !place.isOwnWord(string.string), let kind = keeping.kind(of: string),
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
                unsafe redactor.forString().redacted(json: text, as: .request)
            }
            if let redacted { replace(view.offset..<view.offset + string.count + 2, withString: redacted) }
            return true
        }

        private mutating func visit(number view: JSONView, in place: RedactedPlace, _ keeping: RedactedPlace.Keeping) {
            if keeping.isTarget {
                replace(view, withDigestAs: .device)
            } else if !keeping.keepsNumbers {
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
            if redactor.redaction.hidesTokens, place.isTarget(name) { return .target }
            if place == .event, name == "identifier" || name == "tag",
                value.string.map({ Redaction.isMadeUp($0.string) }) ?? false
            {
                return .always
            }
            let keeping = place.keeping(name)
            if case .nothing = keeping, !place.isOwn, mayHoldToken(list: value) { return .token }
            return keeping
        }
    }
}
