package import PushJSON
package import PushModel

/// An FCM v1 message: the fields that the decoder reads, and what FCM's parser refuses in any field.
///
/// One walk over the message's tape, by the table of `FCMField`.
package struct FCMMessage {
    /// Four weeks in seconds. Source: FCM v1, `AndroidConfig.ttl`.
    static let maximumTimeToLive: Int64 = 2_419_200

    /// The violations that FCM's parser finds, in the order of the text.
    package private(set) var violations: [FCMViolation] = []

    private(set) var topic: JSONView?
    private(set) var condition: JSONView?
    private(set) var data: JSONView?
    private(set) var notification: JSONView?
    private(set) var android: JSONView?
    private(set) var androidV2: JSONView?
    private(set) var webpush: JSONView?
    private(set) var apns: JSONView?
    private(set) var androidNotification: JSONView?
    private(set) var androidData: JSONView?
    private(set) var packageName: JSONView?
    private(set) var collapseKey: JSONView?
    private(set) var timeToLive: JSONView?
    private(set) var apnsHeaders: JSONView?
    private(set) var isDryRun = false
    /// True if `refusal` has seen a name in `data` that `DataKeys` advises against.
    private(set) var hasDiscouragedKeys = false
    private var registration: JSONView?
    private var installation: JSONView?
    private var color: JSONView?
    private var payload: JSONView?

    /// Reads the message of a request.
    ///
    /// - Parameters:
    ///   - request: `{"message":{…},"validate_only":…}`.
    ///   - isRecord: true if the request stands in a record of its own, which may name its `provider`.
    package init(request: JSONView, isRecord: Bool) {
        read(request, as: .request, FCMFieldIndex.shared)
        guard isRecord, !violations.isEmpty else { return }
        violations.removeAll {
            $0.problem == .unknownName && $0.object == .request && $0.key.map { $0 == "provider" } ?? false
        }
    }

    /// Reads a message of an Admin SDK, which stands in a record of its own, without a request around it.
    package init(bare message: JSONView) {
        read(message, as: .message, FCMFieldIndex.shared)
        guard !violations.isEmpty else { return }
        let isMulticast = hasNoTarget
        violations.removeAll { violation in
            if AdminNames.takes(violation) { return true }
            guard violation.problem == .unknownName, violation.object == .message, let key = violation.key else {
                return false
            }
            return key == "provider" || (isMulticast && BareMessage.isList(key, violation.value))
        }
    }

    package init(_ message: JSONView) { read(message, as: .message, FCMFieldIndex.shared) }

    /// The registration token, or the installation id in its place.
    var token: JSONView? { registration ?? installation }

    /// `apns.live_activity_token`: the token of a Live Activity, or the one that starts activities.
    var liveActivityToken: JSONView? { apns.flatMap { $0["live_activity_token"] ?? $0["liveActivityToken"] } }

    /// The address of the picture for an Apple device: `apns.fcm_options.image`, which overrides that of the common notification.
    /// Source: Firebase, REST Resource: projects.messages, `ApnsFcmOptions`.
    var appleImage: JSONView? {
        let options = apns.flatMap { $0["fcm_options"] ?? $0["fcmOptions"] }
        return [options?["image"], notification?["image"]].compactMap(\.self).first { $0.string?.nonEmpty != nil }
    }

    var webHeaders: JSONView? { webpush?["headers"].flatMap { $0.isObject ? $0 : nil } }

    var webNotification: JSONView? { webpush?["notification"].flatMap { $0.isObject ? $0 : nil } }

    var webData: JSONView? { webpush?["data"].flatMap { $0.isObject ? $0 : nil } }

    var apnsPayload: JSONView? { payload.flatMap { $0.isObject ? $0 : nil } }

    /// The parts of which FCM makes a payload for APNs.
    var derivedParts: DerivedParts {
        DerivedParts(notification: notification, data: data, payload: apnsPayload, image: appleImage)
    }

    /// True if it names no target: its origin implies one.
    var hasNoTarget: Bool { registration == nil && installation == nil && topic == nil && condition == nil }

    // MARK: - Walk

    private mutating func read(_ object: JSONView, as type: FCMObject, _ index: FCMFieldIndex) {
        for (key, value) in object.members {
            guard let field = index.field(key, of: type) else {
                refuse(FCMViolation(.unknownName, type, nil, key, value, in: object))
                continue
            }
            // Source: ProtoJSON Format; null is an absent field of any type.
            if value.kind == .null { continue }
            if field.part != .none { note(field, key, value, in: object) }
            switch field.type {
            case _ where field.isRepeated: readElements(of: value, field, key, in: object)
            case .string where value.kind == .string: break
            case .message(let inner) where value.isObject: read(value, as: inner, index)
            case .stringMap where value.isObject: readValues(of: value, field)
            case let type where FCMValue.isValid(value, type): break
            default: refuse(FCMViolation(.wrongValue, field.object, field, key, value, in: object))
            }
        }
    }

    /// An array of values; null is none of them.
    private mutating func readElements(of value: JSONView, _ field: FCMField, _ key: JSONString, in object: JSONView) {
        guard value.kind == .array else {
            return refuse(FCMViolation(.wrongValue, field.object, field, key, value, in: object))
        }
        for element in value.elements where !FCMValue.isValid(element, field.type) {
            refuse(FCMViolation(.wrongElement, field.object, field, nil, element, in: value))
        }
    }

    /// The values of a map, which are strings. In data, null is absent (UNCONFIRMED). Source: sygnal's gcmpushkin.py, which sends it.
    private mutating func readValues(of map: JSONView, _ field: FCMField) {
        for (key, value) in map.members {
            if value.kind == .string || value.kind == .null && field.name.description == "data" { continue }
            refuse(FCMViolation(.wrongMapValue, field.object, field, key, value, in: map))
        }
    }

    @inline(never)
    private mutating func refuse(_ violation: FCMViolation) {
        if violations.count < FCMViolation.maximum { violations.append(violation) }
    }

    @inline(__always)
    private mutating func note(_ field: FCMField, _ key: JSONString, _ value: JSONView, in object: JSONView) {
        switch field.part {
        case .none, .message: break
        case .validateOnly: isDryRun = value.kind == .true
        case .token:
            claimTarget(registration == nil, field, key, value, in: object)
            registration = value
        case .fid:
            claimTarget(installation == nil, field, key, value, in: object)
            installation = value
        case .topic:
            claimTarget(topic == nil, field, key, value, in: object)
            topic = value
        case .condition:
            claimTarget(condition == nil, field, key, value, in: object)
            condition = value
        case .data: data = value
        case .notification: notification = value
        case .android: android = value
        case .androidV2: androidV2 = value
        case .apns: apns = value
        case .webpush: webpush = value
        case .androidNotification: androidNotification = value
        case .androidData: androidData = value
        case .timeToLive: timeToLive = value
        case .collapseKey: collapseKey = value
        case .packageName: packageName = value
        case .color: color = value
        case .apnsHeaders: apnsHeaders = value
        case .apnsPayload: payload = value
        }
    }

    /// The four targets are one `oneof`. The same name twice is left to the note about duplicate names.
    private mutating func claimTarget(
        _ isFirst: Bool, _ field: FCMField, _ key: JSONString, _ value: JSONView, in object: JSONView
    ) {
        if isFirst, !hasNoTarget { refuse(FCMViolation(.secondTarget, .message, field, key, value, in: object)) }
    }

    // MARK: - Beyond types

    /// Why FCM refuses a message that its parser has read.
    struct Refusal {
        /// JSON Pointer into the message.
        var pointer: String
        var message: String
        /// FCM's own words, where they are known.
        var detail: Finding.Detail?

        init(_ pointer: String, _ message: String, _ detail: Finding.Detail? = nil) {
            self.pointer = pointer
            self.message = message
            self.detail = detail
        }
    }

    /// The first reason for which FCM answers INVALID_ARGUMENT to a message that its parser has read.
    /// Sources: FCM v1 `projects.messages`, `ErrorCode`.
    ///
    /// - Parameter message: the object that has been read.
    mutating func refusal(of message: JSONView, impliesTarget: Bool, device: BorrowedText) -> Refusal? {
        if hasNoTarget, !impliesTarget {
            return Refusal(
                "", "exactly one of token, topic and condition must be given", FCMSentence.noTarget.detail())
        }
        return targetRefusal(device) ?? dataRefusal(in: data, at: "/data")
            ?? dataRefusal(in: androidData, at: "/android/data") ?? androidRefusal() ?? apsRefusal()
            ?? refusalOfV2(in: message)
    }

    private func targetRefusal(_ device: BorrowedText) -> Refusal? {
        if token != nil, !RegistrationToken.isPlausible(device) {
            guard registration != nil else { return Refusal("/fid", "the installation id is malformed") }
            return Refusal(
                "/token", "the registration token is malformed", FCMSentence.malformedToken.detail())
        }
        if let topic, !(topic.string.map(TopicName.isValid) ?? false) {
            return Refusal(
                "/topic",
                "a topic name must have 1 to \(TopicName.maximumBytes) letters, digits and -_.~%, without /topics/")
        }
        if let condition, !(condition.string.map(TopicCondition.isValid) ?? false) {
            return Refusal("/condition", TopicCondition.rule)
        }
        return nil
    }

    private mutating func dataRefusal(in object: JSONView?, at pointer: StaticString) -> Refusal? {
        guard let object else { return nil }
        for (key, _) in object.members where DataKeys.isReserved(key, by: .gcm) {
            guard DataKeys.isReserved(key, by: .fcm) else {
                hasDiscouragedKeys = true
                continue
            }
            let name = key.string
            return Refusal(
                "\(pointer)/\(JSONPointer.escape(name))", "the name \"\(name)\" is reserved",
                FCMSentence.reservedKey.detail(name, at: "message" + pointer.description.replacing("/", with: ".")))
        }
        return nil
    }

    /// A finding for each name in `data` that `DataKeys` advises against, with JSON Pointers into the message.
    func discouragedKeys() -> [Finding] {
        [
            (data, "/data"), (androidData, "/android/data"),
            (androidV2.flatMap { AndroidV2($0).data }, "/android_v2/data"),
        ].flatMap { object, pointer in
            (object?.members.filter { DataKeys.isDiscouraged($0.key) } ?? []).map { key, _ in
                Finding(
                    rule: DataKeys.discouragedRule, severity: .warning,
                    pointer: "\(pointer)/\(JSONPointer.escape(key.string))",
                    message: DataKeys.advice(against: key.string))
            }
        }
    }

    private func androidRefusal() -> Refusal? {
        Self.timeToLiveRefusal(timeToLive, at: "/android/ttl")
            ?? Self.colorRefusal(color, at: "/android/notification/color")
    }

    private static func timeToLiveRefusal(_ value: JSONView?, at pointer: String) -> Refusal? {
        guard let value, !FCMValue.isDuration(value, upTo: maximumTimeToLive) else { return nil }
        return Refusal(pointer, "must be seconds from 0 to 2419200s (four weeks)")
    }

    private static func colorRefusal(_ value: JSONView?, at pointer: String) -> Refusal? {
        guard let value, !FCMValue.isColor(value) else { return nil }
        return Refusal(pointer, "must be #rrggbb")
    }

    /// The first reason in `apns.payload`, which FCM looks at for any device. An empty one, and an `aps` that is null or empty, are
    /// accepted: what FCM answers to them today is not confirmed.
    @inline(never)
    private func apsRefusal() -> Refusal? {
        guard let payload = apnsPayload else { return nil }
        guard let aps = payload["aps"] else {
            var members = payload.members
            guard members.next() != nil else { return nil }
            return Refusal("/apns/payload", "apns.payload must contain aps", FCMSentence.noAps.detail())
        }
        guard aps.isObject else {
            if aps.kind == .null { return nil }
            return Refusal("/apns/payload/aps", "aps must be an object", FCMSentence.apsNotDictionary.detail())
        }
        if let badge = aps["badge"], ![.number, .true, .false].contains(badge.kind) {
            return Self.wrongType("number", of: "badge", at: "aps")
        }
        // In a Live Activity an object may stand for a text.
        guard let title = aps["alert"]?["title"], !title.isString, !title.isObject else { return nil }
        return Self.wrongType("String", of: "title", at: "aps.alert")
    }

    /// FCM's answer is observed for `badge` and `title`. What it answers to other keys of a wrong type is not known.
    private static func wrongType(_ type: String, of name: String, at path: String) -> Refusal {
        Refusal(
            "/apns/payload/\(path.replacing(".", with: "/"))/\(name)", "\(name) must be a \(type.lowercased())",
            FCMSentence.apsType.detail("[\(name)] is a \(type).", at: "message.apns.payload.\(path).\(name)"))
    }

    /// The first reason in `android_v2`. That FCM checks its values like those of `android` is not confirmed.
    private mutating func refusalOfV2(in message: JSONView) -> Refusal? {
        guard let block = androidV2 else { return nil }
        let android = AndroidV2(block)
        let color = android.notification?["color"].flatMap { $0.kind == .null ? nil : $0 }
        let name = "/android_v2"
        let found =
            dataRefusal(in: android.data, at: "/android_v2/data")
            ?? Self.timeToLiveRefusal(android.timeToLive, at: name + "/ttl")
            ?? Self.colorRefusal(color, at: color.map { name + block.pointer(to: $0.index) } ?? "")
        guard var refusal = found else { return nil }
        // As the message spells it.
        refusal.pointer = message.pointer(to: block.index) + refusal.pointer.dropFirst(name.utf8.count)
        return refusal
    }

    /// True if `android.ttl` is in the range that FCM takes.
    package static func isTimeToLive(_ value: JSONView) -> Bool {
        FCMValue.durationFault(value) == nil && FCMValue.isDuration(value, upTo: maximumTimeToLive)
    }
}

