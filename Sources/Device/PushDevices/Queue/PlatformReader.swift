import PayloadJSON
package import PushDecoding
package import PushModel

/// Decodes a GCM or FCM message again, as a device of another platform gets it.
///
/// A token does not tell the kind of its device, and records are decoded without looking up devices: which block of a
/// message takes effect is guessed. A device registered with its platform gets its messages from here. Source: Firebase,
/// "Customize a message across platforms": a block is "interpreted only by app instances running on the specified
/// platform".
package struct PlatformReader: ~Copyable {
    /// A message as a device of another platform gets it.
    package struct Reading {
        /// Valid until `reset`.
        package var message: DecodedMessage
        /// Why APNs refuses it, or why a browser does not show it.
        package var finding: Finding?
    }

    private var decoder: RecordDecoder
    private var batch = MessageBatch()
    private var text = ByteBuffer()
    private let acceptance: Acceptance

    /// - Parameter options: the options that the messages were decoded with.
    package init(options: DecodingOptions) {
        var options = options
        options.platform = nil
        decoder = RecordDecoder(options: options)
        acceptance = Acceptance(budget: options.budget)
    }

    /// Call when the returned messages are no longer used.
    package mutating func reset() { batch.removeAll() }

    /// The message as a device of a platform gets it; nil for one that is decoded for this platform, and for one of APNs.
    package mutating func message(_ message: DecodedMessage, for platform: Platform) -> Reading? {
        guard message.platform != platform else { return nil }
        if message.gateway == .expo { return messageOfExpo(message, for: platform) }
        guard message.provider != .apns else { return nil }
        // What an Apple device gets is derived from the request.
        let request = message.platform == .ios ? message.headers.text : message.payload
        guard !request.isEmpty else { return nil }
        text.removeAll()
        if message.provider == .fcm { text.append("{\"message\":") }
        text.append(request)
        if message.provider == .fcm { text.append("}") }
        // SOUND: the scratch memory keeps the copy until `reset`, and so for longer than the decoded message.
        let record = unsafe batch.scratch.copy(text.bytes)
        decoder.decode(record, like: message, for: platform, into: &batch)
        // SOUND: the batch keeps its messages until `reset`.
        guard var read = unsafe batch.messages.last, read.platform == platform else { return nil }
        let index = batch.messageCount - 1
        // The request and its answer stay the same.
        read.device = message.device
        read.target = message.target
        read.gateway = message.gateway
        read.isForTopic = message.isForTopic
        read.isDryRun = message.isDryRun
        read.byteCount = message.byteCount
        read.byteLimit = message.byteLimit
        read.place = message.place
        read.payloadPointer = message.payloadPointer
        read.secondsKept = message.secondsKept ?? read.secondsKept
        if read.topic.isEmpty, platform == .ios { read.topic = message.topic }
        read.verdict = message.verdict
        guard platform == .ios else {
            let finding = batch.findings.last { $0.message == index && WebNotification.rules.contains($0.finding.rule) }
            return Reading(message: read, finding: finding?.finding)
        }
        guard message.provider == .fcm else { return Reading(message: read) }
        let refusal = FCMMessage.refusalOfHeaders(
            in: read, nil, at: message.place.string, isDerived: message.isDerived)
        if refusal != nil { read.verdict = .rejected(.invalidArgument) }
        return Reading(message: read, finding: refusal)
    }

    /// The message that Expo hands on for a device of another platform: to another service, which measures it and answers in its own words.
    private mutating func messageOfExpo(_ message: DecodedMessage, for platform: Platform) -> Reading? {
        // SOUND: the scratch memory keeps the copy until `reset`, and the batch its messages; the index is that of one.
        guard !message.headers.text.isEmpty else { return nil }
        text.removeAll()
        text.append(message.headers.text)
        let request = unsafe batch.scratch.copy(text.bytes)
        let index = batch.messageCount
        decoder.decodeExpo(request, like: message, for: platform, into: &batch)
        guard index < batch.messageCount else { return nil }
        acceptance.check(index, in: &batch)
        var read = unsafe batch.messages[index]
        read.device = message.device
        read.topic = message.topic
        read.target = message.target
        let finding = batch.findings.last { $0.message == index }
        guard case .rejected = read.verdict else { return Reading(message: read) }
        return Reading(message: read, finding: finding?.finding)
    }
}
