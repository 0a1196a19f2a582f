import PushDecoding
import PushJSON
import PushJSONRepair
import PushModel
public import PushRedaction

/// The only place where a run redacts: the work of `RedactionStage` for one worker.
///
/// Rewrites the devices, payloads, headers, findings and traces of a chunk's messages.
final class RecordRedactor {
    private let redactor: Redactor
    private let decoder: RecordDecoder
    private let defaultDevice: String
    private var scanner = JSONScanner()
    private var tape = JSONTape()
    /// Position in the chunk's mutation steps, which are in message order.
    private var nextStep = 0
    /// Position in the chunk's events, also in message order.
    private var nextEvent = 0
    /// The payloads of the current record, which the messages of a request share.
    private var payloads: [(source: BorrowedText, redacted: BorrowedText)] = []

    init(_ redaction: Redaction, _ options: DecodingOptions) {
        redactor = Redactor(redaction)
        decoder = RecordDecoder(options: options)
        defaultDevice = options.device
    }

    /// Rewrites a chunk that has passed all other stages.
    func process(_ chunk: inout RecordChunk) {
        // SOUND: every index is below the number of messages, and a record's text lives as long as the chunk.
        var findings = chunk.batch.findings
        var decodeFailures = chunk.batch.decodeFailures
        var nextFinding = 0
        var nextFailure = 0
        nextStep = 0
        nextEvent = 0
        var first = 0
        while first < chunk.batch.messageCount {
            let record = unsafe chunk.batch.messages[first].record
            var end = first + 1
            while end < chunk.batch.messageCount, unsafe chunk.batch.messages[end].record == record { end += 1 }
            payloads.removeAll(keepingCapacity: true)
            let text = unsafe chunk.bytes(ofRecord: record)
            let event = nextEvent < chunk.batch.events.count && chunk.batch.events[nextEvent].message < end
            unsafe hideDeviceNames(chunk.batch.messages[first..<end], event ? chunk.batch.events[nextEvent].event : nil)
            unsafe redactRecord(record, first..<end, text, as: event ? .event : .request, in: &chunk)
            redactTrace(first..<end, in: &chunk)
            for index in first..<end { redactMessage(index, in: &chunk) }
            if chunk.lines.hasNotes { redactAnswers(of: first..<end, chunk.lines) }
            if event {
                redactEvent(nextEvent, in: &chunk.batch)
                nextEvent += 1
            }
            while nextFinding < findings.count, findings[nextFinding].message < end {
                redact(&findings[nextFinding].finding)
                nextFinding += 1
            }
            while nextFailure < decodeFailures.count, decodeFailures[nextFailure].message < end {
                let message = decodeFailures[nextFailure].decodeFailure.message
                decodeFailures[nextFailure].decodeFailure.message = redactor.redacted(message: message)
                nextFailure += 1
            }
            first = end
        }
        chunk.batch.replace(findings: findings, decodeFailures: decodeFailures)
    }

    // MARK: - Devices

    /// Hides texts with the name of a device that the record is for, or of the tokens in an event.
    private func hideDeviceNames(_ messages: Slice<UnsafeMutableBufferPointer<DecodedMessage>>, _ event: DeviceEvent?) {
        // SOUND: the indices are the slice's own; names live as long as their chunk, and are copied.
        var names: [[UInt8]] = []
        for index in unsafe messages.indices where unsafe !isPublic(messages[index].device, messages[index]) {
            unsafe names.append(Array(messages[index].device.buffer))
        }
        if var event {
            EventMember.redact(&event) { text, secret in
                if secret == .token { names.append(Array(text.utf8)) }
                return text
            }
        }
        redactor.hideNames(of: names)
    }

    /// True for the default device, a topic, and a condition over topics.
    private func isPublic(_ device: BorrowedText, _ message: DecodedMessage) -> Bool {
        device.isEmpty || message.isForTopic || device.hasPrefix("/topics/")
            || device == "default" && defaultDevice == "default"
    }

    private func device(_ name: String) -> String {
        name == defaultDevice ? name : redactor.redacted(name, as: .device)
    }

    // MARK: - Events

    /// Redacts an event's names like those of messages and other events, so that they still match.
    private func redactEvent(_ index: Int, in batch: inout MessageBatch) {
        // SOUND: an event's index is that of the message that stands for it.
        let message = unsafe batch.messages[batch.events[index].message]
        var event = batch.events[index].event
        // The message that represents it is already redacted.
        if event.device != nil { event.device = message.device.string }
        if event.app != nil { event.app = message.topic.string }
        EventMember.redact(&event) { text, secret in
            switch secret {
            case .token: redactor.redacted(text, as: .device)
            case .name: redactor.redacted(text, as: .name)
            case .identifier where Redaction.isMadeUp(text): text
            case .screen where DeviceEvent.ScreenName.isOwn(text): text
            case .content, .identifier, .screen: redactor.redacted(text, as: .content)
            }
        }
        batch.events[index].event = event
    }