/// The block `android_v2` of an FCM v1 message, a preview that replaces `android`: a notification that the FCM SDK or Google Play
/// services shows, or data for a background sync.
///
/// Sources: Firebase, "Migrate from FCM HTTP v1 API to AndroidConfigV2"; the discovery document of the API.
struct AndroidV2 {
    private(set) var collapseKey: JSONView?
    private(set) var timeToLive: JSONView?
    private(set) var packageName: JSONView?
    /// Overrides the data of the message.
    private(set) var data: JSONView?
    /// `remote_notification.notification`, whose texts override those of the message.
    private(set) var notification: JSONView?
    private(set) var isRemoteNotification = false
    private var hasBackgroundSync = false

    init(_ block: JSONView) {
        for (key, value) in block.members where value.kind != .null {
            switch key {
            case "collapse_key", "collapseKey": collapseKey = value
            case "ttl": timeToLive = value
            case "restricted_package_name", "restrictedPackageName": packageName = value
            case "data": data = value
            case "remote_notification", "remoteNotification":
                isRemoteNotification = value.isObject
                notification = value["notification"].flatMap { $0.isObject ? $0 : nil }
            case "background_sync", "backgroundSync": hasBackgroundSync = true
            default: break
            }
        }
    }

    /// True if nothing is shown. Exactly one of the two is allowed; what FCM makes of both is not documented.
    var isBackgroundSync: Bool { hasBackgroundSync && !isRemoteNotification }
}

