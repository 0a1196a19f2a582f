import PayloadJSON
import PushModel

/// A message of an Admin SDK as a record of its own: what an FCM v1 request has under `message`. With `tokens` or `fids` in place
/// of a target it is a multicast message, which the SDK sends once for each of them.
///
/// Source: firebase-admin-node, `messaging-api.ts`, `sendEachForMulticast` in `messaging.ts`.
struct BareMessage {
    private let root: JSONView
    private let message: FCMMessage
    /// The targets of a multicast message.
    private let lists: [(name: StaticString, list: JSONView)]

    init(_ root: JSONView) {
        self.root = root
        message = FCMMessage(bare: root)
        let names: [StaticString] = message.hasNoTarget ? ["tokens", "fids"] : []
        lists = names.compactMap { name in root[name].flatMap { $0.kind == .array ? (name, $0) : nil } }
    }

    /// True for the targets of a multicast message.
    static func isList(_ key: JSONString, _ value: JSONView) -> Bool {
        (key == "tokens" || key == "fids") && value.kind == .array
    }

    func decode(
        _ origin: RecordOrigin, by decoder: inout RecordDecoder, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        let first = batch.messageCount
        var origin = origin
        if !lists.isEmpty { origin.impliesTarget = true }
        let decodeFailure: DecodeFailure?
        // What FCM refuses is pointed at where it is written.
        if message.violations.isEmpty, !lists.isEmpty || hasOtherNames {
            decodeFailure = decoder.withDerived(origin, into: &batch) { out in
                compose(into: &out)
            } _: { decoder, root, origin, batch in
                decoder.decodeFCM(root, origin, into: &batch)
            }
        } else {
            var message = message
            decodeFailure = decoder.decodeFCM(root, &message, in: root, at: "", origin, into: &batch)
        }
        guard decodeFailure == nil, batch.messageCount > first else { return decodeFailure }
        let finding = Finding(
            rule: "fcm.bare-message", severity: .info, pointer: "",
            message: lists.isEmpty
                ? "a message as an Admin SDK takes it; a request over HTTP is an object with it under message"
                : "a multicast message of an Admin SDK, which sends a request over HTTP for each target")
        batch.report(finding, message: first)
        return lists.isEmpty ? nil : spread(origin, by: &decoder, into: &batch)
    }

    /// Replaces the last message by one for each target.
    private func spread(
        _ origin: RecordOrigin, by decoder: inout RecordDecoder, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        let first = batch.messageCount - 1
        var message = batch.removeLast()
        message.isTopicOfTarget = !message.topic.isEmpty
        for (name, list) in lists {
            for (position, target) in list.elements.enumerated() {
                message.device = decoder.text(of: target, in: &batch)
                batch.append(message)
                guard !target.isString || !RegistrationToken.isPlausible(message.device) else { continue }
                batch.reject(
                    .invalidArgument, pointer: "/\(name)/\(position)", "the target is malformed",
                    message: batch.messageCount - 1)
            }
        }
        if batch.messageCount > first { return nil }
        batch.removeMessages(from: first)
        return DecodeFailure(.nothingToSend, "the multicast message has no targets", at: root)
    }

    // MARK: - As the SDK sends it

    private var hasOtherNames: Bool {
        var out = ByteBuffer()
        var writer = AdminNames.Writer()
        writer.write(root, as: .message, to: &out)
        return writer.hasRenamed
    }

    /// `{"message":{…}}` without the targets of a multicast message.
    private func compose(into out: inout ByteBuffer) {
        out.append("{\"message\":")
        var writer = AdminNames.Writer()
        writer.write(root, as: .message, to: &out) { key, value in
            !(key == "provider" || Self.isList(key, value))
        }
        out.append("}")
    }
}