    // MARK: - Messages

    private func redactMessage(_ index: Int, in chunk: inout RecordChunk) {
        // SOUND: the index is that of a message of the batch, to which nothing is appended.
        var message = unsafe chunk.batch.messages[index]
        if case .malformed = message.verdict { return }
        if !isPublic(message.device, message) {
            message.device = redacted(message.device, as: .device, &chunk.batch) ?? .empty
        }
        if let token = chunk.batch.activityTokens[index] {
            chunk.batch.activityTokens[index] = redacted(token, as: .device, &chunk.batch)
        }
        // Only checks read the record's original headers, and they have run. A request may be read for another platform.
        let isOfApple = message.provider == .apns && message.gateway != .expo
        message.headers.text = isOfApple ? .empty : redacted(message.headers.text, as: .request, &chunk.batch)
        message.headers.collapseID = redacted(message.headers.collapseID, as: .content, &chunk.batch)
        message.headers.id = redacted(message.headers.id, of: .id, &chunk.batch)
        message.headers.expiration = redacted(message.headers.expiration, of: .expiration, &chunk.batch)
        message.headers.priority = redacted(message.headers.priority, of: .priority, &chunk.batch)
        message.headers.pushTypeText = redacted(message.headers.pushTypeText, of: .pushType, &chunk.batch)
        message.headers.channelID = redacted(message.headers.channelID, as: .name, &chunk.batch)
        message.topic = redactedTopic(of: message, &chunk.batch)
        adopt(redacted(message.payload, of: message, &chunk.batch), for: &message, &chunk.batch)
        unsafe chunk.batch.messages[index] = message
    }

    /// The suffix of the push type stays: without it, the topic is that of another app.
    private func redactedTopic(of message: DecodedMessage, _ batch: inout MessageBatch) -> BorrowedText {
        // SOUND: the app is the beginning of the topic, which lives as long as its chunk, and is copied.
        let app = message.namedApp
        guard let digest = unsafe redactor.digest(of: Array(app.buffer), as: .name) else { return message.topic }
        return unsafe copy(digest + Array(message.topic.buffer.dropFirst(app.count)), &batch)
    }

    private func redacted(
        _ text: BorrowedText?, as kind: Redactor.Kind, _ batch: inout MessageBatch
    ) -> BorrowedText? {
        // SOUND: the text lives as long as its chunk, and is copied.
        guard let text, !text.isEmpty else { return text }
        return unsafe redactor.digest(of: Array(text.buffer), as: kind).map { copy($0, &batch) } ?? text
    }

    /// A header that has a number, a UUID or a word of Apple's, or whatever else a request has there.
    private func redacted(
        _ text: BorrowedText?, of header: APNsHeader, _ batch: inout MessageBatch
    ) -> BorrowedText? {
        guard let text, !RedactedPlace.isDefined(text.string, for: header.name.description) else { return text }
        return redacted(text, as: .content, &batch)
    }

    /// The payload as delivered and stored.
    private func redacted(
        _ payload: BorrowedText, of message: DecodedMessage, _ batch: inout MessageBatch
    ) -> BorrowedText {
        redacted(payload, as: message.platform == .ios ? .payload : .request, &batch)
    }

    /// An object of a record. Equal payloads of a request share one result.
    private func redacted(
        _ payload: BorrowedText, as place: RedactedPlace, _ batch: inout MessageBatch
    ) -> BorrowedText {
        // SOUND: addresses are only compared; the payload lives as long as its chunk.
        guard !payload.isEmpty else { return payload }
        if let known = payloads.last(where: {
            unsafe $0.source.start == payload.start && $0.source.count == payload.count
        }) {
            return known.redacted
        }
        let redacted = unsafe redactor.redacted(json: payload.bytes, as: place).map { copy($0, &batch) } ?? payload
        payloads.append((payload, redacted))
        return redacted
    }

    /// Updates a message to its new payload. Its measured size stays the same.
    private func adopt(_ payload: BorrowedText, for message: inout DecodedMessage, _ batch: inout MessageBatch) {
        // SOUND: addresses are only compared; the payload lives as long as its chunk, and the tape was just made of it.
        guard unsafe payload.start != message.payload.start, unsafe scanner.scan(payload.bytes, into: &tape) == nil,
            let root = unsafe tape.root(of: payload.bytes)
        else { return }
        let bytes = message.byteCount
        decoder.adopt(payload, root, for: &message, &batch)
        message.byteCount = bytes
    }

