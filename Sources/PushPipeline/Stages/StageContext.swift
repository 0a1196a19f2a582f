public import PayloadJSON
public import PushDecoding
public import PushModel

/// What a record-local stage can do about a message, and the memory of one worker. Valid for the duration of the call that hands it out.
public final class StageContext {
    /// How records are read.
    public let options: DecodingOptions
    private let decoder: RecordDecoder
    private let validation: Acceptance
    private var scanner = JSONScanner()
    private var tape = JSONTape()
    private var batch = MessageBatch()
    /// Reported since the last `takeFindings`.
    private var findings: [Finding] = []
    /// By the position of the stage.
    private var scratches: [Int: AnyObject] = [:]
    /// Of the stage that is called.
    var position = 0

    package init(options: DecodingOptions) {
        self.options = options
        decoder = RecordDecoder(options: options)
        validation = Acceptance(budget: options.budget)
    }

    /// The memory of this worker for the stage that is called, such as a scanner or a cache. `make` runs once a worker and stage.
    public func scratch<Scratch: AnyObject>(_ make: () -> Scratch) -> Scratch {
        if let known = scratches[position] as? Scratch { return known }
        let made = make()
        scratches[position] = made
        return made
    }

    /// How many bytes a message has, and how many it may have, as it stands now.
    public func size(of message: PushMessage) -> (bytes: Int, limit: Int) { validation.size(of: message) }

    /// Adds a finding to the message's report line.
    public func report(_ finding: Finding) { findings.append(finding) }

    /// Refuses the message as its provider would, with a finding that says why.
    ///
    /// - Parameters:
    ///   - message: gets the verdict.
    ///   - rejection: the provider's answer.
    ///   - pointer: JSON Pointer into the record; empty when something is missing altogether.
    ///   - reason: what the finding says; the rejection's own sentence without one.
    public func reject(
        _ message: inout PushMessage, as rejection: Rejection, at pointer: String, _ reason: String? = nil
    ) {
        message.verdict = .rejected(rejection)
        let text = reason ?? rejection.row.cause.description
        report(Finding(rule: rejection.rule, severity: .error, pointer: pointer, message: text))
    }

    /// Hands the message's payload to `body`, scanned; nil when it is not JSON. The view is valid for the duration of the call.
    public func withPayload<Result>(of message: PushMessage, _ body: (JSONView) throws -> Result) rethrows -> Result? {
        guard scanner.scan(message.payload.bytes, into: &tape) == nil, let root = tape.root(of: message.payload.bytes)
        else {
            return nil
        }
        return try body(root)
    }

    /// Replaces the value at a JSON Pointer in the payload. Every other byte stays as it was sent.
    ///
    /// - Throws: `JSONTree.Failure` when there is no value at that place.
    public func replace(_ pointer: String, with value: consuming JSONTree, in message: inout PushMessage) throws {
        let payload = message.payload.bytes
        guard scanner.scan(payload, into: &tape) == nil, let place = tape.root(of: payload)?[pointer: pointer] else {
            throw JSONTree.Failure(kind: .noSuchPlace, message: "no value at '\(pointer)'", offset: 0)
        }
        setPayload(try value.spliced(over: place, in: payload), of: &message)
    }

    /// Gives the message another payload, and reads again what a device acts on. Text that is not JSON changes nothing.
    public func setPayload(_ bytes: [UInt8], of message: inout PushMessage) {
        let text = bytes.withUnsafeBytes { batch.scratch.copy($0) }
        guard scanner.scan(text.bytes, into: &tape) == nil, let root = tape.root(of: text.bytes) else { return }
        decoder.adopt(text, root, for: &message, &batch)
    }

    func takeFindings() -> [Finding] {
        defer { if !findings.isEmpty { findings = [] } }
        return findings
    }

    /// The messages of the last chunk are no longer used.
    func reset() { batch.removeAll() }
}
