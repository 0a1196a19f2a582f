import NotificationStore
public import PayloadJSON
package import PushDecoding
public import PushModel

/// A stage that looks at one message only, between decoding and delivery.
///
/// The pipeline calls `process` once a message, in any order and on any core, so a stage keeps no state of its own that one message
/// leaves for the next. It may change the message, refuse it, or report findings. It is not called for messages that have been
/// refused before.
public protocol RecordStage: Sendable {
    /// What a trace calls it; the name of its type unless it has another.
    var name: String { get }

    /// Processes one message, valid for the duration of the call.
    func process(_ message: inout PushMessage, context: StageContext)
}

extension RecordStage {
    /// The name of the type.
    public var name: String { "\(Self.self)" }
}

/// A stage that may look at what went before: called in input order, one message at a time, just before delivery.
///
/// It is called for accepted messages only. By setting `verdict` to `.suppressed` it keeps a message from its device.
public protocol CoordinatingStage: AnyObject {
    /// Processes one message, valid for the duration of the call.
    ///
    /// - Parameters:
    ///   - message: can be changed.
    ///   - seq: the record's number.
    ///   - at: milliseconds since the epoch.
    func process(_ message: inout PushMessage, seq: UInt64, at: Int64)
}

/// What a stage can do about a message. Valid for the duration of the call that hands it out.
public final class StageContext {
    private let decoder: RecordDecoder
    private let acceptance: Acceptance
    private var scanner = JSONScanner()
    private var tape = JSONTape()
    private var batch = MessageBatch()
    /// Reported since the last `takeFindings`.
    private var findings: [Finding] = []
    /// What `FitToBudget` made of the last payload that was too long.
    var lastFit: FittedPayload?

    package init(options: DecodingOptions) {
        decoder = RecordDecoder(options: options)
        acceptance = Acceptance(budget: options.budget)
    }

    /// How many bytes a message has and how many it may have, as it stands now.
    func size(of message: PushMessage) -> (bytes: Int, limit: Int) { acceptance.size(of: message) }

    /// Adds a finding to the message's report line.
    public func report(_ finding: Finding) { findings.append(finding) }

    /// Refuses the message as its provider would, with a finding that says why.
    ///
    /// - Parameters:
    ///   - message: gets the verdict.
    ///   - rejection: the provider's answer.
    ///   - pointer: JSON Pointer into the record, empty when something is missing altogether.
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

    /// Puts `value` in the place of the value at a JSON Pointer in the payload. Every other byte stays as it was sent.
    ///
    /// - Throws: `JSONTree.Failure` when there is no value at that place.
    public func replace(_ pointer: String, with value: consuming JSONTree, in message: inout PushMessage) throws {
        let payload = message.payload.bytes
        guard scanner.scan(payload, into: &tape) == nil, let place = tape.root(of: payload)?[pointer: pointer] else {
            throw JSONTree.Failure(kind: .noSuchPlace, message: "no value at '\(pointer)'", offset: 0)
        }
        setPayload(try value.spliced(over: place, in: payload), of: &message)
    }

    /// Gives the message another payload, and reads anew what a device acts on. Text that is not JSON leaves it as it is.
    public func setPayload(_ bytes: [UInt8], of message: inout PushMessage) {
        let text = bytes.withUnsafeBytes { batch.scratch.copy($0) }
        guard scanner.scan(text.bytes, into: &tape) == nil, let root = tape.root(of: text.bytes) else { return }
        decoder.adopt(text, root, for: &message, &batch)
    }

    func takeFindings() -> [Finding] {
        defer { if !findings.isEmpty { findings = [] } }
        return findings
    }

    /// The chunk's messages are done with.
    func reset() {
        batch.removeAll()
        lastFit = nil
    }
}
