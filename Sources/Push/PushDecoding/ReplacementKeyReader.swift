package import PayloadJSON
package import PushModel

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