extension RecordDecoder {
    /// `{"message":{…},"validate_only":…}`, FCM HTTP v1; or, in a record of its own, the message without the request.
    mutating func decodeFCM(
        _ root: JSONView, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        let isRecord = origin.level == 0 && origin.pointer.isEmpty
        guard let body = root["message"], body.isObject else {
            if isRecord, root["message"] == nil, TopLevelKeys(of: root).hasMessageTarget {
                return BareMessage(root).decode(origin, by: &self, into: &batch)
            }
            return decodeWithoutMessage(root, origin, into: &batch)
        }
        var request = FCMMessage(request: root, isRecord: isRecord)
        return decodeFCM(body, &request, in: root, at: "/message", origin, into: &batch)
    }

    /// - Parameters:
    ///   - body: the message, and `request` what has been read of it.
    ///   - root: the request, or the message if there is none around it.
    ///   - place: JSON Pointer from there to the message.
    mutating func decodeFCM(
        _ body: JSONView, _ request: inout FCMMessage, in root: JSONView, at place: StaticString,
        _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        // Only an Apple device has Live Activities.
        let activityToken = request.liveActivityToken?.string?.nonEmpty
        var message = fcmMessage(body, request, activityToken, at: place, origin, &batch)
        let index = batch.messageCount
        batch.append(copyOf: &message)
        if message.platform == .web, let fault = request.webNotification.flatMap(WebNotification.fault) {
            let pointer = origin.isDerived ? origin.pointer : origin.pointer + place.description
            batch.report(fault.finding(at: pointer, isDerived: origin.isDerived), message: index)
        }
        if message.headers.pushType == .liveactivity {
            batch.hasLiveActivities = true
            batch.activityTokens[index] = activityToken.map { batch.scratch.text($0) }
        }
        judge(&request, in: root, body, at: place, origin, &batch)
        guard message.platform == .ios else { return nil }
        return deriveForIOS(request.derivedParts, origin, from: index, into: &batch)
    }

