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
        message.byteCount = countedBytes(request.notification) + countedBytes(request.data)
        if message.platform == .web {
            readWebContent(request.notification, nil, into: &message, &batch)
        } else {
            readAndroidContent(request.notification, nil, into: &message, &batch)
        }

        let first = batch.messageCount
        let targets = appendTargets(of: request, message, origin, &batch)
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

    /// Appends a message for each target, or one without a target if there is none, and returns the number of targets.
    private func appendTargets(
        of request: LegacyRequest, _ message: PushMessage, _ origin: RecordOrigin, _ batch: inout MessageBatch
    ) -> Int {
        var message = message
        var count = 0
        message.byteLimit = options.budget?.bytes ?? Budget.gcm.bytes
        if let ids = request.registrationIDs, ids.kind == .array {
            var elements = ids.elements
            message.isTopicOfTarget = request.packageName != nil
            while count < LegacyRequest.maximumTargets, let id = elements.next() {
                message.device = text(of: id, in: &batch)
                let isMalformed = !Self.isPlausibleToken(message.device) || !id.isString
                batch.append(message)
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
            batch.append(message)
            if origin.impliesTarget, !Self.isPlausibleToken(message.device) {
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
        batch.append(message)
        if message.device.isEmpty { return 0 }
        if request.condition == nil, target.isString, !Self.isPlausibleToken(message.device) {
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
        var members = root.members
        while let (key, value) = members.next() {
            if !(key == "registration_ids") { request.add(key, value, &writer) }
        }
        request.end(&writer)
        return unsafe batch.scratch.copy(writer.bytes)
    }

    /// Tokens are opaque. Rejects only what cannot be one: empty text, white space, control characters.
    static func isPlausibleToken(_ token: BorrowedText) -> Bool {
        // SOUND: the bytes of the token are alive during the call.
        unsafe !token.isEmpty && !token.buffer.contains { $0 <= 0x20 || $0 == 0x7F }
    }

    /// Size of an object's names and values in UTF-8 bytes: strings without quotes and escapes, other values as JSON
    /// text.
    func countedBytes(_ object: JSONView?) -> Int {
        guard let object else { return 0 }
        var count = 0
        var members = object.members
        while let (key, value) = members.next() {
            count += key.decodedCount + (value.string?.decodedCount ?? value.text.count)
        }
        return count
    }

    /// Reads what Android's drawer shows; the texts of the `android` block take precedence over the message's.
    func readAndroidContent(
        _ notification: JSONView?, _ androidNotification: JSONView?, into message: inout PushMessage,
        _ batch: inout MessageBatch
    ) {
        var content = NotificationContent()
        readAndroidNotification(notification, into: &content, &batch)
        readAndroidNotification(androidNotification, into: &content, &batch)
        content.hasAlert = (content.title?.count ?? 0) > 0 || (content.body?.count ?? 0) > 0
        message.content = content
    }

    private static func nonEmpty(_ text: JSONString?) -> JSONString? { text.flatMap { $0.count > 0 ? $0 : nil } }

    private func readAndroidNotification(
        _ notification: JSONView?, into content: inout NotificationContent, _ batch: inout MessageBatch
    ) {
        guard let notification else { return }
        var title: JSONString?
        var body: JSONString?
        var tag: JSONString?
        var titleKey: JSONString?
        var bodyKey: JSONString?
        var members = notification.members
        while let (key, value) = members.next() {
            if key == "title" {
                title = value.string
            } else if key == "body" {
                body = value.string
            } else if key == "tag" {
                tag = value.string
            } else if key == "title_loc_key" || key == "titleLocKey" {
                titleKey = value.string
            } else if key == "body_loc_key" || key == "bodyLocKey" {
                bodyKey = value.string
            }
        }
        // An empty string is an absent one in proto3, and so does not hide the text beside it.
        content.title = Self.nonEmpty(title) ?? content.title ?? titleKey
        content.body = Self.nonEmpty(body) ?? content.body ?? bodyKey
        if let tag, tag.count > 0 { content.tag = batch.scratch.text(tag) }
    }
}