    private func copy(_ bytes: [UInt8], _ batch: inout MessageBatch) -> BorrowedText {
        // SOUND: the bytes live until the closure returns, and the arena copies them.
        unsafe bytes.withUnsafeBytes { unsafe batch.scratch.copy($0) }
    }

    /// A reason is a service's word, but a record may have any text there.
    private func redactAnswers(of messages: Range<Int>, _ lines: ReportLines) {
        lines.changeNotes(of: messages) { note in
            guard case .known(var answer) = note.answer, let reason = answer.reason else { return }
            if !RedactedPlace.isReason(reason) { answer.reason = redactor.redacted(reason, as: .content) }
            note.answer = .known(answer)
        }
    }

    private func redact(_ finding: inout Finding) {
        finding.message = redactor.redacted(message: finding.message)
        finding.pointer = redactor.redacted(pointer: finding.pointer)
    }

    // MARK: - Records and traces

    /// Passes a record to `body`, parsed as strictly as possible. Does not call `body` for a malformed record.
    private func withJSON(_ text: UnsafeRawBufferPointer, _ body: (JSONView) -> Void) {
        // SOUND: the tape was just made of the text, which lives until `body` has returned.
        if unsafe scanner.scan(text, into: &tape) == nil {
            if let root = unsafe tape.root(of: text) { body(root) }
        } else if let strict = unsafe RelaxedReading(text).text {
            unsafe strict.withUnsafeBytes { strict in
                guard unsafe scanner.scan(strict, into: &tape) == nil, let root = unsafe tape.root(of: strict) else {
                    return
                }
                body(root)
            }
        }
    }

    // Swift 6.3 fails to compile `process` with this inlined: its closure outlives what it captures.
    @inline(never)
    private func redactRecord(
        _ record: Int, _ messages: Range<Int>, _ text: UnsafeRawBufferPointer?, as place: RedactedPlace,
        in chunk: inout RecordChunk
    ) {
        // SOUND: every index is that of a message of the batch; the text lives as long as the chunk.
        guard chunk.keepsRecords else { return }
        let isWhole = messages.allSatisfy { index in
            if case .malformed = unsafe chunk.batch.messages[index].verdict { false } else { true }
        }
        let isRefused = messages.allSatisfy { index in
            switch unsafe chunk.batch.messages[index].verdict {
            case .rejected, .refused: true
            default: false
            }
        }
        // The contents of a malformed record are unknown.
        var kept: [UInt8] = []
        if isWhole, let text = unsafe text {
            unsafe withJSON(text) { root in
                let hidden = unsafe redactor.redacted(json: root.text.bytes, as: place, isRefused: isRefused)
                kept = unsafe hidden ?? Array(root.text.buffer)
            }
        }
        chunk.redactedRecords[record] = copy(kept, &chunk.batch)
    }

    private func redactTrace(_ messages: Range<Int>, in chunk: inout RecordChunk) {
        // SOUND: every index is that of a message of the batch.
        guard !chunk.traces.decoded.isEmpty else { return }
        for index in messages {
            var message = unsafe chunk.batch.messages[index]
            (message.content, message.payload) = chunk.traces.decoded[index]
            adopt(redacted(message.payload, of: message, &chunk.batch), for: &message, &chunk.batch)
            chunk.traces.decoded[index] = (message.content, message.payload)
        }
        while nextStep < chunk.traces.steps.count, chunk.traces.steps[nextStep].message < messages.upperBound {
            let (index, step) = chunk.traces.steps[nextStep]
            let message = unsafe chunk.batch.messages[index]
            let hidden = MessageTrace.Step(
                stage: step.stage, before: redacted(step.before, of: message, &chunk.batch),
                after: redacted(step.after, of: message, &chunk.batch))
            chunk.traces.setStep(nextStep, hidden)
            nextStep += 1
        }
    }
}

/// Replaces the parts named by a `Redaction` with keyed digests, in everything that later stages, stores and reports see.
///
/// Belongs after all other record-local stages: provider validation and checks see the original messages; everything that delivers,
/// stores or shows a message sees digests.
public struct RedactionStage: ChunkStage {
    /// `redact`.
    public var name: String { "redact" }
    /// False: a trace must not show the original payloads.
    package var changesPayloads: Bool { false }
    package let redaction: Redaction

    /// Creates a stage that hides these parts.
    public init(_ redaction: Redaction) { self.redaction = redaction }

    package func process(_ chunk: inout RecordChunk, context: StageContext) {
        context.scratch { RecordRedactor(redaction, context.options) }.process(&chunk)
    }
}
