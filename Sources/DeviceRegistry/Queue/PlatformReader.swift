import PayloadJSON
package import PushDecoding
package import PushModel

/// Decodes a GCM or FCM message again, as the one that FCM passes to APNs for an Apple device.
///
/// A token does not tell the kind of its device, and records are decoded without looking up devices. A device
/// registered as an Apple device gets its messages from here.
package struct PlatformReader: ~Copyable {
    private var fcm: RecordDecoder
    private var gcm: RecordDecoder
    private var batch = MessageBatch()
    private var text = ByteBuffer()

    /// - Parameter options: the options that the messages were decoded with.
    package init(options: DecodingOptions) {
        func decoder(_ format: RecordFormat) -> RecordDecoder {
            var options = options
            options.format = format
            options.platform = .ios
            options.readsDevices = false
            return RecordDecoder(options: options)
        }
        fcm = decoder(.fcm)
        gcm = decoder(.gcm)
    }

    /// Call when the returned messages are no longer used.
    package mutating func reset() { batch.removeAll() }

    /// The message as an Apple device gets it, valid until `reset`; nil for one that is not a GCM or FCM message for
    /// Android. A message that APNs refuses is rejected, and the refusal says why.
    package mutating func messageForIOS(_ message: PushMessage) -> (message: PushMessage, refusal: Finding?)? {
        guard message.platform == .android else { return nil }
        text.removeAll()
        switch message.provider {
        case .apns: return nil
        case .fcm:
            text.append("{\"message\":")
            text.append(message.payload)
            text.append("}")
        case .gcm: text.append(message.payload)
        }
        // SOUND: the scratch memory keeps the copy until `reset`, and so for longer than the decoded message.
        let record = unsafe batch.scratch.copy(text.bytes)
        if message.provider == .fcm {
            unsafe fcm.decode(record.bytes, record: message.record, into: &batch)
        } else {
            unsafe gcm.decode(record.bytes, record: message.record, into: &batch)
        }
        // SOUND: the batch keeps its messages until `reset`.
        guard var read = unsafe batch.messages.last, read.platform == .ios else { return nil }
        // The request and its answer stay the same.
        read.device = message.device
        read.target = message.target
        read.gateway = message.gateway
        read.isDryRun = message.isDryRun
        read.byteCount = message.byteCount
        read.byteLimit = message.byteLimit
        read.place = message.place
        read.payloadPointer = message.payloadPointer
        read.secondsKept = message.secondsKept ?? read.secondsKept
        if read.topic.isEmpty { read.topic = message.topic }
        read.verdict = message.verdict
        guard message.provider == .fcm else { return (read, nil) }
        let refusal = RecordDecoder.refusalOfHeaders(
            in: read, nil, at: message.place.string, isDerived: message.isDerived)
        if refusal != nil { read.verdict = .rejected(.invalidArgument) }
        return (read, refusal)
    }
}