    /// The message of a request.
    @inline(__always)
    private mutating func fcmMessage(
        _ body: JSONView, _ request: FCMMessage, _ activityToken: JSONString?, at place: StaticString,
        _ origin: RecordOrigin, _ batch: inout MessageBatch
    ) -> DecodedMessage {
        var message = newMessage(.fcm, origin, &batch)
        if !origin.isDerived { message.payloadPointer = place }
        message.payload = body.text
        message.isDryRun = message.isDryRun || request.isDryRun
        let isForIOSAlone =
            request.apns != nil && request.android == nil && request.androidV2 == nil && request.webpush == nil
        let isForIOS = isForIOSAlone || activityToken != nil
        message.platform = options.platform ?? origin.platform ?? (isForIOS ? .ios : .android)
        if let target = request.token ?? request.topic ?? request.condition {
            message.device = text(of: target, in: &batch)
        }
        message.isForTopic = request.token == nil && (request.topic != nil || request.condition != nil)
        let isForWeb = message.platform == .web
        let parts = GoogleParts(request, on: message.platform)
        message.byteCount = parts.byteCount
        // Source: Firebase, FCM error codes: 2048 bytes are for `data`. APNs takes 4096: binwiederhier/ntfy-android issue 186.
        var isLimitedAsTopic = message.isForTopic && message.platform != .ios
        if isLimitedAsTopic, message.byteCount > Budget.fcmTopic.bytes {
            isLimitedAsTopic = parts.dataByteCount > Budget.fcmTopic.bytes
        }
        message.byteLimit = (options.budget ?? (isLimitedAsTopic ? .fcmTopic : .fcm)).bytes
        parts.read(into: &message.content, &batch)
        // An empty string is an absent one in proto3. A package name does not apply to a browser.
        let packageName = request.androidV2.flatMap { AndroidV2($0).packageName } ?? request.packageName
        if !isForWeb, let package = packageName?.string, package.count > 0 {
            message.topic = batch.scratch.text(package)
            message.isTopicOfTarget = request.token != nil || (request.hasNoTarget && origin.impliesTarget)
        }
        if message.platform == .ios {
            message.readHeaders(request.apnsHeaders, &batch)
            // Source: Firebase, "Get started with Live Activity": requests name no push type.
            if activityToken != nil { message.headers.pushType = .liveactivity }
        } else if let headers = request.apnsHeaders {
            // A device that is registered as one of Apple's gets them.
            var other = message
            other.readHeaders(headers, &batch)
            if other.headers.pushType == .liveactivity || other.headers.channelID != nil {
                batch.hasLiveActivities = true
            }
        }
        return message
    }

