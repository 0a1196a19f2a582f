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
    public func size(of message: PushMessage) -> (bytes: Int, limit: Int) { validation.size(of: message) }

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
        _ message: inout PushMessage, as rejection: Rejection, at pointer: String, _ reason: String? = nil
    ) {
        message.verdict = .rejected(rejection)
        let text = reason ?? rejection.row.cause.description
        report(Finding(rule: rejection.rule, severity: .error, pointer: pointer, message: text))
    }

    /// Passes the scanned payload to `body`; returns nil if it is not JSON. The view is valid for the duration of the call.
    public func withPayload<Result>(of message: PushMessage, _ body: (JSONView) throws -> Result) rethrows -> Result? {
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
    /// - Throws: `JSONTree.Failure` if there is no value at the pointer.
    public func replace(_ pointer: String, with value: consuming JSONTree, in message: inout PushMessage) throws {
        // SOUND: the payload lives as long as its chunk, and the tape was just made of it.
        let payload = unsafe message.payload.bytes
        guard unsafe scanner.scan(payload, into: &tape) == nil,
            let place = unsafe tape.root(of: payload)?[pointer: pointer]
        else {
            throw JSONTree.Failure(kind: .noSuchPlace, message: "no value at '\(pointer)'", offset: 0)
        }
        unsafe setPayload(try value.spliced(over: place, in: payload), of: &message)
    }

    /// Replaces the message's payload, and decodes it again. Text that is not JSON changes nothing.
    public func setPayload(_ bytes: [UInt8], of message: inout PushMessage) {
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
