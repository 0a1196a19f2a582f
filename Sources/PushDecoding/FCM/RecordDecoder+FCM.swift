import PayloadJSON
import PushModel

extension RecordDecoder {
    /// `{"message":{…},"validate_only":…}`, FCM HTTP v1.
    mutating func decodeFCM(
        _ root: JSONView, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        guard let body = root["message"], body.isObject else {
            return DecodeFailure(
                rule: "record.unknown-shape", message: "an FCM v1 request needs a \"message\" object",
                offset: root.offset)
        }
        let request = FCMMessage(body)
        var message = newMessage(.fcm, origin, &batch)
        if !origin.isDerived { message.payloadPointer = "/message" }
        message.payload = body.text
        message.isDryRun = message.isDryRun || (root["validate_only"] ?? root["validateOnly"])?.kind == .true
        let isForIOSAlone = request.apns != nil && request.android == nil && request.webpush == nil
        message.platform = options.platform ?? origin.platform ?? (isForIOSAlone ? .ios : .android)
        if let target = request.token ?? request.topic ?? request.condition {
            message.device = text(of: target, in: &batch)
        }
        let isTopic = request.token == nil && (request.topic != nil || request.condition != nil)
        message.byteLimit = (options.budget ?? (isTopic ? .fcmTopic : .fcm)).bytes
        message.byteCount =
            countedBytes(request.notification) + countedBytes(request.data)
            + countedBytes(request.androidNotification) + countedBytes(request.androidData)
        if let package = request.packageName?.string { message.topic = batch.scratch.text(package) }
        if message.platform == .ios { readFCMHeaders(request.apnsHeaders, into: &message, &batch) }
        readAndroidContent(request.notification, request.androidNotification, into: &message, &batch)

        let index = batch.messageCount
        batch.append(message)
        if let failure = request.failure(impliesTarget: origin.impliesTarget, device: message.device) {
            let place = origin.isDerived ? "" : "/message" + failure.pointer
            batch.reject(.invalidArgument, pointer: origin.pointer + place, failure.message, message: index)
        }
        if request.hasNoTarget, !Self.isPlausibleToken(message.device) {
            batch.reject(.invalidArgument, pointer: "/device", "the registration token is malformed", message: index)
        }
        guard message.platform == .ios else { return nil }
        return deriveForIOS(
            DerivedParts(notification: request.notification, data: request.data, payload: request.apnsPayload),
            origin, from: index, into: &batch)
    }

    /// FCM passes `apns.headers` to APNs.
    private func readFCMHeaders(_ headers: JSONView?, into message: inout PushMessage, _ batch: inout MessageBatch) {
        guard let headers else { return }
        var members = headers.members
        while let (key, value) = members.next() {
            guard let name = HeaderName(key), let string = value.string, string.count > 0 else { continue }
            switch name {
            case .collapseID: message.headers.collapseID = batch.scratch.text(string)
            case .topic: message.topic = batch.scratch.text(string)
            case .pushType: message.headers.pushType = PushType(wireName: batch.scratch.text(string))
            case .expiration: message.headers.expiration = batch.scratch.text(string)
            case .priority, .id, .channelID: break
            }
        }
    }
}