    /// Rejects the batch's last message if FCM refuses it, and reports what FCM advises against. Mutating for the same reason as `readEnvelope`.
    private mutating func judge(
        _ request: inout FCMMessage, in root: JSONView, _ body: JSONView, at place: StaticString,
        _ origin: RecordOrigin, _ batch: inout MessageBatch
    ) {
        let index = batch.messageCount - 1
        if !request.violations.isEmpty {
            request.refuse(
                root, as: place.utf8CodeUnitCount == 0 ? .message : .request, origin, message: index, in: &batch)
        } else if let refusal = request.refusal(
            of: body, impliesTarget: origin.impliesTarget, device: batch[index].device)
        {
            let pointer = origin.isDerived ? "" : "\(place)\(refusal.pointer)"
            batch.reject(
                .invalidArgument, pointer: origin.pointer + pointer, refusal.message, detail: refusal.detail,
                message: index)
        } else if request.hasDiscouragedKeys {
            for var finding in request.discouragedKeys() {
                finding.pointer = origin.pointer + (origin.isDerived ? "" : "\(place)\(finding.pointer)")
                batch.report(finding, message: index)
            }
        }
        if request.hasNoTarget, !RegistrationToken.isPlausible(batch[index].device) {
            batch.reject(.invalidArgument, pointer: "/device", "the registration token is malformed", message: index)
        }
        if batch[index].isForTopic, request.apns != nil, options.budget == nil {
            TopicSize.check(request.derivedParts, batch[index], index, in: &batch)
        }
        let headers = request.apnsHeaders
        // Without a word about it, a token may be one of any device.
        if options.platform == .ios, case .accepted = batch[index].verdict,
            let refusal = request.refusalOfAppToken(in: batch[index])
        {
            batch.reject(
                .invalidArgument, pointer: refusal.pointer, refusal.message, detail: refusal.detail, message: index)
        }
        let refusal =
            batch[index].platform == .ios
            ? FCMMessage.refusalOfHeaders(in: batch[index], headers, at: origin.pointer, isDerived: origin.isDerived)
            : headers.flatMap {
                FCMMessage.refusalOfCollapseID(in: batch[index], $0, at: origin.pointer, isDerived: origin.isDerived)
            }
        guard let refusal else { return }
        batch.reject(
            .invalidArgument, pointer: refusal.pointer, refusal.message, detail: refusal.detail, message: index)
    }

