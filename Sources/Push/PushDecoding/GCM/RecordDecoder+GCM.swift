import PayloadJSON
import PushModel

extension RecordDecoder {
    /// A GCM request, or FCM's legacy HTTP request: one message for each of its targets.
    mutating func decodeGCM(
        _ root: JSONView, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        let request = LegacyRequest(root)
        var message = newMessage(.gcm, origin, &batch)
        message.payload = root.text
        if request.registrationIDs != nil { message.payload = withoutTargets(root, &batch) }
        message.platform = options.platform ?? origin.platform ?? .android
        // The payload for an Android device still contains it; the one derived for an iOS device does not. A value out
        // of range is rejected later.
        if message.platform == .ios, message.secondsKept == nil {
            message.secondsKept = request.timeToLive?.int64.flatMap { Int32(exactly: $0) }
        }
        if let package = request.packageName?.string { message.topic = batch.scratch.text(package) }
        if let dryRun = request.dryRun { message.isDryRun = message.isDryRun || dryRun.kind == .true }
        let parts = GoogleParts(request, on: message.platform)
        message.byteCount = parts.byteCount
        parts.read(into: &message.content, &batch)

        let first = batch.messageCount
        let targets = appendTargets(of: request, &message, origin, &batch)
        if let failure = request.failure(targetCount: targets, impliesTarget: origin.impliesTarget) {
            for index in first..<batch.messageCount {
                batch.reject(
                    failure.rejection, pointer: origin.pointer + failure.pointer, failure.message, message: index)
            }
        }
        guard message.platform == .ios else { return nil }
        return deriveForIOS(
            DerivedParts(
                notification: request.notification, data: request.data,
                isSilent: request.contentAvailable?.kind == .true, isMutable: request.mutableContent?.kind == .true),
            origin, from: first, into: &batch)
    }

    /// Appends a message for each target, or one without a target if there is none, and returns the number of targets. Leaves that of the
    /// last one in `message`, which is not copied for it. Mutating for the same reason as `readEnvelope`.
    private mutating func appendTargets(
        of request: LegacyRequest, _ message: inout DecodedMessage, _ origin: RecordOrigin, _ batch: inout MessageBatch
    ) -> Int {
        var count = 0
        message.byteLimit = options.budget?.bytes ?? Budget.gcm.bytes
        if let ids = request.registrationIDs, ids.kind == .array {
            var elements = ids.elements
            message.isTopicOfTarget = request.packageName != nil
            while count < LegacyRequest.maximumTargets, let id = elements.next() {
                message.device = text(of: id, in: &batch)
                let isMalformed = !RegistrationToken.isPlausible(message.device) || !id.isString
                batch.append(copyOf: &message)
                if isMalformed {
                    batch.reject(
                        .invalidRegistration, pointer: origin.pointer + "/registration_ids/\(count)",
                        message: batch.messageCount - 1)
                }
                count += 1
            }
            if count > 0 { return count }
        }
        guard let target = request.to ?? request.condition ?? request.notificationKey else {
            if message.device.hasPrefix("/topics/") {
                message.isForTopic = true
                message.byteLimit = options.budget?.bytes ?? Budget.gcmTopic.bytes
            }
            message.isTopicOfTarget =
                request.packageName != nil && origin.impliesTarget && !message.device.hasPrefix("/topics/")
            batch.append(copyOf: &message)
            if origin.impliesTarget, !RegistrationToken.isPlausible(message.device) {
                batch.reject(
                    message.device.isEmpty ? .missingRegistration : .invalidRegistration, pointer: "/device",
                    message: batch.messageCount - 1)
            }
            return 0
        }
        message.device = text(of: target, in: &batch)
        if request.to == nil && request.condition != nil || message.device.hasPrefix("/topics/") {
            message.isForTopic = true
            message.byteLimit = options.budget?.bytes ?? Budget.gcmTopic.bytes
        } else {
            message.isTopicOfTarget = request.packageName != nil
        }
        batch.append(copyOf: &message)
        if message.device.isEmpty { return 0 }
        if request.condition == nil, target.isString, !RegistrationToken.isPlausible(message.device) {
            let name = request.to == nil ? "/notification_key" : "/to"
            batch.reject(
                .invalidRegistration, pointer: origin.pointer + name, message: batch.messageCount - 1)
        }
        return 1
    }

    /// The request as each of many targets receives it: without the list of targets, which may be longer than
    /// everything else.
    private mutating func withoutTargets(_ root: JSONView, _ batch: inout MessageBatch) -> BorrowedText {
        // SOUND: the writer's bytes are copied, and do not change in between.
        writer.removeAll()
        var request = MemberWriter(&writer)
        request.add(membersOf: root, to: &writer) { !($0 == "registration_ids") }
        request.end(&writer)
        return unsafe batch.scratch.copy(writer.bytes)
    }
}
