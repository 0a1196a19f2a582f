package import PushJSON
package import PushModel

/// Reads the id that extensions compare from payloads, in a form in which ids that a rule takes for the same have the same
/// bytes.
enum CustomID {
    /// The id that a value is; nil for a value that counts as missing.
    static func text(of value: JSONView, _ rule: ReplacementRule, _ batch: inout MessageBatch) -> BorrowedText? {
        switch (value.kind, rule.comparison) {
        case (.string, .text), (.string, .string): return value.string.map { batch.scratch.text($0) }
        case (.number, .text): return value.text
        case (.true, .text), (.false, .text), (.true, .typed), (.false, .typed): return value.text
        // In quotes, so that no string looks like a value of another type.
        case (.string, .typed): return value.string.map { batch.scratch.copy("\"\($0.string)\"") }
        case (.number, .typed): return number(value, &batch)
        case (.array, _), (.object, _), (.null, _), (.key, _), (_, .string): return nil
        }
    }

    /// Reads an id that a JSON Pointer leads to, and marks a missing one if such ids are the same.
    static func complete(
        _ content: inout NotificationContent, from payload: JSONView, _ rule: ReplacementRule,
        _ batch: inout MessageBatch
    ) {
        if rule.key.hasPrefix("/") {
            content.customID = payload[pointer: rule.key].flatMap { text(of: $0, rule, &batch) }
        }
        if rule.missing == .equal, content.customID == nil { content.customID = ReplacementRule.missingID }
    }

    /// One spelling for each number: `17`, `17.0` and `1.7e1` are the same. Whole numbers keep all their digits, and others
    /// have the precision of a double; a number beyond its range stays as it is written.
    static func number(_ value: JSONView, _ batch: inout MessageBatch) -> BorrowedText {
        if let whole = value.int64 { return batch.scratch.copy(String(whole)) }
        guard let number = value.double else { return value.text }
        return batch.scratch.copy(Int64(exactly: number).map(String.init) ?? String(number))
    }
}

/// Reads the custom id, which extensions use for replacement, from payloads that were delivered earlier.
package struct ReplacementKeyReader: ~Copyable {
    private let decoder: RecordDecoder
    private let isNeeded: Bool
    private var scanner = JSONScanner()
    private var tape = JSONTape()
    private var batch = MessageBatch()

    /// - Parameter rule: See `DecodingOptions.replacement`.
    package init(_ rule: ReplacementRule?) {
        var options = DecodingOptions()
        options.replacement = rule
        decoder = RecordDecoder(options: options)
        isNeeded = rule != nil
    }

    /// The custom id in an APNs payload, valid until the next call; nil when there is none to compare.
    package mutating func customID(in payload: BorrowedText) -> BorrowedText? {
        // SOUND: the caller keeps the payload alive until its next call, and the tape is of this payload.
        guard isNeeded, unsafe scanner.scan(payload.bytes, into: &tape) == nil,
            let root = unsafe tape.root(of: payload.bytes)
        else {
            return nil
        }
        batch.removeAll()
        var message = DecodedMessage(record: 0, device: .empty)
        decoder.readAPNsContent(root, into: &message, &batch)
        // Content without an alert in `aps` comes from an Android request, which has no `userInfo`.
        return message.content.hasAlert ? message.content.customID : nil
    }
}