    /// A request without a message, as senders of the legacy protocol, and those who leave `message` out, send it. FCM's parser
    /// refuses each of its names: sylk-pushserver issue 16.
    @inline(never)
    private mutating func decodeWithoutMessage(
        _ root: JSONView, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        let request = FCMMessage(request: root, isRecord: origin.level == 0 && origin.pointer.isEmpty)
        // What FCM says to a request that is empty is not known, and a gateway would not send one.
        guard !request.violations.isEmpty, origin.gateway == nil else {
            return DecodeFailure(.unknownShape, "an FCM v1 request needs a \"message\" object", at: root)
        }
        var message = newMessage(.fcm, origin, &batch)
        message.payload = root.text
        message.platform = options.platform ?? origin.platform ?? .android
        message.byteLimit = (options.budget ?? .fcm).bytes
        if let target = (root["token"] ?? root["fid"] ?? root["to"] ?? root["topic"])?.string {
            message.device = batch.scratch.text(target)
        }
        batch.append(message)
        request.refuse(root, as: .request, origin, message: batch.messageCount - 1, in: &batch)
        return nil
    }
}

extension FCMMessage {
    /// Rejects a message that FCM's parser does not read, with a finding for each of its violations.
    @inline(never)
    fileprivate func refuse(
        _ request: JSONView, as type: FCMObject, _ origin: RecordOrigin, message index: Int,
        in batch: inout MessageBatch
    ) {
        for violation in violations {
            let pointer = origin.pointer + (origin.isDerived ? "" : violation.pointer(in: request))
            for field in violation.fields(in: request, as: type) {
                batch.refuse(
                    .invalidArgument, pointer: pointer, field.description, detail: .fieldViolation(field.path),
                    message: index)
            }
        }
    }

