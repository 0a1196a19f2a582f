public import PayloadJSON
public import PushDecoding
public import PushModel

/// The operations of a record-local stage on a message, and one worker's memory. Valid for the duration of the call that provides it.
public final class StageContext {
    /// How records are read.
    public let options: DecodingOptions
    private let decoder: RecordDecoder
    private let validation: Acceptance
    private var scanner = JSONScanner()
    private var tape = JSONTape()
    private var batch = MessageBatch()
    /// Findings added since the last `takeFindings`.
    private var findings: [Finding] = []
    /// Scratch memory, indexed by the position of the stage.
    private var scratches: [Int: AnyObject] = [:]
    /// Position of the current stage.
    var position = 0

    package init(options: DecodingOptions) {
        self.options = options
        decoder = RecordDecoder(options: options)
        validation = Acceptance(budget: options.budget)
    }

    /// This worker's memory for the current stage, such as a scanner or a cache. `make` runs once per worker and stage.
    public func scratch<Scratch: AnyObject>(_ make: () -> Scratch) -> Scratch {
        if let known = scratches[position] as? Scratch { return known }
        let made = make()
        scratches[position] = made
        return made
    }

    /// The current size of a message in bytes, and its limit.
    package func size(of message: DecodedMessage) -> (bytes: Int, limit: Int) { validation.size(of: message) }

    /// The current size of a message in bytes, and its limit.
    public func size(of message: borrowing PushMessage) -> (bytes: Int, limit: Int) { size(of: message.decoded) }

    /// Adds a finding to the message's report line.
    public func report(_ finding: Finding) { findings.append(finding) }

    /// Rejects the message as its provider would, with a finding that says why.
    ///
    /// - Parameters:
    ///   - message: the message to reject.
    ///   - rejection: the provider's response.
    ///   - pointer: JSON Pointer into the record; empty if something is missing.
    ///   - reason: the text of the finding; by default, that of the rejection.
    public func reject(
        _ message: inout PushMessage, as rejection: Rejection, at pointer: String = "", because reason: String? = nil
    ) {
        message.decoded.verdict = .rejected(rejection)
        let text = reason ?? rejection.row.cause.description
        report(Finding(rule: rejection.rule, severity: .error, pointer: pointer, message: text))
    }

    /// Rejects the message by a rule of your own. Its line has the outcome `rejected`, the rule as its reason, no status, and a finding.
    ///
    /// - Parameters:
    ///   - message: the message to reject.
    ///   - rule: the rule's name, such as `house.thread-id`: one of a few words, not a text about this message.
    ///   - text: the text of the finding.
    ///   - pointer: JSON Pointer into the record; empty if something is missing.
    public func reject(_ message: inout PushMessage, rule: String, because text: String, at pointer: String = "") {
        message.decoded.verdict = .refused(StageReasons.shared.text(rule))
        report(Finding(rule: rule, severity: .error, pointer: pointer, message: text))
    }

    /// Keeps the message from its device, as a dry run does. Its line has the outcome `suppressed`.
    ///
    /// - Parameters:
    ///   - message: the message to keep.
    ///   - reason: its reason, such as `quiet-hours`: one of a few words, not a text about this message.
    public func suppress(_ message: inout PushMessage, because reason: String) {
        message.decoded.verdict = .withheld(StageReasons.shared.text(reason))
    }

    /// Sets `apns-collapse-id`, by which a notification replaces an earlier one. Does nothing to a message that is not for APNs.
    public func setCollapseID(_ identifier: String, of message: inout PushMessage) {
        guard message.provider == .apns else { return }
        var identifier = identifier
        // SOUND: the arena copies the bytes, and keeps them as long as the chunk.
        message.decoded.headers.collapseID = identifier.withUTF8 {
            unsafe batch.scratch.copy(UnsafeRawBufferPointer($0))
        }
    }

    /// Passes the scanned payload to `body`; returns nil if it is not JSON. The view is valid for the duration of the call.
    package func withPayload<Result>(of message: DecodedMessage, _ body: (JSONView) throws -> Result) rethrows
        -> Result?
    {
        // SOUND: the payload lives as long as its chunk, and the tape was just made of it.
        guard unsafe scanner.scan(message.payload.bytes, into: &tape) == nil,
            let root = unsafe tape.root(of: message.payload.bytes)
        else {
            return nil
        }
        return try body(root)
    }

    /// Replaces the value at a JSON Pointer in the payload. All other bytes stay the same.
    ///
    /// - Throws: `JSONError` if the pointer does not match a value in the payload.
    public func replace(_ pointer: String, with value: JSONValue, in message: inout PushMessage) throws(JSONError) {
        try replace(pointer, with: value, in: &message.decoded)
    }

    /// Replaces the message's payload, and decodes it again. Bytes that are not JSON change nothing.
    public func setPayload(_ bytes: [UInt8], of message: inout PushMessage) { setPayload(bytes, of: &message.decoded) }

    package func replace(_ pointer: String, with value: JSONValue, in message: inout DecodedMessage) throws(JSONError) {
        // SOUND: the payload lives as long as its chunk, the tape was just made of it, and so the place is in it.
        let payload = unsafe message.payload.bytes
        guard unsafe scanner.scan(payload, into: &tape) == nil,
            let place = unsafe tape.root(of: payload)?[pointer: pointer]
        else {
            throw JSONError("no value at '\(pointer)'")
        }
        let end = place.offset + place.text.count
        unsafe setPayload(Array(payload[..<place.offset]) + value.text + payload[end...], of: &message)
    }

    package func setPayload(_ bytes: [UInt8], of message: inout DecodedMessage) {
        // SOUND: the arena copies the bytes, keeps them as long as the chunk, and the tape was just made of them.
        let text = unsafe bytes.withUnsafeBytes { unsafe batch.scratch.copy($0) }
        guard unsafe scanner.scan(text.bytes, into: &tape) == nil, let root = unsafe tape.root(of: text.bytes) else {
            return
        }
        decoder.adopt(text, root, for: &message, &batch)
        message.isChanged = true
    }

    func takeFindings() -> [Finding] {
        defer { if !findings.isEmpty { findings = [] } }
        return findings
    }

    /// The messages of the last chunk are no longer used.
    func reset() { batch.removeAll() }
}
