import PushJSON
import PushModel

/// A request to Wikimedia's push service, which sends the same small message to every device: `checkEchoV1`.
///
/// Source: mediawiki-services-push-notifications, `src/outgoing/apns/apns.ts`, `src/outgoing/fcm/fcm.ts`.
struct WikimediaRequest {
    let root: JSONView

    func decode(
        _ origin: RecordOrigin, by decoder: inout RecordDecoder, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        guard let type = root["messageType"], type.string.map({ $0 == "checkEchoV1" }) ?? false else {
            return DecodeFailure(
                .nothingToSend, "messageType must be \"checkEchoV1\", the only type",
                at: root["messageType"] ?? root)
        }
        guard let tokens = root["deviceTokens"], tokens.kind == .array else {
            return DecodeFailure(
                .nothingToSend, "deviceTokens must be an array of strings", at: root["deviceTokens"] ?? root)
        }
        var origin = origin
        origin.gateway = .wikimedia
        origin.impliesTarget = true
        origin.isDryRun = root["dryRun"]?.kind == .true
        let topic = root["topic"]?.string.map { batch.scratch.text($0) }
        let payload: StaticString =
            topic != nil
            ? #"{"data":{"type":"checkEchoV1"},"aps":{"alert":"checkEchoV1","thread-id":"checkEchoV1","mutable-content":1}}"#
            : #"{"message":{"data":{"type":"checkEchoV1"},"android":{"collapse_key":"checkEchoV1"}}}"#

        let first = batch.messageCount
        let decodeFailure = decoder.decodeDerived(origin, as: topic != nil ? .apns : .fcm, into: &batch) { out in
            out.append(payload)
        }
        guard decodeFailure == nil, batch.messageCount > first else { return decodeFailure }
        var message = batch.removeLast()
        message.topic = topic ?? message.topic
        message.headers.isTargetNamed = true
        for token in tokens.elements {
            message.device = decoder.text(of: token, in: &batch)
            if topic != nil { message.setToken(message.device, &batch.scratch) }
            batch.append(message)
            let index = batch.messageCount - 1
            if !token.isString || (topic == nil && !RegistrationToken.isPlausible(message.device)) {
                batch.reject(
                    topic != nil ? .badDeviceToken : .invalidArgument,
                    pointer: "\(origin.pointer)/deviceTokens/\(index - first)", "the token is malformed", message: index
                )
            }
        }
        guard batch.messageCount > first else {
            return DecodeFailure(.nothingToSend, "deviceTokens is empty", at: tokens)
        }
        return nil
    }
}
