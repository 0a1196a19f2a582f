import PayloadJSON
import PushDecoding
import PushJSONRepair
import PushModel
import PushRedaction

/// The only place where a run redacts: the work of `RedactionStage` for one worker.
///
/// Rewrites the devices, payloads, headers, findings and traces of a chunk's messages.
final class RecordRedactor {
    private let redaction: Redaction
    private let json: JSONRedactor
    private let decoder: RecordDecoder
    private let defaultDevice: String
    private var scanner = JSONScanner()
    private var tape = JSONTape()
    /// Position in the chunk's mutation steps, which are in message order.
    private var nextStep = 0
    /// Position in the chunk's events, also in message order.
    private var nextEvent = 0
    /// The tokens of the current record, shared by the messages of one request.
    private var payloads: [(source: BorrowedText, redacted: BorrowedText)] = []

    init(_ redaction: Redaction, _ options: DecodingOptions) {
        self.redaction = redaction
        json = JSONRedactor(redaction)
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
            var (tokens, publicNames) = unsafe targets(of: text, chunk.batch.messages[first..<end])
            let event = nextEvent < chunk.batch.events.count && chunk.batch.events[nextEvent].message < end
            if event { insertTokens(of: chunk.batch.events[nextEvent].event, into: &tokens) }
            let isOfExpo = unsafe chunk.batch.messages[first].gateway == .expo
            let place: RedactedPlace = event ? .event : isOfExpo ? .expo : .request
            unsafe redactRecord(record, first..<end, text, as: place, tokens, in: &chunk)
            redactTrace(first..<end, tokens, in: &chunk)
            for index in first..<end { redactMessage(index, tokens, publicNames, in: &chunk) }
            if chunk.lines.hasNotes { redactAnswers(of: first..<end, tokens, chunk.lines) }
            if event {
                redactEvent(nextEvent, tokens, in: &chunk.batch)
                nextEvent += 1
            }
            while nextFinding < findings.count, findings[nextFinding].message < end {
                redact(&findings[nextFinding].finding, tokens)
                nextFinding += 1
            }
            while nextFailure < decodeFailures.count, decodeFailures[nextFailure].message < end {
                let message = decodeFailures[nextFailure].decodeFailure.message
                decodeFailures[nextFailure].decodeFailure.message = redacted(message, tokens)
                nextFailure += 1
            }
            first = end
        }
        chunk.batch.replace(findings: findings, decodeFailures: decodeFailures)
    }

    // MARK: - Events

    /// Also redacts a replacement token, and those of Live Activities. The device is taken from the message that represents the event.
    private func insertTokens(of event: DeviceEvent, into tokens: inout TokenSet) {
        guard redaction.hidesTokens else { return }
        let others =
            [event.canonical, event.startToken, event.expoToken].compactMap { $0 } + (event.activityTokens ?? [])
        for token in others where !token.isEmpty { tokens.insert(Array(token.utf8)) }
    }

    /// Redacts an event's names like those of messages and other events, so that they still match.
    private func redactEvent(_ index: Int, _ tokens: TokenSet, in batch: inout MessageBatch) {
        // SOUND: an event's index is that of the message that stands for it.
        let message = unsafe batch.messages[batch.events[index].message]
        var event = batch.events[index].event
        // The message that represents it is already redacted.
        if event.device != nil { event.device = message.device.string }
        if event.app != nil { event.app = message.topic.string }
        event.canonical = event.canonical.map(tokens.replacing)
        event.startToken = event.startToken.map(tokens.replacing)
        event.activityTokens = event.activityTokens?.map(tokens.replacing)
        event.expoToken = event.expoToken.map(tokens.replacing)
        if let identifier = event.identifier, !Redaction.isMadeUp(identifier) {
            event.identifier = content(identifier, tokens)
        }
        event.post.title = event.post.title.map { content($0, tokens) }
        event.post.body = event.post.body.map { content($0, tokens) }
        if let tag = event.post.tag, !Redaction.isMadeUp(tag) { event.post.tag = content(tag, tokens) }
        event.post.channel = event.post.channel.map(tokens.replacing)
        event.screen = event.screen.map { content($0, tokens) }
        event.screensWithBell = event.screensWithBell?.map {
            DeviceEvent.ScreenName.isOwn($0) ? $0 : content($0, tokens)
        }
        // As click_action in messages.
        event.activities = event.activities?.map { content($0, tokens) }
        event.allowedApps = event.allowedApps?.map(tokens.replacing)
        event.allowedPeople = event.allowedPeople?.map { content($0, tokens) }
        event.action = event.action.map(tokens.replacing)
        event.text = event.text.map { content($0, tokens) }
        event.categories = event.categories?.map { redacted($0, tokens) }
        event.channels = event.channels?.map { channel in
            var channel = channel
            channel.identifier = tokens.replacing(in: channel.identifier)
            return channel
        }
        event.type = event.type.map(tokens.replacing)
        event.types = event.types?.map(tokens.replacing)
        batch.events[index].event = event
    }

    /// Names stay, as in payloads. A title that is no other text than the action's name is not written.
    private func redacted(_ category: ActionCategory, _ tokens: TokenSet) -> ActionCategory {
        var category = category
        category.identifier = tokens.replacing(in: category.identifier)
        category.placeholder = category.placeholder.map { content($0, tokens) }
        category.actions = category.actions.map { action in
            var redacted = action
            redacted.identifier = tokens.replacing(in: action.identifier)
            redacted.title =
                action.title == action.identifier ? redacted.identifier : content(action.title, tokens)
            return redacted
        }
        return category
    }

    private func content(_ text: String, _ tokens: TokenSet) -> String {
        redaction.hidesContent ? redaction.digest(text) : tokens.replacing(in: text)
    }

    // MARK: - Targets

    /// The tokens that a record names, and its topics and conditions, which are not secret.
    private func targets(
        of text: UnsafeRawBufferPointer?, _ messages: Slice<UnsafeMutableBufferPointer<DecodedMessage>>
    ) -> (tokens: TokenSet, publicNames: Set<[UInt8]>) {
        // SOUND: the indices are the slice's own; messages and text live as long as their chunk.
        var tokens = TokenSet(redaction)
        var publicNames: Set<[UInt8]> = []
        guard redaction.hidesTokens else { return (tokens, publicNames) }
        unsafe withJSON(text) { root in
            tokens.insertTokens(in: root, isRequest: true)
            Self.insertTopics(of: root, into: &publicNames)
        }
        for index in unsafe messages.indices {
            let message = unsafe messages[index]
            let device = unsafe Array(message.device.buffer)
            if !isPublic(message.device, publicNames) || tokens.contains(device) { tokens.insert(device) }
        }
        return (tokens, publicNames)
    }

    /// Passes a record to `body`, parsed as strictly as possible. Does not call `body` for a malformed record.
    private func withJSON(_ text: UnsafeRawBufferPointer?, _ body: (JSONView) -> Void) {
        // SOUND: the tape was just made of the text, which lives until `body` has returned.
        guard let text = unsafe text else { return }
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

    /// In requests of GCM and FCM, in their envelopes, and in those of SNS.
    private static func insertTopics(of request: JSONView, into names: inout Set<[UInt8]>, level: Int = 0) {
        // SOUND: the tape was just made of the bytes, which live until the closure returns.
        for name: StaticString in ["topic", "condition", "TopicArn"] {
            if let string = request[name]?.string { names.insert(string.decodedBytes) }
        }
        guard level < TokenSet.maximumLevel else { return }
        for name: StaticString in ["message", "payload", "fcmV1Message", "Message", "GCM", "FCM"] {
            guard let value = request[name] else { continue }
            if value.isObject { insertTopics(of: value, into: &names, level: level + 1) }
            guard let string = value.string, string.mayHoldJSON else { continue }
            var scanner = JSONScanner()
            var tape = JSONTape()
            unsafe string.decodedBytes.withUnsafeBytes { bytes in
                guard unsafe scanner.scan(bytes, into: &tape) == nil, let root = unsafe tape.root(of: bytes) else {
                    return
                }
                insertTopics(of: root, into: &names, level: level + 1)
            }
        }
    }

    /// True if a device is not a token: the default device, a topic, or a condition.
    private func isPublic(_ device: BorrowedText, _ publicNames: Set<[UInt8]>) -> Bool {
        // SOUND: the name lives as long as its chunk, and is copied.
        unsafe device.isEmpty || TokenSet.isTopic(device) || publicNames.contains(Array(device.buffer))
            || device == "default" && defaultDevice == "default"
    }

    // MARK: - Messages

    private func redactMessage(
        _ index: Int, _ tokens: TokenSet, _ publicNames: Set<[UInt8]>, in chunk: inout RecordChunk
    ) {
        // SOUND: the index is that of a message of the batch, to which nothing is appended.
        var message = unsafe chunk.batch.messages[index]
        if case .malformed = message.verdict { return }
        if let digest = unsafe tokens.digest(ofAll: Array(message.device.buffer)) {
            message.device = copy(digest, &chunk.batch)
        }
        if let token = chunk.batch.activityTokens[index], let digest = unsafe tokens.digest(ofAll: Array(token.buffer))
        {
            chunk.batch.activityTokens[index] = copy(digest, &chunk.batch)
        }
        // Only checks read the record's original headers, and they have run. A request may be read for another platform.
        if let place = requestPlace(of: message) {
            message.headers.text = redacted(message.headers.text, as: place, tokens, &chunk.batch)
        } else {
            message.headers.text = .empty
        }
        message.headers.collapseID = redacted(message.headers.collapseID, tokens, isKept: false, &chunk.batch)
        message.headers.id = redacted(message.headers.id, tokens, isKept: isAccepted(message), &chunk.batch)
        message.headers.expiration = redacted(
            message.headers.expiration, tokens, isKept: isAccepted(message), &chunk.batch)
        message.headers.priority = redacted(message.headers.priority, tokens, isKept: isAccepted(message), &chunk.batch)
        message.headers.channelID = redacted(message.headers.channelID, tokens, isKept: true, &chunk.batch)
        message.headers.pushTypeText = redacted(
            message.headers.pushTypeText, tokens, isKept: message.headers.pushType != nil, &chunk.batch)
        message.topic = redacted(message.topic, tokens, isKept: true, &chunk.batch) ?? .empty
        adopt(redacted(message.payload, of: message, tokens, &chunk.batch), for: &message, &chunk.batch)
        unsafe chunk.batch.messages[index] = message
    }

    /// The kind of the request that a message may be read from again; nil for one of APNs.
    private func requestPlace(of message: DecodedMessage) -> RedactedPlace? {
        if message.gateway == .expo { return .expo }
        return message.provider == .apns ? nil : message.provider == .fcm ? .message : .request
    }

    /// An accepted message's headers have been checked: they are numbers and words that Apple defines.
    private func isAccepted(_ message: DecodedMessage) -> Bool {
        if case .rejected = message.verdict { false } else { true }
    }

    private func redacted(
        _ text: BorrowedText?, _ tokens: TokenSet, isKept: Bool, _ batch: inout MessageBatch
    ) -> BorrowedText? {
        // SOUND: the text lives as long as its chunk, and is copied.
        guard let text, !text.isEmpty else { return text }
        let bytes = unsafe Array(text.buffer)
        if redaction.hidesContent, !isKept { return copy(redaction.digest(bytes), &batch) }
        return tokens.replacing(in: bytes).map { copy($0, &batch) } ?? text
    }

    /// The payload as delivered and stored.
    private func redacted(
        _ payload: BorrowedText, of message: DecodedMessage, _ tokens: TokenSet, _ batch: inout MessageBatch
    ) -> BorrowedText {
        let place: RedactedPlace =
            message.platform == .ios ? .payload : message.provider == .fcm ? .message : .request
        return redacted(payload, as: place, tokens, &batch)
    }

    /// An object of a record. Equal payloads of a request share one result.
    private func redacted(
        _ payload: BorrowedText, as place: RedactedPlace, _ tokens: TokenSet, _ batch: inout MessageBatch
    ) -> BorrowedText {
        // SOUND: addresses are only compared; the payload lives as long as its chunk.
        guard !payload.isEmpty else { return payload }
        if let known = payloads.last(where: {
            unsafe $0.source.start == payload.start && $0.source.count == payload.count
        }) {
            return known.redacted
        }
        let redacted = unsafe json.redact(payload.bytes, as: place, tokens).map { copy($0, &batch) } ?? payload
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
    private func redactAnswers(of messages: Range<Int>, _ tokens: TokenSet, _ lines: ReportLines) {
        lines.changeNotes(of: messages) { note in
            guard case .known(var answer) = note.answer, let word = answer.word else { return }
            let isHidden = redaction.hidesContent && !RedactedPlace.isReason(word)
            answer.reason = .word(isHidden ? redaction.digest(word) : tokens.replacing(in: word))
            note.answer = .known(answer)
        }
    }

    // MARK: - Findings

    private func redact(_ finding: inout Finding, _ tokens: TokenSet) {
        finding.message = redacted(finding.message, tokens)
        finding.pointer = tokens.replacing(in: finding.pointer)
    }

    /// Finding messages quote their subject as it was written.
    private func redacted(_ message: String, _ tokens: TokenSet) -> String {
        let message = tokens.replacing(in: message)
        if redaction.hidesContent, let hidden = FCMViolation.hidingValue(in: message) { return hidden }
        guard redaction.hidesContent, let first = message.firstIndex(of: "\"") else { return message }
        let last = message.lastIndex(of: "\"").flatMap { $0 > first ? message.index(after: $0) : nil }
        return message[..<first] + "\"…\"" + message[(last ?? message.endIndex)...]
    }

    // MARK: - Records and traces

    // Swift 6.3 fails to compile `process` with this inlined: its closure outlives what it captures.
    @inline(never)
    private func redactRecord(
        _ record: Int, _ messages: Range<Int>, _ text: UnsafeRawBufferPointer?, as place: RedactedPlace,
        _ tokens: TokenSet, in chunk: inout RecordChunk
    ) {
        // SOUND: every index is that of a message of the batch; the text lives as long as the chunk.
        guard chunk.keepsRecords else { return }
        let isWhole = messages.allSatisfy { index in
            if case .malformed = unsafe chunk.batch.messages[index].verdict { false } else { true }
        }
        // The contents of a malformed record are unknown.
        var kept: [UInt8] = []
        if isWhole, let text = unsafe text {
            unsafe withJSON(text) { root in
                kept = unsafe json.redact(root.text.bytes, as: place, tokens) ?? Array(root.text.buffer)
            }
        }
        chunk.redactedRecords[record] = copy(kept, &chunk.batch)
    }

    private func redactTrace(_ messages: Range<Int>, _ tokens: TokenSet, in chunk: inout RecordChunk) {
        // SOUND: every index is that of a message of the batch.
        guard !chunk.traces.decoded.isEmpty else { return }
        for index in messages {
            var message = unsafe chunk.batch.messages[index]
            (message.content, message.payload) = chunk.traces.decoded[index]
            adopt(redacted(message.payload, of: message, tokens, &chunk.batch), for: &message, &chunk.batch)
            chunk.traces.decoded[index] = (message.content, message.payload)
        }
        while nextStep < chunk.traces.steps.count, chunk.traces.steps[nextStep].message < messages.upperBound {
            let (index, step) = chunk.traces.steps[nextStep]
            let message = unsafe chunk.batch.messages[index]
            let hidden = MessageTrace.Step(
                stage: step.stage, before: redacted(step.before, of: message, tokens, &chunk.batch),
                after: redacted(step.after, of: message, tokens, &chunk.batch))
            chunk.traces.setStep(nextStep, hidden)
            nextStep += 1
        }
    }
}
