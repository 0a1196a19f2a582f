public import PushDecoding
public import PushJSON
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

    /// Rejects the message as its provider would, with a finding that says why. Does nothing to one that has an outcome already.
    ///
    /// - Parameters:
    ///   - message: the message to reject.
    ///   - rejection: the provider's response. For that of another provider the message gets what its own provider answers for that reason.
    ///   - pointer: JSON Pointer into the record; empty if something is missing.
    ///   - reason: the text of the finding; by default, that of the rejection.
    public func reject(
        _ message: inout PushMessage, as rejection: Rejection, at pointer: String = "", because reason: String? = nil
    ) {
        guard message.outcome == nil else { return }
        let rejection = rejection.answer(of: message.provider)
        message.decoded.verdict = .rejected(rejection)
        let text = reason ?? rejection.row.cause.description
        report(Finding(rule: rejection.rule, severity: .error, pointer: pointer, message: text))
    }

    /// Rejects the message by a rule of your own. Its line has the outcome `rejected`, the rule as its reason, no status, and a finding. Does
    /// nothing to a message that has an outcome already.
    ///
    /// - Parameters:
    ///   - message: the message to reject.
    ///   - rule: the rule's name, such as `house.thread-id`: one of a few words, not a text about this message.
    ///   - text: the text of the finding.
    ///   - pointer: JSON Pointer into the record; empty if something is missing.
    public func reject(_ message: inout PushMessage, rule: String, because text: String, at pointer: String = "") {
        guard message.outcome == nil else { return }
        message.decoded.verdict = .refused(StageReasons.shared.text(rule))
        report(Finding(rule: rule, severity: .error, pointer: pointer, message: text))
    }

    /// Keeps the message from its device, as a dry run does. Its line has the outcome `suppressed`. Does nothing to a message that has an
    /// outcome already.
    ///
    /// - Parameters:
    ///   - message: the message to keep.
    ///   - reason: its reason, such as `quiet-hours`: one of a few words, not a text about this message.
    public func suppress(_ message: inout PushMessage, because reason: String) {
        if message.outcome == nil { message.decoded.verdict = .withheld(StageReasons.shared.text(reason)) }
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

    /// Sets the value at a JSON Pointer in the payload: replaces it, or adds a member to the object that it would be in. All other bytes stay
    /// the same.
    ///
    /// - Throws: `JSONError` if there is no such object.
    public func set(_ pointer: String, to value: JSONValue, of message: inout PushMessage) throws(JSONError) {
        // SOUND: the payload lives as long as its chunk, the tape was just made of it, and so the places are in it.
        let payload = unsafe message.decoded.payload.bytes
        guard unsafe scanner.scan(payload, into: &tape) == nil, let root = unsafe tape.root(of: payload) else {
            throw JSONError("the payload is not JSON")
        }
        var range = 0..<0
        var text = value.text
        if let place = root[pointer: pointer] {
            range = place.offset..<place.offset + place.text.count
        } else if let slash = pointer.lastIndex(of: "/"), let object = root[pointer: String(pointer[..<slash])],
            object.isObject
        {
            // Before the brace that ends it.
            let end = object.offset + object.text.count - 1
            range = end..<end
            let name = String(pointer[pointer.index(after: slash)...])
                .replacing("~1", with: "/").replacing("~0", with: "~")
            let comma = object.members.contains { _ in true } ? "," : ""
            text = Array(comma.utf8) + JSONValue.string(name).text + [UInt8(ascii: ":")] + text
        } else {
            throw JSONError("no value at '\(pointer)', and no object that it would be in")
        }
        try unsafe setPayload(
            Array(payload[..<range.lowerBound]) + text + payload[range.upperBound...], of: &message)
    }

    /// Sets the title, subtitle or body of the notification where the message's device reads it, whichever service the message is for.
    ///
    /// - Throws: `JSONError` if the message has no notification, or its device shows no such text.
    public func set(_ text: AlertText, to value: String, of message: inout PushMessage) throws(JSONError) {
        let (platform, provider) = (message.platform, message.provider)
        let found = withPayload(of: message.decoded) { payload -> (pointer: String, value: JSONValue)? in
            if let place = AlertTextPlace.all(of: text, in: payload, of: provider, on: platform).last {
                return (place.pointer, .string(value))
            }
            guard platform == .ios else {
                guard payload["notification"]?.isObject ?? false, text != .subtitle else { return nil }
                return ("/notification/\(text.rawValue)", .string(value))
            }
            let alert = payload["aps"]?["alert"]
            if alert?.isObject ?? false { return ("/aps/alert/\(text.rawValue)", .string(value)) }
            var members = [JSONValue.Member(name: text.rawValue, value: .string(value))]
            // A text alone is the body.
            if let body = alert?.string { members.append(.init(name: "body", value: .string(body.string))) }
            return ("/aps/alert", .object(members))
        }
        guard let place = found ?? nil else {
            throw JSONError("the message has no notification with a \(text.rawValue)")
        }
        try set(place.pointer, to: place.value, of: &message)
    }

    /// Replaces the message's payload, and decodes it again.
    ///
    /// - Throws: `JSONError` if the bytes are not a JSON object.
    public func setPayload(_ bytes: [UInt8], of message: inout PushMessage) throws(JSONError) {
        try setPayload(bytes, of: &message.decoded)
    }

    package func setPayload(_ bytes: [UInt8], of message: inout DecodedMessage) throws(JSONError) {
        // SOUND: the arena copies the bytes, keeps them as long as the chunk, and the tape was just made of them.
        let text = unsafe bytes.withUnsafeBytes { unsafe batch.scratch.copy($0) }
        if let fault = unsafe scanner.scan(text.bytes, into: &tape) {
            throw JSONError("the payload is not JSON", offset: fault.offset)
        }
        guard let root = unsafe tape.root(of: text.bytes), root.isObject else {
            throw JSONError("the payload is not an object")
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
