import PayloadJSON

extension RecordDecoder {
    /// A GCM request, which is FCM's legacy HTTP request too: one message for each of its targets.
    mutating func decodeGCM(
        _ root: JSONView, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> Malformation? {
        let request = LegacyRequest(root)
        var message = newMessage(.gcm, origin, &batch)
        message.payload = root.text
        if request.registrationIDs != nil { message.payload = withoutTargets(root, &batch) }
        message.platform = options.platform ?? origin.platform ?? .android
        if let package = request.packageName?.string { message.topic = batch.scratch.text(package) }
        if let dryRun = request.dryRun { message.isDryRun = message.isDryRun || dryRun.kind == .true }
        message.byteCount = countedBytes(request.notification) + countedBytes(request.data)
        readAndroidContent(request.notification, nil, into: &message, &batch)

        let first = batch.messages.count
        let targets = appendTargets(of: request, message, origin, &batch)
        if let failure = request.failure(targetCount: targets, impliesTarget: origin.impliesTarget) {
            for index in first..<batch.messages.count {
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

    /// Appends a message for each target, one without a target when there is none, and returns how many targets there are.
    private func appendTargets(
        of request: LegacyRequest, _ message: PushMessage, _ origin: RecordOrigin, _ batch: inout MessageBatch
    ) -> Int {
        var message = message
        var count = 0
        message.byteLimit = options.budget?.bytes ?? Budget.gcm.bytes
        if let ids = request.registrationIDs, ids.kind == .array {
            var elements = ids.elements
            while count < LegacyRequest.maximumTargets, let id = elements.next() {
                message.device = text(of: id, in: &batch)
                let isMalformed = !Self.isPlausibleToken(message.device) || !id.isString
                batch.messages.append(message)
                if isMalformed {
                    batch.reject(
                        .invalidRegistration, pointer: origin.pointer + "/registration_ids/\(count)",
                        message: batch.messages.count - 1)
                }
                count += 1
            }
            if count > 0 { return count }
        }
        guard let target = request.to ?? request.condition ?? request.notificationKey else {
            if message.device.hasPrefix("/topics/") {
                message.byteLimit = options.budget?.bytes ?? Budget.gcmTopic.bytes
            }
            batch.messages.append(message)
            if origin.impliesTarget, !Self.isPlausibleToken(message.device) {
                batch.reject(
                    message.device.isEmpty ? .missingRegistration : .invalidRegistration, pointer: "/device",
                    message: batch.messages.count - 1)
            }
            return 0
        }
        message.device = text(of: target, in: &batch)
        if request.to == nil && request.condition != nil || message.device.hasPrefix("/topics/") {
            message.byteLimit = options.budget?.bytes ?? Budget.gcmTopic.bytes
        }
        batch.messages.append(message)
        if message.device.isEmpty { return 0 }
        if request.condition == nil, target.isString, !Self.isPlausibleToken(message.device) {
            let name = request.to == nil ? "/notification_key" : "/to"
            batch.reject(
                .invalidRegistration, pointer: origin.pointer + name, message: batch.messages.count - 1)
        }
        return 1
    }

    /// What one of many targets gets: the request without the list of them, which may be longer than everything else.
    private mutating func withoutTargets(_ root: JSONView, _ batch: inout MessageBatch) -> BorrowedText {
        writer.removeAll()
        var request = MemberWriter(&writer)
        var members = root.members
        while let (key, value) = members.next() {
            if !(key == "registration_ids") { request.add(key, value, &writer) }
        }
        request.end(&writer)
        return batch.scratch.copy(writer.bytes)
    }

    /// Tokens are opaque; only what cannot be one is told apart: no text, white space, control characters.
    static func isPlausibleToken(_ token: BorrowedText) -> Bool {
        !token.isEmpty && !token.buffer.contains { $0 <= 0x20 || $0 == 0x7F }
    }

    /// UTF-8 bytes of an object's names and values: strings without quotes and escapes, other values as their JSON text.
    func countedBytes(_ object: JSONView?) -> Int {
        guard let object else { return 0 }
        var count = 0
        var members = object.members
        while let (key, value) = members.next() {
            count += key.decodedCount + (value.string?.decodedCount ?? value.text.count)
        }
        return count
    }

    /// Reads what Android's drawer shows; the `android` block's texts win over the message's.
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
        content.title = title ?? content.title ?? titleKey
        content.body = body ?? content.body ?? bodyKey
        if let tag, tag.count > 0 { content.tag = batch.scratch.text(tag) }
    }
}

/// The members of a legacy request.
private struct LegacyRequest {
    /// Source: Firebase Cloud Messaging HTTP protocol, `registration_ids`.
    static let maximumTargets = 1000
    /// Four weeks in seconds. Source: as above, `time_to_live`.
    static let maximumTimeToLive: Int64 = 2_419_200

    var to: JSONView?
    var registrationIDs: JSONView?
    var condition: JSONView?
    var notificationKey: JSONView?
    var data: JSONView?
    var notification: JSONView?
    var packageName: JSONView?
    var timeToLive: JSONView?
    var dryRun: JSONView?
    var contentAvailable: JSONView?
    var mutableContent: JSONView?
    private var priority: JSONView?
    private var collapseKey: JSONView?

    init(_ root: JSONView) {
        var members = root.members
        while let (key, value) = members.next() {
            guard value.kind != .null else { continue }
            if key == "to" {
                to = value
            } else if key == "data" {
                data = value
            } else if key == "notification" {
                notification = value
            } else if key == "registration_ids" {
                registrationIDs = value
            } else if key == "condition" {
                condition = value
            } else if key == "notification_key" {
                notificationKey = value
            } else if key == "collapse_key" {
                collapseKey = value
            } else if key == "priority" {
                priority = value
            } else if key == "time_to_live" {
                timeToLive = value
            } else if key == "restricted_package_name" {
                packageName = value
            } else if key == "dry_run" {
                dryRun = value
            } else if key == "content_available" {
                contentAvailable = value
            } else if key == "mutable_content" {
                mutableContent = value
            }
        }
    }

    /// The first thing for which the whole request is refused. Sources: the documents named at `Rejection`.
    func failure(
        targetCount: Int, impliesTarget: Bool
    ) -> (rejection: Rejection, pointer: String, message: String?)? {
        let named = (to == nil ? 0 : 1) + (registrationIDs == nil ? 0 : 1) + (condition == nil ? 0 : 1)
        if named > 1 {
            return (.invalidParameters, "", "only one of to, registration_ids and condition may be given")
        }
        if let wrong = wrongType() { return (.invalidParameters, "/\(wrong.name)", "must be \(wrong.expected)") }
        if let ids = registrationIDs, ids.kind == .array {
            var elements = ids.elements
            var count = 0
            while elements.next() != nil { count += 1 }
            if count > Self.maximumTargets {
                return (
                    .invalidParameters, "/registration_ids", "\(count) targets, \(Self.maximumTargets) are allowed"
                )
            }
        }
        if targetCount == 0, !impliesTarget { return (.missingRegistration, "", nil) }
        if let condition = condition?.string, !TopicCondition.isValid(condition) {
            return (.invalidParameters, "/condition", TopicCondition.rule)
        }
        if let timeToLive {
            guard let seconds = timeToLive.int64, (0...Self.maximumTimeToLive).contains(seconds) else {
                return (.invalidTtl, "/time_to_live", nil)
            }
        }
        if let key = DataKeys.firstReserved(in: data) {
            return (.invalidDataKey, "/data/" + JSONPointer.escape(key), "the name \"\(key)\" is reserved")
        }
        return nil
    }

    private func wrongType() -> (name: StaticString, expected: StaticString)? {
        func isNotText(_ view: JSONView?) -> Bool { view.map { !$0.isString } ?? false }
        func isNotFlag(_ view: JSONView?) -> Bool { view.map { $0.kind != .true && $0.kind != .false } ?? false }
        func isNotObject(_ view: JSONView?) -> Bool { view.map { !$0.isObject } ?? false }

        if isNotText(to) { return ("to", "a string") }
        if isNotText(condition) { return ("condition", "a string") }
        if isNotText(notificationKey) { return ("notification_key", "a string") }
        if isNotText(collapseKey) { return ("collapse_key", "a string") }
        if isNotText(packageName) { return ("restricted_package_name", "a string") }
        if let registrationIDs, registrationIDs.kind != .array { return ("registration_ids", "an array of strings") }
        if isNotObject(data) { return ("data", "an object") }
        if isNotObject(notification) { return ("notification", "an object") }
        if isNotFlag(dryRun) { return ("dry_run", "true or false") }
        if isNotFlag(contentAvailable) { return ("content_available", "true or false") }
        if isNotFlag(mutableContent) { return ("mutable_content", "true or false") }
        if let priority, !(priority.string.map { $0 == "normal" || $0 == "high" } ?? false) {
            return ("priority", "\"normal\" or \"high\"")
        }
        return nil
    }
}

/// Names that `data` may not use. Sources: Firebase Cloud Messaging HTTP protocol, `data`; FCM v1, `Message.data`.
enum DataKeys {
    static func firstReserved(in data: JSONView?) -> String? {
        guard let data else { return nil }
        var members = data.members
        while let (key, _) = members.next() {
            if isReserved(key) { return key.string }
        }
        return nil
    }

    private static func isReserved(_ key: JSONString) -> Bool {
        if key.hasEscapes {
            let name = key.string
            return name == "from" || name == "message_type" || name.hasPrefix("google") || name.hasPrefix("gcm")
        }
        return key == "from" || key == "message_type" || key.raw.hasPrefix("google") || key.raw.hasPrefix("gcm")
    }
}