    /// The finding about a header that APNs refuses, for which FCM answers INVALID_ARGUMENT.
    ///
    /// FCM waits for APNs, and answers with its reason: observed for `DeviceTokenNotForTopic` (fcm-django issue 201). That
    /// it is so for these reasons, too, is not confirmed.
    ///
    /// - Parameters:
    ///   - headers: where the header stands, to be named as it is written.
    ///   - place: JSON Pointer to the request.
    ///   - isDerived: true if the request was composed, so that there is no place in it.
    package static func refusalOfHeaders(
        in message: DecodedMessage, _ headers: JSONView?, at place: @autoclosure () -> String, isDerived: Bool
    ) -> Finding? {
        guard let wrong = APNsAcceptance.refusedHeader(message) else { return nil }
        let place = isDerived ? place() : pointer(to: wrong.header, in: message, headers, at: place())
        // FCM looks at this header itself.
        if wrong.rejection == .badCollapseId { return longCollapseID(at: place) }
        let row = wrong.rejection.row
        var finding = Finding(
            rule: Rejection.invalidArgument.rule, severity: .error, pointer: place,
            message: "APNs answers \(row.status) \(row.reason): \(wrong.text ?? row.cause.description)")
        finding.detail = .apnsError(wrong.rejection)
        return finding
    }

    /// The finding about a collapse id that is too long, for a device that is not Apple's: FCM looks at its length itself, whatever the device is.
    @inline(never)
    fileprivate static func refusalOfCollapseID(
        in message: DecodedMessage, _ headers: JSONView, at place: @autoclosure () -> String, isDerived: Bool
    ) -> Finding? {
        var id: JSONString?
        for (key, value) in headers.members where APNsHeader(key) == .collapseID { id = value.string }
        guard let id, id.decodedCount > APNsAcceptance.maximumCollapseIDBytes else { return nil }
        return longCollapseID(at: isDerived ? place() : pointer(to: .collapseID, in: message, headers, at: place()))
    }

    private static func longCollapseID(at pointer: String) -> Finding {
        var finding = Finding(
            rule: Rejection.invalidArgument.rule, severity: .error, pointer: pointer,
            message: FCMSentence.collapseID.text.description)
        finding.detail = FCMSentence.collapseID.detail()
        return finding
    }

    /// The finding about a push that an Apple device's app cannot get by its own token, which is all that FCM has: one of a type with
    /// another token, and data with a header of APNs that neither shows anything nor wakes the app. FCM takes data without such a header.
    ///
    /// The answer to the type voip is not confirmed, nor is any of a type not named here.
    package func refusalOfAppToken(in message: DecodedMessage) -> Finding? {
        let headers = message.headers
        guard headers.pushType != nil || headers.priority != nil, !message.isForTopic else { return nil }
        var why = "FCM has only the app's token, not one for apns-push-type \(headers.pushType?.row.wireName ?? "")"
        switch headers.pushType {
        case .voip, .location: break
        case nil, .background:
            let aps = apnsPayload?["aps"]
            let keys: [StaticString] = ["alert", "badge", "sound", "content-available"]
            guard data != nil, notification == nil, !keys.contains(where: { GoogleParts.isGiven(aps?[$0]) }) else {
                return nil
            }
            why = "a data message with APNs headers needs \"content-available\": 1 in apns.payload.aps"
        default: return nil
        }
        // Without a place the request was composed.
        let place = message.payloadPointer
        var finding = Finding(
            rule: Rejection.invalidArgument.rule, severity: .error,
            pointer: message.place.string + (place.utf8CodeUnitCount == 0 ? "" : "\(place)/apns"), message: why)
        finding.detail = FCMSentence.invalidToken.detail()
        return finding
    }

    private static func pointer(
        to header: APNsHeader, in message: DecodedMessage, _ headers: JSONView?, at place: String
    ) -> String {
        "\(place)\(message.payloadPointer)/apns/headers/\(JSONPointer.escape(header.name(in: headers)))"
    }
}

extension DecodedMessage {
    /// FCM passes `apns.headers` to APNs.
    fileprivate mutating func readHeaders(_ headers: JSONView?, _ batch: inout MessageBatch) {
        guard let headers else { return }
        for (key, value) in headers.members {
            guard let header = APNsHeader(key), header.row.isHandedOn, let string = value.string, string.count > 0
            else { continue }
            self[header] = batch.scratch.text(string)
            if header == .topic { isTopicOfTarget = false }
        }
    }
}
